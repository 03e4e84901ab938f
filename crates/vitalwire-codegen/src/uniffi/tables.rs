//! Tables that records, and lists of records, provide in Swift and Kotlin.

use serde::Serialize;
use serde_json::{Value, json};

use crate::ir::tables::Source;
use crate::ir::{Ir, Member, Model, Type};

/// A table of a record or of a list of records.
#[derive(Debug, Serialize)]
pub(crate) struct TableMethod<'a> {
    /// Name of the table. `method` is the method that returns it.
    table: &'a str,
    method: String,
    about: &'a str,
    /// Operation as whose response the record or list is decoded.
    operation: &'a str,
    /// Operation whose response is the record or list.
    returned_by: &'a str,
    record: &'a str,
    list: bool,
    /// Whether each record states the basis of its numbers. A list then concatenates the tables of its records.
    has_basis: bool,
    /// Whether the record or the list has no other table.
    is_only: bool,
}

impl TableMethod<'_> {
    /// Whether this is a table of one record of a model.
    pub(crate) fn is_of_record(&self, model: &Model) -> bool {
        !self.list && self.record == model.name
    }
}

/// Returns the models that state the basis of their numbers and are used by a table or another model. Each has the properties that state
/// the basis, of which the first one present applies.
pub(crate) fn basis_records(ir: &Ir, spell: fn(&str) -> String) -> Vec<Value> {
    let source = |member: &Member| {
        let list = matches!(member.ty, Type::List(_));
        json!({ "name": spell(&member.name), "required": member.required, "list": list })
    };
    let sources = |model: &Model| model.members.iter().filter(|member| ir.has_basis(&member.ty)).map(source).collect::<Vec<_>>();
    let methods = table_methods(ir, spell);
    let is_used = |model: &Model| {
        methods.iter().any(|method| method.record == model.name)
            || ir.models.iter().flat_map(|other| &other.members).any(|member| member.ty.model() == Some(model.name.as_str()))
    };
    let models = ir.received_models().filter(|model| model.has_basis && is_used(model));
    models.map(|model| json!({ "name": model.name, "sources": sources(model) })).collect()
}

/// Returns the tables of all records, once for the record and once for lists of it.
pub(crate) fn table_methods(ir: &Ir, spell: fn(&str) -> String) -> Vec<TableMethod<'_>> {
    let mut methods: Vec<TableMethod<'_>> = Vec::new();
    for table in &ir.tables {
        let listed = |record: &str| table.sources.iter().any(|source| source.list && record_of(ir, source) == Some(record));
        for source in &table.sources {
            let Some(record) = record_of(ir, source) else { continue };
            let returning = |list: bool| {
                let returns = |other: &&Source| other.list == list && record_of(ir, other) == Some(record);
                table.sources.iter().find(returns).map(|other| other.operation.as_str())
            };
            let method_of = |list: bool, returned_by| TableMethod {
                table: &table.name,
                method: spell(&format!("{}_table", table.name)),
                about: &table.docs.text,
                operation: &source.operation,
                returned_by,
                record,
                list,
                has_basis: source.basis.is_some(),
                is_only: true,
            };
            // A record with a basis needs only one decoder, even if several operations return it.
            let forms: &[bool] = match (source.basis.is_some(), source.list) {
                (true, true) => &[],
                (true, false) if listed(record) => &[true, false],
                (false, true) => &[true],
                (_, false) => &[false],
            };
            for list in forms {
                let is_known =
                    |method: &TableMethod<'_>| (method.table, method.record, method.list) == (table.name.as_str(), record, *list);
                if !methods.iter().any(is_known)
                    && let Some(returned_by) = returning(*list)
                {
                    methods.push(method_of(*list, returned_by));
                }
            }
        }
    }
    let forms: Vec<(&str, bool)> = methods.iter().map(|method| (method.record, method.list)).collect();
    for method in &mut methods {
        method.is_only = forms.iter().filter(|form| **form == (method.record, method.list)).count() == 1;
    }
    methods
}

/// Returns the record of an operation's response, or of its items.
fn record_of<'a>(ir: &'a Ir, source: &Source) -> Option<&'a str> {
    ir.operation(&source.operation)?.response.record()
}
