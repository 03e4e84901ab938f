import Foundation
internal import VitalwireFFI

/// Converts the core's error texts to Swift: names as Swift spells them, and no setting that Swift does not have.
enum SwiftSpelling {
    private static let acronyms = ["id": "ID", "ids": "IDs", "uri": "URI", "url": "URL", "urls": "URLs"]

    /// Swift names of arguments that are not parameters of operations, by their names in the core.
    private static let renamed = ["event": "events", "resume_token": "resume"]

    /// Replacements for phrases that do not apply to Swift, by the core's phrase.
    private static let replaced = [
        "set ca_certificate or ca_file": "pass one to `.only`",
        "the token provider failed": "the token closure threw an error, which is in `underlying`",
        ", or VITALWIRE_BASE_URL and create the client from the environment": "",
        ", or VITALWIRE_CARE_BASE_URL and create the client from the environment": "",
    ]

    /// Returns the log text of an error. The core's text begins with the name of the kind; the reason and the argument follow.
    static func text(_ info: ErrorInfo) -> String {
        var text = ErrorKind(rawValue: Int(info.code)).description + info.text.drop { $0 != ":" }
        if let core = info.reason, let found = text.range(of: core) { text.replaceSubrange(found, with: reason(core)) }
        if let core = info.argument, let argument = argument(of: info), let found = text.range(of: "argument \(core)") {
            text.replaceSubrange(found, with: "argument \(argument)")
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
                spelled += setting(word) + String(character)
                word = ""
            }
        }
        return String(spelled.dropLast())
    }

    /// Returns the name of the argument or setting of an error. After a dot follows the id of an operation, which is the same in every
    /// language. Settings of a client are named only in errors of their own kind: `timeout` is also an option of a call.
    static func argument(of info: ErrorInfo) -> String? {
        guard let core = info.argument else { return nil }
        let head = String(core.prefix { $0 != "." })
        let setting = Int(info.code) == ErrorKind.configuration.rawValue ? ClientOptions.names[head] : nil
        return (setting ?? VitalwireError.argumentNames[head] ?? renamed[head] ?? name(head)) + core.dropFirst(head.count)
    }

    /// Returns a word of a reason. A setting without an underscore is spelled like a common word, such as "proxy", and does not change.
    private static func setting(_ word: String) -> String {
        word.contains("_") ? ClientOptions.names[word] ?? name(word) : word
    }

    /// Returns a name in camel case. Other words do not change.
    private static func name(_ word: String) -> String {
        let parts = word.split(separator: "_").map(String.init)
        guard parts.count > 1, word == word.lowercased() else { return word }
        return parts[0] + parts.dropFirst().map { acronyms[$0] ?? $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
