//! Selection of the users, tables and days of a plan.

use std::collections::HashSet;

use vitalwire::error::Error;
use vitalwire::range::DateRange;
use vitalwire::value::Date;

use crate::CohortTable;
use crate::defaults::{LOOKBACK_DAYS, MAX_LOOKBACK_DAYS, USERS_PER_ITEM};

/// Users, tables, days and statistics that a plan is made for.
#[derive(Clone, Debug)]
pub struct Selection {
    pub(super) users: Vec<String>,
    pub(super) tables: Vec<CohortTable>,
    pub(super) days: DateRange,
    pub(super) statistics: Vec<String>,
    pub(super) lookback_days: u32,
    pub(super) refresh_from: Option<Date>,
    pub(super) refreshed_users: HashSet<String>,
    pub(super) users_per_item: usize,
    pub(super) months_per_item: Option<u32>,
}

impl Selection {
    /// Selects tables and days of users.
    ///
    /// # Errors
    /// `invalid_argument` if there are no users, tables or days, or if a user is not unique.
    pub fn new(
        users: impl IntoIterator<Item = impl Into<String>>,
        tables: impl IntoIterator<Item = CohortTable>,
        days: impl Into<DateRange>,
    ) -> Result<Self, Error> {
        let users: Vec<String> = users.into_iter().map(Into::into).collect();
        let (mut tables, days): (Vec<CohortTable>, _) = (tables.into_iter().collect(), days.into());
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
        Ok(Self {
            users,
            tables,
            days,
            statistics: Vec::new(),
            lookback_days: LOOKBACK_DAYS,
            refresh_from: None,
            refreshed_users: HashSet::new(),
            users_per_item: USERS_PER_ITEM,
            months_per_item: None,
        })
    }

    /// Returns the first and the last day.
    #[must_use]
    pub fn days(&self) -> DateRange {
        self.days
    }

    /// Returns the ids of the users.
    #[must_use]
    pub fn users(&self) -> &[String] {
        &self.users
    }

    /// Returns the tables.
    #[must_use]
    pub fn tables(&self) -> &[CohortTable] {
        &self.tables
    }

    /// Replaces the users. A selection without users makes an empty plan.
    #[cfg(feature = "dataset")]
    pub(crate) fn with_users(self, users: Vec<String>) -> Self {
        Self { users, ..self }
    }

    /// Sets the statistics to request. Defaults to all.
    ///
    /// # Errors
    /// `invalid_argument` if a name is not a statistic of a selected table.
    pub fn statistics(self, names: impl IntoIterator<Item = impl Into<String>>) -> Result<Self, Error> {
        let mut statistics: Vec<String> = names.into_iter().map(Into::into).collect();
        statistics.sort_unstable();
        statistics.dedup();
        if statistics.iter().any(|name| !self.tables.iter().any(|table| table.statistics().contains(&&**name))) {
            return Err(Error::invalid_argument("statistics", "must be statistics of the selected tables"));
        }
        Ok(Self { statistics, ..self })
    }

    /// Sets the number of days before the last requested day that are requested again, because providers deliver late. Defaults to 7.
    ///
    /// # Errors
    /// `invalid_argument` for more than 3,660 days.
    pub fn lookback_days(self, days: u32) -> Result<Self, Error> {
        if days > MAX_LOOKBACK_DAYS {
            return Err(Error::invalid_argument("lookback_days", "must be at most 3,660"));
        }
        Ok(Self { lookback_days: days, ..self })
    }

    /// Requests all days from this one again.
    #[must_use]
    pub fn refresh_from(self, day: Date) -> Self {
        Self { refresh_from: Some(day), ..self }
    }

    /// Requests all days from the earlier of two days again, if any is given.
    #[cfg(feature = "dataset")]
    pub(crate) fn or_refresh_from(self, day: Option<Date>) -> Self {
        let refresh_from = [self.refresh_from, day].into_iter().flatten().min();
        Self { refresh_from, ..self }
    }

    /// Requests all days of these users again, also earlier ones that were requested before, for example after they connected a provider.
    #[must_use]
    pub fn refresh_users(self, users: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { refreshed_users: users.into_iter().map(Into::into).collect(), ..self }
    }

    /// Sets the maximum number of users in a work item. Defaults to 100.
    ///
    /// # Errors
    /// `invalid_argument` for 0.
    pub fn users_per_item(self, users: usize) -> Result<Self, Error> {
        if users == 0 {
            return Err(Error::invalid_argument("users_per_item", "must be at least 1"));
        }
        Ok(Self { users_per_item: users, ..self })
    }

    /// Sets the maximum number of calendar months in a work item. Defaults to 1, 3 or 12, depending on the table.
    ///
    /// # Errors
    /// `invalid_argument` for 0.
    pub fn months_per_item(self, months: u32) -> Result<Self, Error> {
        if months == 0 {
            return Err(Error::invalid_argument("months_per_item", "must be at least 1"));
        }
        Ok(Self { months_per_item: Some(months), ..self })
    }
}
