//! Tables as static data that maps fields to columns. A single decoder in the core interprets it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::ir::tables::{Node, Source, Table, ValuePlan};
use crate::ir::{Basis, Ir};
use crate::naming::{shouty, snake};

/// Returns the template values of the tables. Texts of sources and nodes are Rust code.
pub(super) fn values(ir: &Ir) -> Value {
    let mut nodes = Nodes::default();
    let table = |table: &Table| {
        let sources: Vec<Value> = table.sources.iter().map(|source| source_values(source, &mut nodes, &table.name)).collect();
        json!({
            "name": table.name,
            "docs": table.docs,
            "sources": sources,
            "columns": table.columns,
            "numbers": format!("{:?}", numbers(table)),
            "derived": format!("{:?}", table.derived),
        })
    };
    let tables: Vec<Value> = ir.tables.iter().map(table).collect();
    json!({ "tables": tables, "nodes": nodes.values })
}

/// Returns the ranges of columns that are the known keys of a number map, as first index and count.
fn numbers(table: &Table) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, _) in table.columns.iter().enumerate().filter(|(_, column)| column.in_map) {
        match runs.last_mut() {
            Some((first, count)) if *first + *count == at => *count += 1,
            _ => runs.push((at, 1)),
        }
    }
    runs
}

fn source_values(source: &Source, nodes: &mut Nodes, table: &str) -> Value {
    let basis = match source.basis {
        None => "None",
        Some(Basis::PerServing) => "Some(\"per_serving\")",
        Some(Basis::Per100) => "Some(\"per_100\")",
        Some(Basis::Unknown) => "Some(\"unknown\")",
    };
    let (key, node) = (format!("{:?}", source.key), nodes.name(&source.node, table));
    json!({ "operation": source.operation, "list": source.list, "basis": basis, "key": key, "node": node })
}

/// Descriptions of how objects are read. They are deduplicated, because several operations return the same record.
#[derive(Default)]
struct Nodes {
    known: BTreeMap<String, Value>,
    values: Vec<Value>,
}

impl Nodes {
    fn name(&mut self, node: &Node, table: &str) -> String {
        let name = shouty(&format!("{table}_of_{}", snake(&node.model)));
        let value = self.value(node, table, &name);
        if self.known.get(&name) != Some(&value) {
            self.known.insert(name.clone(), value.clone());
            self.values.push(value);
        }
        name
    }

    fn value(&mut self, node: &Node, table: &str, name: &str) -> Value {
        let mut members = Vec::new();
        let mut required = 0_u64;
        for (index, slot) in node.members.iter().enumerate() {
            required |= u64::from(slot.required) << index;
            let read = match &slot.read {
                ValuePlan::Cell { kind, column, role } => {
                    format!("Cell {{ kind: ColumnKind::{kind:?}, column: {column:?}, role: ValueRole::{role:?} }}")
                }
                ValuePlan::Numbers { first, keys } => format!("Numbers {{ first: {first}, {} }}", names(keys)),
                ValuePlan::Object(node) => format!("Object(&{})", self.name(node, table)),
                ValuePlan::Rows(node) => format!("Rows(&{})", self.name(node, table)),
                ValuePlan::Samples(node) => format!("Samples(&{})", self.name(node, table)),
                ValuePlan::Series { column } => format!("Series {{ column: {column} }}"),
                ValuePlan::SeriesMap { first, keys } => format!("SeriesMap {{ first: {first}, {} }}", names(keys)),
                ValuePlan::Unread => "Unread".to_owned(),
            };
            members.push(json!({ "wire": slot.wire, "read": read }));
        }
        let (at, local) = (format!("{:?}", node.at), format!("{:?}", node.local));
        json!({ "name": name, "members": members, "required": required, "row": node.row, "at": at, "local": local })
    }
}

fn names(keys: &str) -> String {
    let set = format!("<crate::generated::open_sets::{keys} as OpenSet>");
    format!("names: {set}::KNOWN, index_of: {set}::index_of")
}
