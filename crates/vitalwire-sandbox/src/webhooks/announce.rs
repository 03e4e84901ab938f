//! Announcements: creates deliveries in the store.

use jiff::Timestamp;

use super::delivery::Delivery;
use super::{Notice, Webhooks, new_data, pending_key};
use crate::records::lab_report::LabReport;
use crate::records::nutrition::Meal;
use crate::store::{Document, DocumentKind, StoreError};

/// Database key of the last instant whose data was announced.
const ANNOUNCED: &str = "webhooks seen";

impl Webhooks {
    /// Schedules a webhook with the state at an instant, to be sent when the clock reaches it. Does nothing without a receiver.
    pub(crate) async fn announce(&self, notice: Notice, at: Timestamp) -> Result<(), StoreError> {
        if self.settings().url(notice.webhook()).is_none() {
            return Ok(());
        }
        self.store.put_all(self.announcement_documents(&notice, at)?).await?;
        self.wake_sender();
        Ok(())
    }

    /// Returns the documents of [`Self::announce`], to be committed together with the change. Call [`Self::wake_sender`] after the commit.
    pub(crate) fn announcement_documents(&self, notice: &Notice, at: Timestamp) -> Result<Vec<Document>, StoreError> {
        let settings = self.settings();
        let copies = settings.url(notice.webhook()).map_or(0, |_| settings.copies);
        (0..copies)
            .map(|_| {
                let delivery = Delivery::new(self.store.next_number(), notice.clone(), at);
                Document::new(DocumentKind::Delivery, pending_key(notice.webhook()), &delivery.id.to_string(), delivery.due_at, &delivery)
            })
            .collect()
    }

    /// Announces the status changes of an uploaded nutrition record.
    pub(crate) async fn announce_meal(&self, user: &str, meal: &Meal) -> Result<(), StoreError> {
        let notice = Notice::Meal { user: user.to_owned(), id: meal.id };
        let begins = meal.processing_at();
        if begins < meal.ready_at {
            self.announce(notice.clone(), begins).await?;
        }
        self.announce(notice, meal.ready_at).await
    }

    /// Announces the end of an uploaded lab report's analysis.
    pub(crate) async fn announce_report(&self, user: &str, report: &LabReport) -> Result<(), StoreError> {
        self.announce(Notice::Report { user: user.to_owned(), id: report.id }, report.ready_at).await
    }

    /// Announces the data that has appeared since the last call.
    pub(super) async fn announce_data(&self) -> Result<(), StoreError> {
        let now = self.clock.now();
        let seen: Option<Timestamp> = self.store.get(DocumentKind::Setting, "", ANNOUNCED).await?;
        let events = seen.map_or_else(Vec::new, |seen| new_data::new_nights(self, seen, now));
        if seen.is_some() && events.is_empty() {
            return Ok(());
        }
        if !events.is_empty() {
            self.announce(Notice::Events(events), now).await?;
        }
        // Stored afterwards: after a crash in between, data is announced twice rather than never.
        self.store.put(DocumentKind::Setting, "", ANNOUNCED, now, &now).await
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::Poll;
    use std::time::Duration;

    use crate::{Sandbox, Webhook};

    #[tokio::test]
    async fn a_cancelled_announcement_is_repeated() {
        for polls in 1..=4 {
            let builder = Sandbox::builder().today(jiff::civil::date(2025, 11, 21)).webhook(Webhook::Main, "http://127.0.0.1:9/");
            let app = builder.app("http://localhost:1").unwrap();
            app.webhooks().announce_data().await.unwrap();
            app.advance(Duration::from_secs(86_400)).unwrap();
            {
                let mut cancelled = pin!(app.webhooks().announce_data());
                let mut left = polls;
                // Each step is one store operation, which completes even if its caller is dropped.
                std::future::poll_fn(|context| {
                    let has_ended = cancelled.as_mut().poll(context).is_ready();
                    left -= 1;
                    if has_ended || left == 0 { Poll::Ready(()) } else { Poll::Pending }
                })
                .await;
            }
            app.webhooks().announce_data().await.unwrap();
            assert!(!app.webhooks().deliveries().await.unwrap().is_empty(), "lost after {polls} steps");
        }
    }
}
