//! Task that sends due deliveries.

use std::collections::HashSet;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::delivery::{Delivery, State};
use super::{OVER, Webhook, Webhooks, appear, pending, send};
use crate::store::{Document, Kind, StoreError};

/// Maximum number of concurrent deliveries of a kind, so that a slow receiver does not delay other kinds.
const MAX_CONCURRENT: usize = 8;
/// Delay after a store failure.
const REST: Duration = Duration::from_secs(1);

impl Webhooks {
    /// Stores the outcome of a delivery, unless the delivery was removed meanwhile.
    async fn keep(&self, mut delivery: Delivery) -> Result<(), StoreError> {
        let (id, place) = (delivery.id.to_string(), pending(delivery.notice.webhook()));
        if delivery.state == State::Pending {
            let due_at = delivery.due_at;
            let change = move |there: Option<Delivery>| (there.map(|_| (due_at, delivery)), ());
            return self.store.update(Kind::Delivery, place, &id, change).await;
        }
        let body = delivery.body.take();
        delivery.notice = delivery.notice.after_sending();
        let over = Document::new(Kind::Delivery, OVER, &id, delivery.due_at, &delivery)?;
        self.store.end_delivery(place, over, body).await
    }

    /// Makes one attempt and stores its outcome.
    async fn attempt(&self, mut delivery: Delivery) -> Result<(), StoreError> {
        let settings = self.settings();
        if delivery.body.is_none() {
            delivery.body = delivery.notice.body(&self.store, delivery.at).await?;
        }
        match (settings.url(delivery.notice.webhook()), &delivery.body) {
            (Some(url), Some(body)) => {
                let outcome = send::post(&self.outbound, url, &settings.key.0, body).await;
                delivery.note(self.clock.now(), outcome);
            }
            _ => delivery.state = State::Dropped,
        }
        self.keep(delivery).await
    }

    async fn try_once(self, delivery: Delivery) -> Task {
        let task = (delivery.notice.webhook(), delivery.id);
        if self.attempt(delivery).await.is_err() {
            // The delivery is still pending, so it is retried later.
            tokio::time::sleep(REST).await;
        }
        task
    }

    /// Starts due deliveries that are not in flight. Returns when to check again.
    async fn send_due(&self, tasks: &mut JoinSet<Task>, under_way: &mut UnderWay) -> Result<Timestamp, StoreError> {
        let mut next = Timestamp::MAX;
        if self.settings().url(Webhook::Main).is_some() {
            self.announce_data().await?;
            next = appear::next(self, self.clock.now());
        }
        for webhook in Webhook::ALL {
            let its = &mut under_way[webhook as usize];
            if its.len() >= MAX_CONCURRENT {
                // Checked again when one of them has ended.
                continue;
            }
            // Deliveries in flight are still due in the store.
            let max = MAX_CONCURRENT + its.len();
            let (due, later) = self.store.due::<Delivery>(Kind::Delivery, pending(webhook), self.clock.now(), max).await?;
            next = next.min(later.unwrap_or(Timestamp::MAX));
            for delivery in due {
                if its.len() < MAX_CONCURRENT && its.insert(delivery.id) {
                    tasks.spawn(self.clone().try_once(delivery));
                }
            }
        }
        Ok(next)
    }
}

/// A delivery in flight.
type Task = (Webhook, u64);
/// Numbers of the deliveries in flight, by kind.
type UnderWay = [HashSet<u64>; Webhook::ALL.len()];

/// Sends due deliveries until `end` changes or its sender is dropped.
pub(crate) async fn run(webhooks: Webhooks, mut end: watch::Receiver<()>) {
    let (mut tasks, mut under_way) = (JoinSet::new(), UnderWay::default());
    loop {
        let next = match webhooks.send_due(&mut tasks, &mut under_way).await {
            Ok(next) => next,
            // Retried after a delay in real time, because the sandbox's clock may be stopped.
            Err(_) => tokio::select! {
                _ = end.changed() => break,
                () = tokio::time::sleep(REST) => continue,
            },
        };
        tokio::select! {
            _ = end.changed() => break,
            Some(done) = tasks.join_next(), if !tasks.is_empty() => {
                match done {
                    Ok((webhook, id)) => {
                        under_way[webhook as usize].remove(&id);
                    }
                    // A panicked task does not report its number, so all pending deliveries may start again.
                    Err(_) => under_way = UnderWay::default(),
                }
            }
            () = webhooks.clock.sleep_until(next) => {}
            () = webhooks.bell.notified() => {}
        }
    }
    tasks.shutdown().await;
}
