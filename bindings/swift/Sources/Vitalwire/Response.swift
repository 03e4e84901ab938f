/// An answer: its value, and what is known of it besides.
public struct Response<Value: Sendable>: Sendable, CustomStringConvertible, CustomReflectable {
    /// The answer itself.
    public let value: Value
    /// Status, request id, attempts, time.
    public let meta: ResponseMeta

    /// Shows no values.
    public var description: String { "Response(status \(meta.status))" }

    /// Shows no values to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
