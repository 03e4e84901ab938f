//! Which tables a record, or a list of records, holds in Swift and Kotlin.

use serde::Serialize;

use crate::ir::{Answer, Ir};

/// A table of a record.
#[derive(Debug, Serialize)]
pub(super) struct Held<'a> {
    /// The table's name, and that of the method that gives it.
    table: &'a str,
    method: String,
    about: &'a str,
    /// An operation whose answer is such a record, or a list of them.
    operation: &'a str,
    record: &'a str,
    list: bool,
}

/// The tables of every record, each once for the record and once for lists of it. Records whose numbers refer to different things in
/// different answers are left out: which answer one is from is not known any more.
pub(super) fn all(ir: &Ir, spelt: fn(&str) -> String) -> Vec<Held<'_>> {
    let mut all: Vec<Held<'_>> = Vec::new();
    for table in &ir.tables {
        for source in &table.sources {
            let Some(operation) = ir.operations.iter().find(|operation| operation.id == source.operation) else { continue };
            let (Answer::Model(record) | Answer::List(record)) = &operation.answer else { continue };
            let held = |held: &Held<'_>| (held.table, held.record, held.list) == (table.name.as_str(), record.as_str(), source.list);
            if source.basis.is_none() && !all.iter().any(held) {
                all.push(Held {
                    table: &table.name,
                    method: spelt(&format!("{}_table", table.name)),
                    about: &table.docs.text,
                    operation: &source.operation,
                    record,
                    list: source.list,
                });
            }
        }
    }
    all
}
