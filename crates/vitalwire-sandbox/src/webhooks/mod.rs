//! Webhooks: signed notifications to configured receivers, retried on the documented schedule until the receiver returns 200.
//!
//! Deliveries are stored and become due on the sandbox's clock, so a jump of the clock sends all that it passes. With a database file
//! they survive a restart. A body may arrive twice: after a crash, or on demand.

mod announce;
mod deliveries;
mod delivery;
mod new_data;
mod notice;
mod send;
mod sender;
mod settings;

use std::ops::Deref;
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::{Mutex, MutexGuard, Notify};

pub(crate) use self::deliveries::RedeliveryOutcome;
pub(crate) use self::notice::{Event, Notice};
pub(crate) use self::sender::run;
pub use self::settings::Webhook;
pub(crate) use self::settings::{MAX_COPIES, SigningKey, WebhookSettings};
use crate::clock::Clock;
use crate::outbound::AllowedHosts;
use crate::people::profile::Profile;
use crate::sources::Sources;
use crate::store::{DocumentKind, Store, StoreError};

/// Database key of the settings.
const SETTINGS: &str = "webhooks";
/// Value of the store's `user` column for completed deliveries. Pending ones have the value of their kind.
const COMPLETED: &str = "over";

/// Returns the value of the store's `user` column for pending deliveries of a kind.
const fn pending_key(webhook: Webhook) -> &'static str {
    match webhook {
        Webhook::Main => "pending main",
        Webhook::LabReports => "pending lab_reports",
        Webhook::NutritionRecords => "pending nutrition_records",
    }
}

/// Webhooks of a sandbox. Clones share their state.
#[derive(Clone)]
pub(crate) struct Webhooks(Arc<Inner>);

/// Data sources and settings of webhooks.
pub(crate) struct Inner {
    store: Arc<Store>,
    clock: Arc<Clock>,
    sources: Sources,
    outbound: AllowedHosts,
    /// People whose new data is announced.
    people: Vec<Profile>,
    settings: RwLock<WebhookSettings>,
    initial: WebhookSettings,
    /// See [`Webhooks::begin_change`].
    changes: Mutex<()>,
    /// Wakes the sending task.
    wake: Notify,
}

impl Deref for Webhooks {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl Webhooks {
    /// Creates webhooks with the settings `first`, which a reset restores.
    pub(crate) fn new(
        initial: WebhookSettings,
        store: Arc<Store>,
        clock: Arc<Clock>,
        sources: Sources,
        outbound: AllowedHosts,
        people: Vec<Profile>,
    ) -> Self {
        let settings = RwLock::new(initial.clone());
        let (changes, wake) = (Mutex::default(), Notify::new());
        Self(Arc::new(Inner { store, clock, sources, outbound, people, settings, initial, changes, wake }))
    }

    pub(crate) fn settings(&self) -> WebhookSettings {
        self.settings.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn apply(&self, settings: WebhookSettings) {
        *self.settings.write().unwrap_or_else(PoisonError::into_inner) = settings;
        self.wake_sender();
    }

    /// Locks the settings for a change. Hold the guard from reading the settings until the changed settings are applied.
    pub(crate) async fn begin_change(&self) -> MutexGuard<'_, ()> {
        self.changes.lock().await
    }

    /// Changes the settings and stores them. With a database file, later starts use them.
    pub(crate) async fn change(&self, settings: WebhookSettings) -> Result<(), StoreError> {
        self.store.put(DocumentKind::Setting, "", SETTINGS, self.clock.now(), &settings).await?;
        self.apply(settings);
        Ok(())
    }

    /// Applies the settings that an earlier run stored.
    pub(crate) async fn restore(&self) {
        // Unreadable settings are ignored.
        if let Ok(Some(stored)) = self.store.get(DocumentKind::Setting, "", SETTINGS).await {
            self.apply(stored);
        }
    }

    /// Restores the initial settings. The stored ones are removed with all documents.
    pub(crate) fn reset(&self) {
        self.apply(self.initial.clone());
    }

    pub(crate) fn wake_sender(&self) {
        self.wake.notify_one();
    }
}
