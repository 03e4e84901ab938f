//! Plans of a sync.

use std::fmt;

use vitalwire::range::DateRange;

use crate::generated::RecordKind;
use crate::value::CalendarDate;

/// A range of days, both inclusive.
#[derive(Clone, Copy, PartialEq, Eq, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct DayRange {
    /// The first day.
    pub first: CalendarDate,
    /// The last day.
    pub last: CalendarDate,
}

/// Omits the days from debug output.
impl fmt::Debug for DayRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DayRange(..)")
    }
}

impl From<DateRange> for DayRange {
    fn from(core: DateRange) -> Self {
        Self { first: core.first().into(), last: core.last().into() }
    }
}

/// Days of kinds that share requests.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct PlannedDays {
    /// The kinds.
    pub kinds: Vec<RecordKind>,
    /// The days that are due, in ranges.
    pub ranges: Vec<DayRange>,
    /// Estimated number of requests.
    pub requests: u64,
}

/// Omits the days from debug output.
impl fmt::Debug for PlannedDays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlannedDays({} requests)", self.requests)
    }
}

/// The requests of a sync.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct SyncPlan {
    /// Days by kinds that share requests.
    pub days: Vec<PlannedDays>,
    /// Estimated number of requests, without retries.
    pub requests: u64,
}

/// Omits the days from debug output.
impl fmt::Debug for SyncPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SyncPlan({} requests)", self.requests)
    }
}

impl From<vitalwire_sync::SyncPlan> for SyncPlan {
    fn from(core: vitalwire_sync::SyncPlan) -> Self {
        let planned = |days: vitalwire_sync::PlannedDays| PlannedDays {
            kinds: days.kinds.into_iter().map(Into::into).collect(),
            ranges: days.days.ranges().map(Into::into).collect(),
            requests: days.requests,
        };
        Self { days: core.days.into_iter().map(planned).collect(), requests: core.requests }
    }
}
