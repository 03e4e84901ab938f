//! Announcing: what happened becomes deliveries in the store.

use jiff::Timestamp;

use super::delivery::Delivery;
use super::{Notice, Webhooks, appear, pending};
use crate::records::lab_report::Report;
use crate::records::nutrition::Meal;
use crate::store::{Document, Kind, StoreError};

/// The name in the database of the last instant whose data was announced.
const ANNOUNCED: &str = "webhooks seen";

impl Webhooks {
    /// Sends the state of that instant to the receiver, if there is one, as soon as the clock shows it.
    pub(crate) async fn announce(&self, notice: Notice, at: Timestamp) -> Result<(), StoreError> {
        if self.settings().url(notice.webhook()).is_none() {
            return Ok(());
        }
        self.store.put_all(self.announcement(&notice, at)?).await?;
        self.ring();
        Ok(())
    }

    /// What [`Self::announce`] writes, for a change that is committed together with it; [`Self::ring`] has to follow.
    pub(crate) fn announcement(&self, notice: &Notice, at: Timestamp) -> Result<Vec<Document>, StoreError> {
        let settings = self.settings();
        let copies = settings.url(notice.webhook()).map_or(0, |_| settings.copies);
        (0..copies)
            .map(|_| {
                let delivery = Delivery::new(self.store.next_number(), notice.clone(), at);
                Document::new(Kind::Delivery, pending(notice.webhook()), &delivery.id.to_string(), delivery.due_at, &delivery)
            })
            .collect()
    }

    /// Announces the states that an uploaded nutrition record comes to.
    pub(crate) async fn announce_meal(&self, user: &str, meal: &Meal) -> Result<(), StoreError> {
        let notice = Notice::Meal { user: user.to_owned(), id: meal.id };
        let begins = meal.processing_at();
        if begins < meal.ready_at {
            self.announce(notice.clone(), begins).await?;
        }
        self.announce(notice, meal.ready_at).await
    }

    /// Announces that an uploaded lab report is done.
    pub(crate) async fn announce_report(&self, user: &str, report: &Report) -> Result<(), StoreError> {
        self.announce(Notice::Report { user: user.to_owned(), id: report.id }, report.ready_at).await
    }

    /// Announces the data that has appeared since the last time.
    pub(super) async fn announce_data(&self) -> Result<(), StoreError> {
        let now = self.clock.now();
        let seen: Option<Timestamp> = self.store.get(Kind::Setting, "", ANNOUNCED).await?;
        let events = seen.map_or_else(Vec::new, |seen| appear::between(self, seen, now));
        if seen.is_some() && events.is_empty() {
            return Ok(());
        }
        if !events.is_empty() {
            self.announce(Notice::Events(events), now).await?;
        }
        // Afterwards: a crash in between sends twice, not never.
        self.store.put(Kind::Setting, "", ANNOUNCED, now, &now).await
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::Poll;
    use std::time::Duration;

    use crate::{Sandbox, Webhook};

    #[tokio::test]
    async fn a_night_is_announced_wherever_an_announcement_was_cancelled() {
        for polls in 1..=4 {
            let builder = Sandbox::builder().today(jiff::civil::date(2025, 11, 21)).webhook(Webhook::Main, "http://127.0.0.1:9/");
            let app = builder.app("http://localhost:1").unwrap();
            app.webhooks().announce_data().await.unwrap();
            app.advance(Duration::from_secs(86_400)).unwrap();
            {
                let mut cancelled = pin!(app.webhooks().announce_data());
                let mut left = polls;
                // Each step of it is one question to the store; what was asked is done, whether or not somebody waits.
                std::future::poll_fn(|context| {
                    let over = cancelled.as_mut().poll(context).is_ready();
                    left -= 1;
                    if over || left == 0 { Poll::Ready(()) } else { Poll::Pending }
                })
                .await;
            }
            app.webhooks().announce_data().await.unwrap();
            assert!(!app.webhooks().deliveries().await.unwrap().is_empty(), "lost after {polls} steps");
        }
    }
}
