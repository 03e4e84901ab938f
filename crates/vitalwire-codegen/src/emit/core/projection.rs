//! What an operation's arguments request of the tables that its answer holds.

use crate::ir::tables::{Node, Read};
use crate::ir::{Ir, Operation, Param, Type};
use crate::lang::rust::literal;

use super::operations::rust_name;

pub(super) fn emit(text: &mut String, ir: &Ir, operation: &Operation) {
    not_requested(text, ir, operation);
    columns(text, ir, operation);
}

/// The tables whose rows the arguments do not request.
fn not_requested(text: &mut String, ir: &Ir, operation: &Operation) {
    let sources = ir.tables.iter().flat_map(|table| table.sources.iter().map(move |source| (table, source)));
    let held = sources.filter(|(_, source)| source.operation == operation.id);
    let left_out: String = held
        .filter_map(|(table, source)| {
            let (param, member) = source.asked_by(operation)?;
            Some(format!(
                "if self.{} != Some(true) {{\nleft_out.push(NotRequested {{ table: {}, argument: {}, member: {} }});\n}}\n",
                rust_name(param),
                literal(&table.name),
                literal(&param.member.name),
                literal(member),
            ))
        })
        .collect();
    if !left_out.is_empty() {
        text.push_str(&format!(
            "fn not_requested(&self) -> Vec<NotRequested> {{\nlet mut left_out = Vec::new();\n{left_out}left_out\n}}\n\n"
        ));
    }
}

/// The columns that the arguments name: what a list of names says of a table whose map of numbers has such names.
fn columns(text: &mut String, ir: &Ir, operation: &Operation) {
    let nodes =
        ir.tables.iter().flat_map(|table| &table.sources).filter(|source| source.operation == operation.id).map(|source| &source.node);
    let nodes: Vec<&Node> = nodes.collect();
    let names = |param: &&Param| match &param.member.ty {
        Type::List(item) => matches!(&**item, Type::Open(set) if nodes.iter().any(|node| has_map(node, set))),
        _ => false,
    };
    let Some(param) = operation.params.iter().find(names) else { return };
    let flatten = if param.member.required { "" } else { ".flatten()" };
    text.push_str(&format!(
        "fn columns(&self) -> Vec<String> {{\nself.{}.iter(){flatten}.map(|name| name.as_ref().to_owned()).collect()\n}}\n\n",
        rust_name(param),
    ));
}

/// Whether what is read has a map of numbers by these names.
fn has_map(node: &Node, set: &str) -> bool {
    node.members.iter().any(|slot| match &slot.read {
        Read::Numbers { keys, .. } => keys == set,
        Read::Object(node) | Read::Rows(node) | Read::Samples(node) => has_map(node, set),
        _ => false,
    })
}
