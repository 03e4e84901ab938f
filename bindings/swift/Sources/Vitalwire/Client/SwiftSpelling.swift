import Foundation
internal import VitalwireFFI

/// Converts the core's error texts to Swift: names as Swift spells them, and no setting that Swift does not have.
enum SwiftSpelling {
    private static let acronyms = ["id": "ID", "ids": "IDs", "uri": "URI", "url": "URL", "urls": "URLs"]

    /// Swift names of arguments that are not parameters of operations, by their names in the core.
    private static let renamed = ["event": "events", "resume_token": "resume"]

    /// Replacements for phrases that do not apply to Swift, by the core's phrase.
    private static let replaced = [
        "the token provider failed": "the token closure threw an error, which is in `underlying`",
        ", or VITALWIRE_BASE_URL and create the client from the environment": "",
        ", or VITALWIRE_CARE_BASE_URL and create the client from the environment": "",
    ]

    /// Returns the log text of an error. The core's text begins with the name of the kind; the reason and the argument follow.
    static func text(_ info: ErrorInfo) -> String {
        var text = ErrorKind(rawValue: Int(info.code)).description + info.text.drop { $0 != ":" }
        if let core = info.reason, let found = text.range(of: core) { text.replaceSubrange(found, with: reason(core)) }
        if let core = info.argument, let found = text.range(of: "argument \(core)") {
            text.replaceSubrange(found, with: "argument \(argument(core))")
        }
        return text
    }

    /// Returns a reason with Swift's names of arguments and settings.
    static func reason(_ core: String) -> String {
        var text = core
        for (core, swift) in replaced { text = text.replacingOccurrences(of: core, with: swift) }
        var (spelled, word) = ("", "")
        for character in text + " " {
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
            } else {
                spelled += name(word) + String(character)
                word = ""
            }
        }
        return String(spelled.dropLast())
    }

    /// Returns the name of an argument or setting. After a dot follows the id of an operation, which is the same in every language.
    static func argument(_ core: String) -> String {
        let head = String(core.prefix { $0 != "." })
        return (VitalwireError.argumentNames[head] ?? renamed[head] ?? name(head)) + core.dropFirst(head.count)
    }

    /// Returns a name in camel case. Other words do not change.
    private static func name(_ word: String) -> String {
        let parts = word.split(separator: "_").map(String.init)
        guard parts.count > 1, word == word.lowercased() else { return word }
        return parts[0] + parts.dropFirst().map { acronyms[$0] ?? $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
