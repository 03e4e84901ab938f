//! From an operation's id to its call.

use crate::ir::{Ir, Operation};
use crate::lang::rust::literal;

/// The text of `calls/mod.rs` without its modules.
pub(super) fn emit(ir: &Ir) -> String {
    let mut text = String::from("//! From an operation's id and a case's arguments to a call.\n\n");
    text.push_str("use serde_json::{Map, Value};\nuse vitalwire::Client;\n\n");
    text.push_str("use crate::runner::arguments::CaseError;\nuse crate::runner::run::{Calls, Splits, Waits};\n\n");
    list(&mut text, "OPERATIONS", "Every operation", ir.operations.iter());
    list(&mut text, "WAITS", "Operations that can be waited for", ir.operations.iter().filter(|it| ir.is_waited_for(it)));
    list(&mut text, "SPLITS", "Operations whose range can be split", ir.operations.iter().filter(|it| it.range.is_some()));
    function(&mut text, "call", "Calls", "OPERATIONS", "is no operation", ir.operations.iter(), |operation| {
        format!("with.call({}(client, given)?)", path(operation))
    });
    let waited = ir.operations.iter().filter(|operation| ir.is_waited_for(operation));
    function(&mut text, "wait", "Waits", "WAITS", "is not waited for", waited, |operation| {
        if ir.is_read_by_id(operation) {
            // `wait_for` is for users who have no options.
            let path = path(operation);
            format!("if with.has_options() {{ with.begin({path}(client, given)?) }} else {{ with.wait({path}_wait(client, given)?) }}")
        } else {
            format!("with.begin({}(client, given)?)", path(operation))
        }
    });
    let ranged = ir.operations.iter().filter(|operation| operation.range.is_some());
    function(&mut text, "split", "Splits", "SPLITS", "has no range to split", ranged, |operation| {
        format!("with.split({}(client, given)?)", path(operation))
    });
    text
}

fn path(operation: &Operation) -> String {
    format!("{}::{}", operation.group, operation.id)
}

fn list<'a>(text: &mut String, name: &str, about: &str, operations: impl Iterator<Item = &'a Operation>) {
    let ids: Vec<String> = operations.map(|operation| literal(&operation.id)).collect();
    text.push_str(&format!("/// {about}, by `operationId`.\npub const {name}: &[&str] = &[{}];\n\n", ids.join(", ")));
}

fn function<'a>(
    text: &mut String,
    name: &str,
    with: &str,
    among: &str,
    otherwise: &str,
    operations: impl Iterator<Item = &'a Operation>,
    made: impl Fn(&Operation) -> String,
) {
    text.push_str(&format!(
        "/// Hands the call of an operation, one of [`{among}`], to `with`.\npub(in crate::runner) fn {name}<V: {with}>(client: &Client, id: &str, given: &Map<String, Value>, with: V) -> Result<V::Out, CaseError> {{\nOk(match id {{\n"
    ));
    for operation in operations {
        text.push_str(&format!("{} => {},\n", literal(&operation.id), made(operation)));
    }
    text.push_str(&format!("_ => return Err(CaseError::new(format!(\"`{{id}}` {otherwise}\"))),\n}})\n}}\n\n"));
}
