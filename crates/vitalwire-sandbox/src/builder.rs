//! Starting a sandbox.

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::clock::{Clock, Source};
use crate::reach::Reach;
use crate::sandbox::Sandbox;
use crate::server;
use crate::world::{Options, World};

/// Most seeded people: each one's token is made at the start. Any other user id has data as well.
const MOST_PEOPLE: usize = 10_000;

/// Settings of a sandbox. Nothing has to be set.
#[derive(Clone, Debug)]
#[must_use]
pub struct Builder {
    bind: String,
    allow_remote: bool,
    today: Option<Date>,
    options: Options,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            bind: "127.0.0.1:0".to_owned(),
            allow_remote: false,
            today: None,
            options: Options {
                seed: 1,
                people: 4,
                processing: Duration::ZERO,
                benefits: Duration::ZERO,
                token_lifetime: None,
                null_lists: false,
                reach: Reach::default(),
            },
        }
    }
}

impl Builder {
    /// Decides every number of every person, the ids, the keys and the tokens. Default: 1.
    pub fn seed(mut self, seed: u64) -> Self {
        self.options.seed = seed;
        self
    }

    /// How many people are listed: at least 1, at most 10,000. Default: 4.
    pub fn people(mut self, count: usize) -> Self {
        self.options.people = count.clamp(1, MOST_PEOPLE);
        self
    }

    /// The address to listen on. Default: `127.0.0.1:0`, a free port on loopback.
    pub fn bind(mut self, address: impl Into<String>) -> Self {
        self.bind = address.into();
        self
    }

    /// Lets [`Self::bind`] name an address that other machines can reach. Off by default: the keys follow from the seed.
    pub fn allow_remote(mut self, allow: bool) -> Self {
        self.allow_remote = allow;
        self
    }

    /// Fixes the clock at noon UTC of a date, for tests: last night is over by then wherever the first five people live. Default: the
    /// machine's clock. Either can be moved with [`World::advance`].
    pub fn today(mut self, date: Date) -> Self {
        self.today = Some(date);
        self
    }

    /// How long an upload stays pending and processing. Default: zero, so that the first read after the upload finds it done.
    pub fn processing(mut self, time: Duration) -> Self {
        self.options.processing = time;
        self
    }

    /// How long a policy-benefits lookup stays pending, from the first question about it. Default: zero.
    pub fn benefits_lookup(mut self, time: Duration) -> Self {
        self.options.benefits = time;
        self
    }

    /// How long exchanged tokens last. Default: for ever, without `exp`.
    pub fn token_lifetime(mut self, time: Duration) -> Self {
        self.options.token_lifetime = Some(time);
        self
    }

    /// Answers null where a list would be empty, as some servers do. Default: off.
    pub fn null_for_empty(mut self, on: bool) -> Self {
        self.options.null_lists = on;
        self
    }

    /// Lets the sandbox reach a host besides this machine, as `name` (any port) or `name:port`: images by `body_url` come from there. By
    /// plain http only. May be called again for more hosts. Default: none.
    pub fn allow_host(mut self, host: impl Into<String>) -> Self {
        self.options.reach.allow(host.into());
        self
    }

    /// The service without a socket, to be served at `base_url` (no slash at its end) by another server.
    pub fn world(self, base_url: impl Into<String>) -> World {
        let source =
            self.today.map_or(Source::Real, |date| Source::Fixed(TimeZone::UTC.to_timestamp(date.at(12, 0, 0, 0)).unwrap_or_default()));
        World::new(self.options, Clock::new(source), base_url.into())
    }

    /// Binds and serves in the background, on the current tokio runtime (its io and time drivers must be on).
    ///
    /// # Errors
    ///
    /// [`Error`] if the address is not one, is not loopback, or is taken.
    pub async fn start(self) -> Result<Sandbox, Error> {
        let addresses: Vec<SocketAddr> = tokio::net::lookup_host(&self.bind).await.map_err(Error::Address)?.collect();
        if let Some(remote) = addresses.iter().find(|address| !address.ip().is_loopback())
            && !self.allow_remote
        {
            return Err(Error::NotLoopback(*remote));
        }
        let listener = TcpListener::bind(&addresses[..]).await.map_err(Error::Bind)?;
        let address = listener.local_addr().map_err(Error::Bind)?;
        let world = self.world(server::base_url(address));
        let (end, ended) = watch::channel(());
        let task = tokio::spawn(server::serve(listener, world.router(), ended));
        Ok(Sandbox::new(world, address, end, task))
    }
}

/// Why a sandbox did not start.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The address to listen on is none.
    Address(std::io::Error),
    /// The address can be reached from other machines, which [`Builder::allow_remote`] did not allow.
    NotLoopback(SocketAddr),
    /// Listening there failed.
    Bind(std::io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(error) => write!(formatter, "not an address to listen on: {error}"),
            Self::NotLoopback(address) => {
                write!(formatter, "{address} can be reached from other machines; allow_remote(true) would permit it")
            }
            Self::Bind(error) => write!(formatter, "cannot listen: {error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Address(error) | Self::Bind(error) => Some(error),
            Self::NotLoopback(_) => None,
        }
    }
}
