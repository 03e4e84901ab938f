//! A running sandbox.

use std::net::SocketAddr;

use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::builder::Builder;
use crate::world::{Person, World};

/// The synthetic service behind a socket. It ends with [`Sandbox::shutdown`], or soon after this value is dropped.
#[derive(Debug)]
pub struct Sandbox {
    world: World,
    address: SocketAddr,
    end: watch::Sender<()>,
    task: JoinHandle<()>,
}

impl Sandbox {
    /// Settings to start from.
    pub fn builder() -> Builder {
        Builder::default()
    }

    pub(crate) fn new(world: World, address: SocketAddr, end: watch::Sender<()>, task: JoinHandle<()>) -> Self {
        Self { world, address, end, task }
    }

    /// What stands behind the socket: the clock, tokens with any claims, the router.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// See [`World::base_url`].
    pub fn base_url(&self) -> &str {
        self.world.base_url()
    }

    /// See [`World::care_base_url`].
    pub fn care_base_url(&self) -> String {
        self.world.care_base_url()
    }

    /// See [`World::people`].
    pub fn people(&self) -> &[Person] {
        self.world.people()
    }

    /// See [`World::token`].
    pub fn token(&self) -> &str {
        self.world.token()
    }

    /// See [`World::care_token`].
    pub fn care_token(&self) -> &str {
        self.world.care_token()
    }

    /// See [`World::application_id`].
    pub fn application_id(&self) -> i64 {
        self.world.application_id()
    }

    /// See [`World::application_key`].
    pub fn application_key(&self) -> &str {
        self.world.application_key()
    }

    /// Stops listening, lets requests under way finish (3 seconds at most), and closes every connection.
    pub async fn shutdown(self) {
        // The server is gone already if nobody hears this.
        let _ = self.end.send(());
        let _ = self.task.await;
    }
}
