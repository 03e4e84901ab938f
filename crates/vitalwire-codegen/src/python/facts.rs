//! Fields of errors: their declarations, and how the extension sets them.

use serde_json::{Value, json};

use crate::ir::Ir;
use crate::ir::faces::{ERROR_FACTS, ErrorFact, Face, Gives, Has};

/// Returns the fields of instances. Kind and code belong to the class.
fn facts() -> impl Iterator<Item = &'static ErrorFact> {
    let has = |fact: &&ErrorFact| match fact.has(Face::Python) {
        Has::Generated => true,
        Has::ByHand(_) => fact.gives == Gives::Record,
        Has::NotYet(_) | Has::Never(_) => false,
    };
    ERROR_FACTS.iter().filter(has)
}

/// Returns name, annotation and text of each field.
pub(super) fn declared(ir: &Ir) -> Vec<Value> {
    let annotation = |fact: &ErrorFact| match fact.gives {
        Gives::Status => "int | None".to_owned(),
        Gives::Duration => "float | None".to_owned(),
        Gives::Count => "int".to_owned(),
        Gives::Flag => "bool".to_owned(),
        Gives::Problem => "ProblemDetails | None".to_owned(),
        Gives::Bytes => "bytes | None".to_owned(),
        Gives::Record => format!("{} | None", ir.waited_records().join(" | ")),
        _ => "str | None".to_owned(),
    };
    let text = |fact: &ErrorFact| match fact.gives {
        Gives::Duration => format!("{} In seconds.", fact.about),
        _ => fact.about.to_owned(),
    };
    facts().map(|fact| json!({ "name": fact.name, "annotation": annotation(fact), "text": text(fact) })).collect()
}

/// Returns name and kind of the fields that are read from the core's error.
pub(super) fn set() -> Vec<Value> {
    let kind = |fact: &ErrorFact| match fact.gives {
        Gives::Count | Gives::Flag => "plain",
        Gives::Duration => "duration",
        Gives::Problem => "problem",
        Gives::Bytes => "bytes",
        _ => "optional",
    };
    let read = facts().filter(|fact| fact.gives != Gives::Record);
    read.map(|fact| json!({ "name": fact.name, "kind": kind(fact), "zero": if fact.gives == Gives::Flag { "false" } else { "0" } }))
        .collect()
}
