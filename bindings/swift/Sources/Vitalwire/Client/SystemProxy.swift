import Foundation

#if os(iOS)
    import CFNetwork
#endif

/// The proxy from the network settings of iOS. On macOS the Rust library reads the settings itself.
enum SystemProxy {
    /// Current proxy URL; `nil` if the settings name no proxy or use a configuration script.
    static var url: String? {
        #if os(iOS)
            guard let settings = CFNetworkCopySystemProxySettings()?.takeRetainedValue() as? [String: Any] else { return nil }
            return url(in: settings)
        #else
            return nil
        #endif
    }

    /// Returns the proxy URL from the result of `CFNetworkCopySystemProxySettings`. On iOS the http keys apply to https as well.
    static func url(in settings: [String: Any]) -> String? {
        guard settings["HTTPEnable"] as? Int == 1, let host = settings["HTTPProxy"] as? String, !host.isEmpty else { return nil }
        var url = URLComponents()
        url.scheme = "http"
        url.host = host.contains(":") ? "[\(host)]" : host
        url.port = settings["HTTPPort"] as? Int
        return url.string
    }
}

extension ClientOptions {
    /// Returns the options with the system's proxy, unless they already set or disable a proxy.
    ///
    /// A service over plain http gets no proxy, because the proxy could read the token. Such a service runs on this device or in a closed
    /// test network.
    func withSystemProxy(_ system: String?) -> ClientOptions {
        let plain = [health, care].contains { $0?.baseURL.scheme?.lowercased() == "http" }
        guard network.proxy == nil, !plain, let system else { return self }
        var options = self
        options.network.proxy = URL(string: system).map(Proxy.url)
        return options
    }
}
