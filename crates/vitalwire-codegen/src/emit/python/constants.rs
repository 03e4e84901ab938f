//! The values of open sets as constants: one class per set, one file per class.

use crate::emit::File;
use crate::ir::{Docs, Ir, OpenSet};
use crate::lang::{shouty, snake};

use super::{PACKAGE, package};
use crate::lang::python::{docstring, literal};

pub(super) fn emit(ir: &Ir) -> Vec<File> {
    let mut text =
        String::from("\"\"\"Known values of the sets that the service may extend: plain texts, as they are on the wire.\"\"\"\n\n");
    for set in sorted(ir) {
        text.push_str(&format!("from vitalwire.constants.{} import {}\n", snake(&set.name), set.name));
    }
    text.push('\n');
    text.push_str(&package::all(sorted(ir).into_iter().map(|set| &set.name)));
    let mut files = vec![File::new(format!("{PACKAGE}/constants/__init__.py"), text)];
    files.extend(ir.open_sets.iter().map(|set| File::new(format!("{PACKAGE}/constants/{}.py", snake(&set.name)), class(set))));
    files
}

/// The sets by name.
pub(super) fn sorted(ir: &Ir) -> Vec<&OpenSet> {
    let mut sets: Vec<&OpenSet> = ir.open_sets.iter().collect();
    sets.sort_by(|a, b| a.name.cmp(&b.name));
    sets
}

fn class(set: &OpenSet) -> String {
    let name = &set.name;
    // `typing` takes longer to import than all the rest of the package: only type checkers see it.
    let mut text = format!(
        "\"\"\"`{name}`.\"\"\"\n\nfrom __future__ import annotations\n\nTYPE_CHECKING = False\nif TYPE_CHECKING:\n    from typing import Final\n\n\nclass {name}:\n"
    );
    text.push_str(&docstring(&set.docs, name, "    "));
    for value in &set.values {
        text.push_str(&format!("\n    {}: Final = {}\n", constant(&value.name), literal(&value.wire)));
        let mut docs = value.docs.clone();
        if !value.aliases.is_empty() {
            docs.text = format!("{} Also spelled `{}`; read as it came.", docs.text, value.aliases.join("`, `")).trim().to_owned();
        }
        if !is_empty(&docs) {
            text.push_str(&docstring(&docs, &value.wire, "    "));
        }
    }
    text
}

fn is_empty(docs: &Docs) -> bool {
    docs.text.is_empty() && docs.unit.is_none() && !docs.deprecated
}

/// `APPLE`; a name that begins with a digit gets an underscore.
pub(in crate::emit) fn constant(name: &str) -> String {
    let name = shouty(name);
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name }
}
