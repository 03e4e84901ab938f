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
    /// The first 100 list items that could not be decoded and were left out of the value, in the order of the body. With `strictLists` such an
    /// item is a decode error instead.
    public let skippedItems: [SkippedItem]
    /// Number of list items that were left out. It may exceed the number of `skippedItems`.
    public let skippedCount: Int

    init(value: Value, _ meta: ResponseMetadata) {
        self.value = value
        status = Int(meta.status)
        requestID = meta.requestId
        attempts = Int(meta.attempts)
        elapsed = .milliseconds(Int64(clamping: meta.elapsedMs))
        body = meta.body
        skippedItems = meta.skippedItems.map { SkippedItem(jsonPath: $0.jsonPath, reason: $0.reason, json: $0.json) }
        skippedCount = Int(clamping: meta.skippedCount)
    }
}

/// A list item that could not be decoded and was left out of its list; its neighbours stay.
public struct SkippedItem: Sendable, Hashable {
    /// The place of the item in the body, such as `stages[0]`, `[1]` or `sections[0].results[2]`. An undeclared name is `*`.
    public let jsonPath: String
    /// The rule that the item breaks, such as `expected an object`. If the fault is inside the item, the place in it follows:
    /// `expected a string, at status`. It contains no value.
    public let reason: String
    /// The item as JSON text, as it came. Health data.
    public let json: String
}

extension SkippedItem: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Shows place and reason.
    public var description: String { "SkippedItem(\(jsonPath): \(reason))" }

    /// Shows place and reason.
    public var debugDescription: String { description }

    /// Shows no values to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Response: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Shows status and attempts, no values.
    public var description: String { "Response(status \(status), attempts \(attempts))" }

    /// Shows no values.
    public var debugDescription: String { description }

    /// Shows no values to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
