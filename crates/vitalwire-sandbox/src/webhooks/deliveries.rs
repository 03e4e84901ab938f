//! Log of deliveries, and redelivery.

use super::delivery::Delivery;
use super::{COMPLETED, Webhook, Webhooks, pending_key};
use crate::store::{DocumentKind, StoreError};

/// Maximum number of deliveries listed, the latest ones.
const MAX_LISTED: usize = 500;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RedeliveryOutcome {
    Sent,
    /// No delivery has this number.
    Unknown,
    /// The body of the delivery was removed.
    Forgotten,
}

impl Webhooks {
    /// Returns the deliveries that were created or completed last, oldest first.
    pub(crate) async fn deliveries(&self) -> Result<Vec<Delivery>, StoreError> {
        let mut latest: Vec<Delivery> = self.store.list_latest(DocumentKind::Delivery, MAX_LISTED).await?;
        latest.sort_by_key(|delivery| delivery.id);
        Ok(latest)
    }

    async fn delivery(&self, id: u64) -> Result<Option<Delivery>, StoreError> {
        let id = id.to_string();
        // Completed deliveries come last, so that a delivery completed meanwhile is still found.
        for key in Webhook::ALL.into_iter().map(pending_key).chain([COMPLETED]) {
            if let Some(found) = self.store.get(DocumentKind::Delivery, key, &id).await? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Sends the body of an earlier delivery again.
    pub(crate) async fn send_again(&self, id: u64) -> Result<RedeliveryOutcome, StoreError> {
        let Some(earlier) = self.delivery(id).await? else { return Ok(RedeliveryOutcome::Unknown) };
        let body = match earlier.body {
            None => self.store.sent_body(&id.to_string()).await?,
            body => body,
        };
        if body.is_none() && !earlier.attempts.is_empty() {
            return Ok(RedeliveryOutcome::Forgotten);
        }
        let redelivery = Delivery { body, ..Delivery::new(self.store.next_number(), earlier.notice, earlier.at) };
        let key = pending_key(redelivery.notice.webhook());
        self.store.put(DocumentKind::Delivery, key, &redelivery.id.to_string(), redelivery.due_at, &redelivery).await?;
        self.wake_sender();
        Ok(RedeliveryOutcome::Sent)
    }
}
