//! Events: spans of days that a webhook names.

use std::fmt;

use vitalwire::Error;
use vitalwire::range::DateRange;

use crate::generated::RecordKind;
use crate::value::{CalendarDate, Timestamp};

/// Kinds and days whose records may have changed.
#[derive(Clone, uniffi::Enum)]
#[uniffi::export(Debug)]
pub enum SyncEvent {
    /// Days of any origin, both inclusive.
    Days {
        /// The kinds.
        kinds: Vec<RecordKind>,
        /// The first day.
        first: CalendarDate,
        /// The last day.
        last: CalendarDate,
    },
    /// Times of a webhook.
    Times {
        /// The kinds.
        kinds: Vec<RecordKind>,
        /// The earliest time.
        earliest: Timestamp,
        /// The latest time.
        latest: Timestamp,
        /// Id of the user at the service.
        user: Option<String>,
    },
}

/// Omits the days, times and the user from debug output.
impl fmt::Debug for SyncEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SyncEvent(..)")
    }
}

impl TryFrom<SyncEvent> for vitalwire_sync::SyncEvent {
    type Error = Error;

    fn try_from(event: SyncEvent) -> Result<Self, Error> {
        let core = |kinds: Vec<RecordKind>| kinds.into_iter().map(Into::into);
        Ok(match event {
            SyncEvent::Days { kinds, first, last } => {
                Self::new(core(kinds), DateRange::new(first.into_core("first")?, last.into_core("last")?)?)
            }
            SyncEvent::Times { kinds, earliest, latest, user } => {
                let times = [earliest.into_core("earliest")?, latest.into_core("latest")?];
                let event = Self::from_times(core(kinds), times, user);
                event.ok_or_else(|| Error::invalid_argument("event", "must have times of the years -9999 to 9999"))?
            }
        })
    }
}
