//! One enum per open set, with a variant for texts it does not know.

use crate::ir::{Docs, Ir, OpenSet};
use crate::lang::pascal;
use crate::lang::rust::{doc, literal};

use super::lookup;

pub(super) fn emit(_: &Ir, set: &OpenSet) -> String {
    let name = &set.name;
    let mut text = format!(
        "//! `{name}`.\n#![allow(deprecated, unused_imports, reason = \"generated\")]\n\nuse vitalwire_runtime::value::{{OpenSet, open_set_impls}};\n\n"
    );
    text.push_str(&doc(&set.docs, name));
    text.push_str("#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]\n#[non_exhaustive]\n");
    text.push_str(&format!("pub enum {name} {{\n"));
    for value in &set.values {
        let mut docs = value.docs.clone();
        if docs.text.is_empty() {
            docs = Docs { text: format!("`{}`", value.wire), ..docs };
        }
        if !value.aliases.is_empty() {
            docs.text.push_str(&format!(", also spelled `{}`; holds the spelling received", value.aliases.join("`, `")));
        }
        text.push_str(&doc(&docs, &value.wire));
        if value.docs.deprecated {
            text.push_str("#[deprecated(note = \"deprecated by the service\")]\n");
        }
        let held = if value.aliases.is_empty() { "" } else { "(&'static str)" };
        text.push_str(&format!("{}{held},\n", pascal(&value.name)));
    }
    text.push_str("/// A text that this version does not know, as received.\nUnrecognized(Box<str>),\n}\n\n");
    text.push_str(&format!("impl OpenSet for {name} {{\n"));
    known(&mut text, set);
    from_text(&mut text, set);
    as_str(&mut text, set);
    index_of(&mut text, set);
    text.push_str(&format!("}}\n\nopen_set_impls!({name});\n"));
    text
}

fn known(text: &mut String, set: &OpenSet) {
    let values: Vec<String> = set.values.iter().map(|value| literal(&value.wire)).collect();
    text.push_str(&format!("const KNOWN: &'static [&'static str] = &[{}];\n\n", values.join(", ")));
}

fn from_text(text: &mut String, set: &OpenSet) {
    text.push_str("fn from_text(text: &str) -> Self {\nmatch text {\n");
    for value in &set.values {
        let variant = pascal(&value.name);
        for spelling in [&value.wire].into_iter().chain(&value.aliases) {
            let wire = literal(spelling);
            let held = if value.aliases.is_empty() { String::new() } else { format!("({wire})") };
            text.push_str(&format!("{wire} => Self::{variant}{held},\n"));
        }
    }
    text.push_str("_ => Self::Unrecognized(text.into()),\n}\n}\n\n");
}

fn as_str(text: &mut String, set: &OpenSet) {
    text.push_str("fn as_str(&self) -> &str {\nmatch self {\n");
    for value in &set.values {
        let variant = pascal(&value.name);
        if value.aliases.is_empty() {
            text.push_str(&format!("Self::{variant} => {},\n", literal(&value.wire)));
        } else {
            text.push_str(&format!("Self::{variant}(spelling) => spelling,\n"));
        }
    }
    text.push_str("Self::Unrecognized(text) => text,\n}\n}\n\n");
}

fn index_of(text: &mut String, set: &OpenSet) {
    let values = set.values.iter().enumerate();
    let spellings =
        values.flat_map(|(index, value)| [&value.wire].into_iter().chain(&value.aliases).map(move |text| (index, text.as_str())));
    text.push_str("fn index_of(text: &str) -> Option<usize> {\n");
    text.push_str(&lookup::by_length("text", spellings));
    text.push_str("}\n");
}
