//! The log of deliveries, and sending one again.

use super::delivery::Delivery;
use super::{OVER, Webhook, Webhooks, pending};
use crate::store::{Kind, StoreError};

/// Most deliveries listed: the latest.
const MAX_LISTED: usize = 500;

/// What sending a delivery again came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resent {
    Sent,
    /// There is no delivery of that number.
    Unknown,
    /// Its body is no longer kept.
    Forgotten,
}

impl Webhooks {
    /// The latest deliveries, those made or over last, the oldest of them first.
    pub(crate) async fn deliveries(&self) -> Result<Vec<Delivery>, StoreError> {
        let mut latest: Vec<Delivery> = self.store.latest(Kind::Delivery, MAX_LISTED).await?;
        latest.sort_by_key(|delivery| delivery.id);
        Ok(latest)
    }

    /// The delivery of that number.
    async fn delivery(&self, id: u64) -> Result<Option<Delivery>, StoreError> {
        let id = id.to_string();
        // Over comes last: one that moves meanwhile is found there.
        for place in Webhook::ALL.into_iter().map(pending).chain([OVER]) {
            if let Some(found) = self.store.get(Kind::Delivery, place, &id).await? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Sends the body of an earlier delivery again.
    pub(crate) async fn send_again(&self, id: u64) -> Result<Resent, StoreError> {
        let Some(earlier) = self.delivery(id).await? else { return Ok(Resent::Unknown) };
        let body = match earlier.body {
            None => self.store.sent(&id.to_string()).await?,
            body => body,
        };
        if body.is_none() && !earlier.attempts.is_empty() {
            return Ok(Resent::Forgotten);
        }
        let again = Delivery { body, ..Delivery::new(self.store.next_number(), earlier.notice, earlier.at) };
        let place = pending(again.notice.webhook());
        self.store.put(Kind::Delivery, place, &again.id.to_string(), again.due_at, &again).await?;
        self.ring();
        Ok(Resent::Sent)
    }
}
