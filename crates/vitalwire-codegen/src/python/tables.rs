//! Tables of records and of answers: which ones a class has.

use serde::Serialize;

use crate::ir::{Answer, Basis, Ir, Operation};
use crate::naming::pascal;

/// A table in the answer of an operation, as Rust names it.
#[derive(Clone, Serialize)]
pub(super) struct Source<'a> {
    /// The variant of `TableId`.
    table: String,
    /// The table's name.
    #[serde(skip)]
    name: &'a str,
    operation: &'a str,
    list: bool,
    /// As an `Option` of Rust.
    basis: &'static str,
}

/// The tables that a model is the answer for, alone or in a list.
pub(super) fn sources<'a>(ir: &'a Ir, model: &str) -> Vec<Source<'a>> {
    found(ir, model).map(|(_, source)| source).collect()
}

fn found<'a>(ir: &'a Ir, model: &str) -> impl Iterator<Item = (&'a Operation, Source<'a>)> {
    let sources = ir.tables.iter().flat_map(|table| table.sources.iter().map(move |source| (table, source)));
    sources.filter_map(move |(table, source)| {
        let operation = ir.operations.iter().find(|operation| operation.id == source.operation)?;
        let (Answer::Model(name) | Answer::List(name)) = &operation.answer else { return None };
        let basis = match source.basis {
            Some(Basis::PerServing) => "Some(NumberBasis::PerServing)",
            Some(Basis::Per100) => "Some(NumberBasis::Per100)",
            Some(Basis::Unknown) => "Some(NumberBasis::Unknown)",
            None => "None",
        };
        let source = Source { table: pascal(&table.name), name: &table.name, operation: &operation.id, list: source.list, basis };
        (name == model).then_some((operation, source))
    })
}

/// The names of a model's tables, in order.
pub(super) fn names<'a>(ir: &'a Ir, model: &str) -> Vec<&'a str> {
    let mut names: Vec<&str> = found(ir, model).map(|(_, source)| source.name).collect();
    names.dedup();
    names
}

/// Whether answers are lists of a model.
pub(super) fn is_listed(ir: &Ir, model: &str) -> bool {
    ir.operations.iter().any(|operation| matches!(&operation.answer, Answer::List(name) if name == model))
}

/// Whether an operation's answer is read as columns at the call: one object of many rows, of a range of time.
pub(super) fn is_columnar(operation: &Operation) -> bool {
    operation.range.is_some() && matches!(operation.answer, Answer::Model(_))
}

/// The table as which answers of this model are read at the call.
pub(super) fn columnar<'a>(ir: &'a Ir, model: &str) -> Option<Source<'a>> {
    found(ir, model).find(|(operation, _)| is_columnar(operation)).map(|(_, source)| source)
}
