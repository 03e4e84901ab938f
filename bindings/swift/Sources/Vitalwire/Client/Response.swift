import Foundation
internal import VitalwireFFI

/// A call's value, and what is known of its answer besides.
public struct Response<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value
    /// The HTTP status.
    public let status: Int
    /// The id that the service gave the request, for a question to its support.
    public let requestID: String?
    /// How many times the request was sent or tried.
    public let attempts: Int
    /// How long the call took, attempts and the waits between them.
    public let elapsed: Duration
    /// The body as it came, of a call with `keepRaw`. It may hold health data.
    public let body: Data?

    init(value: Value, _ meta: ResponseMeta) {
        self.value = value
        status = Int(meta.status)
        requestID = meta.requestId
        attempts = Int(meta.attempts)
        elapsed = .milliseconds(Int64(clamping: meta.elapsedMs))
        body = meta.body
    }
}

extension Response: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Shows status and attempts, no values.
    public var description: String { "Response(status \(status), attempts \(attempts))" }

    /// Shows no values.
    public var debugDescription: String { description }

    /// Shows no values to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
