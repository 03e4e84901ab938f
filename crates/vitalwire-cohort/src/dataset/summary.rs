//! Summary of a run.

use std::collections::BTreeMap;

use serde::Serialize;
use vitalwire::value::Date;

use crate::Changes;
use crate::CohortTable;
use crate::failure::FailureReason;

/// Summary of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// Changes by table. The counts of an interrupted run that was resumed begin at its last start.
    pub tables: BTreeMap<CohortTable, Changes>,
    /// Number of users of the plan.
    pub users: usize,
    /// Number of pairs of user and table with a failure. [`Dataset::failures`](super::Dataset::failures) lists the failures.
    pub failures: usize,
    /// Reasons of the failures, the most frequent first.
    pub reasons: Vec<FailureReason>,
    /// Number of users of the dataset without credentials. Their rows stay in the dataset.
    pub not_listed: usize,
    /// Number of users with credentials whose rows were removed from the dataset. The run leaves them out.
    pub removed_users: usize,
    /// Last day that was requested. Later days of the plan are not over. `None` if nothing was due.
    #[serde(serialize_with = "day")]
    pub last_day: Option<Date>,
    /// Number of times in added and changed rows that were rounded down to microseconds, because the service sent more digits.
    #[serde(skip_serializing_if = "is_zero")]
    pub rounded_times: u64,
}

impl Summary {
    /// Returns the sum of the changes of all tables.
    #[must_use]
    pub fn total(&self) -> Changes {
        let mut total = Changes::default();
        self.tables.values().for_each(|changes| total.add(*changes));
        total
    }

    pub(super) fn add(&mut self, changes: Vec<(CohortTable, Changes)>) {
        for (table, changes) in changes {
            self.tables.entry(table).or_default().add(changes);
        }
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn day<S: serde::Serializer>(day: &Option<Date>, serializer: S) -> Result<S::Ok, S::Error> {
    match day {
        Some(day) => serializer.collect_str(day),
        None => serializer.serialize_none(),
    }
}
