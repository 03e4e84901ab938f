//! Examples of operations. Several operations may share an example, such as that of a response to invalid requests.

use serde_json::Value;

use super::changes::{Pair, Part, call, compare_pairs};
use super::rules::Rule;
use crate::ir::features::Language;
use crate::ir::{Ir, Operation};

/// A changed example of a request or status, with the operations that share it.
struct ExampleChange<'a> {
    name: &'a str,
    old: Option<&'a Value>,
    new: Option<&'a Value>,
    operations: Vec<&'a Operation>,
}

/// Reports changed examples, each once for all operations that share it.
pub(super) fn operations(old: &Ir, new: &Ir, interface: &Part<'_>) {
    let mut all: Vec<ExampleChange<'_>> = Vec::new();
    compare_pairs(
        (&old.operations, &new.operations),
        |operation| &operation.id,
        |pair| {
            if let Pair::Both(old, new) = pair {
                collect(old, new, &mut all);
            }
        },
    );
    let mut reported: Vec<&str> = Vec::new();
    for changed in &all {
        let has = |language: &Language| changed.operations.iter().any(|operation| operation.languages.contains(language));
        let languages: Vec<Language> = Language::ALL.into_iter().filter(has).collect();
        let part = Part { languages: &languages, ..interface.clone() };
        match changed.operations.as_slice() {
            [] => {}
            [operation] if reported.contains(&operation.id.as_str()) => {}
            [operation] => {
                reported.push(&operation.id);
                part.add(Rule::DocumentationChanged, format!("The example of `{}` changed.", call(operation)));
            }
            [first, others @ ..] => {
                let (name, count) = (changed.name, others.len());
                let s = if count == 1 { "" } else { "s" };
                let text = format!("The example `{name}` of `{}` and {count} other operation{s} changed.", call(first));
                part.add(Rule::DocumentationChanged, text);
            }
        }
    }
}

fn collect<'a>(old: &'a Operation, new: &'a Operation, all: &mut Vec<ExampleChange<'a>>) {
    let (before, after) = (examples_by_name(old), examples_by_name(new));
    let removed = before.iter().filter(|(name, _)| after.iter().all(|(other, _)| other != name));
    for (name, _) in after.iter().chain(removed) {
        let value = |examples: &[(&'a str, &'a Value)]| examples.iter().find(|(other, _)| other == name).map(|(_, value)| *value);
        let (old, value) = (value(&before), value(&after));
        if old == value {
            continue;
        }
        match all.iter_mut().find(|changed| (changed.name, changed.old, changed.new) == (*name, old, value)) {
            Some(changed) => changed.operations.push(new),
            None => all.push(ExampleChange { name, old, new: value, operations: vec![new] }),
        }
    }
}

/// Returns the examples of an operation by name: `request`, or a status.
fn examples_by_name(operation: &Operation) -> Vec<(&str, &Value)> {
    let examples = operation.docs.example.as_ref().and_then(Value::as_object);
    examples.into_iter().flatten().map(|(name, value)| (name.as_str(), value)).collect()
}
