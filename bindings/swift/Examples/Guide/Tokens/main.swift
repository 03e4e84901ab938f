// Requests tokens from your own server, which `TOKEN_URL` names.

#if canImport(FoundationNetworking)
    // URLSession on Linux.
    import FoundationNetworking
#endif
// --8<-- [start:program]
import Foundation
import Vitalwire

/// A response of your server: the token and its lifetime in seconds.
struct TokenReply: Decodable {
    let access_token: String
    let expires_in: Int
}

/// Requests a token for the signed-in user.
func requestToken(from server: URL) async throws -> AccessToken {
    var request = URLRequest(url: server, timeoutInterval: 15)
    request.httpMethod = "POST"
    // The session of your own app, from its sign-in.
    request.setValue("Bearer a-session-of-person-1", forHTTPHeaderField: "Authorization")
    let (data, response) = try await URLSession.shared.data(for: request)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.userAuthenticationRequired) }
    let reply = try JSONDecoder().decode(TokenReply.self, from: data)
    return AccessToken(reply.access_token, lifetime: .seconds(reply.expires_in))
}

let environment = ProcessInfo.processInfo.environment
guard let server = environment["TOKEN_URL"].flatMap(URL.init(string:)) else { fatalError("set TOKEN_URL to the URL of your server") }
guard let url = environment["VITALWIRE_BASE_URL"].flatMap(URL.init(string:)) else { fatalError("set VITALWIRE_BASE_URL") }
let client = try VitalwireClient(
    ClientOptions(baseURL: url),
    tokenProvider: { reason in
        print("a token is", reason.isRejected ? "rejected" : reason == .expiring ? "expiring" : "missing")
        return try await requestToken(from: server)
    })
for _ in 1...2 {
    let user = try await client.user.info()
    print(user.integratedProviders?.count ?? 0, "connected providers")
}
// --8<-- [end:program]
