//! Webhooks: what happened is sent to the receivers that were named, signed, and again on the documented schedule if they do not answer 200.
//! Deliveries are stored and due on the sandbox's clock, so a jump of the clock sends what it passes, and with a database in a file they
//! outlast a restart. A body may arrive twice: after a crash, and on demand.

mod announce;
mod appear;
mod deliveries;
mod delivery;
mod notice;
mod send;
mod sender;
mod settings;

use std::ops::Deref;
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::Notify;

pub(crate) use self::deliveries::Resent;
pub(crate) use self::notice::{Event, Notice};
pub(crate) use self::sender::run;
pub use self::settings::Webhook;
pub(crate) use self::settings::{Key, MAX_COPIES, Settings};
use crate::clock::Clock;
use crate::outbound::Reach;
use crate::people::profile::Profile;
use crate::sources::Sources;
use crate::store::{Kind, Store, StoreError};

/// The name of the settings in the database.
const SETTINGS: &str = "webhooks";
/// The place of a user in deliveries that are over. Those on their way have the place of their kind.
const OVER: &str = "over";

/// The place of a user in deliveries of a kind that are on their way.
const fn pending(webhook: Webhook) -> &'static str {
    match webhook {
        Webhook::Main => "pending main",
        Webhook::LabReports => "pending lab_reports",
        Webhook::NutritionRecords => "pending nutrition_records",
    }
}

/// The webhooks of a sandbox. Clones share their state.
#[derive(Clone)]
pub(crate) struct Webhooks(Arc<Shared>);

/// What webhooks are made from, and their settings.
pub(crate) struct Shared {
    store: Arc<Store>,
    clock: Arc<Clock>,
    sources: Sources,
    outbound: Reach,
    /// The people whose new data is announced.
    people: Vec<Profile>,
    settings: RwLock<Settings>,
    first: Settings,
    /// Wakes the task that sends.
    bell: Notify,
}

impl Deref for Webhooks {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl Webhooks {
    /// `first` are the settings that a reset goes back to.
    pub(crate) fn new(
        first: Settings,
        store: Arc<Store>,
        clock: Arc<Clock>,
        sources: Sources,
        outbound: Reach,
        people: Vec<Profile>,
    ) -> Self {
        let settings = RwLock::new(first.clone());
        Self(Arc::new(Shared { store, clock, sources, outbound, people, settings, first, bell: Notify::new() }))
    }

    pub(crate) fn settings(&self) -> Settings {
        self.settings.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn apply(&self, settings: Settings) {
        *self.settings.write().unwrap_or_else(PoisonError::into_inner) = settings;
        self.ring();
    }

    /// Changes the settings for now and, with a database in a file, for later starts.
    pub(crate) async fn change(&self, settings: Settings) -> Result<(), StoreError> {
        self.store.put(Kind::Setting, "", SETTINGS, self.clock.now(), &settings).await?;
        self.apply(settings);
        Ok(())
    }

    /// Goes on with the settings that an earlier run stored.
    pub(crate) async fn restore(&self) {
        // What cannot be read is as good as never set.
        if let Ok(Some(stored)) = self.store.get(Kind::Setting, "", SETTINGS).await {
            self.apply(stored);
        }
    }

    /// Goes back to the settings of the start. The stored ones are forgotten with all documents.
    pub(crate) fn reset(&self) {
        self.apply(self.first.clone());
    }

    /// Wakes the task that sends.
    pub(crate) fn ring(&self) {
        self.bell.notify_one();
    }
}
