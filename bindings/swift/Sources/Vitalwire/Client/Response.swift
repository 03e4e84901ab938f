import Foundation
internal import VitalwireFFI

/// The value of a call with its response metadata: status, request id, attempts and time.
public struct Response<Value: Sendable>: Sendable {
    /// Decoded value.
    public let value: Value
    /// HTTP status.
    public let status: Int
    /// Request id from the service, to quote to the service's support.
    public let requestID: String?
    /// Number of attempts.
    public let attempts: Int
    /// Duration of the call, including all attempts and the delays between them.
    public let elapsed: Duration
    /// Unchanged body of a call with `keepBody`; otherwise `nil`. The body may contain health data.
    public let body: Data?
    /// Skipped items: the first 100 list items that could not be decoded, in the order of the body.
    ///
    /// With `strictLists`, such an item is a decode error instead.
    public let skippedItems: [SkippedItem]
    /// Number of all skipped items. May exceed the number of `skippedItems`.
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

/// A list item that could not be decoded and was left out of its list.
public struct SkippedItem: Sendable, Hashable {
    /// Path of the item in the body, such as `stages[0]`, `[1]` or `sections[0].results[2]`. An undeclared name is shown as `*`.
    public let jsonPath: String
    /// Rule that the item breaks, such as `expected an object`. Contains no value.
    ///
    /// If a field of the item is invalid, the path of the field follows: `expected a string, at status`.
    public let reason: String
    /// Unchanged JSON text of the item. Contains health data.
    public let json: String
}

extension SkippedItem: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The path and the reason, without the item.
    public var description: String { "SkippedItem(\(jsonPath): \(reason))" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Response: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status and the number of attempts, without values.
    public var description: String { "Response(status \(status), attempts \(attempts))" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
