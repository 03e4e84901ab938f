// Empty on iOS, where an application must not hold a key.
#if os(Linux) || os(macOS)
    // --8<-- [start:tokens]
    import Foundation
    import Vitalwire
    import VitalwireServer

    /// Exchanges tokens for the users of an app, independently of a web framework.
    public struct TokenServer: Sendable {
        /// The response to the app. The service does not state how long a token is valid: choose a lifetime, such as that of your sessions.
        public struct Reply: Codable, Sendable {
            public var access_token: String
            public var expires_in = 3600
        }

        private let client: VitalwireClient
        private let applicationID: Int
        private let key: String

        public init(serviceURL: URL, applicationID: Int, key: String) throws {
            client = try VitalwireClient(ClientOptions(baseURL: serviceURL))
            (self.applicationID, self.key) = (applicationID, key)
        }

        /// Returns a token of a user who is signed in at your server.
        public func token(forUser userID: String) async throws -> Reply {
            let signature = try signUserID(userID, key: key)
            let token = try await client.tokens.exchange(applicationID: applicationID, applicationUserID: userID, signature: signature)
            return Reply(access_token: token.accessToken)
        }
    }
    // --8<-- [end:tokens]
#endif
