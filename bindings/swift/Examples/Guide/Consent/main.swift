// Requests the consent URL of a provider, and parses the redirects that a browser could return with.

import Foundation
import Vitalwire

let environment = ProcessInfo.processInfo.environment
guard let url = environment["VITALWIRE_BASE_URL"].flatMap(URL.init(string:)) else { fatalError("set VITALWIRE_BASE_URL") }
let client = try VitalwireClient(ClientOptions(baseURL: url, token: environment["VITALWIRE_TOKEN"]))

// Keep the state until the browser returns.
let state = UUID().uuidString
let start = try await client.integrations.initURL(.polar, redirectURI: "https://app.example.org/connected", state: state)
print("open the consent URL:", start.path.flatMap(URL.init(string:)) != nil)

let redirects = [
    "https://app.example.org/connected?user_id=u-1&provider_slug=polar&state=\(state)",
    "https://app.example.org/connected?user_id=u-1&provider_slug=polar&state=\(state)&error=denied",
    "https://app.example.org/connected?user_id=u-1&provider_slug=polar&state=another",
    "https://app.example.org/connected?user_id=u-1&state=\(state)",
]
for text in redirects {
    do {
        let redirect = try ConsentRedirect(text: text, expectedState: state)
        guard let provider = redirect.providerSlug else {
            print("this redirect has no provider")
            continue
        }
        print(provider.rawValue, redirect.failure == nil ? "is connected" : "is not connected")
    } catch let error as VitalwireError where error.kind == .signature {
        print("this redirect does not belong to the flow")
    }
}
