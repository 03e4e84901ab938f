#if os(Linux) || os(macOS)
    import Foundation
    import Vitalwire

    /// A verifier of webhook signatures with one or more keys.
    ///
    /// The comparison takes the same time for every signature. The verifier's copies of the keys are overwritten when it is released.
    public struct WebhookVerifier: Sendable {
        private let keys: WebhookKeys

        /// Creates a verifier. A signature by any of the keys is valid: during a rotation, pass the new and the old key.
        ///
        /// - Parameters:
        ///   - keys: The keys. Trailing line ends are removed.
        ///   - bodyLimit: Maximum size of a body, in bytes. Make your web server reject larger bodies before it reads them. Defaults to
        ///     32 MiB.
        /// - Throws: `VitalwireError` of kind `ErrorKind.configuration` if there is no key, or a key is shorter
        ///   than 16 bytes, consists of zero bytes, is quoted, surrounded by white space, contains a line break or begins with `Bearer `.
        public init(keys: [Data], bodyLimit: Int = Webhooks.defaultBodyLimit) throws {
            self.keys = try WebhookKeys(keys, bodyLimit: bodyLimit)
        }

        /// Creates a verifier with keys that are texts; see ``init(keys:bodyLimit:)``.
        public init(keys: [String], bodyLimit: Int = Webhooks.defaultBodyLimit) throws {
            try self.init(keys: keys.map { Data($0.utf8) }, bodyLimit: bodyLimit)
        }

        /// Verifies a body, as received, against the value of its header ``Webhooks/signatureHeader``.
        ///
        /// - Throws: `VitalwireError` of kind `ErrorKind.signature` if the signature matches no key or is `nil`, of
        ///   kind `ErrorKind.tooLarge` if the body exceeds the limit.
        public func verify(_ body: Data, signature: String?) throws { try keys.verify(body, signature: signature) }

        /// Verifies a body of the main webhook, and parses it.
        ///
        /// - Throws: The errors of ``verify(_:signature:)`` and ``Webhooks/parseEvents(_:)``.
        public func verifyAndParseEvents(_ body: Data, signature: String?) throws -> [WebhookEvent] {
            try verify(body, signature: signature)
            return try Webhooks.parseEvents(body)
        }

        /// Verifies a body of the lab report webhook, and parses it.
        ///
        /// - Throws: The errors of ``verify(_:signature:)`` and ``Webhooks/parseLabReport(_:)``.
        public func verifyAndParseLabReport(_ body: Data, signature: String?) throws -> LabReportWebhook {
            try verify(body, signature: signature)
            return try Webhooks.parseLabReport(body)
        }

        /// Verifies a body of the nutrition webhook, and parses it.
        ///
        /// - Throws: The errors of ``verify(_:signature:)`` and ``Webhooks/parseNutrition(_:)``.
        public func verifyAndParseNutrition(_ body: Data, signature: String?) throws -> NutritionWebhook {
            try verify(body, signature: signature)
            return try Webhooks.parseNutrition(body)
        }
    }

    extension WebhookVerifier: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// The type name, without the keys.
        public var description: String { "WebhookVerifier(..)" }

        /// Same as `description`.
        public var debugDescription: String { description }

        /// An empty mirror, so that `dump` shows no keys.
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }
#endif
