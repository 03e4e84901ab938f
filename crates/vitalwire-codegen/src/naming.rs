//! Converts names between cases, in the same way for all languages.

use heck::{ToLowerCamelCase, ToPascalCase, ToShoutySnakeCase, ToSnakeCase};

/// Converts a name to snake case: `hrv_rmssd`.
pub fn snake(name: &str) -> String {
    name.to_snake_case()
}

/// Converts a name to Pascal case: `HrvRmssd`.
pub fn pascal(name: &str) -> String {
    name.to_pascal_case()
}

/// Converts a name to camel case: `hrvRmssd`.
pub fn camel(name: &str) -> String {
    name.to_lower_camel_case()
}

/// Converts a name to upper snake case: `HRV_RMSSD`.
pub fn shouty(name: &str) -> String {
    name.to_shouty_snake_case()
}

/// Whether a name is already in lower snake case.
pub fn is_snake(name: &str) -> bool {
    !name.is_empty() && name.to_snake_case() == name
}

/// Returns the name, or its escaped form if it is a keyword of the language.
pub(crate) fn escape_keyword(name: String, keywords: &[&str], escaped: impl Fn(&str) -> String) -> String {
    if keywords.contains(&name.as_str()) { escaped(&name) } else { name }
}
