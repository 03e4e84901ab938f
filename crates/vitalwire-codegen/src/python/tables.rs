//! Tables of records and responses.

use serde::Serialize;

use crate::ir::{Basis, Ir, Operation, ResponseType};
use crate::naming::pascal;

/// A table in the response to an operation. Names are those of Rust.
#[derive(Clone, Serialize)]
pub(super) struct Source<'a> {
    /// Variant of `TableId`.
    table: String,
    /// Name of the table.
    #[serde(skip)]
    name: &'a str,
    operation: &'a str,
    list: bool,
    /// A Rust expression of an `Option`.
    basis: &'static str,
}

/// Returns the tables of responses that are this model or a list of it.
pub(super) fn sources<'a>(ir: &'a Ir, model: &str) -> Vec<Source<'a>> {
    table_sources(ir, model).map(|(_, source)| source).collect()
}

fn table_sources<'a>(ir: &'a Ir, model: &str) -> impl Iterator<Item = (&'a Operation, Source<'a>)> {
    let sources = ir.tables.iter().flat_map(|table| table.sources.iter().map(move |source| (table, source)));
    sources.filter_map(move |(table, source)| {
        let operation = ir.operation(&source.operation)?;
        let basis = match source.basis {
            Some(Basis::PerServing) => "Some(NumberBasis::PerServing)",
            Some(Basis::Per100) => "Some(NumberBasis::Per100)",
            Some(Basis::Unknown) => "Some(NumberBasis::Unknown)",
            None => "None",
        };
        let source = Source { table: pascal(&table.name), name: &table.name, operation: &operation.id, list: source.list, basis };
        (operation.response.record()? == model).then_some((operation, source))
    })
}

/// Returns the names of a model's tables, in order.
pub(super) fn names<'a>(ir: &'a Ir, model: &str) -> Vec<&'a str> {
    let mut names: Vec<&str> = table_sources(ir, model).map(|(_, source)| source.name).collect();
    names.dedup();
    names
}

/// Whether an operation returns a list of this model.
pub(super) fn is_listed(ir: &Ir, model: &str) -> bool {
    ir.operations.iter().any(|operation| matches!(&operation.response, ResponseType::List(name) if name == model))
}

/// Whether the response to an operation is read as columns: one object with many rows over a range of time.
pub(super) fn is_columnar(operation: &Operation) -> bool {
    operation.range.is_some() && matches!(operation.response, ResponseType::Model(_))
}

/// Returns the table as which responses of this model are read.
pub(super) fn columnar_table<'a>(ir: &'a Ir, model: &str) -> Option<Source<'a>> {
    table_sources(ir, model).find(|(operation, _)| is_columnar(operation)).map(|(_, source)| source)
}
