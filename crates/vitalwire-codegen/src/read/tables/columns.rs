//! Columns of a table, in the order in which they are found.

use super::super::{Docs, Member, Model, Type};
use super::read::Reader;
use super::{Column, ColumnKind};

/// A column that is derived from another one.
pub(super) struct Derived<'a> {
    /// Key of the declaration.
    word: &'static str,
    /// Name and kind of the source.
    from: &'a str,
    kind: ColumnKind,
    at: usize,
}

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
            let local = self.column(&format!("{name}_local"), ColumnKind::LocalTime, true, &Docs::new(text));
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

    /// Adds the columns that are derived from others. Returns their declarations and indexes.
    pub(super) fn derived_columns(&mut self) -> Vec<Derived<'a>> {
        let mut derived = Vec::new();
        for (name, from) in self.pairs("flags") {
            let text = format!("Whether `{from}` is above 0.");
            let at = self.column(name, ColumnKind::Boolean, false, &Docs::new(text));
            derived.push(Derived { word: "flags", from, kind: ColumnKind::Number, at });
        }
        for (name, from) in self.pairs("dates") {
            let text = format!("Date with which `{from}` begins. Missing if the text begins with no date in ISO 8601.");
            let at = self.column(name, ColumnKind::Date, true, &Docs::new(text));
            derived.push(Derived { word: "dates", from, kind: ColumnKind::Text, at });
        }
        derived
    }

    /// Returns each source of a derived column with that column.
    pub(super) fn resolve_derived(&mut self, derived: Vec<Derived<'a>>) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for Derived { word, from, kind, at } in derived {
            match self.columns.iter().position(|column| column.name == from && column.kind == kind) {
                Some(source) => found.push((source, at)),
                None => self.report_unknown(&[word], from),
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
            (Some(rest), Type::List(item)) => self.member(self.ir.model(item.model()?)?, rest),
            _ => None,
        }
    }

    pub(super) fn samples_at(&mut self) -> Option<usize> {
        self.word("series")?;
        let text = "Time of the sample: the record's start plus the sample's offset.";
        Some(self.column("at", ColumnKind::Instant, true, &Docs::new(text)))
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
