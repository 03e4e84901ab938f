//! How each language spells what the IR has: names, types, texts and documentation, a file for each language.

pub mod c;
pub mod cpp;
mod docs;
mod filters;
pub mod kotlin;
pub mod python;
pub mod rust;
pub mod swift;

pub use crate::naming::{camel, is_snake, pascal, shouty, snake};
pub(crate) use docs::doc_lines;
pub(crate) use filters::{add_to, part};

/// A name that is no word of the language: as it is, or as it becomes usable.
fn usable(name: String, keywords: &[&str], escaped: impl Fn(&str) -> String) -> String {
    if keywords.contains(&name.as_str()) { escaped(&name) } else { name }
}
