import Foundation
import XCTest

@testable import Vitalwire

/// Tests how the system's proxy settings are interpreted. The settings are examples, because only iOS provides them.
final class ProxyTests: XCTestCase {
    func testNetworkSettingsNameAProxyOrNone() {
        let set: [String: Any] = ["HTTPEnable": 1, "HTTPProxy": "proxy.example.org", "HTTPPort": 3128]
        XCTAssertEqual(SystemProxy.url(in: set), "http://proxy.example.org:3128")
        XCTAssertEqual(SystemProxy.url(in: ["HTTPEnable": 1, "HTTPProxy": "2001:db8::1", "HTTPPort": 8080]), "http://[2001:db8::1]:8080")
        XCTAssertEqual(SystemProxy.url(in: ["HTTPEnable": 1, "HTTPProxy": "proxy.example.org"]), "http://proxy.example.org")
        XCTAssertNil(SystemProxy.url(in: [:]))
        XCTAssertNil(SystemProxy.url(in: set.merging(["HTTPEnable": 0]) { _, off in off }))
        XCTAssertNil(SystemProxy.url(in: ["HTTPEnable": 1, "HTTPProxy": ""]))
        XCTAssertNil(SystemProxy.url(in: ["ProxyAutoConfigEnable": 1, "ProxyAutoConfigURLString": "https://example.org/proxy.pac"]))
    }

    func testTheProxyOfAnApplicationIsKept() throws {
        let service = try XCTUnwrap(URL(string: "https://health.example.org"))
        let own = try XCTUnwrap(URL(string: "http://own.example.org:1"))
        let system = "http://proxy.example.org:3128"
        XCTAssertEqual(ClientOptions(baseURL: service).withSystemProxy(system).network.proxy?.url?.absoluteString, system)
        XCTAssertNil(ClientOptions(baseURL: service).withSystemProxy(nil).network.proxy)
        XCTAssertEqual(ClientOptions(baseURL: service, network: .init(proxy: .url(own))).withSystemProxy(system).network.proxy, .url(own))
        XCTAssertEqual(ClientOptions(baseURL: service, network: .init(proxy: .disabled)).withSystemProxy(system).network.proxy, .disabled)
    }

    func testAPlainHTTPServiceIsCalledWithoutAProxy() throws {
        let plain = try XCTUnwrap(URL(string: "HTTP://127.0.0.1:8080"))
        let service = try XCTUnwrap(URL(string: "https://health.example.org"))
        XCTAssertNil(ClientOptions(baseURL: plain).withSystemProxy("http://proxy.example.org:3128").network.proxy)
        let care = ClientOptions.Service(baseURL: plain)
        XCTAssertNil(ClientOptions(baseURL: service, care: care).withSystemProxy("http://proxy.example.org:3128").network.proxy)
    }

    func testTheProxyIsPassedToTheCoreAndNotShown() throws {
        let service = try XCTUnwrap(URL(string: "https://health.example.org"))
        let proxy = ClientOptions.Proxy.url(try XCTUnwrap(URL(string: "http://user:CANARY@proxy.example.org:3128")))
        let native = ClientOptions(baseURL: service, network: .init(proxy: proxy)).native
        XCTAssertEqual(native.proxy, "http://user:CANARY@proxy.example.org:3128")
        XCTAssertFalse(native.noProxy)
        var shown = "\(proxy) \(String(reflecting: proxy)) \([proxy])"
        dump(proxy, to: &shown)
        XCTAssertFalse(shown.contains("CANARY"))
        let disabled = ClientOptions(baseURL: service, network: .init(proxy: .disabled)).native
        XCTAssertNil(disabled.proxy)
        XCTAssertTrue(disabled.noProxy)
        let unset = ClientOptions(baseURL: service).native
        XCTAssertNil(unset.proxy)
        XCTAssertFalse(unset.noProxy)
    }

    func testPinsArePassedToTheCoreAsOneText() throws {
        let service = try XCTUnwrap(URL(string: "https://health.example.org"))
        let pinned = ClientOptions(baseURL: service, network: .init(pinnedKeys: ["sha256/a", "sha256/b"]))
        XCTAssertEqual(pinned.native.pinnedKeys, "sha256/a;sha256/b")
        XCTAssertNil(ClientOptions(baseURL: service).native.pinnedKeys)
        // An empty list must not turn pinning off.
        XCTAssertThrowsError(try VitalwireClient(ClientOptions(baseURL: service, token: "t", network: .init(pinnedKeys: [])))) { error in
            XCTAssertEqual("\(error)", "configuration: must contain a pin, argument network.pinnedKeys")
        }
    }
}
