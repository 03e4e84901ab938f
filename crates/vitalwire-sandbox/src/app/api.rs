//! Public methods of [`AppState`].

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;

use super::{AppState, CONTROL_PREFIX, Person};
use crate::clock::{ClockChange, ClockError, ClockMove};
use crate::faults::Faults;
use crate::replay::Replay;
use crate::requests::Requests;
use crate::store::StoreError;
use crate::tokens::{self, Claims};
use crate::webhooks::Webhook;

impl AppState {
    /// Returns the base URL of the main service. Paths start with `/v3`.
    pub fn base_url(&self) -> &str {
        &self.0.base_url
    }

    /// Returns the base URL of the policy-benefits service, which includes a path.
    pub fn care_base_url(&self) -> String {
        format!("{}/care", self.0.base_url)
    }

    /// Returns the base URL of the control routes, such as `/state`.
    pub fn control_url(&self) -> String {
        format!("{}{CONTROL_PREFIX}", self.0.base_url)
    }

    /// Returns the seeded people. Any other user id has data too: exchange a token for it.
    pub fn people(&self) -> &[Person] {
        &self.0.people
    }

    /// Returns the bearer token of the first person. Never expires.
    pub fn token(&self) -> &str {
        self.0.people.first().map_or("", |person| &person.token)
    }

    /// Returns the bearer token of the policy-benefits service.
    pub fn care_token(&self) -> &str {
        &self.0.keys.care_token
    }

    /// Returns the id of the application that may exchange tokens.
    pub fn application_id(&self) -> i64 {
        self.0.keys.application_id
    }

    /// Returns the id of an inactive application. Its calls get a 401 response, "application not active".
    pub fn inactive_application_id(&self) -> i64 {
        self.0.keys.inactive_application_id()
    }

    /// Returns the key that signs user ids for `POST /v3/auth/hmac`.
    pub fn application_key(&self) -> &str {
        &self.0.keys.application_key
    }

    /// Returns the current key that signs webhooks.
    pub fn webhook_key(&self) -> String {
        self.0.webhooks.settings().key.0
    }

    /// Returns the current URL for webhooks of this kind. `None` if they are not sent.
    pub fn webhook_url(&self, webhook: Webhook) -> Option<String> {
        self.0.webhooks.settings().url(webhook).map(str::to_owned)
    }

    /// Signs a token of the main service with any claims, for example expired ones or those of other users.
    pub fn sign_token(&self, claims: &Claims) -> String {
        tokens::sign(&self.0.keys.signing_key, claims)
    }

    /// Returns the current time of the sandbox's clock.
    pub fn now(&self) -> Timestamp {
        self.0.clock.now()
    }

    /// Returns the current UTC date of the sandbox's clock.
    pub fn today(&self) -> Date {
        self.0.clock.today()
    }

    /// Returns the date of the morning on which a person's last completed night ended.
    pub fn last_night(&self, person: &Person) -> Date {
        person.last_night(self.now())
    }

    /// Returns the current date in a person's time zone.
    pub fn local_date(&self, person: &Person) -> Date {
        person.date(self.now())
    }

    /// Moves the sandbox's clock forward, whether it runs or is stopped. With a database file, blocks until the change is on disk.
    ///
    /// # Errors
    ///
    /// [`ClockError::NotStored`] if the change cannot be stored. The clock then stays unchanged.
    pub fn advance(&self, by: Duration) -> Result<(), ClockError> {
        self.change_clock(ClockChange { to: Some(ClockMove::By(by)), scale: None })
    }

    /// Moves the sandbox's clock forward to an instant. Blocks like [`Self::advance`].
    ///
    /// # Errors
    ///
    /// [`ClockError::Backwards`] if the instant is before the current time. See [`Self::advance`] for other errors.
    pub fn set_time(&self, to: Timestamp) -> Result<(), ClockError> {
        self.change_clock(ClockChange { to: Some(ClockMove::To(to)), scale: None })
    }

    /// Returns the clock speed in sandbox seconds per real second. 0 if the clock is stopped.
    pub fn scale(&self) -> f64 {
        self.0.clock.scale()
    }

    /// Sets the clock speed in sandbox seconds per real second. 0 stops the clock. Blocks like [`Self::advance`].
    ///
    /// # Errors
    ///
    /// [`ClockError::Scale`] if the speed is not a number from 0 to 1,000,000. See [`Self::advance`] for other errors.
    pub fn set_scale(&self, scale: f64) -> Result<(), ClockError> {
        self.change_clock(ClockChange { to: None, scale: Some(scale) })
    }

    fn change_clock(&self, change: ClockChange) -> Result<(), ClockError> {
        self.0.clock.change(change, &self.0.store)
    }

    /// Resets the sandbox to the state of a new one with the same settings.
    ///
    /// Removes uploads, changes, integrations, consent pages and benefits lookups of callers, webhook deliveries, all faults and the
    /// request log. Restores the webhook settings of the start. A database file is emptied. A [replay](crate::Builder::replay) starts over.
    ///
    /// The clock keeps its time, because it never goes back, and gets its initial speed. Data that people measured meanwhile remains,
    /// because it follows from the clock.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the reset cannot be stored. At most the clock speed has then changed.
    pub async fn reset(&self) -> Result<(), StoreError> {
        let (clock, store) = (Arc::clone(&self.0.clock), Arc::clone(&self.0.store));
        // The store may block on disk.
        if let Ok(outcome) = tokio::task::spawn_blocking(move || clock.reset_scale(&store)).await {
            outcome?;
        }
        let change = self.0.webhooks.begin_change().await;
        self.0.store.remove_all().await?;
        self.0.webhooks.reset();
        drop(change);
        self.0.settings.replay.iter().for_each(Replay::rewind);
        self.0.faults.clear();
        self.0.log.clear();
        Ok(())
    }

    /// Returns the active faults. Faults that break a connection need the sandbox's own socket. Behind another server they cause a
    /// 501 response.
    pub fn faults(&self) -> &Faults {
        &self.0.faults
    }

    /// Returns the request log.
    pub fn requests(&self) -> &Requests {
        &self.0.log
    }

    /// Returns how many uploaded or changed records and integrations were removed for lack of space.
    ///
    /// Without a [database file](crate::Builder::database), about 10,000 of each kind are kept in memory. The oldest are removed first.
    pub fn forgotten(&self) -> u64 {
        *self.0.store.forgotten().borrow()
    }

    /// Waits until the first record is removed for lack of space. Never returns with a database file.
    pub async fn forgets(&self) {
        let mut forgotten = self.0.store.forgotten();
        if forgotten.wait_for(|count| *count > 0).await.is_err() {
            // The store has been closed.
            std::future::pending().await
        }
    }
}
