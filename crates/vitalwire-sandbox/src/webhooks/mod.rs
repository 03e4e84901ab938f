//! Webhooks: what happened is told to the receivers that were named, signed, and again on the documented schedule if they do not answer 200.
//! Deliveries are kept in the store and due on the sandbox's clock, so a jump of the clock sends what it passes, and with a database in a
//! file they outlast a restart. A body may arrive twice: after a crash, and on demand.

mod appear;
mod delivery;
mod notice;
mod send;
mod settings;

use std::collections::HashSet;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;

use self::delivery::{Delivery, State};
pub(crate) use self::notice::{Event, Notice};
pub use self::settings::Webhook;
pub(crate) use self::settings::{Key, MOST_COPIES, Settings};
use crate::people::labs::Report;
use crate::people::meals::Meal;
use crate::state::{Document, Kind, StoreError};
use crate::world::World;

/// In the place of a user: deliveries that are over. Those on their way stand by receiver.
const OVER: &str = "over";
/// Under these names settings, and the last instant whose data was announced, are kept.
const SETTINGS: &str = "webhooks";
const SEEN: &str = "webhooks seen";
/// Deliveries of a kind at the same time: a receiver that is slow does not hold up the others.
const AT_ONCE: usize = 8;
/// Deliveries shown: the latest.
const SHOWN: usize = 500;
/// After a failure of the store.
const REST: Duration = Duration::from_secs(1);

/// In the place of a user: deliveries of a kind that are on their way.
const fn pending(webhook: Webhook) -> &'static str {
    match webhook {
        Webhook::Main => "pending main",
        Webhook::LabReports => "pending lab_reports",
        Webhook::NutritionRecords => "pending nutrition_records",
    }
}

/// What comes of sending a delivery again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Again {
    Sent,
    /// There is none of that number.
    Unknown,
    /// Its body is not kept any more.
    Forgotten,
}

/// The settings, and a bell for the task that sends.
pub(crate) struct Webhooks {
    settings: RwLock<Settings>,
    bell: Notify,
}

impl Webhooks {
    pub(crate) fn new(settings: Settings) -> Self {
        Self { settings: RwLock::new(settings), bell: Notify::new() }
    }

    pub(crate) fn settings(&self) -> Settings {
        self.settings.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl World {
    /// Changes the settings for now and, with a database in a file, for later starts.
    pub(crate) async fn set_webhooks(&self, settings: Settings) -> Result<(), StoreError> {
        self.store().put(Kind::Setting, "", SETTINGS, self.now(), &settings).await?;
        *self.webhooks().settings.write().unwrap_or_else(PoisonError::into_inner) = settings;
        self.ring();
        Ok(())
    }

    /// Goes back to the settings of a new sandbox, for now: what is kept is forgotten elsewhere.
    pub(crate) fn reset_webhooks(&self) {
        *self.webhooks().settings.write().unwrap_or_else(PoisonError::into_inner) = self.first_webhooks();
        self.ring();
    }

    /// Tells the receiver, if there is one, what is so at that instant, as soon as the clock shows it.
    pub(crate) async fn announce(&self, notice: Notice, at: Timestamp) -> Result<(), StoreError> {
        if self.webhooks().settings().url(notice.webhook()).is_none() {
            return Ok(());
        }
        self.store().put_all(self.announcement(&notice, at)?).await?;
        self.ring();
        Ok(())
    }

    /// What [`Self::announce`] writes, for a change that is committed together with it; [`Self::ring`] has to follow.
    pub(crate) fn announcement(&self, notice: &Notice, at: Timestamp) -> Result<Vec<Document>, StoreError> {
        let settings = self.webhooks().settings();
        let copies = settings.url(notice.webhook()).map_or(0, |_| settings.copies);
        (0..copies)
            .map(|_| {
                let delivery = Delivery::new(self.store().next_number(), notice.clone(), at);
                Document::new(Kind::Delivery, pending(notice.webhook()), &delivery.id.to_string(), delivery.due_at, &delivery)
            })
            .collect()
    }

    /// Wakes the task that sends.
    pub(crate) fn ring(&self) {
        self.webhooks().bell.notify_one();
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

    /// The latest deliveries, those made or over last, the oldest of them first.
    pub(crate) async fn deliveries(&self) -> Result<Vec<Delivery>, StoreError> {
        let mut latest: Vec<Delivery> = self.store().latest(Kind::Delivery, SHOWN).await?;
        latest.sort_by_key(|delivery| delivery.id);
        Ok(latest)
    }

    /// The delivery of that number.
    async fn delivery(&self, id: u64) -> Result<Option<Delivery>, StoreError> {
        let id = id.to_string();
        // Over comes last: one that moves meanwhile is found there.
        for place in Webhook::ALL.into_iter().map(pending).chain([OVER]) {
            if let Some(found) = self.store().get(Kind::Delivery, place, &id).await? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Sends what an earlier delivery told once more.
    pub(crate) async fn send_again(&self, id: u64) -> Result<Again, StoreError> {
        let Some(earlier) = self.delivery(id).await? else { return Ok(Again::Unknown) };
        let body = match earlier.body {
            None => self.store().sent(&id.to_string()).await?,
            body => body,
        };
        if body.is_none() && !earlier.attempts.is_empty() {
            return Ok(Again::Forgotten);
        }
        let again = Delivery { body, ..Delivery::new(self.store().next_number(), earlier.notice, earlier.at) };
        let place = pending(again.notice.webhook());
        self.store().put(Kind::Delivery, place, &again.id.to_string(), again.due_at, &again).await?;
        self.ring();
        Ok(Again::Sent)
    }

    /// Writes what became of a delivery where it belongs, unless it was forgotten meanwhile.
    async fn keep(&self, mut delivery: Delivery) -> Result<(), StoreError> {
        let (id, place) = (delivery.id.to_string(), pending(delivery.notice.webhook()));
        if delivery.state == State::Pending {
            let due_at = delivery.due_at;
            let change = move |there: Option<Delivery>| (there.map(|_| (due_at, delivery)), ());
            return self.store().update(Kind::Delivery, place, &id, change).await;
        }
        let body = delivery.body.take();
        delivery.notice = delivery.notice.told();
        let over = Document::new(Kind::Delivery, OVER, &id, delivery.due_at, &delivery)?;
        self.store().end_delivery(place, over, body).await
    }

    /// One attempt, with everything that follows from it.
    async fn attempt(&self, mut delivery: Delivery) -> Result<(), StoreError> {
        let settings = self.webhooks().settings();
        if delivery.body.is_none() {
            delivery.body = delivery.notice.body(self, delivery.at).await?;
        }
        match (settings.url(delivery.notice.webhook()), &delivery.body) {
            (Some(url), Some(body)) => {
                let outcome = send::post(self.reach(), url, &settings.key.0, body).await;
                delivery.note(self.now(), outcome);
            }
            _ => delivery.state = State::Dropped,
        }
        self.keep(delivery).await
    }

    async fn try_once(self, delivery: Delivery) -> Task {
        let task = (delivery.notice.webhook(), delivery.id);
        if self.attempt(delivery).await.is_err() {
            // Still pending: the store is asked again later.
            tokio::time::sleep(REST).await;
        }
        task
    }

    /// Announces the data that has appeared since the last time.
    async fn announce_data(&self) -> Result<(), StoreError> {
        let now = self.now();
        let seen: Option<Timestamp> = self.store().get(Kind::Setting, "", SEEN).await?;
        let events = seen.map_or_else(Vec::new, |seen| appear::between(self, seen, now));
        if seen.is_some() && events.is_empty() {
            return Ok(());
        }
        if !events.is_empty() {
            self.announce(Notice::Events(events), now).await?;
        }
        // Afterwards: a crash in between tells twice, not never.
        self.store().put(Kind::Setting, "", SEEN, now, &now).await
    }

    /// Starts what is due and not under way; when to look again.
    async fn send_due(&self, tasks: &mut JoinSet<Task>, under_way: &mut UnderWay) -> Result<Timestamp, StoreError> {
        let mut next = Timestamp::MAX;
        if self.webhooks().settings().url(Webhook::Main).is_some() {
            self.announce_data().await?;
            next = appear::next(self, self.now());
        }
        for webhook in Webhook::ALL {
            let its = &mut under_way[webhook as usize];
            if its.len() >= AT_ONCE {
                // Looked at again when one of them has ended.
                continue;
            }
            // Those under way are still due by what is stored.
            let most = AT_ONCE + its.len();
            let (due, later) = self.store().due::<Delivery>(Kind::Delivery, pending(webhook), self.now(), most).await?;
            next = next.min(later.unwrap_or(Timestamp::MAX));
            for delivery in due {
                if its.len() < AT_ONCE && its.insert(delivery.id) {
                    tasks.spawn(self.clone().try_once(delivery));
                }
            }
        }
        Ok(next)
    }
}

/// What a task sends.
type Task = (Webhook, u64);
/// The numbers of the deliveries under way, by kind.
type UnderWay = [HashSet<u64>; Webhook::ALL.len()];

/// Goes on with the settings that an earlier run kept, unless others were asked for at the start.
pub(crate) async fn restore(world: &World) {
    if world.webhooks_given() {
        return;
    }
    // What cannot be read is as good as never set.
    if let Ok(Some(kept)) = world.store().get(Kind::Setting, "", SETTINGS).await {
        *world.webhooks().settings.write().unwrap_or_else(PoisonError::into_inner) = kept;
    }
}

/// Sends what is due until `end` changes or its sender is gone.
pub(crate) async fn run(world: World, mut end: watch::Receiver<()>) {
    let (mut tasks, mut under_way) = (JoinSet::new(), UnderWay::default());
    loop {
        let next = match world.send_due(&mut tasks, &mut under_way).await {
            Ok(next) => next,
            // Again after a rest in real time: the sandbox's clock may stand still.
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
                    // A task that panicked cannot say its number: everything that is still pending may start again.
                    Err(_) => under_way = UnderWay::default(),
                }
            }
            () = world.sleep_until(next) => {}
            () = world.webhooks().bell.notified() => {}
        }
    }
    tasks.shutdown().await;
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::Poll;

    use super::*;
    use crate::Sandbox;

    #[tokio::test]
    async fn a_night_is_told_whenever_the_telling_breaks_off() {
        for polls in 1..=4 {
            let builder = Sandbox::builder().today(jiff::civil::date(2025, 11, 21)).webhook(Webhook::Main, "http://127.0.0.1:9/");
            let world = builder.world("http://localhost:1").unwrap();
            world.announce_data().await.unwrap();
            world.advance(Duration::from_secs(86_400)).unwrap();
            {
                let mut telling = pin!(world.announce_data());
                let mut left = polls;
                // Each step of it is one question to the store; what was asked is done, whether or not somebody waits.
                std::future::poll_fn(|context| {
                    let over = telling.as_mut().poll(context).is_ready();
                    left -= 1;
                    if over || left == 0 { Poll::Ready(()) } else { Poll::Pending }
                })
                .await;
            }
            world.announce_data().await.unwrap();
            assert!(!world.deliveries().await.unwrap().is_empty(), "lost after {polls} steps");
        }
    }
}
