import Foundation
internal import VitalwireFFI

#if canImport(os)
    import os
#endif

/// An attempt of a call: one HTTP request and its outcome. Contains no health data, no token and no id except the request id.
public struct Attempt: Sendable {
    /// Id of the operation.
    public let operation: String
    /// HTTP method, such as `GET`.
    public let httpMethod: String
    /// Path with the names of its parameters instead of their values.
    public let pathTemplate: String
    /// Number of the attempt, from 1.
    public let attempt: Int
    /// HTTP status; `nil` without a response.
    public let status: Int?
    /// Kind of the error; `nil` if the attempt succeeded.
    public let error: ErrorKind?
    /// Start of the attempt.
    public let startedAt: Date
    /// Duration of the attempt.
    public let elapsed: Duration
    /// Delay before the next attempt; `nil` after the last attempt.
    public let nextDelay: Duration?
    /// Request id from the service; `nil` if the header is missing or does not look like an id.
    public let requestID: String?

    private let text: String

    init(_ native: VitalwireFFI.Attempt) {
        (operation, httpMethod, pathTemplate) = (native.operation, native.httpMethod, native.pathTemplate)
        attempt = Int(native.attempt)
        status = native.status.map { Int($0) }
        error = native.error.map { ErrorKind(rawValue: Int($0.rawValue)) }
        startedAt = Timestamp(native.startedAt).date
        elapsed = .milliseconds(Int64(clamping: native.elapsedMs))
        nextDelay = native.nextDelayMs.map { .milliseconds(Int64(clamping: $0)) }
        requestID = native.requestId
        text = native.text
    }
}

extension Attempt: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// One line for a log: everything except the start and the request id.
    public var description: String { text }

    public var debugDescription: String { text }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

#if canImport(os)
    extension Attempt {
        /// Returns an `onAttempt` callback that logs each attempt as a line at level `debug`, without values, tokens and ids.
        public static func log(to logger: Logger) -> @Sendable (Attempt) -> Void {
            { attempt in logger.debug("\(attempt.text, privacy: .public)") }
        }
    }
#endif

/// Passes attempts from the native client to a closure.
final class NativeListener: AttemptListener {
    private let onAttempt: @Sendable (Attempt) -> Void

    init(_ onAttempt: @escaping @Sendable (Attempt) -> Void) { self.onAttempt = onAttempt }

    func attempted(attempt: VitalwireFFI.Attempt) throws { onAttempt(Attempt(attempt)) }
}
