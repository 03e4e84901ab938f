#if os(Linux) || os(macOS)
    import Foundation
    internal import VitalwireFFI

    /// Keys that verify webhooks, for the module `VitalwireServer`. The library overwrites its copies when this is released.
    package final class WebhookKeys: Sendable {
        private let native: ServerWebhookVerifier

        package init(_ keys: [Data], bodyLimit: Int) throws {
            native = try translateErrors { try ServerWebhookVerifier(keys: keys, bodyLimit: UInt64(max(bodyLimit, 0))) }
        }

        package func verify(_ body: Data, signature: String?) throws {
            try translateErrors { try native.verify(body: body, signature: signature) }
        }
    }

    /// Functions of the library for the module `VitalwireServer`.
    package enum ServerFunctions {
        /// Kinds of bodies.
        package enum Kind {
            case events
            case labReport
            case nutrition

            fileprivate var native: ServerWebhookKind {
                switch self {
                case .events: .events
                case .labReport: .labReport
                case .nutrition: .nutrition
                }
            }
        }

        package static func events(_ body: Data) throws -> [WebhookEvent] {
            try translateErrors { try serverParseEvents(body: body).map { WebhookEvent($0) } }
        }

        package static func labReport(_ body: Data) throws -> LabReportWebhook {
            try translateErrors { LabReportWebhook(try serverParseLabReport(body: body)) }
        }

        package static func nutrition(_ body: Data) throws -> NutritionWebhook {
            try translateErrors { NutritionWebhook(try serverParseNutrition(body: body)) }
        }

        package static func skippedItems(_ body: Data, _ kind: Kind) throws -> [SkippedItem] {
            let items = try translateErrors { try serverSkippedItems(body: body, kind: kind.native) }
            return items.map { SkippedItem(jsonPath: $0.jsonPath, reason: $0.reason, json: $0.json) }
        }

        package static func kind(_ body: Data) throws -> Kind? {
            switch try translateErrors({ try serverDetectKind(body: body) }) {
            case .events: .events
            case .labReport: .labReport
            case .nutrition: .nutrition
            case nil: nil
            }
        }

        package static func contentKey(_ body: Data) throws -> String {
            try translateErrors { try serverContentKey(body: body) }
        }

        package static func sign(_ body: Data, key: Data) throws -> String {
            try translateErrors { try serverSignWebhook(body: body, key: key) }
        }

        package static func signUserID(_ userID: String, key: Data) throws -> String {
            try translateErrors { try serverSignUserId(key: key, userId: userID) }
        }
    }
#endif
