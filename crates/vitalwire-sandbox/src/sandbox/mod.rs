//! A running sandbox.

mod builder;
mod error;

use std::net::SocketAddr;

use tokio::sync::watch;
use tokio::task::JoinHandle;

pub use self::builder::Builder;
pub use self::error::Error;
use crate::app::{AppState, Person};

/// The synthetic service behind a socket. It ends with [`Sandbox::shutdown`], or soon after this value is dropped.
#[derive(Debug)]
pub struct Sandbox {
    app: AppState,
    address: SocketAddr,
    end: watch::Sender<()>,
    task: JoinHandle<()>,
}

impl Sandbox {
    /// Settings to start from.
    pub fn builder() -> Builder {
        Builder::default()
    }

    pub(crate) fn new(app: AppState, address: SocketAddr, end: watch::Sender<()>, task: JoinHandle<()>) -> Self {
        Self { app, address, end, task }
    }

    /// What stands behind the socket: the clock, tokens with any claims, the router.
    pub fn app(&self) -> &AppState {
        &self.app
    }

    /// The address it listens on.
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

    /// See [`AppState::application_id`].
    pub fn application_id(&self) -> i64 {
        self.app.application_id()
    }

    /// See [`AppState::application_key`].
    pub fn application_key(&self) -> &str {
        self.app.application_key()
    }

    /// Stops listening, lets requests under way finish (3 seconds at most), and closes every connection.
    pub async fn shutdown(self) {
        // The server is gone already if nobody hears this.
        let _ = self.end.send(());
        let _ = self.task.await;
    }
}
