import Vitalwire

/// A provider that gives texts one after the other, the last one for ever; without any it fails.
private actor Texts: TokenProvider {
    struct Failed: Error {}

    private var texts: [String]

    init(_ texts: [String]) { self.texts = texts }

    func token(refused: Bool) async throws -> AccessToken {
        guard let first = texts.first else { throw Failed() }
        if texts.count > 1 { texts.removeFirst() }
        guard first.hasPrefix("late:") else { return AccessToken(secret: first) }
        try await Task.sleep(nanoseconds: 2_000_000_000)
        return AccessToken(secret: String(first.dropFirst("late:".count)))
    }
}

/// A client's provider of tokens.
private func provider(_ token: JSON?) throws -> (any TokenProvider)? {
    guard let token, token["text"] == nil, token.text != "absent" else { return nil }
    if token.text == "provider_fails" { return Texts([]) }
    guard let texts = token["provider"]?.items else { throw Unsupported(what: "a token of this kind") }
    return Texts(texts.compactMap(\.text))
}

private func arrayStyle(_ style: JSON?) throws -> ArrayStyle? {
    switch style?.text {
    case nil: nil
    case "repeated": .repeated
    case "comma": .comma
    case .some(let other): throw Unsupported(what: "arrays as \(other)")
    }
}

/// Refuses settings that this runner does not know.
private func only(_ settings: JSON, _ known: Set<String>, of what: String) throws {
    let unknown = settings.members.map(\.name).filter { !known.contains($0) }
    if !unknown.isEmpty { throw Unsupported(what: "\(unknown.joined(separator: ", ")) of \(what)") }
}

/// The client of a case.
func client(_ settings: JSON) throws -> VitalwireClient {
    try only(
        settings,
        [
            "base_url", "care_base_url", "token", "care_token", "retry_delay_scale", "array_style", "local_checks", "max_response_bytes",
            "gzip", "user_agent", "ca", "proxy",
        ], of: "a client")
    let options = ClientOptions(
        baseUrl: settings["base_url"]?.text,
        token: settings["token"]?["text"]?.text,
        careBaseUrl: settings["care_base_url"]?.text,
        careToken: settings["care_token"]?["text"]?.text,
        retryDelayScale: try settings["retry_delay_scale"].map { try Double(given: $0) },
        proxy: settings["proxy"]?.text,
        // The machine's own proxy is none of the case's.
        noProxy: settings["proxy"] == nil,
        caCertificate: settings["ca"]?.text,
        userAgent: settings["user_agent"]?.text,
        maxResponseBytes: settings["max_response_bytes"]?.whole,
        gzip: settings["gzip"]?.truth,
        arrayStyle: try arrayStyle(settings["array_style"]),
        localChecks: settings["local_checks"]?.truth)
    return try VitalwireClient(
        options: options, tokenProvider: provider(settings["token"]), careTokenProvider: provider(settings["care_token"]))
}

/// The options of waiting.
func waiting(_ settings: JSON) throws -> WaitOptions {
    try only(settings, ["id", "arguments", "options", "timeout_ms", "interval_ms"], of: "a wait")
    let interval = (settings["interval_ms"]?.items ?? []).compactMap(\.whole)
    return WaitOptions(
        timeoutMs: settings["timeout_ms"]?.whole,
        interval: interval.count == 2 ? WaitInterval(floorMs: interval[0], ceilingMs: interval[1]) : nil)
}

/// The options of a call.
func options(_ settings: JSON) throws -> CallOptions {
    try only(
        settings, ["total_ms", "attempt_ms", "connect_ms", "retries", "allow_resend", "token", "cancel_after_ms", "at_once", "close_after_ms", "close_ends"],
        of: "a call")
    return CallOptions(
        timeoutMs: settings["total_ms"]?.whole,
        attemptTimeoutMs: settings["attempt_ms"]?.whole,
        connectTimeoutMs: settings["connect_ms"]?.whole,
        maxRetries: settings["retries"]?.whole.map { UInt32(clamping: $0) },
        allowResend: settings["allow_resend"]?.truth ?? false,
        token: settings["token"]?.text)
}
