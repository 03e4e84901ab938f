//! Failures of users.

use serde::{Deserialize, Serialize};

use super::date_text;
use super::table::CohortTable;
use crate::error::Error;
use crate::value::Date;

/// A user whose data of one table and span could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserFailure {
    /// The user, as in the column `user`.
    pub user: String,
    /// The table.
    pub table: CohortTable,
    /// First day that was not read.
    #[serde(with = "date_text")]
    pub from: Date,
    /// Last day that was not read.
    #[serde(with = "date_text")]
    pub to: Date,
    /// Name of the [`ErrorKind`](crate::ErrorKind).
    pub kind: String,
    /// HTTP status of the last response, if there was one.
    pub status: Option<u16>,
    /// Text of the error. Contains no token and no health data.
    pub message: String,
}

impl UserFailure {
    pub(super) fn new(user: String, table: CohortTable, [from, to]: [Date; 2], error: &Error) -> Self {
        let kind = error.kind().as_str().to_owned();
        Self { user, table, from, to, kind, status: error.status(), message: error.to_string() }
    }
}
