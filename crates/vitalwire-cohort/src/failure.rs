//! Failures to read the data of a user.

use serde::{Deserialize, Serialize};
use vitalwire::error::{Error, ErrorKind};
use vitalwire::value::Date;

use crate::CohortTable;
use crate::date_text;

/// A failure to read one table of a user for a span of days.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// User id or pseudonym, as in the column `user`.
    pub user: String,
    /// The table.
    pub table: CohortTable,
    /// First day that could not be read.
    #[serde(with = "date_text")]
    pub first: Date,
    /// Last day that could not be read.
    #[serde(with = "date_text")]
    pub last: Date,
    /// Name of the [`ErrorKind`](vitalwire::ErrorKind).
    pub kind: String,
    /// HTTP status of the last response. `None` if there was no response.
    pub status: Option<u16>,
    /// Error message. Contains no token and no health data.
    pub message: String,
}

impl Failure {
    pub(crate) fn new(user: String, table: CohortTable, [first, last]: [Date; 2], error: &Error) -> Self {
        let kind = error.kind().as_str().to_owned();
        Self { user, table, first, last, kind, status: error.status(), message: error.to_string() }
    }
}

/// Error message of a response with items or values that are left out.
const LEFT_OUT: &str =
    "decode: items or values of the response cannot be decoded, have no key or are outside the requested days, and were left out";

/// Error message of sleeps that were read earlier and have no record any more, although the statistics still list them.
const NOT_FOUND: &str = "the statistics list sleeps of earlier runs that the service does not have; their rows were kept";

impl Failure {
    /// Creates the failure of a response that is incomplete, because items and values of it are left out.
    pub(crate) fn incomplete(user: String, table: CohortTable, [first, last]: [Date; 2], [items, values]: [u64; 2]) -> Self {
        let message = format!("{LEFT_OUT} ({items} items, {values} values)");
        Self { user, table, first, last, kind: ErrorKind::Decode.as_str().to_owned(), status: Some(200), message }
    }
}

impl Failure {
    /// Creates the failure of sleeps that the statistics still list, but that the service has no record of.
    pub(crate) fn not_found(user: String, table: CohortTable, [first, last]: [Date; 2], records: usize) -> Self {
        let message = format!("not_found: {NOT_FOUND} ({records} sleeps)");
        Self { user, table, first, last, kind: ErrorKind::NotFound.as_str().to_owned(), status: Some(404), message }
    }
}

/// A reason of failures, with the number of tables of users that failed for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailureReason {
    /// Name of the [`ErrorKind`](vitalwire::ErrorKind).
    pub kind: String,
    /// HTTP status of the last response. `None` if there was no response.
    pub status: Option<u16>,
    /// Error message of the first failure. Contains no token and no health data.
    pub message: String,
    /// Number of tables of users.
    pub count: usize,
}

impl FailureReason {
    /// Groups failures by kind and status, the most frequent first. Several spans of a table of a user count once.
    #[must_use]
    pub fn group<'a>(failures: impl IntoIterator<Item = &'a Failure>) -> Vec<Self> {
        let mut seen = std::collections::HashSet::new();
        let mut reasons: Vec<Self> = Vec::new();
        for failure in failures {
            if !seen.insert((&*failure.user, failure.table, &*failure.kind, failure.status)) {
                continue;
            }
            match reasons.iter_mut().find(|reason| (&*reason.kind, reason.status) == (&*failure.kind, failure.status)) {
                Some(reason) => reason.count += 1,
                None => {
                    reasons.push(Self { kind: failure.kind.clone(), status: failure.status, message: failure.message.clone(), count: 1 })
                }
            }
        }
        reasons.sort_by_key(|reason| std::cmp::Reverse(reason.count));
        reasons
    }
}
