import Foundation

/// Checks the signatures of webhooks, and reads their bodies. For servers: an application never holds the key.
public struct WebhookVerifier: Sendable, CustomStringConvertible, CustomReflectable {
    private let native: NativeVerifier

    /// Several keys serve a rotation: a signature under any of them is taken. Keys are taken byte for byte.
    ///
    /// - Throws: `VitalwireError` of kind `configuration` without a key, or with an empty one.
    public init(keys: [Data]) throws {
        native = try translated { try NativeVerifier(keys: keys) }
    }

    /// Checks a body, as it came, against the value of its signature header.
    ///
    /// - Throws: `VitalwireError` of kind `signature` where it does not fit.
    public func verify(_ body: Data, signature: String) throws {
        try translated { try native.verify(body: body, signature: signature) }
    }

    /// Verified events.
    public func events(_ body: Data, signature: String) throws -> [WebhookEvent] {
        try verify(body, signature: signature)
        return try Webhooks.events(body)
    }

    /// A verified lab report.
    public func labReport(_ body: Data, signature: String) throws -> LabReportWebhook {
        try verify(body, signature: signature)
        return try Webhooks.labReport(body)
    }

    /// A verified nutrition record.
    public func nutrition(_ body: Data, signature: String) throws -> NutritionWebhook {
        try verify(body, signature: signature)
        return try Webhooks.nutrition(body)
    }

    /// Shows no key.
    public var description: String { "WebhookVerifier(..)" }

    /// Shows no key to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Reads webhooks' bodies without looking at their signatures.
public enum Webhooks {
    /// A list of events.
    public static func events(_ body: Data) throws -> [WebhookEvent] {
        try translated { try parseWebhookEvents(body: body) }
    }

    /// A lab report.
    public static func labReport(_ body: Data) throws -> LabReportWebhook {
        try translated { try parseWebhookLabReport(body: body) }
    }

    /// A nutrition record.
    public static func nutrition(_ body: Data) throws -> NutritionWebhook {
        try translated { try parseWebhookNutrition(body: body) }
    }
}
