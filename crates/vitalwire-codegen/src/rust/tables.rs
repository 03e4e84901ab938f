//! Tables as static data that maps fields to columns. A single decoder in the core interprets it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::ir::tables::{Column, Node, Source, Table, ValuePlan};
use crate::ir::{Basis, Docs, Ir};
use crate::naming::{shouty, snake};

/// Template values of the tables.
#[derive(Serialize)]
pub(super) struct Tables<'a> {
    tables: Vec<TableValues<'a>>,
    nodes: Vec<NodeValues<'a>>,
}

#[derive(Serialize)]
struct TableValues<'a> {
    name: &'a str,
    docs: &'a Docs,
    sources: Vec<SourceValues<'a>>,
    columns: &'a [Column],
    numbers: String,
    derived: String,
}

/// An operation from whose response the table is made. Texts are Rust code.
#[derive(Serialize)]
struct SourceValues<'a> {
    operation: &'a str,
    list: bool,
    basis: &'static str,
    key: String,
    node: String,
}

/// Description of how an object is read. Texts are Rust code.
#[derive(Serialize)]
struct NodeValues<'a> {
    name: String,
    #[serde(flatten)]
    body: NodeBody<'a>,
}

#[derive(Clone, PartialEq, Serialize)]
struct NodeBody<'a> {
    members: Vec<Slot<'a>>,
    required: u64,
    row: bool,
    at: String,
    local: String,
}

#[derive(Clone, PartialEq, Serialize)]
struct Slot<'a> {
    wire: &'a str,
    read: String,
}

impl<'a> Tables<'a> {
    pub(super) fn new(ir: &'a Ir) -> Self {
        let mut nodes = Nodes::default();
        let tables = ir.tables.iter().map(|table| TableValues {
            name: &table.name,
            docs: &table.docs,
            sources: table.sources.iter().map(|source| source_values(source, &mut nodes, &table.name)).collect(),
            columns: &table.columns,
            numbers: format!("{:?}", numbers(table)),
            derived: format!("{:?}", table.derived),
        });
        Self { tables: tables.collect(), nodes: nodes.values }
    }
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

fn source_values<'a>(source: &'a Source, nodes: &mut Nodes<'a>, table: &str) -> SourceValues<'a> {
    SourceValues {
        operation: &source.operation,
        list: source.list,
        basis: match source.basis {
            None => "None",
            Some(Basis::PerServing) => "Some(\"per_serving\")",
            Some(Basis::Per100) => "Some(\"per_100\")",
            Some(Basis::Unknown) => "Some(\"unknown\")",
        },
        key: format!("{:?}", source.key),
        node: nodes.name(&source.node, table),
    }
}

/// Deduplicated objects, because several operations return the same record.
#[derive(Default)]
struct Nodes<'a> {
    known: BTreeMap<String, usize>,
    values: Vec<NodeValues<'a>>,
}

impl<'a> Nodes<'a> {
    fn name(&mut self, node: &'a Node, table: &str) -> String {
        let name = shouty(&format!("{table}_of_{}", snake(&node.model)));
        let body = self.body(node, table);
        if self.known.get(&name).is_none_or(|index| self.values[*index].body != body) {
            self.known.insert(name.clone(), self.values.len());
            self.values.push(NodeValues { name: name.clone(), body });
        }
        name
    }

    fn body(&mut self, node: &'a Node, table: &str) -> NodeBody<'a> {
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
            members.push(Slot { wire: &slot.wire, read });
        }
        NodeBody { members, required, row: node.row, at: format!("{:?}", node.at), local: format!("{:?}", node.local) }
    }
}

fn names(keys: &str) -> String {
    let set = format!("<crate::generated::open_sets::{keys} as OpenSet>");
    format!("names: {set}::KNOWN, index_of: {set}::index_of")
}
