//! Reprs: which members are there and how many items lists have, and no value.

use vitalwire::value::{Extra, ListMember};

/// A repr in the making: `SleepRecord(sleep_id, metrics{10}, stages[60])`.
pub(crate) struct Shape {
    class: &'static str,
    members: Vec<String>,
}

impl Shape {
    /// Of a class.
    pub(crate) fn new(class: &'static str) -> Self {
        Self { class, members: Vec::new() }
    }

    /// A member that is there or not.
    pub(crate) fn member(mut self, name: &str, there: bool) -> Self {
        if there {
            self.members.push(name.to_owned());
        }
        self
    }

    /// A map of so many values.
    pub(crate) fn map(mut self, name: &str, count: Option<usize>) -> Self {
        self.members.extend(count.map(|count| format!("{name}{{{count}}}")));
        self
    }

    /// A list that is always there.
    pub(crate) fn items(mut self, name: &str, count: usize) -> Self {
        self.members.push(format!("{name}[{count}]"));
        self
    }

    /// A list that may be absent or null.
    pub(crate) fn list<T>(mut self, name: &str, list: &ListMember<T>) -> Self {
        match list {
            ListMember::Absent => {}
            ListMember::Null => self.members.push(format!("{name}[null]")),
            ListMember::List(items) => self.members.push(format!("{name}[{}]", items.len())),
        }
        self
    }

    /// The text. Unknown members are counted, since their names could be data.
    pub(crate) fn finish(mut self, extra: &Extra) -> String {
        if !extra.is_empty() {
            self.members.push(format!("extra{{{}}}", extra.len()));
        }
        format!("{}({})", self.class, self.members.join(", "))
    }
}
