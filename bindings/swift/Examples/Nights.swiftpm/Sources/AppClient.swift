#if canImport(FoundationNetworking)
    // URLSession on Linux.
    import FoundationNetworking
#endif
// --8<-- [start:program]
import Foundation
import Vitalwire

/// Addresses of the service and of your own server.
enum Address {
    static let service = URL(string: "https://health.example.org")!
    static let tokenServer = URL(string: "https://app.example.org/token")!
}

/// A response of your server: a token and its lifetime in seconds.
struct TokenReply: Decodable, Sendable {
    let accessToken: String
    let expiresIn: Int
}

/// Requests a token for the signed-in user.
///
/// - Parameter session: The session of your own app, from its sign-in.
func requestToken(session: String, from server: URL = Address.tokenServer) async throws -> TokenReply {
    var request = URLRequest(url: server, timeoutInterval: 15)
    request.httpMethod = "POST"
    request.setValue("Bearer \(session)", forHTTPHeaderField: "Authorization")
    let (data, response) = try await URLSession.shared.data(for: request)
    switch (response as? HTTPURLResponse)?.statusCode {
    case 200: break
    case 401: throw URLError(.userAuthenticationRequired)
    default: throw URLError(.badServerResponse)
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(TokenReply.self, from: data)
}

/// Returns a client of the signed-in user.
func appClient(
    session: String, service: URL = Address.service, tokenServer: URL = Address.tokenServer
) throws -> VitalwireClient {
    try VitalwireClient(
        ClientOptions(baseURL: service),
        tokenProvider: { _ in
            let reply = try await requestToken(session: session, from: tokenServer)
            return AccessToken(reply.accessToken, lifetime: .seconds(reply.expiresIn))
        })
}
// --8<-- [end:program]
