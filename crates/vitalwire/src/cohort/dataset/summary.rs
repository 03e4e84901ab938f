//! The outcome of a run.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::cohort::{Changes, CohortTable};

/// The outcome of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// Changes by table.
    pub tables: BTreeMap<CohortTable, Changes>,
    /// Number of users who were requested.
    pub users: usize,
    /// Number of users and tables with a failure. [`Dataset::failures`](super::Dataset::failures) lists them.
    pub failures: usize,
    /// Number of users of earlier runs who are not in the cohort any more. Their rows stay.
    pub not_listed: usize,
}

impl Summary {
    /// Returns the changes of all tables.
    #[must_use]
    pub fn total(&self) -> Changes {
        let mut total = Changes::default();
        self.tables.values().for_each(|changes| total.add(*changes));
        total
    }
}

/// The changes of a user and a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UserChanges {
    /// The user, as in the column `user`.
    pub user: String,
    /// The table.
    pub table: CohortTable,
    /// Numbers of rows.
    #[serde(flatten)]
    pub changes: Changes,
}
