//! [`Builder`]: settings and start of a sandbox.

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
use crate::clock::{Clock, StoredClock};
use crate::people::delivery::Deliveries;
use crate::people::effects::Effects;
use crate::people::population::MAX_MISSING;
use crate::processing::AnalysisDuration;
use crate::replay::Replay;
use crate::server;
use crate::store::{DatabaseError, Reason, Store};
use crate::values::calendar::noon;
use crate::values::text;
use crate::webhooks::{self, SigningKey, Webhook};

/// Database key of the `today` setting of the last start. Null if it was not set.
const TODAY: &str = "today";

/// Limited because a token is created for each seeded person at the start.
const MAX_PEOPLE: usize = 10_000;
/// About the number of files that a process may open.
const MAX_CONNECTIONS: usize = 65_536;

/// Settings of a sandbox. All of them are optional.
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
    /// Seed of all synthetic values, ids, keys and tokens. Defaults to 1.
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// Number of seeded people, clamped to 1 to 10,000. Defaults to 4.
    pub fn people(mut self, count: usize) -> Self {
        self.settings.people = count.clamp(1, MAX_PEOPLE);
        self
    }

    /// Share of days without data, 0 to 0.9. Defaults to 0.
    ///
    /// On such a day, no device delivers anything, nor of the night before. Of the other nights, half this share is missing too.
    /// A gap lasts one to three days or more. Meals and lab reports are not affected.
    pub fn missing(mut self, share: f64) -> Self {
        self.settings.missing = share;
        self
    }

    /// True effects in the data of all people, for analyses to find. Defaults to none.
    pub fn effects(mut self, effects: Effects) -> Self {
        self.settings.effects = effects;
        self
    }

    /// People whose data arrives late, never, or only from a day on. Meals and lab reports are not affected, and no webhooks announce nights
    /// that arrive late. Defaults to none.
    pub fn deliveries(mut self, deliveries: Deliveries) -> Self {
        self.settings.deliveries = deliveries;
        self
    }

    /// Address to listen on. Defaults to `127.0.0.1:0`, a free port on loopback.
    pub fn bind(mut self, address: impl Into<String>) -> Self {
        self.bind = address.into();
        self
    }

    /// Allows [`Self::bind`] an address that other machines can reach, and any `Host` header except on the control routes.
    /// Keys and tokens can be derived from the seed, so enable this only on a trusted network. Defaults to false.
    pub fn allow_remote(mut self, allow: bool) -> Self {
        self.settings.allow_remote = allow;
        self
    }

    /// Stops the clock at noon UTC of this date, for reproducible tests. Defaults to the machine's clock.
    ///
    /// At noon UTC, last night has ended in the time zones of the first five people, except on trips and with later mornings by
    /// [effects](Self::effects). [`AppState::advance`] moves the clock. A [database](Self::database) last started with the same date
    /// continues at its stored time. The start fails with any other date if the stored time is already past it.
    pub fn today(mut self, date: Date) -> Self {
        self.today = Some(date);
        self
    }

    /// Clock speed in sandbox seconds per real second, 0 to 1,000,000. Defaults to 1, or to 0 with [`Self::today`].
    pub fn time_scale(mut self, scale: f64) -> Self {
        self.time_scale = Some(scale);
        self
    }

    /// Stores uploads and changes in this SQLite file, which is created if it is missing and readable by its owner only.
    ///
    /// A change is on disk before its response is sent. A later start with the same seed continues with the stored data. Defaults to
    /// memory.
    pub fn database(mut self, path: impl Into<PathBuf>) -> Self {
        self.database = Some(path.into());
        self
    }

    /// Replays exchanges that `vitalwire record` wrote into this folder. They are matched by method, path and query, in recorded order.
    /// They need [`Sandbox::replay_token`], except the token exchange. Other requests get a 501 response. Faults apply to recorded
    /// responses, too. Defaults to no replay.
    pub fn replay(mut self, folder: impl Into<PathBuf>) -> Self {
        self.replay = Some(folder.into());
        self
    }

    /// Duration of an analysis. Defaults to zero: it is completed at the first read after the upload.
    pub fn processing(mut self, time: Duration) -> Self {
        self.settings.duration = AnalysisDuration::Fixed(time);
        self
    }

    /// Uses publicly stated analysis durations: 4 to 30 seconds for a meal, 10 to 60 for a lab report, depending on the content.
    /// Combine it with [`Self::time_scale`] or move the clock by hand to avoid long waits.
    pub fn typical_processing(mut self) -> Self {
        self.settings.duration = AnalysisDuration::Typical;
        self
    }

    /// Timeout of an upload with `wait_on_process`, after which the record is failed permanently. Defaults to 60 seconds.
    ///
    /// It is measured on the sandbox's clock, and in real time if that clock is stopped or slow.
    pub fn wait_limit(mut self, time: Duration) -> Self {
        self.settings.wait_limit = time;
        self
    }

    /// Duration of a policy-benefits lookup, from its first request. Defaults to zero.
    pub fn benefits_lookup(mut self, time: Duration) -> Self {
        self.settings.benefits = time;
        self
    }

    /// Lifetime of exchanged tokens. Defaults to unlimited: tokens have no `exp` claim.
    pub fn token_lifetime(mut self, time: Duration) -> Self {
        self.settings.token_lifetime = Some(time);
        self
    }

    /// Returns null instead of empty lists, as some servers do. Defaults to false.
    pub fn null_for_empty(mut self, on: bool) -> Self {
        self.settings.null_lists = on;
        self
    }

    /// Allows plain HTTP requests from the sandbox to this host, as `name` (any port) or `name:port`.
    ///
    /// Such requests fetch images by `body_url` and send webhooks. Can be called several times. Defaults to this machine only.
    pub fn allow_host(mut self, host: impl Into<String>) -> Self {
        self.settings.outbound.allow(host.into());
        self
    }

    /// Maximum number of connections, at least 1. Defaults to 256.
    ///
    /// At the limit, a new connection replaces the longest idle one, or waits if none is idle.
    pub fn connections(mut self, count: usize) -> Self {
        self.settings.limits.connections = count.clamp(1, MAX_CONNECTIONS);
        self
    }

    /// Timeouts for the headers and for the body of a request. Defaults to 20 and 30 seconds.
    ///
    /// The header timeout also covers the wait for the next request on an idle connection. A client that exceeds a timeout is
    /// disconnected; a slow body gets a 408 response first. A large body waits for memory for up to a third of the body timeout.
    pub fn patience(mut self, headers: Duration, body: Duration) -> Self {
        (self.settings.limits.headers, self.settings.limits.body) = (headers, body);
        self
    }

    /// Sends webhooks of this kind to a URL: plain HTTP, on this machine or a host of [`Self::allow_host`]. Defaults to no webhooks.
    ///
    /// The control route `/_sandbox/webhooks` can change the URL later. An [`AppState`] without a socket sends no webhooks.
    pub fn webhook(mut self, webhook: Webhook, url: impl Into<String>) -> Self {
        self.settings.webhooks.push((webhook, url.into()));
        self
    }

    /// Key that signs webhooks. A leading byte order mark and trailing line ends are removed.
    /// Defaults to a key derived from the seed, see [`AppState::webhook_key`].
    pub fn webhook_key(mut self, key: impl Into<String>) -> Self {
        self.settings.webhook_key = Some(SigningKey(text::without_line_ends(&key.into()).to_owned()));
        self
    }

    /// Allows consent redirects to this domain and its subdomains. Can be called several times.
    /// This machine, `example.com`, `example.org` and `example.net` are always allowed.
    pub fn allow_redirects_to(mut self, domain: impl AsRef<str>) -> Self {
        self.settings.redirects.allow_domain(domain.as_ref());
        self
    }

    /// Redirect target of consent without a `redirect_uri`: an http or https URL.
    ///
    /// The placeholders `{application_user_id}`, `{provider_slug}` and `{provider_user_id}` are replaced.
    /// Defaults to a page below `https://app.example.com/integrated/`.
    pub fn default_redirect(mut self, template: impl Into<String>) -> Self {
        self.settings.redirects.set_default(template.into());
        self
    }

    /// Creates the service without a socket, for another server to serve at `base_url` (without a trailing slash).
    /// Opens the database, which blocks.
    ///
    /// # Errors
    ///
    /// [`Error`] if the database cannot be used or a setting is out of range.
    pub fn app(mut self, base_url: impl Into<String>) -> Result<AppState, Error> {
        self.settings.replay = self.replay.take().map(|folder| Replay::read(&folder)).transpose().map_err(Error::Replay)?;
        for (_, url) in &self.settings.webhooks {
            self.settings.outbound.parse(url).map_err(|error| Error::Webhook(url.clone(), error.message()))?;
        }
        let (store, clock) = self.open()?;
        Ok(AppState::new(self.settings, clock, store, base_url.into()))
    }

    fn open(&self) -> Result<(Arc<Store>, Arc<Clock>), Error> {
        if !(0.0..=MAX_MISSING).contains(&self.settings.missing) {
            return Err(Error::Missing);
        }
        if self.settings.deliveries.has_other_user(self.settings.people) {
            return Err(Error::Delivery);
        }
        if !self.settings.redirects.has_default() {
            return Err(Error::Redirect);
        }
        let store = Store::open(self.database.as_deref(), self.settings.seed).map_err(Error::Database)?;
        let stored = StoredClock::read(&store);
        self.check_today(&store, stored.resume_time(Timestamp::now()))?;
        let clock = Arc::new(Clock::start(self.today, self.time_scale, &stored).map_err(Error::Clock)?);
        let shown = Arc::clone(&clock);
        // An unwritable file was rejected by `open`. If the disk is full, date and time are not stored.
        let _ = store.write_setting(TODAY, &self.today).and_then(|()| store.track_clock(move |ahead| shown.seen_after(ahead)));
        Ok((Arc::new(store), clock))
    }

    /// Checks that a clock at the `stored` time may stop at the requested date. The date of the last start continues at the stored time.
    fn check_today(&self, store: &Store, stored: Option<Timestamp>) -> Result<(), Error> {
        let (Some(requested), Some(stored)) = (self.today, stored) else { return Ok(()) };
        if stored <= noon(requested) || store.read_setting(TODAY) == Some(Some(requested)) {
            return Ok(());
        }
        let path = self.database.clone().unwrap_or_default();
        Err(Error::Database(DatabaseError::new(path, Reason::LaterDay { stored, requested })))
    }

    /// Binds the address and serves in the background, on the current tokio runtime. The runtime needs its I/O and time drivers.
    ///
    /// # Errors
    ///
    /// [`Error`] if the address is invalid, not loopback, or in use. See [`Self::app`] for other errors.
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
        let app = opened.await.map_err(|_| Error::Bind(std::io::Error::other("the start was cancelled")))??;
        let (end, ended) = watch::channel(());
        if !app.settings().has_webhooks() {
            app.webhooks().restore().await;
        }
        let (router, limits, sender) = (app.router(), app.settings().limits, webhooks::run(app.webhooks().clone(), ended.clone()));
        let task = tokio::spawn(async move {
            let sending = tokio::spawn(sender);
            server::serve(listener, router, limits, ended).await;
            let _ = sending.await;
        });
        Ok(Sandbox { app, address, end, task })
    }
}
