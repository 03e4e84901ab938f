//! End of a response with sleeps.

use std::collections::HashSet;

use super::rows::{Record, RecordKey};
use crate::day_set::DaySet;
use crate::generated::RecordKind;

/// End of the last response of a user. A sleep can be listed on the day before its own, so this response can have sleeps of the next one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastResponse {
    last_day: Option<i32>,
    /// Sleeps of days after the last one, and sleeps that are listed without a record.
    later: HashSet<RecordKey>,
}

impl LastResponse {
    /// Creates the end of a response for these days.
    pub fn new<'a>(days: &DaySet, records: impl IntoIterator<Item = &'a Record>) -> Self {
        let last_day = days.last().map(crate::day_set::day_number);
        let is_later = |record: &&Record| record.days.is_some_and(|(_, last)| last_day.is_some_and(|day| day < last));
        Self { last_day, later: records.into_iter().filter(is_later).map(|record| record.key.clone()).collect() }
    }

    /// Adds the ids of sleeps that the response lists without a record. They can belong to the next day.
    #[must_use]
    pub fn with_listed<'a>(mut self, ids: impl IntoIterator<Item = &'a str>) -> Self {
        self.later.extend(ids.into_iter().map(|id| RecordKey::Id(id.to_owned())));
        self
    }

    /// Returns whether the service no longer has a record on requested days that the response for these days does not contain.
    ///
    /// A sleep of the first of these days can be listed on the day before. If that day was requested earlier, only the response that ended on
    /// it shows whether the sleep is gone.
    pub fn can_remove(&self, table: RecordKind, key: &RecordKey, first_day: i32, days: &DaySet, requested: &DaySet) -> bool {
        let before = first_day.saturating_sub(1);
        !table.requests_sleeps()
            || days.contains_number(before)
            || !requested.contains_number(before)
            || (self.last_day == Some(before) && !self.later.contains(key))
    }
}
