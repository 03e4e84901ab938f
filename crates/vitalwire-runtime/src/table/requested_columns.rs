//! Consistency of tables with the request of their call.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::decode::undeclared_field;
use super::{Column, ColumnKind, Table};
use crate::error::Error;
use crate::operation::Projection;
use crate::value::decode::without_byte_order_mark;

/// Field names of a record.
type FieldNames<'a> = HashMap<Cow<'a, str>, IgnoredAny>;

/// One record or a list of records.
#[derive(Deserialize)]
#[serde(untagged)]
enum Records<'a> {
    #[serde(borrow)]
    One(FieldNames<'a>),
    Several(Vec<FieldNames<'a>>),
}

impl Table {
    /// Returns the table unless its rows are unknown: the call did not request them, and no record of the body has their field. An empty
    /// list of records has no rows.
    ///
    /// # Errors
    /// `invalid_argument`, with the argument that the call omitted.
    pub fn require_requested_rows(self, projection: &impl AsRef<Projection>, body: &[u8]) -> Result<Self, Error> {
        let unrequested = projection.as_ref().unrequested.iter().find(|unrequested| unrequested.table == self.spec.name());
        match unrequested {
            Some(unrequested) if self.is_empty() && lacks_field(unrequested.field, body) => {
                Err(Error::invalid_argument(unrequested.argument, "these rows were not requested: pass true"))
            }
            _ => Ok(self),
        }
    }

    /// Moves the numbers that the call requested by name to the front, in the requested order; see [`Table::with_columns`].
    #[must_use]
    pub fn with_requested_columns(self, projection: &impl AsRef<Projection>) -> Self {
        self.with_columns(&projection.as_ref().columns)
    }

    /// Moves the numbers with these names to the front, in this order, and exports them even if no row has a value. Undeclared names
    /// become number columns. A column of lists is exported too, at its place. Other names of columns are ignored.
    #[must_use]
    pub fn with_columns(mut self, names: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let spec = self.spec;
        let is_number = |column: &Column| {
            let declared = spec.fields.iter().any(|field| field.name == column.field.name);
            column.field.kind == ColumnKind::Number && (!declared || spec.numbers().any(|field| field.name == column.field.name))
        };
        let Some(first) = self.columns.iter().position(is_number) else { return self };
        let mut next = first;
        for name in names {
            let is_list = |column: &&mut Column| column.field.kind == ColumnKind::TextList && column.field.name == name.as_ref();
            if let Some(column) = self.columns.iter_mut().find(is_list) {
                column.always = true;
                continue;
            }
            let column = match self.columns.iter().position(|column| column.field.name == name.as_ref()) {
                // A repeated name keeps its first position.
                Some(at) if at >= next && self.columns.get(at).is_some_and(is_number) => self.columns.remove(at),
                Some(_) => continue,
                None => Column::new(undeclared_field(name.as_ref())),
            };
            self.columns.insert(next, Column { always: true, ..column });
            next += 1;
        }
        self
    }
}

/// Whether there are records and none has the field.
fn lacks_field(field: &str, body: &[u8]) -> bool {
    match serde_json::from_slice(without_byte_order_mark(body)) {
        Ok(Records::One(record)) => !record.contains_key(field),
        Ok(Records::Several(records)) => !records.is_empty() && !records.iter().any(|record| record.contains_key(field)),
        Err(_) => false,
    }
}
