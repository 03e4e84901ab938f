//! The cases of names, the same for every language.

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

/// Returns the name, or an escaped one if it is a keyword of the language.
pub(crate) fn usable(name: String, keywords: &[&str], escaped: impl Fn(&str) -> String) -> String {
    if keywords.contains(&name.as_str()) { escaped(&name) } else { name }
}
