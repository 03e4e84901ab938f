//! Describes how the objects of a response are read into columns.

use super::super::{Member, Model, Type};
use super::columns::column_kind;
use super::read::{OFFSET, Reader};
use super::{ColumnKind, Node, Role, Slot, ValuePlan};

/// Maximum number of fields of an object. The decoder marks the fields that it has read in 64 bits.
const MAX_FIELDS: usize = 64;

impl<'a> Reader<'a, '_> {
    pub(super) fn node(&mut self, model: &'a Model, prefix: &str, rows: &[&str]) -> Node {
        let row = rows.is_empty() && !self.declared.contains_key("series");
        let mut members = Vec::new();
        if let Some((first, _)) = rows.split_first()
            && !model.members.iter().any(|member| member.wire == *first)
        {
            self.report_unknown(&["rows"], first);
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
        if members.len() > MAX_FIELDS {
            self.findings.push(self.at.finding("table", format!("must not read more than {MAX_FIELDS} fields of `{}`", model.name)));
        }
        Node { model: model.name.clone(), members, row, ..Node::default() }
    }

    fn rows(&mut self, member: &'a Member, path: &str, rest: &[&str]) -> Option<ValuePlan> {
        if let (Type::List(_), Some(inner)) = (&member.ty, member.ty.model()) {
            let inner = self.ir.model(inner)?;
            return Some(ValuePlan::Rows(self.node(inner, &format!("{path}."), rest)));
        }
        self.report_unknown(&["rows"], &member.wire);
        None
    }

    fn value(&mut self, member: &'a Member, path: &str, row: bool) -> Option<ValuePlan> {
        let role = match path {
            _ if self.word("time-offset") == Some(path) => Role::TimeOffset,
            _ if self.word("start") == Some(path) => Role::Start,
            _ => Role::Plain,
        };
        let expected = match role {
            Role::Plain => None,
            Role::TimeOffset => Some(ColumnKind::Integer),
            Role::Start => Some(ColumnKind::Instant),
        };
        let kind = column_kind(&member.ty);
        if expected.is_some() && kind != expected {
            self.report_unknown(&[if role == Role::Start { "start" } else { "time-offset" }], path);
        }
        match (&member.ty, kind) {
            (Type::Numbers(map), _) if row => {
                let keys = &self.ir.number_map(map)?.keys;
                let first = self.names(keys);
                Some(ValuePlan::Numbers { first, keys: keys.clone() })
            }
            (_, Some(kind)) => {
                let key = self.pairs("keys").find(|(_, of)| *of == path);
                let column = match key {
                    Some((name, _)) => self.columns.iter().position(|column| column.name == name),
                    None if row => Some(self.column(&member.wire, kind, !member.required, &member.docs)),
                    None => None,
                };
                (column.is_some() || member.required || role != Role::Plain).then_some(ValuePlan::Cell { kind, column, role })
            }
            _ => member.required.then_some(ValuePlan::Unread),
        }
    }

    fn samples(&mut self, member: &'a Member) -> Option<ValuePlan> {
        let Type::Model(inner) = &member.ty else {
            self.report_unknown(&["series"], &member.wire);
            return None;
        };
        let model = self.ir.model(inner)?;
        let mut members = Vec::new();
        for (name, of) in self.pairs("series-columns") {
            let numbers = Type::List(Box::new(Type::Number));
            let Some(series) = model.members.iter().find(|series| series.wire == of && series.ty == numbers) else {
                self.report_unknown(&["series-columns", name], of);
                continue;
            };
            if name == OFFSET && series.docs.unit.as_deref() != Some("ms") {
                self.findings.push(self.at.join("series-columns").join(name).finding("table", "must have the unit ms"));
            }
            let column = self.column(name, ColumnKind::Number, true, &series.docs);
            members.push(Slot { wire: of.to_owned(), required: series.required, read: ValuePlan::Series { column } });
        }
        for series in &model.members {
            if let Type::Series(map) = &series.ty
                && let Some(map) = self.ir.series_maps.iter().find(|other| other.name == *map)
            {
                let read = ValuePlan::SeriesMap { first: self.names(&map.keys), keys: map.keys.clone() };
                members.push(Slot { wire: series.wire.clone(), required: series.required, read });
            }
        }
        Some(ValuePlan::Samples(Node { model: inner.clone(), members, ..Node::default() }))
    }
}
