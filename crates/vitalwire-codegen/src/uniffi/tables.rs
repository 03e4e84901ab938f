//! Tables that records, and lists of records, provide in Swift and Kotlin.

use serde::Serialize;

use crate::ir::tables::Source;
use crate::ir::{Answer, Ir, Model, Type};

/// A table of a record or of a list of records.
#[derive(Debug, Serialize)]
pub(crate) struct Held<'a> {
    /// Name of the table. `method` is the method that returns it.
    table: &'a str,
    method: String,
    about: &'a str,
    /// Operation as whose response the record or list is decoded.
    operation: &'a str,
    /// Operation whose response is the record or list.
    returned_by: Option<&'a str>,
    /// Unique name of the function on responses, if several records have the same one. Otherwise absent.
    response_name: Option<String>,
    record: &'a str,
    list: bool,
    /// Whether each record states the basis of its numbers. A list then concatenates the tables of its records.
    has_basis: bool,
}

/// A record that states the basis of its numbers.
#[derive(Debug, Serialize)]
pub(crate) struct Bearer<'a> {
    record: &'a str,
    /// Properties that state the basis. The first one present applies.
    told_by: Vec<BasisSource>,
}

#[derive(Debug, Serialize)]
struct BasisSource {
    name: String,
    required: bool,
    list: bool,
}

/// Returns all records that state the basis of their numbers.
pub(crate) fn bearers(ir: &Ir, spelt: fn(&str) -> String) -> Vec<Bearer<'_>> {
    let bearer = |model: &Model| -> Vec<BasisSource> {
        let told = model.members.iter().filter_map(|member| {
            let (item, list) = match &member.ty {
                Type::List(item) => (item.as_ref(), true),
                ty => (ty, false),
            };
            let tells = match item {
                Type::Numbers(map) => ir.number_map(map).is_some_and(|map| map.has_basis),
                Type::Model(inner) => ir.model(inner).is_some_and(|inner| inner.has_basis),
                _ => false,
            };
            tells.then(|| BasisSource { name: spelt(&member.name), required: member.required, list })
        });
        told.collect()
    };
    let models = ir.models.iter().filter(|model| model.has_basis && !model.request);
    models.map(|model| Bearer { record: &model.name, told_by: bearer(model) }).collect()
}

/// Returns the tables of all records, once for the record and once for lists of it.
pub(crate) fn all(ir: &Ir, spelt: fn(&str) -> String) -> Vec<Held<'_>> {
    let mut all: Vec<Held<'_>> = Vec::new();
    for table in &ir.tables {
        let listed = |record: &str| table.sources.iter().any(|source| source.list && record_of(ir, source) == Some(record));
        for source in &table.sources {
            let Some(record) = record_of(ir, source) else { continue };
            let returning = |list: bool| {
                let returns = |other: &&Source| other.list == list && record_of(ir, other) == Some(record);
                table.sources.iter().find(returns).map(|other| other.operation.as_str())
            };
            let held = |list: bool| Held {
                table: &table.name,
                method: spelt(&format!("{}_table", table.name)),
                about: &table.docs.text,
                operation: &source.operation,
                returned_by: returning(list),
                response_name: None,
                record,
                list,
                has_basis: source.basis.is_some(),
            };
            // A record that states its basis can be decoded as the response of one operation, whichever one returned it.
            let forms: &[bool] = match (source.basis.is_some(), source.list) {
                (true, true) => &[],
                (true, false) if listed(record) => &[true, false],
                (false, true) => &[true],
                (_, false) => &[false],
            };
            for list in forms {
                let known = |held: &Held<'_>| (held.table, held.record, held.list) == (table.name.as_str(), record, *list);
                if !all.iter().any(known) {
                    all.push(held(*list));
                }
            }
        }
    }
    name_responses(&mut all);
    all
}

/// Gives unique names to functions on responses that differ only in the type of the value.
fn name_responses(all: &mut [Held<'_>]) {
    let returned: Vec<String> = all.iter().filter(|held| held.returned_by.is_some()).map(|held| held.method.clone()).collect();
    for held in all {
        if returned.iter().filter(|method| **method == held.method).count() > 1 {
            held.response_name = Some(format!("{}Of{}{}", held.method, held.record, if held.list { "List" } else { "" }));
        }
    }
}

/// Returns the record of an operation's response, or of its items.
fn record_of<'a>(ir: &'a Ir, source: &Source) -> Option<&'a str> {
    match &ir.operations.iter().find(|operation| operation.id == source.operation)?.answer {
        Answer::Model(record) | Answer::List(record) => Some(record),
        _ => None,
    }
}
