//! Plans and their work items.

mod due;
mod item;
mod selection;

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use vitalwire::error::Error;
use vitalwire::table::ColumnKind;
use vitalwire::value::Date;
#[cfg(feature = "dataset")]
use vitalwire::value::Timestamp;

pub use self::item::WorkItem;
pub use self::selection::Selection;
use crate::CohortTable;
use crate::credentials::UserCredentials;
use crate::date_text;
use crate::defaults::MAX_JSON_BYTES;
use crate::rate_limits::RateLimits;

/// Version of the JSON form.
const VERSION: u32 = 2;

/// The work items of a cohort, in the order of users, tables and days. Contains no secret, and can be stored as JSON.
///
/// [`Plan::due`] makes plans. Readers, exports and engines execute exactly the items of the plan that they are given.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    version: u32,
    items: Vec<WorkItem>,
    /// Users for whom the plan has the days of newly connected providers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    checked_users: Vec<String>,
    /// The service's clock before their providers were requested, in seconds since 1970-01-01T00:00:00Z.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checked_at: Option<i64>,
    /// First day that the plan requests again on demand.
    #[serde(default, with = "date_text::option", skip_serializing_if = "Option::is_none")]
    refresh_from: Option<Date>,
}

impl Default for Plan {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl Plan {
    /// Returns the items.
    #[must_use]
    pub fn items(&self) -> &[WorkItem] {
        &self.items
    }

    /// Returns the items without the first `items`, for example to continue an interrupted reader.
    #[must_use]
    pub fn after(&self, items: usize) -> Self {
        Self::from(self.items.get(items..).unwrap_or_default().to_vec())
    }

    /// Returns the tables, in the order of their first items.
    #[must_use]
    pub fn tables(&self) -> Vec<CohortTable> {
        let mut tables = Vec::new();
        for item in &self.items {
            if !tables.contains(&item.table) {
                tables.push(item.table);
            }
        }
        tables
    }

    /// Returns the ids of the users, in the order of their first items.
    #[must_use]
    pub fn users(&self) -> Vec<&str> {
        let mut seen = HashSet::new();
        self.items.iter().flat_map(|item| &item.users).map(String::as_str).filter(|user| seen.insert(*user)).collect()
    }

    /// Returns the number of items from `first` on that share requests: 2 for sleeps that are followed by their stages, else 1.
    #[must_use]
    pub fn items_with_shared_requests(&self, first: usize) -> usize {
        match self.items.get(first..) {
            Some([one, other, ..]) if one.shares_requests_with(other) => 2,
            _ => 1,
        }
    }

    /// Returns the items in groups that share requests.
    pub(crate) fn request_groups(&self) -> impl Iterator<Item = &[WorkItem]> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let group = self.items.get(at..at + self.items_with_shared_requests(at))?;
            at += group.len();
            Some(group)
        })
    }

    /// Returns the estimated number of requests, without retries and token exchanges.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.request_groups().filter_map(<[WorkItem]>::first).map(WorkItem::requests).fold(0, u64::saturating_add)
    }

    /// Returns the number of token exchanges: one for each user of the plan without an access token.
    #[must_use]
    pub fn token_exchanges(&self, credentials: &UserCredentials) -> u64 {
        credentials.token_exchanges(self.users())
    }

    /// Returns the minimum duration of a number of requests within the limits, in seconds. `None` if there is no rate limit.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "an estimate")]
    pub fn seconds(requests: u64, limits: RateLimits) -> Option<f64> {
        limits.requests_per_second().map(|rate| requests as f64 / rate)
    }

    /// Returns the part of the plan with these users. Ids of other users are ignored.
    #[must_use]
    pub fn only_users<'a>(&self, users: impl IntoIterator<Item = &'a str>) -> Self {
        let kept: HashSet<&str> = users.into_iter().collect();
        self.map_items(|mut item| {
            item.users.retain(|user| kept.contains(&**user));
            Some(item)
        })
    }

    /// Returns the part of the plan with these tables.
    #[must_use]
    pub fn only_tables(&self, tables: impl IntoIterator<Item = CohortTable>) -> Self {
        let kept: HashSet<CohortTable> = tables.into_iter().collect();
        self.map_items(|item| Some(item).filter(|item| kept.contains(&item.table)))
    }

    /// Returns the part of the plan from the first to the last day. `None` is no bound.
    #[must_use]
    pub fn only_days(&self, first: Option<Date>, last: Option<Date>) -> Self {
        self.map_items(|mut item| {
            item.first = first.map_or(item.first, |first| first.max(item.first));
            item.last = last.map_or(item.last, |last| last.min(item.last));
            Some(item)
        })
    }

    /// Returns the plan with items that request only these statistics. Items whose table has none of them request all.
    #[must_use]
    pub fn only_statistics<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Self {
        let kept: HashSet<&str> = names.into_iter().collect();
        self.map_items(|mut item| {
            let requested: Vec<&str> = match &*item.statistics {
                [] => item.table.statistics().to_vec(),
                some => some.iter().map(String::as_str).collect(),
            };
            let statistics: Vec<String> = requested.into_iter().filter(|name| kept.contains(name)).map(str::to_owned).collect();
            if !statistics.is_empty() {
                item.statistics = statistics;
            }
            Some(item)
        })
    }

    /// Checks that the plan requests a statistic among these columns, if there is one. Otherwise, their columns would have no values.
    ///
    /// # Errors
    /// `invalid_argument` if the columns have only statistics that an item does not request.
    pub fn check_columns(&self, names: &[String]) -> Result<(), Error> {
        for item in self.items.iter().filter(|item| !item.table.statistics().is_empty()) {
            let empty = item.table.empty()?;
            let is_number = |name: &&String| empty.column(name).is_some_and(|column| column.field().kind == ColumnKind::Number);
            let is_requested = |name: &String| match &*item.statistics {
                [] => item.table.statistics().contains(&&**name),
                some => some.contains(name),
            };
            let mut numbers = names.iter().filter(is_number).peekable();
            if numbers.peek().is_some() && !numbers.any(is_requested) {
                return Err(Error::invalid_argument("columns", "must have a statistic that the plan requests"));
            }
        }
        Ok(())
    }

    /// Divides the plan into one plan for each of at most `tasks` tasks, with about the same number of users.
    ///
    /// There are fewer if the limits or the number of users do not allow as many. [`RateLimits::share`] returns the limits of each.
    #[must_use]
    pub fn divide(&self, tasks: usize, limits: RateLimits) -> Vec<Self> {
        let users = self.users();
        let count = limits.max_tasks(tasks).min(users.len());
        let bound = |task: usize| users.len() * task / count.max(1);
        (0..count).map(|task| self.only_users(users.get(bound(task)..bound(task + 1)).unwrap_or_default().iter().copied())).collect()
    }

    /// Sets the users for whom the plan has the days of newly connected providers, and the service's clock before it was asked for them. An
    /// export of the whole plan records these users.
    #[cfg(feature = "dataset")]
    pub(crate) fn with_checked_users(self, checked_users: Vec<String>, checked_at: Timestamp) -> Self {
        Self { checked_users, checked_at: Some(checked_at.unix_seconds()), ..self }
    }

    /// Returns the first day that the plan requests again on demand.
    #[cfg(feature = "dataset")]
    pub(crate) fn refresh_from(&self) -> Option<Date> {
        self.refresh_from
    }

    /// Returns the users for whom the plan has the days of newly connected providers.
    #[cfg(feature = "dataset")]
    pub(crate) fn checked_users(&self) -> &[String] {
        &self.checked_users
    }

    /// Returns the service's clock before it was asked for newly connected providers.
    #[cfg(feature = "dataset")]
    pub(crate) fn checked_at(&self) -> Option<Timestamp> {
        Timestamp::from_unix(self.checked_at?, 0)
    }

    /// Returns a part of the plan. It may lack days of newly connected providers.
    fn map_items(&self, map: impl Fn(WorkItem) -> Option<WorkItem>) -> Self {
        let mapped = self.items.iter().cloned().filter_map(map);
        Self::from(mapped.filter(|item| !item.users.is_empty() && item.first <= item.last).collect::<Vec<_>>())
    }

    /// Returns the plan as JSON.
    ///
    /// # Errors
    /// `internal` never.
    pub fn to_json(&self) -> Result<String, Error> {
        serde_json::to_string(self).map_err(|_| Error::internal("a plan cannot be serialized"))
    }

    /// Creates a plan from the JSON of [`to_json`](Self::to_json).
    ///
    /// # Errors
    /// `invalid_argument` if the text is not the JSON of a plan, is from another version, or has an item without users or days.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        #[derive(Deserialize)]
        struct Versioned {
            version: Option<u32>,
        }
        let invalid = |reason| Error::invalid_argument("text", reason);
        if text.len() > MAX_JSON_BYTES {
            return Err(invalid("must not be larger than 256 MiB"));
        }
        let version = serde_json::from_str::<Versioned>(text).map_err(|_| invalid("must be the JSON of a plan"))?.version;
        if version != Some(VERSION) {
            return Err(invalid("must be the JSON of a plan from this version of vitalwire; create the plan again"));
        }
        let plan: Self = serde_json::from_str(text).map_err(|_| invalid("must be the JSON of a plan"))?;
        for item in &plan.items {
            if item.first > item.last {
                return Err(invalid("must be a plan in which no item ends before its first day"));
            }
            let users: HashSet<&String> = item.users.iter().collect();
            if users.is_empty() || users.len() < item.users.len() {
                return Err(invalid("must be a plan in which every item has at least one user and no duplicate users"));
            }
            if item.statistics.iter().any(|name| !item.table.statistics().contains(&&**name)) {
                return Err(invalid("must be a plan in which items request only statistics of their table"));
            }
        }
        Ok(plan)
    }
}

impl From<Vec<WorkItem>> for Plan {
    fn from(items: Vec<WorkItem>) -> Self {
        Self { version: VERSION, items, checked_users: Vec::new(), checked_at: None, refresh_from: None }
    }
}
