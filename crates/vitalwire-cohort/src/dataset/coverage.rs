//! Coverage: which days of a dataset have data.

use vitalwire::value::Date;

use super::Dataset;
use crate::CohortTable;
use crate::SyncState;
use crate::error::CohortError;

/// State of a day of a user and a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DayState {
    /// The day has at least one row.
    HasData,
    /// The service has no data for the day.
    NoData,
    /// The request for the day failed.
    Failed,
    /// No run has requested the day.
    NotRequested,
}

impl DayState {
    /// Returns `has_data`, `no_data`, `failed` or `not_requested`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::HasData => "has_data",
            Self::NoData => "no_data",
            Self::Failed => "failed",
            Self::NotRequested => "not_requested",
        }
    }
}

/// Coverage of a user and a table.
#[derive(Clone, Debug)]
pub struct TableCoverage {
    /// User id or pseudonym, as in the column `user`.
    pub user: String,
    /// The table.
    pub table: CohortTable,
    state: SyncState,
}

impl TableCoverage {
    /// Returns the state of a day.
    #[must_use]
    pub fn day(&self, day: Date) -> DayState {
        if self.state.received().contains(day) {
            DayState::HasData
        } else if self.state.failed().contains(day) {
            DayState::Failed
        } else if self.state.requested().contains(day) {
            DayState::NoData
        } else {
            DayState::NotRequested
        }
    }

    /// Returns the last day with data.
    #[must_use]
    pub fn last_day(&self) -> Option<Date> {
        self.state.received().last()
    }

    /// Returns the last requested day. A day whose request failed counts as a day without data.
    #[must_use]
    pub fn last_requested(&self) -> Option<Date> {
        self.state.requested().last().max(self.state.failed().last())
    }

    /// Returns the number of days without data at the end of the requested days. A day whose request failed counts. `None` if no day was
    /// requested.
    ///
    /// If no day has data, counts from the first requested day.
    #[must_use]
    pub fn days_without_data(&self) -> Option<u32> {
        let last = self.last_requested()?;
        let since = match self.last_day() {
            Some(day) => day,
            None => [self.state.requested().first(), self.state.failed().first()].into_iter().flatten().min()?.plus_days(-1)?,
        };
        Some(u32::try_from(since.days_until(last)).unwrap_or_default())
    }
}

impl Dataset {
    /// Returns the coverage of each user and table.
    ///
    /// # Errors
    /// The errors of [`Dataset::open`].
    pub fn coverage(&self) -> Result<Vec<TableCoverage>, CohortError> {
        let mut coverage = Vec::new();
        self.for_each_block(|mut block| {
            for user in std::mem::take(&mut block.users) {
                for table in self.manifest.tables.keys() {
                    let state = block.tables.get_mut(table).and_then(|states| states.users.remove(&user)).unwrap_or_default().state;
                    coverage.push(TableCoverage { user: user.clone(), table: *table, state });
                }
            }
            Ok(())
        })?;
        Ok(coverage)
    }
}
