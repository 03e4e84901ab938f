//! Events, which name days to sync.

use std::fmt;

use vitalwire::models::{LabReportWebhook, NutritionWebhook, WebhookEvent};
use vitalwire::range::DateRange;
use vitalwire::value::{Date, Timestamp};

use crate::day_set::{day_number, day_of, midnight};
use crate::generated::RecordKind;

/// Kinds and days of records that may have changed, such as those that a webhook names.
///
/// An event makes its days due, and the next sync compares their records with the state. A change is therefore reported once, however many
/// events name its day.
#[derive(Clone, PartialEq, Eq)]
pub struct SyncEvent {
    user: Option<String>,
    kinds: Vec<RecordKind>,
    days: DateRange,
}

impl SyncEvent {
    /// Creates an event for kinds and days.
    #[must_use]
    pub fn new(kinds: impl IntoIterator<Item = RecordKind>, days: impl Into<DateRange>) -> Self {
        Self { user: None, kinds: kinds.into_iter().collect(), days: days.into() }
    }

    /// Sets the id of the user at the service. A sync skips events of other users. If all events belong to other users, the
    /// sync fails. Defaults to any user.
    #[must_use]
    pub fn of_user(mut self, id: impl Into<String>) -> Self {
        self.user = Some(id.into());
        self
    }

    /// Creates an event of records with these times, for programs that get single values of a webhook. `user` is the id of the user at the
    /// service. Returns `None` without a time.
    #[must_use]
    pub fn from_times(
        kinds: impl IntoIterator<Item = RecordKind>,
        times: impl IntoIterator<Item = Timestamp>,
        user: Option<String>,
    ) -> Option<Self> {
        Some(Self { user, kinds: kinds.into_iter().collect(), days: days_around(times)? })
    }

    /// Creates the event of a webhook about changed records, for statistics and sleeps. Returns `None` if the webhook names no time.
    ///
    /// The next sync finds newly connected providers without an event.
    #[must_use]
    pub fn from_webhook(event: &WebhookEvent) -> Option<Self> {
        let times = [event.earliest_record_start_at, event.latest_record_end_at];
        let kinds = RecordKind::ALL.into_iter().filter(|kind| kind.filter_column().is_some());
        Self::from_times(kinds, times.into_iter().flatten(), event.application_user_id.clone())
    }

    /// Creates the event of a webhook about a nutrition record. Returns `None` if the webhook names no time.
    #[must_use]
    pub fn from_nutrition(webhook: &NutritionWebhook) -> Option<Self> {
        let times = [webhook.consumed_at, webhook.uploaded_at];
        Self::from_times([RecordKind::Nutrition], times.into_iter().flatten(), webhook.application_user_id.clone())
    }

    /// Creates the event of a webhook about a lab report. Returns `None` if the webhook names no time.
    ///
    /// The event has all days between the collection and the upload. The service does not document which of the two dates selects a report.
    #[must_use]
    pub fn from_lab_report(webhook: &LabReportWebhook) -> Option<Self> {
        let collected = webhook.collection_date.as_deref().and_then(Date::leading).and_then(|date| midnight(day_number(date)));
        let times = webhook.uploaded_at.into_iter().chain(collected);
        Self::from_times([RecordKind::Labs], times, webhook.application_user_id.clone())
    }

    /// Returns the id of the user at the service, if the event names one.
    #[must_use]
    pub fn user(&self) -> Option<&str> {
        self.user.as_deref()
    }

    /// Returns the kinds.
    #[must_use]
    pub fn kinds(&self) -> &[RecordKind] {
        &self.kinds
    }

    /// Returns the days.
    #[must_use]
    pub fn days(&self) -> DateRange {
        self.days
    }
}

/// Redacted: shows neither user nor days.
impl fmt::Debug for SyncEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyncEvent").field("kinds", &self.kinds).finish_non_exhaustive()
    }
}

/// Returns the days of the times, with one more day before and after, because local days can differ from days in UTC.
fn days_around(times: impl IntoIterator<Item = Timestamp>) -> Option<DateRange> {
    let days: Vec<Date> = times.into_iter().filter_map(|time| day_of(time.unix_seconds())).collect();
    let (first, last) = (*days.iter().min()?, *days.iter().max()?);
    // `plus_days` fails at the limits of `Date`. A change without an end has the year 9999.
    Some(DateRange::from((first.plus_days(-1).unwrap_or(first), last.plus_days(1).unwrap_or(last))))
}
