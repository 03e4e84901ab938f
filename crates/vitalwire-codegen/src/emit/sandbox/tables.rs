//! The operations, and the names of open sets and of parameters that take some of them.

use super::example;
use crate::ir::{Ir, Operation};
use crate::lang::rust::literal;
use crate::lang::shouty;
use crate::spec::{SERVICES, Sources};

/// `OPERATIONS`, in the order of the specifications.
pub(super) fn operations(ir: &Ir, sources: &Sources) -> String {
    let mut text = String::from("//! The operations of the specifications.\n\nuse http::Method;\n\nuse super::Operation;\n\n");
    text.push_str("/// In the order of the specifications.\npub(crate) static OPERATIONS: &[Operation] = &[\n");
    for operation in &ir.operations {
        text.push_str(&format!(
            "Operation {{\nid: {},\nmethod: Method::{},\ntemplate: {},\nservice: {},\nauthenticated: {},\nstatus: {},\nexample: {},\n}},\n",
            literal(&operation.id),
            operation.http,
            literal(&template(operation)),
            literal(&operation.service),
            operation.authenticated,
            operation.success.first().copied().unwrap_or(200),
            example::of(operation, sources).map_or_else(|| "None".to_owned(), |text| format!("Some(r##\"{text}\"##)")),
        ));
    }
    text.push_str("];\n");
    text
}

/// The path as the sandbox serves it: the first service at its base URL, another one below its name.
fn template(operation: &Operation) -> String {
    let first = SERVICES[0].0;
    if operation.service == first { operation.path.clone() } else { format!("/{}{}", operation.service, operation.path) }
}

/// A constant for each open set, and for each parameter whose names the specification lists apart.
pub(super) fn names(ir: &Ir) -> String {
    let mut text = String::from("//! The names that the specifications list.\n#![allow(dead_code, reason = \"generated\")]\n\n");
    for set in &ir.open_sets {
        let values = set.values.iter().map(|value| value.wire.as_str());
        constant(&mut text, &shouty(&set.name), &format!("The known values of `{}`.", set.name), values);
    }
    for operation in &ir.operations {
        for param in operation.params.iter().filter(|param| !param.names.is_empty()) {
            let docs = format!("What `{}` of `{}` takes.", param.member.wire, operation.id);
            constant(&mut text, &shouty(&format!("{}_{}", operation.id, param.member.name)), &docs, param.names.iter().map(String::as_str));
        }
    }
    text
}

fn constant<'a>(text: &mut String, name: &str, docs: &str, values: impl Iterator<Item = &'a str>) {
    let values: Vec<String> = values.map(literal).collect();
    text.push_str(&format!("/// {docs}\npub(crate) const {name}: &[&str] = &[{}];\n\n", values.join(", ")));
}
