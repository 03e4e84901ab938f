//! From a declaration to a table.

use serde_json::{Map, Value};

use super::super::spot::Spot;
use super::super::types::docs;
use super::super::{Answer, Basis, Docs, Ir, Member, Model, Operation, Type};
use super::{Column, Kind, Node, Read, Role, Slot, Source, Table};
use crate::codegen::naming::is_snake;
use crate::codegen::spec::{Findings, Pointer, Sources};

const EXTENSION: &str = "x-vitalwire-tables";

/// Members of a declaration.
const MEMBERS: [&str; 7] = ["description", "rows", "keys", "series", "series-columns", "start", "time-offset"];

/// An object's members are marked in 64 bits when they are read.
const MOST: usize = 64;

/// Reads every declaration.
pub(in crate::codegen::ir) fn read(ir: &Ir, sources: &Sources, findings: &mut Findings) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for spec in &sources.specs {
        for (schema, value) in spec.document.pointer("/components/schemas").and_then(Value::as_object).into_iter().flatten() {
            for (name, declared) in value.get(EXTENSION).and_then(Value::as_object).into_iter().flatten() {
                let at = Spot::new(spec.path, Pointer::schema(schema).then(EXTENSION).then(name));
                let Some(model) = ir.model(schema) else {
                    findings.push(at.finding("table", "is declared at a schema that is no object with members"));
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

/// A table may be declared at several schemas, if it has the same columns at each.
fn add(tables: &mut Vec<Table>, table: Table, at: &Spot<'_>, findings: &mut Findings) {
    let Some(twin) = tables.iter_mut().find(|twin| twin.name == table.name) else {
        tables.push(table);
        return;
    };
    let shape = |table: &Table| table.columns.iter().map(|column| (column.name.clone(), column.kind)).collect::<Vec<_>>();
    if shape(twin) != shape(&table) {
        findings.push(at.finding("table", "has other columns than the table of this name at another schema"));
        return;
    }
    for (column, other) in twin.columns.iter_mut().zip(&table.columns) {
        column.nullable |= other.nullable;
    }
    twin.sources.extend(table.sources);
}

struct Reader<'a, 'b> {
    ir: &'a Ir,
    declared: &'a Map<String, Value>,
    at: Spot<'a>,
    columns: Vec<Column>,
    local: Vec<(usize, usize)>,
    findings: &'b mut Findings,
}

impl<'a> Reader<'a, '_> {
    fn table(mut self, name: &str, model: &'a Model) -> Table {
        for word in self.declared.keys().filter(|word| !MEMBERS.contains(&word.as_str())) {
            self.findings.push(self.at.then(word).finding("table", "is no member of a table"));
        }
        if !is_snake(name) {
            self.findings.push(self.at.finding("table", "is no name in snake case"));
        }
        for word in ["start", "time-offset", "series"] {
            if let Some(member) = self.word(word)
                && !model.members.iter().any(|other| other.wire == member)
            {
                self.unknown(word, member);
            }
        }
        self.keys(model);
        let operations: Vec<(&'a Operation, bool, bool)> = self.ir.operations.iter().filter_map(|it| self.holds(it, &model.name)).collect();
        if operations.is_empty() {
            self.findings.push(self.at.finding("table", "is in no operation's answer"));
        }
        let with_basis = operations.iter().any(|(operation, ..)| operation.basis.is_some());
        if with_basis {
            let text = "What the numbers of the row refer to: `per_serving`, `per_100` (100 g or 100 ml), or `unknown`.";
            self.column("basis", Kind::Text, false, &Docs { text: text.to_owned(), ..Docs::default() });
        }
        let at = self.samples_at();
        let columns = self.columns.len();
        let mut sources = Vec::new();
        for (operation, list, wrapped) in operations {
            // Each operation's plan is made anew from the same columns.
            self.columns.truncate(columns);
            self.local.retain(|(_, local)| *local < columns);
            let mut node = self.node(model, "", &self.word("rows").map(|rows| rows.split('.').collect::<Vec<_>>()).unwrap_or_default());
            node.at = at.and_then(|at| Some((self.columns.iter().position(|column| column.name == "offset")?, at)));
            node.local = self.local.clone();
            if wrapped {
                node = self.wrapper(operation, &model.name, node);
            }
            let basis = with_basis.then(|| operation.basis.unwrap_or(Basis::Unknown));
            sources.push(Source { operation: operation.id.clone(), list, basis, node });
        }
        let docs = docs(&Value::Object(self.declared.clone()));
        Table { name: name.to_owned(), docs, columns: self.columns, sources }
    }

    fn word(&self, key: &str) -> Option<&'a str> {
        self.declared.get(key).and_then(Value::as_str)
    }

    fn pairs(&self, key: &str) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        let pairs = self.declared.get(key).and_then(Value::as_object).into_iter().flatten();
        pairs.filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)))
    }

    fn unknown(&mut self, place: &str, member: &str) {
        let finding = self.at.then(place).finding("table", format!("names `{member}`, which is no member that can be read so"));
        self.findings.push(finding);
    }

    /// How an operation's answer holds the record: (the operation, in a list, in a wrapper).
    fn holds(&self, operation: &'a Operation, record: &str) -> Option<(&'a Operation, bool, bool)> {
        match &operation.answer {
            Answer::Model(name) if name == record => Some((operation, false, false)),
            Answer::List(name) if name == record => Some((operation, true, false)),
            Answer::Model(name) => {
                let holds = |member: &Member| member.ty == Type::Model(record.to_owned());
                self.ir.model(name)?.members.iter().any(holds).then_some((operation, false, true))
            }
            _ => None,
        }
    }

    fn wrapper(&self, operation: &Operation, record: &str, node: Node) -> Node {
        let Answer::Model(name) = &operation.answer else { return node };
        let member = self.ir.model(name).and_then(|model| model.members.iter().find(|it| it.ty == Type::Model(record.to_owned())));
        let Some(member) = member else { return node };
        let slot = Slot { wire: member.wire.clone(), required: member.required, read: Read::Object(node) };
        Node { model: name.clone(), members: vec![slot], ..Node::default() }
    }

    fn column(&mut self, name: &str, kind: Kind, nullable: bool, docs: &Docs) -> usize {
        if self.columns.iter().any(|column| column.name == name) {
            self.findings.push(self.at.finding("table", format!("has the column `{name}` twice")));
        }
        // An instant that does not fit into 64 bits of nanoseconds is left out, even a required one.
        let nullable = nullable || kind == Kind::Instant;
        self.columns.push(Column { name: name.to_owned(), kind, nullable, docs: docs.clone() });
        let index = self.columns.len() - 1;
        if kind == Kind::Instant && self.declared.contains_key("time-offset") {
            let text = format!("`{name}` as the user's clock showed it. Missing where the record does not state the clock's offset.");
            let local = self.column(&format!("{name}_local"), Kind::LocalTime, true, &Docs { text, ..Docs::default() });
            self.local.push((index, local));
        }
        index
    }

    /// The columns that the rows of a record share.
    fn keys(&mut self, model: &'a Model) {
        for (name, path) in self.pairs("keys") {
            match self.member(model, path).and_then(|member| Some((member, kind(&member.ty)?))) {
                Some((member, kind)) => {
                    self.column(name, kind, !member.required, &member.docs);
                }
                None => self.unknown(&format!("keys/{name}"), path),
            }
        }
    }

    /// The member that a dotted path through lists of objects leads to.
    fn member(&self, model: &'a Model, path: &str) -> Option<&'a Member> {
        let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
        let member = model.members.iter().find(|member| member.wire == first)?;
        match (rest, &member.ty) {
            (None, _) => Some(member),
            (Some(rest), Type::List(item)) => match &**item {
                Type::Model(inner) => self.member(self.ir.model(inner)?, rest),
                _ => None,
            },
            _ => None,
        }
    }

    fn samples_at(&mut self) -> Option<usize> {
        self.word("series")?;
        let text = "When the sample was taken: the record's start and the sample's offset.";
        Some(self.column("at", Kind::Instant, true, &Docs { text: text.to_owned(), ..Docs::default() }))
    }

    fn node(&mut self, model: &'a Model, prefix: &str, rows: &[&str]) -> Node {
        let row = rows.is_empty() && !self.declared.contains_key("series");
        let mut members = Vec::new();
        if let Some((first, _)) = rows.split_first()
            && !model.members.iter().any(|member| member.wire == *first)
        {
            self.unknown("rows", first);
        }
        for member in &model.members {
            let path = format!("{prefix}{}", member.wire);
            let read = match rows.split_first() {
                Some((first, rest)) if *first == member.wire => self.rows(member, &path, rest),
                _ if prefix.is_empty() && self.word("series") == Some(&member.wire) => self.samples(member),
                _ => self.value(member, &path, row),
            };
            if let Some(read) = read {
                members.push(Slot { wire: member.wire.clone(), required: member.required, read });
            }
        }
        if members.len() > MOST {
            self.findings.push(self.at.finding("table", format!("reads more than {MOST} members of `{}`", model.name)));
        }
        Node { model: model.name.clone(), members, row, ..Node::default() }
    }

    fn rows(&mut self, member: &'a Member, path: &str, rest: &[&str]) -> Option<Read> {
        if let Type::List(item) = &member.ty
            && let Type::Model(inner) = &**item
        {
            let inner = self.ir.model(inner)?;
            return Some(Read::Rows(self.node(inner, &format!("{path}."), rest)));
        }
        self.unknown("rows", &member.wire);
        None
    }

    fn value(&mut self, member: &'a Member, path: &str, row: bool) -> Option<Read> {
        let role = match path {
            _ if self.word("time-offset") == Some(path) => Role::TimeOffset,
            _ if self.word("start") == Some(path) => Role::Start,
            _ => Role::Plain,
        };
        let wanted = match role {
            Role::Plain => None,
            Role::TimeOffset => Some(Kind::Integer),
            Role::Start => Some(Kind::Instant),
        };
        let kind = kind(&member.ty);
        if wanted.is_some() && kind != wanted {
            self.unknown(if role == Role::Start { "start" } else { "time-offset" }, path);
        }
        match (&member.ty, kind) {
            (Type::Numbers(map), _) if row => {
                let keys = &self.ir.number_map(map)?.keys;
                let first = self.names(keys);
                Some(Read::Numbers { first, keys: keys.clone() })
            }
            (_, Some(kind)) => {
                let key = self.pairs("keys").find(|(_, of)| *of == path);
                let column = match key {
                    Some((name, _)) => self.columns.iter().position(|column| column.name == name),
                    None if row => Some(self.column(&member.wire, kind, !member.required, &member.docs)),
                    None => None,
                };
                (column.is_some() || member.required || role != Role::Plain).then_some(Read::Cell { kind, column, role })
            }
            _ => member.required.then_some(Read::Unread),
        }
    }

    /// A column of numbers for each known name.
    fn names(&mut self, keys: &str) -> usize {
        let first = self.columns.len();
        for value in self.ir.open_set(keys).into_iter().flat_map(|set| &set.values) {
            self.column(&value.wire, Kind::Number, true, &value.docs);
        }
        first
    }

    fn samples(&mut self, member: &'a Member) -> Option<Read> {
        let Type::Model(inner) = &member.ty else {
            self.unknown("series", &member.wire);
            return None;
        };
        let model = self.ir.model(inner)?;
        let mut members = Vec::new();
        for (name, of) in self.pairs("series-columns") {
            let numbers = Type::List(Box::new(Type::Number));
            let Some(series) = model.members.iter().find(|series| series.wire == of && series.ty == numbers) else {
                self.unknown(&format!("series-columns/{name}"), of);
                continue;
            };
            if name == "offset" && series.docs.unit.as_deref() != Some("ms") {
                self.findings.push(self.at.then("series-columns").then(name).finding("table", "counts in no milliseconds"));
            }
            let column = self.column(name, Kind::Number, true, &series.docs);
            members.push(Slot { wire: of.to_owned(), required: series.required, read: Read::Series { column } });
        }
        for series in &model.members {
            if let Type::Series(map) = &series.ty
                && let Some(map) = self.ir.series_maps.iter().find(|other| other.name == *map)
            {
                let read = Read::SeriesMap { first: self.names(&map.keys), keys: map.keys.clone() };
                members.push(Slot { wire: series.wire.clone(), required: series.required, read });
            }
        }
        Some(Read::Samples(Node { model: inner.clone(), members, ..Node::default() }))
    }
}

/// The kind of a value's column; `None` for what is no value.
fn kind(ty: &Type) -> Option<Kind> {
    Some(match ty {
        Type::Text | Type::Id | Type::Open(_) => Kind::Text,
        Type::Boolean => Kind::Boolean,
        Type::Integer => Kind::Integer,
        Type::Number => Kind::Number,
        Type::Timestamp => Kind::Instant,
        Type::Date => Kind::Date,
        Type::List(item) if matches!(**item, Type::Text | Type::Id | Type::Open(_)) => Kind::TextList,
        _ => return None,
    })
}
