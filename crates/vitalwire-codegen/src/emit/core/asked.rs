//! What an operation's arguments ask for of the tables that its answer holds.

use crate::ir::tables::{Node, Read};
use crate::ir::{Ir, Operation, Param, Type};
use crate::lang::pascal;
use crate::lang::rust::literal;

use super::operations::rust_name;

pub(super) fn emit(text: &mut String, ir: &Ir, operation: &Operation) {
    unasked(text, ir, operation);
    columns(text, ir, operation);
}

/// The tables whose rows the arguments do not ask for.
fn unasked(text: &mut String, ir: &Ir, operation: &Operation) {
    let sources = ir.tables.iter().flat_map(|table| table.sources.iter().map(move |source| (table, source)));
    let asked = sources.filter(|(_, source)| source.operation == operation.id);
    let asked: String = asked
        .filter_map(|(table, source)| {
            let (param, member) = source.asked_by(operation)?;
            Some(format!(
                "if self.{} != Some(true) {{\nunasked.push(Unasked {{ table: TableId::{}, argument: {}, member: {} }});\n}}\n",
                rust_name(param),
                pascal(&table.name),
                literal(&param.member.name),
                literal(member),
            ))
        })
        .collect();
    if !asked.is_empty() {
        text.push_str(&format!("fn unasked(&self) -> Vec<Unasked> {{\nlet mut unasked = Vec::new();\n{asked}unasked\n}}\n\n"));
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
