//! Task that sends due deliveries.

use std::collections::HashSet;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::delivery::{Delivery, DeliveryState};
use super::{COMPLETED, Webhook, Webhooks, new_data, pending_key, send};
use crate::store::{Document, DocumentKind, StoreError};

/// Maximum number of concurrent deliveries of a kind, so that a slow receiver does not delay other kinds.
const MAX_CONCURRENT: usize = 8;
/// Delay after a store failure.
const STORE_RETRY_DELAY: Duration = Duration::from_secs(1);

impl Webhooks {
    /// Stores the outcome of a delivery, unless the delivery was removed meanwhile.
    async fn store_outcome(&self, mut delivery: Delivery) -> Result<(), StoreError> {
        let (id, key) = (delivery.id.to_string(), pending_key(delivery.notice.webhook()));
        if delivery.state == DeliveryState::Pending {
            let due_at = delivery.due_at;
            let change = move |stored: Option<Delivery>| (stored.map(|_| (due_at, delivery)), ());
            return self.store.update(DocumentKind::Delivery, key, &id, change).await;
        }
        let body = delivery.body.take();
        delivery.notice = delivery.notice.without_contents();
        let completed = Document::new(DocumentKind::Delivery, COMPLETED, &id, delivery.due_at, &delivery)?;
        self.store.end_delivery(key, completed, body).await
    }

    /// Makes one attempt and stores its outcome.
    async fn make_attempt(&self, mut delivery: Delivery) -> Result<(), StoreError> {
        let settings = self.settings();
        if delivery.body.is_none() {
            delivery.body = delivery.notice.body(&self.store, delivery.at).await?;
        }
        match (settings.url(delivery.notice.webhook()), &delivery.body) {
            (Some(url), Some(body)) => {
                let outcome = send::send_body(&self.outbound, url, &settings.key.0, body).await;
                delivery.record_attempt(self.clock.now(), outcome);
            }
            _ => delivery.state = DeliveryState::Dropped,
        }
        self.store_outcome(delivery).await
    }

    async fn run_attempt(self, delivery: Delivery) -> DeliveryTask {
        let task = (delivery.notice.webhook(), delivery.id);
        if self.make_attempt(delivery).await.is_err() {
            // The delivery is still pending, so it is retried later.
            tokio::time::sleep(STORE_RETRY_DELAY).await;
        }
        task
    }

    /// Starts due deliveries that are not in flight. Returns when to check again.
    async fn send_due(&self, tasks: &mut JoinSet<DeliveryTask>, in_flight: &mut InFlight) -> Result<Timestamp, StoreError> {
        let mut next = Timestamp::MAX;
        if self.settings().url(Webhook::Main).is_some() {
            self.announce_data().await?;
            next = new_data::next_night_end(self, self.clock.now());
        }
        for webhook in Webhook::ALL {
            let numbers = &mut in_flight[webhook as usize];
            if numbers.len() >= MAX_CONCURRENT {
                // This kind is checked again when one of its deliveries has ended.
                continue;
            }
            // Deliveries in flight are still due in the store.
            let max = MAX_CONCURRENT + numbers.len();
            let (due, later) = self.store.list_due::<Delivery>(DocumentKind::Delivery, pending_key(webhook), self.clock.now(), max).await?;
            next = next.min(later.unwrap_or(Timestamp::MAX));
            for delivery in due {
                if numbers.len() < MAX_CONCURRENT && numbers.insert(delivery.id) {
                    tasks.spawn(self.clone().run_attempt(delivery));
                }
            }
        }
        Ok(next)
    }
}

/// A delivery in flight.
type DeliveryTask = (Webhook, u64);
/// Numbers of the deliveries in flight, by kind.
type InFlight = [HashSet<u64>; Webhook::ALL.len()];

/// Sends due deliveries until `end` changes or its sender is dropped.
pub(crate) async fn run(webhooks: Webhooks, mut end: watch::Receiver<()>) {
    let (mut tasks, mut in_flight) = (JoinSet::new(), InFlight::default());
    loop {
        let next = match webhooks.send_due(&mut tasks, &mut in_flight).await {
            Ok(next) => next,
            // Retried after a delay in real time, because the sandbox's clock may be stopped.
            Err(_) => tokio::select! {
                _ = end.changed() => break,
                () = tokio::time::sleep(STORE_RETRY_DELAY) => continue,
            },
        };
        tokio::select! {
            _ = end.changed() => break,
            Some(done) = tasks.join_next(), if !tasks.is_empty() => {
                match done {
                    Ok((webhook, id)) => {
                        in_flight[webhook as usize].remove(&id);
                    }
                    // A panicked task does not report its number, so all pending deliveries may start again.
                    Err(_) => in_flight = InFlight::default(),
                }
            }
            () = webhooks.clock.sleep_until(next) => {}
            () = webhooks.wake.notified() => {}
        }
    }
    tasks.shutdown().await;
}
