//! [`Notice`]: the subject and body of a webhook.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use super::settings::Webhook;
use crate::records::StoredMeal;
use crate::store::{Store, StoreError};

/// Subject of a webhook.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Notice {
    /// A nutrition record has changed its status.
    Meal { user: String, id: Uuid },
    /// A lab report has changed its status.
    Report { user: String, id: Uuid },
    /// Events of one or more users.
    Events(Vec<Event>),
    /// Users of events that were sent. Replaces the events in the store.
    #[serde(rename = "events_of")]
    SentEvents(Vec<String>),
}

/// An event in the main body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Event {
    application_user_id: String,
    timestamp: Timestamp,
    event_type: String,
    provider_slug: String,
    /// Details of new data. Absent for other events.
    #[serde(flatten, skip_serializing_if = "Option::is_none", default)]
    change: Option<DataChange>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct DataChange {
    metrics: Vec<String>,
    activity_types: Vec<String>,
    earliest_record_start_at: Timestamp,
    latest_record_end_at: Timestamp,
}

impl Event {
    pub(crate) fn integration(user: &str, slug: &str, at: Timestamp, created: bool) -> Self {
        let event_type = if created { "provider_integration_created" } else { "provider_integration_deleted" };
        Self {
            application_user_id: user.to_owned(),
            timestamp: at,
            event_type: event_type.to_owned(),
            provider_slug: slug.to_owned(),
            change: None,
        }
    }

    /// Creates an event for new data from `start` to `end`.
    pub(crate) fn data(user: &str, slug: &str, metrics: &[&str], start: Timestamp, end: Timestamp) -> Self {
        Self {
            application_user_id: user.to_owned(),
            timestamp: end,
            event_type: "record_change".to_owned(),
            provider_slug: slug.to_owned(),
            change: Some(DataChange {
                metrics: metrics.iter().map(|metric| (*metric).to_owned()).collect(),
                activity_types: Vec::new(),
                earliest_record_start_at: start,
                latest_record_end_at: end,
            }),
        }
    }
}

impl Notice {
    pub(crate) const fn webhook(&self) -> Webhook {
        match self {
            Self::Meal { .. } => Webhook::NutritionRecords,
            Self::Report { .. } => Webhook::LabReports,
            Self::Events(_) | Self::SentEvents(_) => Webhook::Main,
        }
    }

    pub(crate) fn users(&self) -> Vec<&str> {
        match self {
            Self::Meal { user, .. } | Self::Report { user, .. } => vec![user],
            Self::Events(events) => {
                let mut users: Vec<&str> = events.iter().map(|event| event.application_user_id.as_str()).collect();
                users.sort_unstable();
                users.dedup();
                users
            }
            Self::SentEvents(users) => users.iter().map(String::as_str).collect(),
        }
    }

    pub(crate) fn record(&self) -> Option<Uuid> {
        match self {
            Self::Meal { id, .. } | Self::Report { id, .. } => Some(*id),
            Self::Events(_) | Self::SentEvents(_) => None,
        }
    }

    /// Returns the part that is kept after sending: users and record, without contents.
    pub(super) fn without_contents(self) -> Self {
        match self {
            Self::Events(_) => Self::SentEvents(self.users().into_iter().map(str::to_owned).collect()),
            Self::Meal { .. } | Self::Report { .. } | Self::SentEvents(_) => self,
        }
    }

    /// Returns the body with records as they were at an instant, with later changes. `None` if the record is gone or did not change at or
    /// after that instant, for example because its analysis was aborted before the announced end.
    pub(super) async fn body(&self, store: &Store, at: Timestamp) -> Result<Option<String>, StoreError> {
        let body = match self {
            Self::Meal { user, id } => match store.meal(user, *id).await? {
                Some(StoredMeal::Saved(meal)) if [meal.processing_at(), meal.ready_at].contains(&at) || at <= meal.modified_at => {
                    Some(with_user_id(user, meal.json(at)))
                }
                _ => None,
            },
            Self::Report { user, id } => {
                let report = store.report(user, *id).await?.filter(|report| report.ready_at == at);
                report.map(|report| with_user_id(user, report.json(at)))
            }
            Self::Events(events) => Some(json!(events)),
            Self::SentEvents(_) => None,
        };
        Ok(body.map(|body| body.to_string()))
    }
}

fn with_user_id(user: &str, mut record: Value) -> Value {
    record["application_user_id"] = json!(user);
    record
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_have_the_documented_fields() {
        let at = |text: &str| text.parse().unwrap();
        let (start, end) = (at("2025-11-20T22:00:00Z"), at("2025-11-21T06:00:00Z"));
        let events =
            vec![Event::data("person-1", "oura", &["sleep_duration"], start, end), Event::integration("person-2", "fitbit", end, false)];
        let expected = json!([
            {
                "application_user_id": "person-1", "timestamp": "2025-11-21T06:00:00Z", "event_type": "record_change", "provider_slug": "oura",
                "metrics": ["sleep_duration"], "activity_types": [], "earliest_record_start_at": "2025-11-20T22:00:00Z",
                "latest_record_end_at": "2025-11-21T06:00:00Z",
            },
            {
                "application_user_id": "person-2", "timestamp": "2025-11-21T06:00:00Z", "event_type": "provider_integration_deleted",
                "provider_slug": "fitbit",
            },
        ]);
        assert_eq!(json!(events), expected);
        let notice = Notice::Events(events);
        assert_eq!(notice.users(), ["person-1", "person-2"]);
        let stored: Notice = serde_json::from_value(json!(notice)).unwrap();
        assert_eq!(stored, notice);
        let sent = notice.without_contents();
        assert_eq!((sent.webhook(), sent.users()), (Webhook::Main, vec!["person-1", "person-2"]));
        assert!(!json!(sent).to_string().contains("oura"));
    }
}
