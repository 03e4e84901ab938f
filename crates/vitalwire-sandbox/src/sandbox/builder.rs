//! Starting a sandbox.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::{Error, Sandbox};
use crate::app::{AppState, Settings};
use crate::clock::{Clock, Kept};
use crate::processing::Pace;
use crate::replay::Replay;
use crate::server;
use crate::store::{DatabaseError, Reason, Store};
use crate::values::calendar::noon;
use crate::values::text;
use crate::webhooks::{self, Key, Webhook};

/// The name in the database of the date of the last start: null without one.
const TODAY: &str = "today";

/// Each seeded person's token is made at the start. Any other user id has data as well.
const MAX_PEOPLE: usize = 10_000;
/// Systems allow a process about as many files.
const MAX_CONNECTIONS: usize = 65_536;

/// Settings of a sandbox. Nothing has to be set.
#[derive(Clone, Debug)]
#[must_use]
pub struct Builder {
    bind: String,
    today: Option<Date>,
    time_scale: Option<f64>,
    database: Option<PathBuf>,
    replay: Option<PathBuf>,
    settings: Settings,
}

impl Default for Builder {
    fn default() -> Self {
        Self { bind: "127.0.0.1:0".to_owned(), today: None, time_scale: None, database: None, replay: None, settings: Settings::default() }
    }
}

impl Builder {
    /// Seed of every person's numbers, of ids, keys and tokens. Defaults to 1.
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// Number of seeded people, 1 to 10,000. Defaults to 4.
    pub fn people(mut self, count: usize) -> Self {
        self.settings.people = count.clamp(1, MAX_PEOPLE);
        self
    }

    /// Address to listen on. Defaults to `127.0.0.1:0`, a free port on loopback.
    pub fn bind(mut self, address: impl Into<String>) -> Self {
        self.bind = address.into();
        self
    }

    /// Allows [`Self::bind`] an address that other machines can reach, and any `Host` except on the control routes. Defaults to false,
    /// because the keys follow from the seed.
    pub fn allow_remote(mut self, allow: bool) -> Self {
        self.settings.allow_remote = allow;
        self
    }

    /// Stops the clock at noon UTC of a date, for tests: last night is over by then wherever the first five people live. Defaults to the
    /// machine's clock. Either can be moved with [`AppState::advance`]. A [database](Self::database) that was last started with the same date
    /// goes on where its clock was; for another date, which its clock has passed, the start is an error.
    pub fn today(mut self, date: Date) -> Self {
        self.today = Some(date);
        self
    }

    /// Sandbox seconds per real second, 0 to 1,000,000. Defaults to 1, or 0 with [`Self::today`].
    pub fn time_scale(mut self, scale: f64) -> Self {
        self.time_scale = Some(scale);
        self
    }

    /// Keeps what is uploaded and changed in this file, an SQLite database that is made if it is missing and that its owner alone can
    /// read. Defaults to memory. What was answered is on the disk; a later start with the same seed continues with it.
    pub fn database(mut self, path: impl Into<PathBuf>) -> Self {
        self.database = Some(path.into());
        self
    }

    /// Answers with the exchanges that `vitalwire record` wrote into a folder, by method, path and query, in turn; any token is good.
    /// Anything else is answered 501. Defaults to none.
    pub fn replay(mut self, folder: impl Into<PathBuf>) -> Self {
        self.replay = Some(folder.into());
        self
    }

    /// Duration of an analysis. Defaults to zero: the first read after the upload finds it completed.
    pub fn processing(mut self, time: Duration) -> Self {
        self.settings.pace = Pace::Fixed(time);
        self
    }

    /// Makes analyses take as long as publicly stated: 4 to 30 seconds for a meal, 10 to 60 for a lab report, by their contents. Meant for a
    /// [scaled](Self::time_scale) clock, or one moved by hand.
    pub fn typical_processing(mut self) -> Self {
        self.settings.pace = Pace::Typical;
        self
    }

    /// Timeout of an upload with `wait_on_process`, on the sandbox's clock and, where that stands still or is slow, in real time. After it
    /// the record has failed for good. Defaults to 60 seconds.
    pub fn wait_limit(mut self, time: Duration) -> Self {
        self.settings.wait_limit = time;
        self
    }

    /// Duration of a policy-benefits lookup, from the first request for it. Defaults to zero.
    pub fn benefits_lookup(mut self, time: Duration) -> Self {
        self.settings.benefits = time;
        self
    }

    /// Lifetime of exchanged tokens. Defaults to no end, without `exp`.
    pub fn token_lifetime(mut self, time: Duration) -> Self {
        self.settings.token_lifetime = Some(time);
        self
    }

    /// Answers null instead of an empty list, as some servers do. Defaults to false.
    pub fn null_for_empty(mut self, on: bool) -> Self {
        self.settings.null_lists = on;
        self
    }

    /// Allows requests to a host besides this machine, as `name` (any port) or `name:port`, by plain http: for images by `body_url` and for
    /// webhooks. May be called again for more hosts. Defaults to none.
    pub fn allow_host(mut self, host: impl Into<String>) -> Self {
        self.settings.outbound.allow(host.into());
        self
    }

    /// Maximum number of connections, at least 1. For one more, the one that is idle longest is closed; where none is idle, it waits.
    /// Defaults to 256.
    pub fn connections(mut self, count: usize) -> Self {
        self.settings.limits.connections = count.clamp(1, MAX_CONNECTIONS);
        self
    }

    /// Timeouts for the headers of a request (also of the next one on an idle connection) and for its body. A slower client is
    /// disconnected; a slow body is answered 408 first. A large body waits for room up to a third of the second timeout. Defaults to 20 and
    /// 30 seconds.
    pub fn patience(mut self, headers: Duration, body: Duration) -> Self {
        (self.settings.limits.headers, self.settings.limits.body) = (headers, body);
        self
    }

    /// Sends webhooks of a kind to a URL: plain http, on this machine or a host of [`Self::allow_host`]. The control route
    /// `/_sandbox/webhooks` changes it later. An [`AppState`] without a socket sends none. Defaults to no webhooks.
    pub fn webhook(mut self, webhook: Webhook, url: impl Into<String>) -> Self {
        self.settings.webhooks.push((webhook, url.into()));
        self
    }

    /// Key that signs webhooks. A byte order mark before it and line ends behind it are removed. Defaults to one that follows from the
    /// seed, [`AppState::webhook_key`].
    pub fn webhook_key(mut self, key: impl Into<String>) -> Self {
        self.settings.webhook_key = Some(Key(text::without_line_ends(&key.into()).to_owned()));
        self
    }

    /// Lets consent lead back to this domain and all below it, besides this machine and `example.com`, `example.org`, `example.net`. May be
    /// called again.
    pub fn allow_redirects_to(mut self, domain: impl AsRef<str>) -> Self {
        self.settings.redirects.allow(domain.as_ref());
        self
    }

    /// Where consent leads without a `redirect_uri`: an http or https URL that may hold `{application_user_id}`,
    /// `{provider_slug}` and `{provider_user_id}`. Defaults to a page below `https://app.example.com/integrated/`.
    pub fn default_redirect(mut self, template: impl Into<String>) -> Self {
        self.settings.redirects.set_default(template.into());
        self
    }

    /// The service without a socket, to be served at `base_url` (no slash at its end) by another server. Opens the database, which blocks.
    ///
    /// # Errors
    ///
    /// [`Error`] if the database cannot be used, or a setting is out of range.
    pub fn app(mut self, base_url: impl Into<String>) -> Result<AppState, Error> {
        self.settings.replay = self.replay.take().map(|folder| Replay::read(&folder)).transpose().map_err(Error::Replay)?;
        for (_, url) in &self.settings.webhooks {
            self.settings.outbound.parse(url).map_err(|denied| Error::Webhook(url.clone(), denied.text()))?;
        }
        let (store, clock) = self.open()?;
        Ok(AppState::new(self.settings, clock, store, base_url.into()))
    }

    fn open(&self) -> Result<(Arc<Store>, Arc<Clock>), Error> {
        if !self.settings.redirects.has_default() {
            return Err(Error::Redirect);
        }
        let store = Store::open(self.database.as_deref(), self.settings.seed).map_err(Error::Database)?;
        let kept = Kept::read(&store);
        self.check_today(&store, kept.shown(Timestamp::now()))?;
        let clock = Arc::new(Clock::start(self.today, self.time_scale, &kept).map_err(Error::Clock)?);
        let shown = Arc::clone(&clock);
        // A file that cannot be written to has been refused before; from a disk that fills up right now, the next start begins anew.
        let _ = store.remember(TODAY, &self.today).and_then(|()| store.follow(move |ahead| shown.seen_after(ahead)));
        Ok((Arc::new(store), clock))
    }

    /// Checks that a clock which was left at `its` may stop at the requested date. The date of the last start means to continue.
    fn check_today(&self, store: &Store, its: Option<Timestamp>) -> Result<(), Error> {
        let (Some(asked), Some(its)) = (self.today, its) else { return Ok(()) };
        if its <= noon(asked) || store.recall(TODAY) == Some(Some(asked)) {
            return Ok(());
        }
        let path = self.database.clone().unwrap_or_default();
        Err(Error::Database(DatabaseError::new(path, Reason::LaterDay { its, asked })))
    }

    /// Binds and serves in the background, on the current tokio runtime (its io and time drivers must be on).
    ///
    /// # Errors
    ///
    /// [`Error`] if the address is invalid, is not loopback, or is taken; otherwise as for [`Self::app`].
    pub async fn start(self) -> Result<Sandbox, Error> {
        let addresses: Vec<SocketAddr> = tokio::net::lookup_host(&self.bind).await.map_err(Error::Address)?.collect();
        if let Some(remote) = addresses.iter().find(|address| !address.ip().is_loopback())
            && !self.settings.allow_remote
        {
            return Err(Error::NotLoopback(*remote));
        }
        let listener = TcpListener::bind(&addresses[..]).await.map_err(Error::Bind)?;
        let address = listener.local_addr().map_err(Error::Bind)?;
        let opened = tokio::task::spawn_blocking(move || self.app(server::base_url(address)));
        let app = opened.await.map_err(|_| Error::Bind(std::io::Error::other("the start was broken off")))??;
        let (end, ended) = watch::channel(());
        if !app.settings().names_webhooks() {
            app.webhooks().restore().await;
        }
        let (router, limits, sender) = (app.router(), app.settings().limits, webhooks::run(app.webhooks().clone(), ended.clone()));
        let task = tokio::spawn(async move {
            let sending = tokio::spawn(sender);
            server::serve(listener, router, limits, ended).await;
            let _ = sending.await;
        });
        Ok(Sandbox::new(app, address, end, task))
    }
}
