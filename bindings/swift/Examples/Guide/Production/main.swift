// Sets timeouts and retries, and reports each attempt.

import Foundation
import Vitalwire

let environment = ProcessInfo.processInfo.environment
guard let url = environment["VITALWIRE_BASE_URL"].flatMap(URL.init(string:)) else { fatalError("set VITALWIRE_BASE_URL") }
let client = try VitalwireClient(
    ClientOptions(
        baseURL: url,
        token: environment["VITALWIRE_TOKEN"],
        timeouts: .init(connect: .seconds(5), call: .seconds(20)),
        retry: .init(maxRetries: 3, maxDelay: .seconds(2)),
        network: .init(userAgent: "night-app/1.0")),
    onAttempt: { attempt in
        // Send these fields to your metrics. None of them contains health data or a token.
        print("\(attempt.operation), attempt \(attempt.attempt):", attempt.status.map(String.init) ?? "no response")
    })
let response = try await client.withResponse { try await $0.user.info() }
print(response.value.integratedProviders?.count ?? 0, "providers after", response.attempts, "attempts")
client.close()
