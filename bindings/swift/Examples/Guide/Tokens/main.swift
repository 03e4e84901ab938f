// Runs the client of the application `Nights` with the token server at `TOKEN_URL`.

import Foundation
import Vitalwire

@testable import AppleApp

let environment = ProcessInfo.processInfo.environment
guard let server = environment["TOKEN_URL"].flatMap(URL.init(string:)) else { fatalError("set TOKEN_URL") }
guard let url = environment["VITALWIRE_BASE_URL"].flatMap(URL.init(string:)) else { fatalError("set VITALWIRE_BASE_URL") }
let client = try appClient(session: "a-session-of-person-1", service: url, tokenServer: server)
print(try await client.user.info().integratedProviders?.count ?? 0, "connected providers")

do {
    _ = try await appClient(session: "an-expired-session", service: url, tokenServer: server).user.info()
} catch let error as VitalwireError {
    print(error.kind, (error.underlying as? URLError)?.code == .userAuthenticationRequired ? "sign in again" : "another reason")
}
