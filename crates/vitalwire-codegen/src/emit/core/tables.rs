//! Tables as static data: which members of which objects fill which columns. One decoder in the core walks it.

use std::collections::BTreeMap;

use crate::ir::tables::{Node, Read, Role, Source, Table};
use crate::ir::{Basis, Docs, Ir};
use crate::lang::doc_lines;
use crate::lang::rust::{doc, literal};
use crate::lang::{pascal, shouty, snake};

use super::lookup;

/// What follows from the specification of a table.
const BY_NAME: &str = r#"
    /// Which table this is; `None` where this version does not have it.
    #[must_use]
    pub fn of(table: &Table) -> Option<Self> {
        Self::ALL.iter().copied().find(|id| id.spec() == table.spec())
    }

    /// Its name, snake case.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.spec().name()
    }
}

impl From<TableId> for &'static TableSpec {
    fn from(id: TableId) -> Self {
        id.spec()
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for TableId {
    type Err = UnknownTable;

    fn from_str(name: &str) -> Result<Self, UnknownTable> {
        Self::ALL.iter().copied().find(|id| id.as_str() == name).ok_or(UnknownTable)
    }
}

"#;

pub(super) fn emit(ir: &Ir) -> String {
    let mut text = String::from(
        "//! Tables: their columns, and how answers are read into them.\n#![allow(unused_imports, reason = \"generated\")]\n\nuse std::borrow::Cow;\nuse std::fmt;\nuse std::str::FromStr;\n\nuse crate::generated::names::MEMBERS;\nuse vitalwire_runtime::table::plan::{Node, Read, Role, Slot, Source};\nuse vitalwire_runtime::table::{ColumnKind, Field, Table, TableSpec, UnknownTable};\nuse vitalwire_runtime::value::OpenSet;\n\n",
    );
    text.push_str("/// A table that answers can be read into.\n#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]\n#[non_exhaustive]\npub enum TableId {\n");
    for table in &ir.tables {
        text.push_str(&doc(&table.docs, &table.name));
        text.push_str(&format!("{},\n", pascal(&table.name)));
    }
    let all: Vec<String> = ir.tables.iter().map(|table| format!("Self::{}", pascal(&table.name))).collect();
    text.push_str(&format!("}}\n\nimpl TableId {{\n/// Every table.\npub const ALL: &'static [Self] = &[{}];\n\n", all.join(", ")));
    text.push_str("/// Its columns, and the operations whose answers hold it.\n#[must_use]\npub fn spec(self) -> &'static TableSpec {\nmatch self {\n");
    for table in &ir.tables {
        text.push_str(&format!("Self::{} => &{},\n", pascal(&table.name), shouty(&table.name)));
    }
    text.push_str("}\n}\n");
    text.push_str(BY_NAME);
    let mut nodes = Nodes::default();
    for table in &ir.tables {
        text.push_str(&spec(table, &mut nodes));
    }
    text.push_str(&nodes.text);
    text
}

fn spec(table: &Table, nodes: &mut Nodes) -> String {
    let mut text = format!(
        "static {}: TableSpec = TableSpec {{\nname: {},\ndoc: {},\n",
        shouty(&table.name),
        literal(&table.name),
        about(&table.docs, &table.name)
    );
    text.push_str("sources: &[\n");
    for source in &table.sources {
        text.push_str(&one(source, nodes, &table.name));
    }
    text.push_str("],\nfields: &[\n");
    for column in &table.columns {
        let unit = column.docs.unit.as_ref().map_or_else(|| "None".to_owned(), |unit| format!("Some({})", literal(unit)));
        text.push_str(&format!(
            "Field {{ name: Cow::Borrowed({}), kind: ColumnKind::{:?}, unit: {unit}, nullable: {}, doc: {} }},\n",
            literal(&column.name),
            column.kind,
            column.nullable,
            about(&Docs { unit: None, ..column.docs.clone() }, &column.name),
        ));
    }
    text.push_str(&format!("],\nnumbers: &{:?},\nmembers: MEMBERS,\n}};\n\n", numbers(table)));
    text
}

/// The runs of columns that are the known names of a map of numbers: the first, and how many.
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

/// Documentation on one line.
fn about(docs: &Docs, name: &str) -> String {
    literal(&doc_lines(docs, name).into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" "))
}

fn one(source: &Source, nodes: &mut Nodes, table: &str) -> String {
    let basis = match source.basis {
        None => "None",
        Some(Basis::PerServing) => "Some(\"per_serving\")",
        Some(Basis::Per100) => "Some(\"per_100\")",
        Some(Basis::Unknown) => "Some(\"unknown\")",
    };
    let node = nodes.name(&source.node, table);
    let (operation, key) = (literal(&source.operation), source.key);
    format!("Source {{ operation: {operation}, list: {}, basis: {basis}, key: {key:?}, node: &{node} }},\n", source.list)
}

/// Nodes that were written already: several operations answer the same record.
#[derive(Default)]
struct Nodes {
    written: BTreeMap<String, String>,
    text: String,
}

impl Nodes {
    fn name(&mut self, node: &Node, table: &str) -> String {
        let name = shouty(&format!("{table}_of_{}", snake(&node.model)));
        let body = self.body(node, table);
        let key = format!("{name} {body}");
        if let Some(known) = self.written.get(&key) {
            return known.clone();
        }
        let function = name.to_lowercase();
        let names: Vec<String> = node.members.iter().map(|slot| literal(&slot.wire)).collect();
        let names = names.join(", ");
        self.text.push_str(&format!("static {name}: Node = Node {{\nnames: &[{names}],\nindex_of: {function},\n{body}}};\n\n"));
        let names = lookup::by_length("name", node.members.iter().enumerate().map(|(index, slot)| (index, slot.wire.as_str())));
        self.text.push_str(&format!("fn {function}(name: &str) -> Option<usize> {{\n{names}}}\n\n"));
        self.written.insert(key, name.clone());
        name
    }

    fn body(&mut self, node: &Node, table: &str) -> String {
        let mut members = String::new();
        let mut required = 0_u64;
        for (index, slot) in node.members.iter().enumerate() {
            required |= u64::from(slot.required) << index;
            let read = match &slot.read {
                Read::Cell { kind, column, role } => {
                    let role = match role {
                        Role::Plain => "Plain",
                        Role::TimeOffset => "TimeOffset",
                        Role::Start => "Start",
                    };
                    format!("Cell {{ kind: ColumnKind::{kind:?}, column: {column:?}, role: Role::{role} }}")
                }
                Read::Numbers { first, keys } => format!("Numbers {{ first: {first}, {} }}", names(keys)),
                Read::Object(node) => format!("Object(&{})", self.name(node, table)),
                Read::Rows(node) => format!("Rows(&{})", self.name(node, table)),
                Read::Samples(node) => format!("Samples(&{})", self.name(node, table)),
                Read::Series { column } => format!("Series {{ column: {column} }}"),
                Read::SeriesMap { first, keys } => format!("SeriesMap {{ first: {first}, {} }}", names(keys)),
                Read::Unread => "Unread".to_owned(),
            };
            members.push_str(&format!("Slot {{ name: {}, read: Read::{read} }},\n", literal(&slot.wire)));
        }
        format!("members: &[\n{members}],\nrequired: {required},\nrow: {},\nat: {:?},\nlocal: &{:?},\n", node.row, node.at, node.local)
    }
}

fn names(keys: &str) -> String {
    format!(
        "names: <crate::generated::open_sets::{keys} as OpenSet>::KNOWN, index_of: <crate::generated::open_sets::{keys} as OpenSet>::index_of"
    )
}
