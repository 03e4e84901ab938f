//! Columns of a table, in the order in which they are found.

use super::super::{Docs, Member, Model, Type};
use super::read::Reader;
use super::{Column, ColumnKind};

impl<'a> Reader<'a, '_> {
    pub(super) fn column(&mut self, name: &str, kind: ColumnKind, nullable: bool, docs: &Docs) -> usize {
        if self.columns.iter().any(|column| column.name == name) {
            self.findings.push(self.at.finding("table", format!("must not have the column `{name}` twice")));
        }
        // Instants that do not fit into 64 bits of nanoseconds are left out, even if required.
        let nullable = nullable || kind == ColumnKind::Instant;
        self.columns.push(Column { name: name.to_owned(), kind, nullable, in_map: false, docs: docs.clone() });
        let index = self.columns.len() - 1;
        if kind == ColumnKind::Instant && self.declared.contains_key("time-offset") {
            let text = format!("Local time of `{name}`. Missing if the record does not state the UTC offset.");
            let local = self.column(&format!("{name}_local"), ColumnKind::LocalTime, true, &Docs { text, ..Docs::default() });
            self.local.push((index, local));
        }
        index
    }

    /// Adds the columns that all rows of a record share.
    pub(super) fn keys(&mut self, model: &'a Model) {
        for (name, path) in self.pairs("keys") {
            // A row can only repeat fields of the objects that contain it.
            let lists: Vec<&str> = path.rsplit_once('.').map(|(path, _)| path.split('.').collect()).unwrap_or_default();
            if !lists.iter().copied().eq(self.rows_path().take(lists.len())) {
                self.findings.push(self.at.join("keys").join(name).finding("table", format!("`{path}` must be on the path to the rows")));
                continue;
            }
            if self.pairs("keys").take_while(|(other, _)| *other != name).any(|(_, other)| other == path) {
                self.findings.push(self.at.join("keys").join(name).finding("table", format!("`{path}` is already another column")));
                continue;
            }
            match self.member(model, path).and_then(|member| Some((member, column_kind(&member.ty)?))) {
                Some((member, kind)) => {
                    self.column(name, kind, !member.required, &member.docs);
                }
                None => self.report_unknown(&["keys", name], path),
            }
        }
    }

    /// Adds the columns that state whether a number is above 0. Returns their indexes, with the name of the number column.
    pub(super) fn flag_columns(&mut self) -> Vec<(&'a str, usize)> {
        let flags: Vec<(&str, &str)> = self.pairs("flags").collect();
        let column = |(name, number): (&str, &'a str)| {
            let text = format!("Whether `{number}` is above 0.");
            (number, self.column(name, ColumnKind::Boolean, false, &Docs { text, ..Docs::default() }))
        };
        flags.into_iter().map(column).collect()
    }

    /// Returns each number column with its flag column.
    pub(super) fn resolve_flags(&mut self, flags: Vec<(&'a str, usize)>) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for (number, flag) in flags {
            match self.columns.iter().position(|column| column.name == number && column.kind == ColumnKind::Number) {
                Some(at) => found.push((at, flag)),
                None => self.report_unknown(&["flags"], number),
            }
        }
        found
    }

    /// Returns the field at a dotted path through lists of objects.
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

    pub(super) fn samples_at(&mut self) -> Option<usize> {
        self.word("series")?;
        let text = "Time of the sample: the record's start plus the sample's offset.";
        Some(self.column("at", ColumnKind::Instant, true, &Docs { text: text.to_owned(), ..Docs::default() }))
    }

    /// Adds a number column for each known key, and returns the index of the first.
    pub(super) fn names(&mut self, keys: &str) -> usize {
        let first = self.columns.len();
        for value in self.ir.open_set(keys).into_iter().flat_map(|set| &set.values) {
            let at = self.column(&value.wire, ColumnKind::Number, true, &value.docs);
            self.columns[at].in_map = true;
        }
        first
    }
}

/// Returns the column type of a value. `None` if it is not a single value.
pub(super) fn column_kind(ty: &Type) -> Option<ColumnKind> {
    Some(match ty {
        Type::Text | Type::Id | Type::Open(_) => ColumnKind::Text,
        Type::Boolean => ColumnKind::Boolean,
        Type::Integer => ColumnKind::Integer,
        Type::Number => ColumnKind::Number,
        Type::Timestamp => ColumnKind::Instant,
        Type::Date => ColumnKind::Date,
        Type::List(item) if matches!(**item, Type::Text | Type::Id | Type::Open(_)) => ColumnKind::TextList,
        _ => return None,
    })
}
