import Foundation
import Vitalwire
import XCTest

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Tests timeouts and cancellation while a compressed body is inflated.
final class CompressedBodyTests: XCTestCase {
    /// 64 KiB of spaces as a gzip member (RFC 1952).
    private static let member = Data(
        base64Encoded: "H4sIAAAAAAACA+3BgQAAAACAIJX9KRepCg" + String(repeating: "A", count: 83) + "GqUGSy0AAABAA==")!
    private static let end = Duration.milliseconds(300)
    /// Time that a call may take after its timeout on a busy machine.
    private static let tolerance = Duration.milliseconds(700)

    /// Makes a call whose response inflates to 8 GiB. Returns the error and the duration of the call.
    private func call(_ options: CallOptions, cancelAfter delay: Duration? = nil) async throws -> (any Error, Duration) {
        let port = try BlackHole()
        let serving = Thread {
            guard let connection = port.connection() else { return }
            defer { close(connection) }
            var request = [UInt8](repeating: 0, count: 4096)
            _ = recv(connection, &request, 4096, 0)
            let body = Self.member.count * 131_072
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: \(body)\r\n\r\n"
            var data = Data(head.utf8)
            for _ in 0..<1024 {
                for _ in 0..<128 { data.append(Self.member) }
                guard Self.send(data, to: connection) else { return }
                data.removeAll()
            }
        }
        serving.start()
        let client = try VitalwireClient(
            .init(
                baseURL: URL(string: "http://127.0.0.1:\(port.port)")!, token: "t", network: .init(proxy: .disabled),
                maxResponseBytes: .max))
        let started = ContinuousClock.now
        let task = Task { try await client.user.info(options: options) }
        if let delay {
            try await Task.sleep(for: delay)
            task.cancel()
        }
        do {
            _ = try await task.value
            throw CancellationError()
        } catch {
            return (error, ContinuousClock.now - started)
        }
    }

    private static func send(_ data: Data, to connection: Int32) -> Bool {
        #if canImport(Glibc)
            let flags = Int32(MSG_NOSIGNAL)
        #else
            var on: Int32 = 1
            setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
            let flags: Int32 = 0
        #endif
        return data.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                #if canImport(Glibc)
                    let count = Glibc.send(connection, bytes.baseAddress! + sent, bytes.count - sent, flags)
                #else
                    let count = Darwin.send(connection, bytes.baseAddress! + sent, bytes.count - sent, flags)
                #endif
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }

    func testAnEndlessCompressedBodyTimesOut() async throws {
        for _ in 0..<3 {
            let (error, time) = try await call(.init(timeout: Self.end))
            XCTAssertEqual((error as? VitalwireError)?.kind, .timeout)
            XCTAssertLessThan(time, Self.end + Self.tolerance)
            print("deadline: \(time)")
        }
    }

    func testAnEndlessCompressedBodyEndsWhenItsTaskIsCancelled() async throws {
        for _ in 0..<3 {
            let (error, time) = try await call(.init(), cancelAfter: Self.end)
            XCTAssertTrue(error is CancellationError, "\(error)")
            XCTAssertLessThan(time, Self.end + Self.tolerance)
            print("cancelled: \(time)")
        }
    }
}
