//! Summary of a run.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::cohort::{Changes, CohortTable};

/// Summary of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// Changes by table.
    pub tables: BTreeMap<CohortTable, Changes>,
    /// Number of requested users.
    pub users: usize,
    /// Number of pairs of user and table with a failure. [`Dataset::failures`](super::Dataset::failures) lists the failures.
    pub failures: usize,
    /// Number of users of earlier runs who are no longer in the cohort. Their rows stay in the dataset.
    pub not_listed: usize,
}

impl Summary {
    /// Returns the sum of the changes of all tables.
    #[must_use]
    pub fn total(&self) -> Changes {
        let mut total = Changes::default();
        self.tables.values().for_each(|changes| total.add(*changes));
        total
    }
}

/// Changes of a user and a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UserChanges {
    /// User id or pseudonym, as in the column `user`.
    pub user: String,
    /// The table.
    pub table: CohortTable,
    /// Numbers of rows.
    #[serde(flatten)]
    pub changes: Changes,
}
