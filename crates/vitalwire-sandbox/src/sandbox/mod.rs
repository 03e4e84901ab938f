//! [`Sandbox`]: a running sandbox.

mod builder;
mod error;

use std::net::SocketAddr;

use tokio::sync::watch;
use tokio::task::JoinHandle;

pub use self::builder::Builder;
pub use self::error::Error;
use crate::app::{AppState, Person};

/// A sandbox that listens on a socket. Stopped by [`Sandbox::shutdown`], or soon after this value is dropped.
#[derive(Debug)]
pub struct Sandbox {
    app: AppState,
    address: SocketAddr,
    end: watch::Sender<()>,
    task: JoinHandle<()>,
}

impl Sandbox {
    /// Creates a builder with the default settings.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Returns the service state: clock, tokens, faults, request log and router.
    pub fn app(&self) -> &AppState {
        &self.app
    }

    /// Returns the address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// See [`AppState::base_url`].
    pub fn base_url(&self) -> &str {
        self.app.base_url()
    }

    /// See [`AppState::care_base_url`].
    pub fn care_base_url(&self) -> String {
        self.app.care_base_url()
    }

    /// See [`AppState::people`].
    pub fn people(&self) -> &[Person] {
        self.app.people()
    }

    /// See [`AppState::token`].
    pub fn token(&self) -> &str {
        self.app.token()
    }

    /// See [`AppState::care_token`].
    pub fn care_token(&self) -> &str {
        self.app.care_token()
    }

    /// Returns the token that [replayed](Builder::replay) requests need, for both services. It differs in each run, because recorded data may
    /// be that of real people. `None` without a replay.
    pub fn replay_token(&self) -> Option<&str> {
        self.app.settings().replay.as_ref().map(crate::replay::Replay::token)
    }

    /// See [`AppState::application_id`].
    pub fn application_id(&self) -> i64 {
        self.app.application_id()
    }

    /// See [`AppState::application_key`].
    pub fn application_key(&self) -> &str {
        self.app.application_key()
    }

    /// Stops listening, waits up to 3 seconds for requests in flight, and closes all connections.
    pub async fn shutdown(self) {
        // Fails only if the server has already stopped.
        let _ = self.end.send(());
        let _ = self.task.await;
    }
}
