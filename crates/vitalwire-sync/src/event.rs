//! Events, which name days to sync.

use std::fmt;

use vitalwire::models::{LabReportWebhook, NutritionWebhook, WebhookEvent};
use vitalwire::range::DateRange;
use vitalwire::value::{Date, Timestamp};

use crate::day_set::day_of;
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

    /// Sets the id of the user at the service. A sync rejects events of another user than that of its state. Defaults to any user.
    #[must_use]
    pub fn of_user(mut self, id: impl Into<String>) -> Self {
        self.user = Some(id.into());
        self
    }

    /// Creates the event of a webhook about changed records, for statistics and sleeps. Returns `None` if the webhook names no time.
    ///
    /// The next sync finds newly connected providers without an event.
    #[must_use]
    pub fn from_webhook(event: &WebhookEvent) -> Option<Self> {
        let times = [event.earliest_record_start_at, event.latest_record_end_at];
        let kinds = RecordKind::ALL.into_iter().filter(|kind| kind.filter_column().is_some()).collect();
        Some(Self { user: event.application_user_id.clone(), kinds, days: days_around(times)? })
    }

    /// Creates the event of a webhook about a nutrition record. Returns `None` if the webhook names no time.
    #[must_use]
    pub fn from_nutrition(webhook: &NutritionWebhook) -> Option<Self> {
        let days = days_around([webhook.consumed_at, webhook.uploaded_at])?;
        Some(Self { user: webhook.application_user_id.clone(), kinds: vec![RecordKind::Nutrition], days })
    }

    /// Creates the event of a webhook about a lab report. Returns `None` if the webhook names no time.
    #[must_use]
    pub fn from_lab_report(webhook: &LabReportWebhook) -> Option<Self> {
        let days = days_around([webhook.uploaded_at, None])?;
        Some(Self { user: webhook.application_user_id.clone(), kinds: vec![RecordKind::Labs], days })
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
fn days_around(times: [Option<Timestamp>; 2]) -> Option<DateRange> {
    let days = || times.iter().flatten().filter_map(|time| day_of(time.unix_seconds()));
    let (first, last): (Date, Date) = (days().min()?, days().max()?);
    Some(DateRange::from((first.plus_days(-1)?, last.plus_days(1)?)))
}
