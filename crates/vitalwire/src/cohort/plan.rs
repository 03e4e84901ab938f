//! Plans and their work items.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::budget::Budget;
use super::date_text;
use super::table::CohortTable;
use crate::error::Error;
use crate::range::DateRange;
use crate::value::Date;

/// Default number of users in a work item.
const USERS_PER_ITEM: usize = 100;

/// One table of a group of users for a span of days. Contains no secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkItem {
    /// The table.
    pub table: CohortTable,
    /// Ids of the users.
    pub users: Vec<String>,
    /// First day.
    #[serde(with = "date_text")]
    pub from: Date,
    /// Last day.
    #[serde(with = "date_text")]
    pub to: Date,
    /// Names of the statistics to request. Tables other than `daily` and `hourly` ignore it. If it is empty, all are requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statistics: Vec<String>,
}

impl WorkItem {
    /// Returns the days from `from` to `to`.
    #[must_use]
    pub fn days(&self) -> DateRange {
        DateRange::from((self.from, self.to))
    }

    /// Returns the estimated number of requests, without retries and token exchanges. The estimate assumes one sleep per day.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.table.requests(self.days()).saturating_mul(self.users.len() as u64)
    }
}

/// The work items of a cohort, in the order of users, tables and days. Contains no secret, and can be stored as JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    items: Vec<WorkItem>,
}

/// Maximum size of work items. `None` is the default.
#[derive(Clone, Copy, Debug, Default)]
struct ItemSize {
    users: Option<usize>,
    months: Option<u32>,
}

impl Plan {
    /// Creates a plan. An item has up to 100 users, and up to 1, 3 or 12 calendar months, depending on the table.
    ///
    /// # Errors
    /// `invalid_argument` if there are no users, tables or days, or if a user is not unique.
    pub fn new(
        users: impl IntoIterator<Item = impl Into<String>>,
        tables: impl IntoIterator<Item = CohortTable>,
        days: impl Into<DateRange>,
    ) -> Result<Self, Error> {
        Self::with_size(users, tables, days.into(), ItemSize::default())
    }

    /// Creates a plan with a maximum number of users and calendar months per item. `None` selects the default of [`Plan::new`].
    ///
    /// # Errors
    /// The errors of [`Plan::new`]; `invalid_argument` if a size is 0.
    pub fn with_item_size(
        users: impl IntoIterator<Item = impl Into<String>>,
        tables: impl IntoIterator<Item = CohortTable>,
        days: impl Into<DateRange>,
        users_per_item: Option<usize>,
        months_per_item: Option<u32>,
    ) -> Result<Self, Error> {
        if users_per_item == Some(0) {
            return Err(Error::invalid_argument("users_per_item", "must be at least 1"));
        }
        if months_per_item == Some(0) {
            return Err(Error::invalid_argument("months_per_item", "must be at least 1"));
        }
        Self::with_size(users, tables, days.into(), ItemSize { users: users_per_item, months: months_per_item })
    }

    fn with_size(
        users: impl IntoIterator<Item = impl Into<String>>,
        tables: impl IntoIterator<Item = CohortTable>,
        days: DateRange,
        size: ItemSize,
    ) -> Result<Self, Error> {
        let users: Vec<String> = users.into_iter().map(Into::into).collect();
        let mut tables: Vec<CohortTable> = tables.into_iter().collect();
        tables.sort_unstable();
        tables.dedup();
        if users.is_empty() {
            return Err(Error::invalid_argument("users", "must have at least one user"));
        }
        if users.iter().collect::<HashSet<_>>().len() < users.len() {
            return Err(Error::invalid_argument("users", "must not contain a user twice"));
        }
        if tables.is_empty() {
            return Err(Error::invalid_argument("tables", "must have at least one table"));
        }
        if days.days() == 0 {
            return Err(Error::invalid_argument("days", "the last day must not be before the first"));
        }
        let mut items = Vec::new();
        for block in users.chunks(size.users.unwrap_or(USERS_PER_ITEM)) {
            for table in &tables {
                let parts = table.split(days, size.months.unwrap_or(table.months_per_item()));
                items.extend(parts.into_iter().map(|part| WorkItem {
                    table: *table,
                    users: block.to_vec(),
                    from: part.first(),
                    to: part.last(),
                    statistics: Vec::new(),
                }));
            }
        }
        Ok(Self { items })
    }

    /// Returns the items.
    #[must_use]
    pub fn items(&self) -> &[WorkItem] {
        &self.items
    }

    /// Returns the estimated number of requests, without retries and token exchanges.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.items.iter().map(WorkItem::requests).fold(0, u64::saturating_add)
    }

    /// Returns the minimum duration of the requests within a budget, in seconds. `None` if the budget has no rate limit.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "an estimate")]
    pub fn seconds(&self, budget: Budget) -> Option<f64> {
        budget.requests_per_second().map(|rate| self.requests() as f64 / rate)
    }
}

impl From<Vec<WorkItem>> for Plan {
    fn from(items: Vec<WorkItem>) -> Self {
        Self { items }
    }
}
