//! Which tables a record, or a list of records, holds in Swift and Kotlin.

use serde::Serialize;

use crate::ir::tables::Source;
use crate::ir::{Answer, Ir, Model, Type};

/// A table of a record.
#[derive(Debug, Serialize)]
pub(crate) struct Held<'a> {
    /// The table's name, and that of the method that gives it.
    table: &'a str,
    method: String,
    about: &'a str,
    /// The operation as whose answer the record, or the list, is read.
    operation: &'a str,
    /// An operation whose response is the record, or the list.
    returned_by: Option<&'a str>,
    /// A name of the function of responses that the same function of other records does not have; absent if there is no other.
    response_name: Option<String>,
    record: &'a str,
    list: bool,
    /// Whether each record tells what its numbers refer to; a list of such is a table of each, one after the other.
    has_basis: bool,
}

/// A record that tells what its numbers refer to.
#[derive(Debug, Serialize)]
pub(crate) struct Bearer<'a> {
    record: &'a str,
    /// Properties that tell it, the first that is there.
    told_by: Vec<BasisSource>,
}

#[derive(Debug, Serialize)]
struct BasisSource {
    name: String,
    required: bool,
    list: bool,
}

/// Every record that tells what its numbers refer to.
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

/// The tables of every record, each once for the record and once for lists of it.
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
            // Of records that tell what their numbers refer to, one operation gives one record, whatever gave it.
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

/// Names the functions of responses that differ in the type of the value alone.
fn name_responses(all: &mut [Held<'_>]) {
    let returned: Vec<String> = all.iter().filter(|held| held.returned_by.is_some()).map(|held| held.method.clone()).collect();
    for held in all {
        if returned.iter().filter(|method| **method == held.method).count() > 1 {
            held.response_name = Some(format!("{}Of{}{}", held.method, held.record, if held.list { "List" } else { "" }));
        }
    }
}

/// The record that an operation's answer is, or is a list of.
fn record_of<'a>(ir: &'a Ir, source: &Source) -> Option<&'a str> {
    match &ir.operations.iter().find(|operation| operation.id == source.operation)?.answer {
        Answer::Model(record) | Answer::List(record) => Some(record),
        _ => None,
    }
}
