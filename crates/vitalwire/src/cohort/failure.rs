//! Failures to read the data of a user.

use serde::{Deserialize, Serialize};

use super::date_text;
use super::table::CohortTable;
use crate::error::Error;
use crate::value::Date;

/// A failure to read one table of a user for a span of days.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserFailure {
    /// User id or pseudonym, as in the column `user`.
    pub user: String,
    /// The table.
    pub table: CohortTable,
    /// First day that could not be read.
    #[serde(with = "date_text")]
    pub from: Date,
    /// Last day that could not be read.
    #[serde(with = "date_text")]
    pub to: Date,
    /// Name of the [`ErrorKind`](crate::ErrorKind).
    pub kind: String,
    /// HTTP status of the last response. `None` if there was no response.
    pub status: Option<u16>,
    /// Error message. Contains no token and no health data.
    pub message: String,
}

impl UserFailure {
    pub(super) fn new(user: String, table: CohortTable, [from, to]: [Date; 2], error: &Error) -> Self {
        let kind = error.kind().as_str().to_owned();
        Self { user, table, from, to, kind, status: error.status(), message: error.to_string() }
    }
}
