//! `repr` of records: present fields and numbers of items, without values.

use vitalwire::value::{Extra, ListMember};

/// Builder of a `repr` such as `SleepRecord(sleep_id, metrics{10}, stages[60])`.
pub(crate) struct Shape {
    class: &'static str,
    members: Vec<String>,
}

impl Shape {
    /// Creates a builder for the `repr` of this class.
    pub(crate) fn new(class: &'static str) -> Self {
        Self { class, members: Vec::new() }
    }

    /// Adds a field, if present.
    pub(crate) fn member(mut self, name: &str, is_present: bool) -> Self {
        if is_present {
            self.members.push(name.to_owned());
        }
        self
    }

    /// Adds a map with its number of values.
    pub(crate) fn map(mut self, name: &str, count: Option<usize>) -> Self {
        self.members.extend(count.map(|count| format!("{name}{{{count}}}")));
        self
    }

    /// Adds a required list.
    pub(crate) fn items(mut self, name: &str, count: usize) -> Self {
        self.members.push(format!("{name}[{count}]"));
        self
    }

    /// Adds a list that may be absent or null.
    pub(crate) fn list<T>(mut self, name: &str, list: &ListMember<T>) -> Self {
        match list {
            ListMember::Absent => {}
            ListMember::Null => self.members.push(format!("{name}[null]")),
            ListMember::List(items) => self.members.push(format!("{name}[{}]", items.len())),
        }
        self
    }

    /// Returns the text. Unknown fields are only counted, because their names may be health data.
    pub(crate) fn finish(mut self, extra: &Extra) -> String {
        if !extra.is_empty() {
            self.members.push(format!("extra{{{}}}", extra.len()));
        }
        format!("{}({})", self.class, self.members.join(", "))
    }
}
