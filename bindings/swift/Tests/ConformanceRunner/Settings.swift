import Foundation
import Vitalwire

/// The tokens of a token provider, returned in order; the last one repeats. Fails if there are none.
private actor Texts {
    struct Failed: Error {}

    private var texts: [String]

    init(_ texts: [String]) { self.texts = texts }

    func token() async throws -> AccessToken {
        guard let first = texts.first else { throw Failed() }
        if texts.count > 1 { texts.removeFirst() }
        guard first.hasPrefix("late:") else { return AccessToken(first) }
        try await Task.sleep(for: .seconds(2))
        return AccessToken(String(first.dropFirst("late:".count)))
    }
}

/// Returns the token provider of a client; `nil` if the case has none.
private func provider(_ token: JSON?) throws -> TokenProvider? {
    guard let token, token["text"] == nil, token.text != "absent" else { return nil }
    let texts = token.text == "provider_fails" ? [] : token["provider"]?.items
    guard let texts else { throw Unsupported(what: "a token of this kind") }
    let source = Texts(texts.compactMap(\.text))
    return { _ in try await source.token() }
}

/// Converts the name of an encoding of lists.
func listStyle(_ style: JSON) throws -> ArrayStyle {
    switch style.text {
    case "repeated": .repeated
    case "comma": .comma
    default: throw Unsupported(what: "arrays of this style")
    }
}

/// Rejects unknown settings.
private func checkNames(_ settings: JSON, _ known: Set<String>, of what: String) throws {
    let unknown = settings.members.map(\.name).filter { !known.contains($0) }
    if !unknown.isEmpty { throw Unsupported(what: "\(unknown.joined(separator: ", ")) of \(what)") }
}

/// Returns a service; `nil` if the case has no base URL.
private func service(_ url: JSON?, token: JSON?) -> ClientOptions.Service? {
    url?.text.flatMap(URL.init(string:)).map { ClientOptions.Service(baseURL: $0, token: token?["text"]?.text) }
}

/// Returns the certificates that a client trusts.
private func trust(_ settings: JSON) -> ClientOptions.Trust {
    let own = ClientOptions.Certificates(pem: settings["ca"]?.text, readsEnvironment: settings["ca_environment"]?.truth ?? false)
    return settings["only_custom_certificates"]?.truth == true ? .only(own) : .also(own)
}

func client(_ settings: JSON, onAttempt: (@Sendable (Attempt) -> Void)?) throws -> VitalwireClient {
    let joined: Set = [
        "base_url", "token", "care_base_url", "care_token", "proxy", "ca", "ca_environment", "only_custom_certificates", "on_attempt",
    ]
    try checkNames(settings, ClientOptions.planned.union(joined), of: "a client")
    var options = ClientOptions(
        care: service(settings["care_base_url"], token: settings["care_token"]),
        network: .init(
            // Without a proxy, ignore the machine's proxy settings.
            proxy: settings["proxy"]?.text.flatMap(URL.init(string:)).map(ClientOptions.Proxy.url) ?? .disabled,
            trust: trust(settings)))
    options.health = service(settings["base_url"], token: settings["token"])
    try options.read(settings)
    return try VitalwireClient(
        options, tokenProvider: provider(settings["token"]), careTokenProvider: provider(settings["care_token"]),
        onAttempt: onAttempt)
}

/// Creates a client with a path after the base URL.
func clientBelow(_ settings: JSON, _ path: String) throws -> VitalwireClient {
    let members = settings.members.map { member in
        member.name == "base_url" ? JSON.Member(name: member.name, value: .text((member.value.text ?? "") + path)) : member
    }
    return try client(.object(members), onAttempt: nil)
}

func waitOptions(_ settings: JSON) throws -> WaitOptions {
    try checkNames(settings, ["id", "arguments", "options", "timeout_ms", "interval_ms"], of: "a wait")
    let interval = (settings["interval_ms"]?.items ?? []).compactMap(\.whole).map(milliseconds)
    return WaitOptions(
        timeout: settings["timeout_ms"]?.whole.map(milliseconds),
        interval: interval.count == 2 ? WaitInterval(interval[0], upTo: interval[1]) : nil)
}

func partLength(_ settings: JSON) throws -> PartLength? {
    switch (settings["days"]?.whole, settings["hours"]?.whole) {
    case (nil, nil): nil
    case (let days?, nil): .days(Int(days))
    case (nil, let hours?): .hours(Int(hours))
    default: throw Unplayable(what: "parts of days and of hours")
    }
}

func rangeOptions(_ settings: JSON) throws -> RangeOptions {
    RangeOptions(
        concurrency: settings["concurrency"]?.whole.map { Int($0) }, collectsFailures: settings["collect_errors"]?.truth ?? false)
}

/// Converts a duration of a case.
private func milliseconds(_ count: UInt64) -> Duration { .milliseconds(Int64(count)) }

func options(_ settings: JSON) throws -> CallOptions {
    try checkNames(settings, CallOptions.planned.union(["cancel_after_ms", "at_once", "close_after_ms", "close_ends"]), of: "a call")
    var options = CallOptions()
    try options.read(settings)
    return options
}
