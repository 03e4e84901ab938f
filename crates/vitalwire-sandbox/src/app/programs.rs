//! What a program does with a sandbox.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;

use super::{AppState, CONTROL_PREFIX, Person};
use crate::clock::{Change, ClockError, Move};
use crate::faults::Faults;
use crate::requests::Requests;
use crate::store::StoreError;
use crate::tokens::Claims;
use crate::webhooks::Webhook;

impl AppState {
    /// Where the main service is reached: the paths start with `/v3`.
    pub fn base_url(&self) -> &str {
        &self.0.base_url
    }

    /// Where the policy-benefits service is reached: a base URL with a path in it.
    pub fn care_base_url(&self) -> String {
        format!("{}/care", self.0.base_url)
    }

    /// Where the control routes are, as `/state` below it.
    pub fn control_url(&self) -> String {
        format!("{}{CONTROL_PREFIX}", self.0.base_url)
    }

    /// The seeded people. Any other user id has data too: exchange a token for it.
    pub fn people(&self) -> &[Person] {
        &self.0.people
    }

    /// The bearer token of the first person; it never expires.
    pub fn token(&self) -> &str {
        self.0.people.first().map_or("", |person| &person.token)
    }

    /// The bearer token of the policy-benefits service.
    pub fn care_token(&self) -> &str {
        &self.0.keys.care_token
    }

    /// The application that may exchange tokens.
    pub fn application_id(&self) -> i64 {
        self.0.keys.application_id
    }

    /// An application that exists but is switched off: its calls are answered 401 "application not active".
    pub fn inactive_application_id(&self) -> i64 {
        self.0.keys.inactive_application_id()
    }

    /// The key under which user ids are signed for `POST /v3/auth/hmac`.
    pub fn application_key(&self) -> &str {
        &self.0.keys.application_key
    }

    /// The key under which webhooks are signed now.
    pub fn webhook_key(&self) -> String {
        self.0.webhooks.settings().key.0
    }

    /// Where webhooks of a kind go now, if anywhere.
    pub fn webhook_url(&self, webhook: Webhook) -> Option<String> {
        self.0.webhooks.settings().url(webhook).map(str::to_owned)
    }

    /// A main token with any claims: expired ones, other applications, other users.
    pub fn sign_token(&self, claims: &Claims) -> String {
        self.0.keys.sign(claims)
    }

    /// The sandbox's present.
    pub fn now(&self) -> Timestamp {
        self.0.clock.now()
    }

    /// The sandbox's present date in UTC.
    pub fn today(&self) -> Date {
        self.0.clock.today()
    }

    /// The date of the morning on which a person's last night that is over by now ended.
    pub fn last_night(&self, person: &Person) -> Date {
        person.last_night(self.now())
    }

    /// The present date of a person, in the person's own time zone.
    pub fn local_date(&self, person: &Person) -> Date {
        person.date(self.now())
    }

    /// Moves the sandbox's clock forward, whether it runs or stands. With a database in a file, blocks until that is on the disk.
    ///
    /// # Errors
    ///
    /// [`ClockError::NotStored`] if it cannot be stored: then it has not moved.
    pub fn advance(&self, by: Duration) -> Result<(), ClockError> {
        self.change_clock(Change { to: Some(Move::By(by)), scale: None })
    }

    /// Moves the sandbox's clock forward to an instant; blocks like [`Self::advance`].
    ///
    /// # Errors
    ///
    /// [`ClockError::Backwards`] if the instant lies before the present; otherwise as for [`Self::advance`].
    pub fn set_time(&self, to: Timestamp) -> Result<(), ClockError> {
        self.change_clock(Change { to: Some(Move::To(to)), scale: None })
    }

    /// Sandbox seconds per real second: 0 if its clock stands still.
    pub fn scale(&self) -> f64 {
        self.0.clock.scale()
    }

    /// Sets the speed of the sandbox's clock, in sandbox seconds per real second; 0 stops it. Blocks like [`Self::advance`].
    ///
    /// # Errors
    ///
    /// [`ClockError::Scale`] if it is not a number from 0 to 1,000,000; otherwise as for [`Self::advance`].
    pub fn set_scale(&self, scale: f64) -> Result<(), ClockError> {
        self.change_clock(Change { to: None, scale: Some(scale) })
    }

    fn change_clock(&self, change: Change) -> Result<(), ClockError> {
        self.0.clock.change(change, &self.0.store)
    }

    /// Puts the sandbox back to how a new one with the same settings begins: without uploads and changes, integrations, consent pages and
    /// benefits lookups of callers, deliveries of webhooks, faults (also those of its start), logged requests; with the webhooks of its
    /// start. A database in a file is emptied. The clock never goes back: it stays where it is, and runs as fast as at the start. What the
    /// people measured meanwhile stays, because it follows from the clock.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if that cannot be stored: then at most the clock's speed has changed.
    pub async fn reset(&self) -> Result<(), StoreError> {
        let (clock, store) = (Arc::clone(&self.0.clock), Arc::clone(&self.0.store));
        // It may wait for a disk.
        if let Ok(outcome) = tokio::task::spawn_blocking(move || clock.reset_scale(&store)).await {
            outcome?;
        }
        self.0.store.forget_all().await?;
        self.0.webhooks.reset();
        self.0.faults.clear();
        self.0.log.clear();
        Ok(())
    }

    /// The faults that are switched on. Those that break a connection need the sandbox's own socket: a request that another server passes
    /// on is answered 501 instead.
    pub fn faults(&self) -> &Faults {
        &self.0.faults
    }

    /// The log of the last requests.
    pub fn requests(&self) -> &Requests {
        &self.0.log
    }

    /// Number of uploaded or changed records and integrations that are forgotten. Without a [database in a file](crate::Builder::database) about
    /// 10,000 of a kind are kept in memory; then the oldest go.
    pub fn forgotten(&self) -> u64 {
        *self.0.store.forgotten().borrow()
    }

    /// Waits until the first of them is forgotten; for ever with a database in a file.
    pub async fn forgets(&self) {
        let mut forgotten = self.0.store.forgotten();
        if forgotten.wait_for(|count| *count > 0).await.is_err() {
            // The store has ended.
            std::future::pending().await
        }
    }
}
