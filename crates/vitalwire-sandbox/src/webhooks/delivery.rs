//! [`Delivery`]: a webhook body for a receiver, its due time, attempts and outcome.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::notice::Notice;
use crate::values::calendar::plus;

/// Maximum number of retries after the first attempt.
const MAX_RETRIES: usize = 10;

/// Delays between attempts. The last one is repeated.
const RETRY_PAUSES: [SignedDuration; 5] = [
    SignedDuration::from_secs(5),
    SignedDuration::from_mins(2),
    SignedDuration::from_mins(30),
    SignedDuration::from_hours(2),
    SignedDuration::from_hours(12),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DeliveryState {
    Pending,
    Delivered,
    /// All attempts failed.
    GivenUp,
    /// The record is gone, or these webhooks are no longer sent.
    Dropped,
}

/// Outcome of an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Attempt {
    pub(crate) at: Timestamp,
    /// Status of the receiver. `None` if there was no response.
    pub(crate) status: Option<u16>,
    /// Reason of the failure, a fixed text.
    pub(crate) failure: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Delivery {
    pub(crate) id: u64,
    pub(crate) notice: Notice,
    /// Instant whose state it contains.
    pub(crate) at: Timestamp,
    pub(crate) due_at: Timestamp,
    /// Created for the first attempt and reused by retries. Bodies of completed deliveries are stored separately.
    pub(crate) body: Option<String>,
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) state: DeliveryState,
}

impl Delivery {
    pub(crate) fn new(id: u64, notice: Notice, at: Timestamp) -> Self {
        Self { id, notice, at, due_at: at, body: None, attempts: Vec::new(), state: DeliveryState::Pending }
    }

    /// Records an attempt that ended now, and schedules the next one.
    pub(crate) fn record_attempt(&mut self, now: Timestamp, outcome: Result<(), (Option<u16>, &'static str)>) {
        let (status, failure) = match outcome {
            Ok(()) => (Some(200), None),
            Err((status, failure)) => (status, Some(failure.to_owned())),
        };
        let failures = self.attempts.len();
        self.state = match &failure {
            None => DeliveryState::Delivered,
            Some(_) if failures >= MAX_RETRIES => DeliveryState::GivenUp,
            Some(_) => DeliveryState::Pending,
        };
        self.attempts.push(Attempt { at: now, status, failure });
        self.due_at = plus(now, RETRY_PAUSES[failures.min(RETRY_PAUSES.len() - 1)]);
    }

    /// Returns the log entry: everything but the body.
    pub(crate) fn describe(&self) -> Value {
        json!({
            "id": self.id,
            "webhook": self.notice.webhook().name(),
            "user_ids": self.notice.users(),
            "record_id": self.notice.record().map(|id| id.to_string()),
            "state": self.state,
            "due_at": (self.state == DeliveryState::Pending).then(|| self.due_at.to_string()),
            "attempts": self.attempts,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retries_follow_the_documented_schedule() {
        let mut delivery = Delivery::new(1, Notice::Events(Vec::new()), Timestamp::UNIX_EPOCH);
        let mut now = Timestamp::UNIX_EPOCH;
        let mut pauses = Vec::new();
        for _ in 0..11 {
            assert_eq!(delivery.state, DeliveryState::Pending);
            delivery.record_attempt(now, Err((Some(500), "no")));
            pauses.push(delivery.due_at.as_second() - now.as_second());
            now = delivery.due_at;
        }
        // 5 s, 2 min, 30 min, 2 h, then every 12 h; ten retries.
        assert_eq!(pauses[..10], [5, 120, 1_800, 7_200, 43_200, 43_200, 43_200, 43_200, 43_200, 43_200]);
        assert_eq!((delivery.state, delivery.attempts.len()), (DeliveryState::GivenUp, 11));
        let mut delivery = Delivery::new(1, Notice::Events(Vec::new()), Timestamp::UNIX_EPOCH);
        delivery.record_attempt(now, Ok(()));
        assert_eq!(delivery.state, DeliveryState::Delivered);
        assert!(delivery.describe().get("body").is_none());
    }
}
