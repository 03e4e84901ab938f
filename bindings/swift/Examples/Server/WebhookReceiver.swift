// Empty on iOS, where an application must not hold a key.
#if os(Linux) || os(macOS)
    // --8<-- [start:webhooks]
    import Foundation
    import Vitalwire
    import VitalwireServer

    /// Receives webhooks, independently of a web framework.
    public actor WebhookReceiver {
        private let verifier: WebhookVerifier
        /// Content keys of processed bodies. Keep them in a database, so that they survive a restart.
        private var processed: Set<String> = []
        private var inProgress: Set<String> = []

        public init(key: String) throws { verifier = try WebhookVerifier(keys: [key]) }

        /// Processes a body once. Returns the status of the response.
        public func receive(_ body: Data, signature: String?) async -> Int {
            do {
                try verifier.verify(body, signature: signature)
                let key = try Webhooks.contentKey(of: body)
                if processed.contains(key) { return 200 }
                // With status 503, the service sends the body again.
                guard inProgress.insert(key).inserted else { return 503 }
                defer { inProgress.remove(key) }
                guard try await process(body) else { return 400 }
                processed.insert(key)
                return 200
            } catch let error as VitalwireError {
                return error.kind == .signature ? 401 : error.kind == .tooLarge ? 413 : 400
            } catch {
                return 500
            }
        }

        /// Prints what has changed. A real receiver stores it and processes it later. Returns false if the kind of the body is unknown.
        private func process(_ body: Data) async throws -> Bool {
            switch try Webhooks.detectKind(of: body) {
            case .events: for event in try Webhooks.parseEvents(body) { print(event.eventType?.rawValue ?? "an event") }
            case .labReport: print("lab report:", try Webhooks.parseLabReport(body).status.rawValue)
            case .nutrition: print("meal:", try Webhooks.parseNutrition(body).status.rawValue)
            case nil: return false
            }
            return true
        }
    }
    // --8<-- [end:webhooks]
#endif
