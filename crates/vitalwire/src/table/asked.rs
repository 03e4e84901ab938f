//! What a call asked for of its answer's tables: rows that it did not ask for are not known, and are no empty table; numbers that it asked
//! for by name are columns, also where none has a value.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::decode::unknown;
use super::{Column, ColumnKind, Table, TableId};
use crate::client::{Operation, ResponseMeta};
use crate::error::Error;

/// What a call says of a table whose rows it did not ask for.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Unasked {
    pub(crate) table: TableId,
    /// The argument that asks for the rows.
    pub(crate) argument: &'static str,
    /// The member that holds them, of each record.
    pub(crate) member: &'static str,
}

/// What a call asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    unasked: Vec<Unasked>,
    columns: Vec<String>,
}

impl Asked {
    /// By these arguments.
    pub(crate) fn by(parameters: &impl Operation) -> Self {
        Self { unasked: parameters.unasked(), columns: parameters.columns() }
    }
}

/// The names of a record's members.
type Members<'a> = HashMap<Cow<'a, str>, IgnoredAny>;

/// One record or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum Records<'a> {
    #[serde(borrow)]
    One(Members<'a>),
    Several(Vec<Members<'a>>),
}

impl Table {
    /// The table, read from this body, unless nothing is known of its rows: the call left out the argument that asks for them, and no
    /// record of the answer has the member that holds them. A list without items is known to have none.
    ///
    /// # Errors
    /// Invalid argument, which names the argument that the call left out.
    pub fn asked_by(self, answer: &ResponseMeta, body: &[u8]) -> Result<Self, Error> {
        let unasked = answer.asked.unasked.iter().find(|unasked| unasked.table == self.id);
        match unasked {
            Some(unasked) if self.is_empty() && is_absent(unasked.member, body) => {
                Err(Error::invalid_argument(unasked.argument, "these rows were not asked for: pass true"))
            }
            _ => Ok(self),
        }
    }

    /// Makes the numbers that the call asked for by name the first ones, in the order in which it did; see [`Table::with_columns`].
    #[must_use]
    pub fn with_asked_columns(self, answer: &ResponseMeta) -> Self {
        self.with_columns(&answer.asked.columns)
    }

    /// Makes the numbers of these names the first ones, in this order, and exports have them also where no row has a value. Names that
    /// the specification does not know are numbers too; those of columns that are no numbers of a map count for nothing.
    #[must_use]
    pub fn with_columns(mut self, names: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let spec = self.id.spec();
        let is_number = |column: &Column| {
            let declared = spec.fields.iter().any(|field| field.name == column.field.name);
            column.field.kind == ColumnKind::Number && (!declared || spec.numbers().any(|field| field.name == column.field.name))
        };
        let Some(first) = self.columns.iter().position(is_number) else { return self };
        let mut next = first;
        for name in names {
            let column = match self.columns.iter().position(|column| column.field.name == name.as_ref()) {
                // One that is named again stays where it is.
                Some(at) if at >= next && self.columns.get(at).is_some_and(is_number) => self.columns.remove(at),
                Some(_) => continue,
                None => Column::new(unknown(name.as_ref())),
            };
            self.columns.insert(next, Column { always: true, ..column });
            next += 1;
        }
        self
    }
}

/// Whether there is a record, and none has the member.
fn is_absent(member: &str, body: &[u8]) -> bool {
    match serde_json::from_slice(body) {
        Ok(Records::One(record)) => !record.contains_key(member),
        Ok(Records::Several(records)) => !records.is_empty() && !records.iter().any(|record| record.contains_key(member)),
        Err(_) => false,
    }
}
