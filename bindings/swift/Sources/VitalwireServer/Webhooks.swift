#if os(Linux) || os(macOS)
    import Foundation
    import Vitalwire

    /// Kind of a webhook body.
    public enum WebhookKind: Sendable {
        /// A list of events. Parse it with ``Webhooks/parseEvents(_:)``.
        case events
        /// A lab report. Parse it with ``Webhooks/parseLabReport(_:)``.
        case labReport
        /// A nutrition record. Parse it with ``Webhooks/parseNutrition(_:)``.
        case nutrition

        init(_ kind: ServerFunctions.Kind) {
            switch kind {
            case .events: self = .events
            case .labReport: self = .labReport
            case .nutrition: self = .nutrition
            }
        }

        var kind: ServerFunctions.Kind {
            switch self {
            case .events: .events
            case .labReport: .labReport
            case .nutrition: .nutrition
            }
        }
    }

    /// Parsing of webhooks, and detection of repeated deliveries. Verify a body with ``WebhookVerifier`` first: these functions do not.
    ///
    /// A signature contains no time, so an old body stays valid. The service retries a delivery up to 10 times, until the response has
    /// status 200 within 30 seconds. Store the ``contentKey(of:)`` of each body that you processed. Respond to a body with a stored key
    /// with status 200, and do not process it.
    public enum Webhooks {
        /// Name of the header with the signature.
        public static let signatureHeader = "X-Body-Signature"

        /// Default of the maximum size of a body: 32 MiB.
        public static let defaultBodyLimit = 32 * 1024 * 1024

        /// Parses a body of the main webhook: a list of events, which may concern several users.
        ///
        /// - Throws: `VitalwireError` of kind `ErrorKind.decode` if the body is not a list of events.
        public static func parseEvents(_ body: Data) throws -> [WebhookEvent] { try ServerFunctions.events(body) }

        /// Parses a body of the lab report webhook.
        ///
        /// - Throws: `VitalwireError` of kind `ErrorKind.decode` if the body is not a lab report.
        public static func parseLabReport(_ body: Data) throws -> LabReportWebhook { try ServerFunctions.labReport(body) }

        /// Parses a body of the nutrition webhook. The basis of its numbers is unknown.
        ///
        /// - Throws: `VitalwireError` of kind `ErrorKind.decode` if the body is not a nutrition record.
        public static func parseNutrition(_ body: Data) throws -> NutritionWebhook { try ServerFunctions.nutrition(body) }

        /// Guesses the kind of a body from its fields. Returns `nil` if the fields are ambiguous.
        ///
        /// A lab report and a nutrition record with only an id, a status and times look the same. Prefer a URL for each kind.
        public static func detectKind(of body: Data) throws -> WebhookKind? { try ServerFunctions.kind(body).map { WebhookKind($0) } }

        /// Returns the list items that cannot be parsed, which parsing a body of this kind leaves out.
        ///
        /// - Throws: `VitalwireError` of kind `ErrorKind.decode` if the body cannot be parsed.
        public static func skippedItems(in body: Data, kind: WebhookKind) throws -> [SkippedItem] {
            try ServerFunctions.skippedItems(body, kind.kind)
        }

        /// Computes a key to recognise a repeated body: SHA-256 of its canonical JSON, as 64 hex digits.
        ///
        /// White space, escapes and the order of fields make no difference. The key is derived from health data: protect it like the data.
        public static func contentKey(of body: Data) throws -> String { try ServerFunctions.contentKey(body) }

        /// Signs a body as the service does, for tests of a receiver. Returns the value of the header, in lower-case hex.
        public static func sign(_ body: Data, key: Data) throws -> String { try ServerFunctions.sign(body, key: key) }
    }
#endif
