import Foundation
internal import VitalwireFFI

#if canImport(os)
    import os
#endif

/// One attempt of a call. It holds no value, no token and no id but the request's.
public struct Attempt: Sendable {
    /// The operation.
    public let operation: String
    /// `GET`, `POST` and their like.
    public let httpMethod: String
    /// The path with its parameters' names.
    public let pathTemplate: String
    /// 1 for the first.
    public let attempt: Int
    /// The HTTP status, if the service responded.
    public let status: Int?
    /// The kind of error; `nil` for a success.
    public let error: ErrorKind?
    /// Start of the attempt.
    public let startedAt: Date
    /// Duration of the attempt.
    public let elapsed: Duration
    /// Pause before the next attempt; `nil` if this was the last.
    public let nextDelay: Duration?
    /// The id that the service gave this request, if it is shaped like an id.
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
    /// All of it but start and request id in a line, for a log.
    public var description: String { text }

    public var debugDescription: String { text }

    /// Shows nothing more to `dump`.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

#if canImport(os)
    extension Attempt {
        /// Writes each attempt as a line into a log at the level `debug`, without a value, a token or an id.
        public static func log(to logger: Logger) -> @Sendable (Attempt) -> Void {
            { attempt in logger.debug("\(attempt.text, privacy: .public)") }
        }
    }
#endif

/// A closure as the native side tells it of attempts.
final class NativeListener: AttemptListener {
    private let told: @Sendable (Attempt) -> Void

    init(_ told: @escaping @Sendable (Attempt) -> Void) { self.told = told }

    func attempted(attempt: VitalwireFFI.Attempt) throws { told(Attempt(attempt)) }
}
