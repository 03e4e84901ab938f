//! Parses the table declarations (`x-vitalwire-tables`) of a specification's schemas into [`Table`]s.

use serde_json::{Map, Value};

use super::super::location::Location;
use super::super::types::docs;
use super::super::{Basis, Docs, Ir, Model, Operation};
use super::{Column, ColumnKind, Source, Table};
use crate::spec::{Findings, Pointer, Sources};

const EXTENSION: &str = "x-vitalwire-tables";

/// Name of the series column with the milliseconds since `start`.
pub(super) const OFFSET: &str = "offset";

/// Parses the table declarations of all specifications.
pub(in crate::read) fn read(ir: &Ir, sources: &Sources, findings: &mut Findings) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for spec in &sources.specs {
        for (schema, value) in spec.document.pointer("/components/schemas").and_then(Value::as_object).into_iter().flatten() {
            let at = Location::new(spec.path, Pointer::schema(schema).join(EXTENSION));
            for (name, declared) in value.get(EXTENSION).and_then(Value::as_object).into_iter().flatten() {
                let at = at.join(name);
                let Some(model) = ir.model(schema) else {
                    findings.push(at.finding("table", "must be declared at an object with properties"));
                    continue;
                };
                let Some(declared) = declared.as_object() else { continue };
                let before = findings.len();
                let table = Reader { ir, declared, at: at.clone(), columns: Vec::new(), local: Vec::new(), findings }.table(name, model);
                if findings.len() == before {
                    add(&mut tables, table, &at, findings);
                }
            }
        }
    }
    tables
}

/// Adds a table. Several schemas may declare it if it has the same columns in each.
fn add(tables: &mut Vec<Table>, table: Table, at: &Location<'_>, findings: &mut Findings) {
    let Some(existing) = tables.iter_mut().find(|existing| existing.name == table.name) else {
        tables.push(table);
        return;
    };
    let shape = |table: &Table| table.columns.iter().map(|column| (column.name.clone(), column.kind)).collect::<Vec<_>>();
    if shape(existing) != shape(&table) {
        findings.push(at.finding("table", "must have the same columns as the table of this name at another schema"));
        return;
    }
    for (column, other) in existing.columns.iter_mut().zip(&table.columns) {
        column.nullable |= other.nullable;
    }
    existing.sources.extend(table.sources);
}

/// Parser of one declaration.
pub(super) struct Reader<'a, 'b> {
    pub(super) ir: &'a Ir,
    pub(super) declared: &'a Map<String, Value>,
    pub(super) at: Location<'a>,
    pub(super) columns: Vec<Column>,
    /// Columns of instants, each paired with its column of local times.
    pub(super) local: Vec<(usize, usize)>,
    pub(super) findings: &'b mut Findings,
}

impl<'a> Reader<'a, '_> {
    fn table(mut self, name: &str, model: &'a Model) -> Table {
        self.check(name, model);
        self.keys(model);
        let derived = self.derived_columns();
        let operations: Vec<(&'a Operation, bool, bool)> =
            self.ir.operations.iter().filter_map(|it| self.find_record(it, &model.name)).collect();
        if operations.is_empty() {
            self.findings.push(self.at.finding("table", "must be in an operation's response"));
        }
        let with_basis = operations.iter().any(|(operation, ..)| operation.basis.is_some());
        if with_basis {
            let text = "Basis of the numbers in the row: `per_serving`, `per_100` (100 g or 100 ml), or `unknown`.";
            self.column("basis", ColumnKind::Text, false, &Docs::new(text));
        }
        let at = self.samples_at();
        let rows: Vec<&str> = self.rows_path().collect();
        let mut node = self.node(model, "", &rows);
        node.at = at.and_then(|at| Some((self.columns.iter().position(|column| column.name == OFFSET)?, at)));
        node.local = std::mem::take(&mut self.local);
        let mut sources = Vec::new();
        for (operation, list, wrapped) in operations {
            let key = self.key(operation, &node);
            let node = if wrapped { self.wrapper(operation, &model.name, node.clone()) } else { node.clone() };
            let basis = with_basis.then(|| operation.basis.unwrap_or(Basis::Unknown));
            sources.push(Source { operation: operation.id.clone(), list, basis, key, node });
        }
        let derived = self.resolve_derived(derived);
        let docs = docs(&Value::Object(self.declared.clone()));
        Table { name: name.to_owned(), docs, columns: self.columns, derived, sources }
    }
}
