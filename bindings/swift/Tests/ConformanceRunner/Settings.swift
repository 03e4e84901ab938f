import Foundation
import Vitalwire

/// A provider that gives texts one after the other, the last one for ever; without any it fails.
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

/// A client's provider of tokens.
private func provider(_ token: JSON?) throws -> TokenProvider? {
    guard let token, token["text"] == nil, token.text != "absent" else { return nil }
    let texts = token.text == "provider_fails" ? [] : token["provider"]?.items
    guard let texts else { throw Unsupported(what: "a token of this kind") }
    let source = Texts(texts.compactMap(\.text))
    return { _ in try await source.token() }
}

/// An encoding of lists.
func listStyle(_ style: JSON) throws -> ArrayStyle {
    switch style.text {
    case "repeated": .repeated
    case "comma": .comma
    default: throw Unsupported(what: "arrays of this style")
    }
}

/// Refuses settings that this runner does not know.
private func only(_ settings: JSON, _ known: Set<String>, of what: String) throws {
    let unknown = settings.members.map(\.name).filter { !known.contains($0) }
    if !unknown.isEmpty { throw Unsupported(what: "\(unknown.joined(separator: ", ")) of \(what)") }
}

/// The client of a case.
func client(_ settings: JSON, onAttempt: (@Sendable (Attempt) -> Void)?) throws -> VitalwireClient {
    try only(settings, ClientOptions.planned.union(["token", "care_token", "proxy", "on_attempt"]), of: "a client")
    var options = ClientOptions(
        token: settings["token"]?["text"]?.text,
        careToken: settings["care_token"]?["text"]?.text,
        proxy: settings["proxy"]?.text.flatMap(URL.init(string:)),
        // The machine's own proxy is not used.
        noProxy: settings["proxy"] == nil)
    try options.read(settings)
    return try VitalwireClient(
        options, tokenProvider: provider(settings["token"]), careTokenProvider: provider(settings["care_token"]),
        onAttempt: onAttempt)
}

/// The options of waiting.
func waiting(_ settings: JSON) throws -> WaitOptions {
    try only(settings, ["id", "arguments", "options", "timeout_ms", "interval_ms"], of: "a wait")
    let interval = (settings["interval_ms"]?.items ?? []).compactMap(\.whole).map(milliseconds)
    return WaitOptions(
        timeout: settings["timeout_ms"]?.whole.map(milliseconds),
        interval: interval.count == 2 ? WaitInterval(interval[0], upTo: interval[1]) : nil)
}

/// The length of the parts of a range.
func length(_ settings: JSON) throws -> PartLength? {
    switch (settings["days"]?.whole, settings["hours"]?.whole) {
    case (nil, nil): nil
    case (let days?, nil): .days(Int(days))
    case (nil, let hours?): .hours(Int(hours))
    default: throw Unplayable(what: "parts of days and of hours")
    }
}

/// The options of a range.
func ranging(_ settings: JSON) throws -> RangeOptions {
    RangeOptions(
        concurrency: settings["concurrency"]?.whole.map { Int($0) }, collectsFailures: settings["collect_errors"]?.truth ?? false)
}

/// A time of a case.
private func milliseconds(_ count: UInt64) -> Duration { .milliseconds(Int64(count)) }

/// The options of a call.
func options(_ settings: JSON) throws -> CallOptions {
    try only(settings, CallOptions.planned.union(["cancel_after_ms", "at_once", "close_after_ms", "close_ends"]), of: "a call")
    var options = CallOptions()
    try options.read(settings)
    return options
}
