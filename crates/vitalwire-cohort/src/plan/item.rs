//! Work items of a plan.

use serde::{Deserialize, Serialize};
use vitalwire::range::{DateRange, NotFoundRecord};
use vitalwire::value::Date;

use crate::date_text;
use crate::failure::Failure;
use crate::{CohortTable, UserTable};

/// One table of a group of users for a span of days. Contains no secret.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkItem {
    /// The table.
    pub table: CohortTable,
    /// Ids of the users.
    pub users: Vec<String>,
    /// First day.
    #[serde(with = "date_text")]
    pub first: Date,
    /// Last day.
    #[serde(with = "date_text")]
    pub last: Date,
    /// Names of the statistics to request. Tables other than `daily` and `hourly` ignore it. If it is empty, all are requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statistics: Vec<String>,
}

impl WorkItem {
    /// Returns the days from `first` to `last`.
    #[must_use]
    pub fn days(&self) -> DateRange {
        DateRange::from((self.first, self.last))
    }

    /// Returns the estimated number of requests, without retries and token exchanges. The estimate assumes one sleep per day.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.table.requests(self.days()).saturating_mul(self.users.len() as u64)
    }

    /// Returns the failure of a response that is incomplete. `None` if nothing is left out.
    pub(crate) fn failure(&self, user: &str, response: &UserTable) -> Option<Failure> {
        let counts = [response.left_out, response.left_out_values];
        (counts != [0, 0]).then(|| Failure::incomplete(user.to_owned(), self.table, [self.first, self.last], counts))
    }

    /// Returns the failure of sleeps that the statistics still list, but that the service has no record of. `None` if there are none.
    pub(crate) fn not_found_failure(&self, user: &str, records: &[NotFoundRecord]) -> Option<Failure> {
        let days = || records.iter().flat_map(|record| record.days.iter().copied());
        let first = days().min().unwrap_or(self.first).max(self.first);
        let last = days().max().unwrap_or(self.last).min(self.last);
        (!records.is_empty()).then(|| Failure::not_found(user.to_owned(), self.table, [first, last], records.len()))
    }

    /// Whether the same requests serve both items: those of the sleeps and of their stages.
    pub(super) fn shares_requests_with(&self, other: &Self) -> bool {
        let sleeps = self.table.requests_sleeps() && other.table.requests_sleeps() && self.table != other.table;
        sleeps && (&self.users, self.first, self.last) == (&other.users, other.first, other.last)
    }
}
