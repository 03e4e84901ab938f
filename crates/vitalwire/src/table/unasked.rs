//! Tables whose rows a call did not ask for: nothing is known of them, so that they are no empty tables.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Table, TableId};
use crate::client::ResponseMeta;
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
        let unasked = answer.unasked.iter().find(|unasked| unasked.table == self.id);
        match unasked {
            Some(unasked) if self.is_empty() && is_absent(unasked.member, body) => {
                Err(Error::invalid_argument(unasked.argument, "these rows were not asked for: pass true"))
            }
            _ => Ok(self),
        }
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
