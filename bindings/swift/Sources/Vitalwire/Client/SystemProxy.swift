import Foundation

#if os(iOS)
    import CFNetwork
#endif

/// The proxy in iOS's settings of the network in use. The Rust library reads those of macOS by itself.
enum SystemProxy {
    /// What the settings name now; `nil` where they name none, or a script that would choose one.
    static var url: String? {
        #if os(iOS)
            guard let settings = CFNetworkCopySystemProxySettings()?.takeRetainedValue() as? [String: Any] else { return nil }
            return url(in: settings)
        #else
            return nil
        #endif
    }

    /// The proxy in settings as `CFNetworkCopySystemProxySettings` gives them: on iOS one for http and https, under the names of http.
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
    /// These, through the given proxy unless they say otherwise. Never for a service by plain http, which is on this device or in a
    /// closed test network: the token would reach the proxy readable.
    func through(_ system: String?) -> ClientOptions {
        let plain = [baseURL, careBaseURL].contains { $0?.scheme?.lowercased() == "http" }
        guard proxy == nil, !noProxy, !plain, let system else { return self }
        var options = self
        options.proxy = URL(string: system)
        return options
    }
}
