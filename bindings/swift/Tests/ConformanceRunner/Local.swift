import Foundation
import Vitalwire
import VitalwireServer

/// Plays the parsing of a consent redirect. The outcome has the parameters by name, with a list for a repeated one.
func redirect(_ call: JSON) throws -> Outcome {
    let back = try ConsentRedirect(text: call["url"]?.text ?? "", expectedState: call["expected_state"]?.text)
    var parameters: [(String, String?)] = [
        ("user_id", back.userID), ("provider_slug", back.providerSlug?.rawValue), ("state", back.state), ("error", back.failure),
    ]
    for parameter in back.extra { parameters.append((parameter.name, parameter.value)) }
    var found: [(name: String, values: [JSON])] = []
    for (name, value) in parameters {
        guard let value else { continue }
        // Compare bytes, because Swift considers some different names equal.
        if let at = found.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
            found[at].values.append(.text(value))
        } else {
            found.append((name, [.text(value)]))
        }
    }
    let members = found.map { JSON.Member(name: $0.name, value: $0.values.count == 1 ? $0.values[0] : .list($0.values)) }
    return Outcome(ParsedJSON(json: .object(members)), shown: back)
}

/// A value that is canonical JSON already.
private struct ParsedJSON: Canonical {
    let json: JSON

    func canonical(_: Reading) -> JSON { json }
}

/// Parses a webhook body. Verifies it if it has a signature.
func webhook(_ call: JSON) throws -> Outcome {
    let body = try Data(given: call["body"]?["base64"] ?? .null)
    let signature = call["signature"]?.text
    let keys = (call["keys"]?.items ?? []).compactMap(\.text)
    let verifier = try signature.map { _ in try WebhookVerifier(keys: keys) }
    func parse<Value>(_ verified: (WebhookVerifier) throws -> Value, _ parsed: () throws -> Value) throws -> Value {
        try verifier.map(verified) ?? parsed()
    }
    switch call["kind"]?.text {
    case "events":
        let events = try parse({ try $0.verifyAndParseEvents(body, signature: signature) }, { try Webhooks.parseEvents(body) })
        return Outcome(events, shown: verifier, skippedItems: try Webhooks.skippedItems(in: body, kind: .events))
    case "lab_report":
        let report = try parse({ try $0.verifyAndParseLabReport(body, signature: signature) }, { try Webhooks.parseLabReport(body) })
        return Outcome(report, shown: verifier, skippedItems: try Webhooks.skippedItems(in: body, kind: .labReport))
    case "nutrition":
        let record = try parse({ try $0.verifyAndParseNutrition(body, signature: signature) }, { try Webhooks.parseNutrition(body) })
        return Outcome(record, shown: verifier, skippedItems: try Webhooks.skippedItems(in: body, kind: .nutrition))
    default: throw Unplayable(what: "no such kind of webhook")
    }
}
