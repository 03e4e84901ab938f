//! Names in each language, made in one place from the names of the specification.

use heck::{ToLowerCamelCase, ToPascalCase, ToShoutySnakeCase, ToSnakeCase};

/// `hrv_rmssd`, from any spelling.
pub fn snake(name: &str) -> String {
    name.to_snake_case()
}

/// `HrvRmssd`.
pub fn pascal(name: &str) -> String {
    name.to_pascal_case()
}

/// `hrvRmssd`.
pub fn camel(name: &str) -> String {
    name.to_lower_camel_case()
}

/// `HRV_RMSSD`.
pub fn shouty(name: &str) -> String {
    name.to_shouty_snake_case()
}

/// Whether a name is lower snake case already.
pub fn is_snake(name: &str) -> bool {
    !name.is_empty() && name.to_snake_case() == name
}

/// A language that names are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Rust.
    Rust,
    /// Swift.
    Swift,
    /// Kotlin.
    Kotlin,
    /// Python.
    Python,
}

const RUST: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else", "enum", "extern",
    "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv",
    "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];
const SWIFT: &[&str] = &[
    "as",
    "associatedtype",
    "break",
    "case",
    "catch",
    "class",
    "continue",
    "default",
    "defer",
    "deinit",
    "do",
    "else",
    "enum",
    "extension",
    "false",
    "for",
    "func",
    "guard",
    "if",
    "import",
    "in",
    "init",
    "inout",
    "internal",
    "is",
    "let",
    "nil",
    "operator",
    "private",
    "protocol",
    "public",
    "repeat",
    "rethrows",
    "return",
    "self",
    "static",
    "struct",
    "subscript",
    "super",
    "switch",
    "throw",
    "throws",
    "true",
    "try",
    "typealias",
    "var",
    "where",
    "while",
];
const KOTLIN: &[&str] = &[
    "as",
    "break",
    "class",
    "continue",
    "do",
    "else",
    "false",
    "for",
    "fun",
    "if",
    "in",
    "interface",
    "is",
    "null",
    "object",
    "package",
    "return",
    "super",
    "this",
    "throw",
    "true",
    "try",
    "typealias",
    "typeof",
    "val",
    "var",
    "when",
    "while",
];
const PYTHON: &[&str] = &[
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except", "finally", "for",
    "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with",
    "yield", "None", "True", "False",
];

/// A member's name in a language, with its keywords made usable: a trailing `_` in Rust and Python, back-ticks in Swift and Kotlin.
pub fn member(name: &str, language: Language) -> String {
    let (words, cased): (&[&str], String) = match language {
        Language::Rust => (RUST, snake(name)),
        Language::Swift => (SWIFT, camel(name)),
        Language::Kotlin => (KOTLIN, camel(name)),
        Language::Python => (PYTHON, snake(name)),
    };
    if !words.contains(&cased.as_str()) {
        return cased;
    }
    match language {
        Language::Rust | Language::Python => format!("{cased}_"),
        Language::Swift | Language::Kotlin => format!("`{cased}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names that have tripped generators before.
    #[test]
    fn obstacle_course() {
        for (wire, rust, swift, kotlin, python) in [
            ("type", "type_", "type", "type", "type"),
            ("default", "default", "`default`", "default", "default"),
            ("vitamin_b12_mcg", "vitamin_b12_mcg", "vitaminB12Mcg", "vitaminB12Mcg", "vitamin_b12_mcg"),
            (
                "heartrate_zone0_duration",
                "heartrate_zone0_duration",
                "heartrateZone0Duration",
                "heartrateZone0Duration",
                "heartrate_zone0_duration",
            ),
            ("planType", "plan_type", "planType", "planType", "plan_type"),
            (
                "therapyThresholdSpentOT",
                "therapy_threshold_spent_ot",
                "therapyThresholdSpentOt",
                "therapyThresholdSpentOt",
                "therapy_threshold_spent_ot",
            ),
            ("class", "class", "`class`", "`class`", "class_"),
            ("in", "in_", "`in`", "`in`", "in_"),
        ] {
            assert_eq!(member(wire, Language::Rust), rust);
            assert_eq!(member(wire, Language::Swift), swift);
            assert_eq!(member(wire, Language::Kotlin), kotlin);
            assert_eq!(member(wire, Language::Python), python);
        }
    }
}
