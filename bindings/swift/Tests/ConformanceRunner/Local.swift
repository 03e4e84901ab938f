import Foundation
import Vitalwire

/// A return from the consent flow: its parameters in place, texts all of them. One that comes several times is a list of texts.
func redirect(_ call: JSON) throws -> Answer {
    let back = try ConsentRedirect(text: call["url"]?.text ?? "", expectedState: call["expected_state"]?.text)
    var parameters: [(String, String?)] = [
        ("user_id", back.userID), ("provider_slug", back.provider?.rawValue), ("state", back.state), ("error", back.failure),
    ]
    for parameter in back.extra { parameters.append((parameter.name, parameter.value)) }
    var found: [(name: String, values: [JSON])] = []
    for (name, value) in parameters {
        guard let value else { continue }
        // Names that Swift takes for equal may be written differently.
        if let at = found.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
            found[at].values.append(.text(value))
        } else {
            found.append((name, [.text(value)]))
        }
    }
    let members = found.map { JSON.Member(name: $0.name, value: $0.values.count == 1 ? $0.values[0] : .list($0.values)) }
    return Answer(Read(json: .object(members)), beside: back)
}

/// What is canonical JSON already.
private struct Read: Canonical {
    let json: JSON

    func canonical(_: Reading) -> JSON { json }
}
