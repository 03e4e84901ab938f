//! How each language spells what the IR has: names, types, texts and documentation, a file for each language.

pub mod c;
mod docs;
mod filters;
pub mod kotlin;
pub mod python;
pub mod rust;
pub mod swift;

use heck::{ToLowerCamelCase, ToPascalCase, ToShoutySnakeCase, ToSnakeCase};

pub(crate) use docs::doc_lines;
pub(crate) use filters::{add_to, part};

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

/// A name that is no word of the language: as it is, or as it becomes usable.
fn usable(name: String, keywords: &[&str], escaped: impl Fn(&str) -> String) -> String {
    if keywords.contains(&name.as_str()) { escaped(&name) } else { name }
}
