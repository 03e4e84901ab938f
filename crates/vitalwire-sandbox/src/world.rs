//! Everything the handlers share: who exists, what time it is, what was changed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::auth::{self, Claims};
use crate::clock::{Change, Clock, ClockError, Move, plus};
use crate::consent::Redirects;
use crate::control;
use crate::crypto;
use crate::faults::Faults;
use crate::intake::Bodies;
use crate::people::calendar::{FIRST_DAY, from_number, number};
use crate::people::night;
use crate::people::profile::{Profile, seeded_id};
use crate::processing::Pace;
use crate::reach::Reach;
use crate::requests::Requests;
use crate::routes;
use crate::server::Limits;
use crate::state::{MOST, Store, StoreError};
use crate::webhooks::{Key, Settings, Webhook, Webhooks};

/// Under this name the clock is kept in the database,
pub(crate) const CLOCK: &str = "clock";
/// and under this one the date of the first start.
const STARTED: &str = "started";

/// Settings that do not change while the sandbox runs.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// Whether other machines may be let in, which know this one by any name.
    pub(crate) allow_remote: bool,
    pub(crate) seed: u64,
    pub(crate) people: usize,
    pub(crate) pace: Pace,
    /// For a synchronous upload, in sandbox time and in real time.
    pub(crate) wait_limit: Duration,
    pub(crate) benefits: Duration,
    pub(crate) token_lifetime: Option<Duration>,
    pub(crate) null_lists: bool,
    pub(crate) limits: Limits,
    pub(crate) reach: Reach,
    pub(crate) webhooks: Vec<(Webhook, String)>,
    pub(crate) webhook_key: Option<Key>,
    pub(crate) redirects: Redirects,
}

/// The synthetic service without a socket: people, tokens and a router to embed in another server.
///
/// Clones share their state.
#[derive(Clone)]
pub struct World(Arc<Inner>);

struct Inner {
    options: Options,
    base_url: String,
    application_key: String,
    signing_key: [u8; 32],
    care_token: String,
    clock: Arc<Clock>,
    /// The clock's speed at the start.
    first_scale: f64,
    /// Held while the clock is changed and kept, so that the last change is the one kept.
    clock_changes: Mutex<()>,
    store: Store,
    webhooks: Webhooks,
    started: Date,
    people: Vec<Person>,
    requests: AtomicU64,
    bodies: Bodies,
    faults: Faults,
    log: Requests,
}

impl World {
    pub(crate) fn new(options: Options, clock: Arc<Clock>, store: Store, base_url: String) -> Self {
        let seed = options.seed.to_be_bytes();
        let now = clock.now();
        // Seeded lab reports hang on this date: they stay where they were when a database is opened again.
        let started = store.recall(STARTED).unwrap_or_else(|| now.to_zoned(TimeZone::UTC).date());
        // A file that cannot be written to has been refused before; from a disk that fills up right now, the next start begins anew.
        let _ = store.remember(STARTED, &started).and_then(|()| store.remember(CLOCK, &clock.line()));
        let world = Inner {
            webhooks: Webhooks::new(first_webhooks(&options)),
            first_scale: clock.scale(),
            application_key: crypto::hex(&crypto::digest(&[b"application key", &seed])[..16]),
            signing_key: crypto::digest(&[b"signing key", &seed]),
            care_token: format!("care-{}", crypto::hex(&crypto::digest(&[b"care token", &seed])[..16])),
            started,
            people: Vec::new(),
            requests: AtomicU64::new(0),
            bodies: Bodies::default(),
            clock_changes: Mutex::new(()),
            store,
            faults: Faults::default(),
            log: Requests::default(),
            clock,
            base_url,
            options,
        };
        let people = (1..=world.options.people)
            .map(|number| {
                let profile = Profile::new(world.options.seed, &seeded_id(number));
                let claims = Claims::new(application_id(world.options.seed), profile.user_id.clone(), now.as_second());
                Person {
                    user_id: profile.user_id.clone(),
                    display_name: profile.name.to_owned(),
                    token: auth::sign(&world.signing_key, &claims),
                    time_zone: profile.zone.name.to_owned(),
                    profile,
                }
            })
            .collect();
        Self(Arc::new(Inner { people, ..world }))
    }

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
        format!("{}{}", self.0.base_url, control::PREFIX)
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
        &self.0.care_token
    }

    /// The application that may exchange tokens.
    pub fn application_id(&self) -> i64 {
        application_id(self.0.options.seed)
    }

    /// An application that exists but is switched off: its calls are answered 401 "application not active".
    pub fn inactive_application_id(&self) -> i64 {
        self.application_id() + 1
    }

    /// The key under which user ids are signed for `POST /v3/auth/hmac`.
    pub fn application_key(&self) -> &str {
        &self.0.application_key
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
        auth::sign(&self.0.signing_key, claims)
    }

    /// The sandbox's present.
    pub fn now(&self) -> Timestamp {
        self.0.clock.now()
    }

    /// Counts real time, and what the clock was moved by hand: for links that people follow.
    pub(crate) fn now_for_people(&self) -> Timestamp {
        self.0.clock.for_people()
    }

    /// An instant of that count on the machine's clock.
    pub(crate) fn on_machine(&self, at: Timestamp) -> Timestamp {
        plus(at, -self.0.clock.moved())
    }

    /// The sandbox's present date in UTC.
    pub fn today(&self) -> Date {
        self.now().to_zoned(TimeZone::UTC).date()
    }

    /// The date of the morning on which a person's last night that is over by now ended.
    pub fn last_night(&self, person: &Person) -> Date {
        let now = self.now();
        let today = person.profile.rules.to_datetime(now).date();
        let (_, end) = night::bounds(&person.profile, today);
        if end <= now.as_second() { today } else { today.yesterday().unwrap_or(today) }
    }

    /// Moves the sandbox's clock forward, whether it runs or stands. With a database in a file, blocks until that is on the disk.
    ///
    /// # Errors
    ///
    /// [`ClockError::NotStored`] if it cannot be kept: then it has not moved.
    pub fn advance(&self, by: Duration) -> Result<(), ClockError> {
        self.change_clock(Change { to: Some(Move::By(by)), scale: None })
    }

    /// Moves the sandbox's clock forward to an instant; blocks like [`Self::advance`].
    ///
    /// # Errors
    ///
    /// [`ClockError::Backwards`] if the instant lies before the present; as for [`Self::advance`] else.
    pub fn set_time(&self, to: Timestamp) -> Result<(), ClockError> {
        self.change_clock(Change { to: Some(Move::To(to)), scale: None })
    }

    /// How many seconds pass in the sandbox in a real one: 0 if its clock stands still.
    pub fn scale(&self) -> f64 {
        self.0.clock.scale()
    }

    /// Lets the sandbox's clock run at another speed, in seconds per real second; 0 stops it. Blocks like [`Self::advance`].
    ///
    /// # Errors
    ///
    /// [`ClockError::Scale`] if it is no number from 0 to 1,000,000; as for [`Self::advance`] else.
    pub fn set_scale(&self, scale: f64) -> Result<(), ClockError> {
        self.change_clock(Change { to: None, scale: Some(scale) })
    }

    /// Kept first, then so: what is answered outlasts the program.
    pub(crate) fn change_clock(&self, change: Change) -> Result<(), ClockError> {
        let _guard = self.0.clock_changes.lock().unwrap_or_else(PoisonError::into_inner);
        let line = self.0.clock.plan(change)?;
        self.0.store.remember(CLOCK, &line).map_err(ClockError::NotStored)?;
        self.0.clock.take(line);
        Ok(())
    }

    /// Puts the sandbox back to how a new one with the same settings begins: without uploads and changes, integrations, consent pages and
    /// benefits lookups of callers, deliveries of webhooks, faults (also those of its start), logged requests; with the webhooks of its
    /// start. A database in a file is emptied. The clock never goes back: it stays where it is, and runs as fast as at the start. What the
    /// people measured meanwhile stays, because it follows from the clock.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if that cannot be kept: then at most the clock's speed has changed.
    pub async fn reset(&self) -> Result<(), StoreError> {
        let (world, scale) = (self.clone(), self.0.first_scale);
        // It may wait for a disk.
        // It may wait for a disk. Other errors there are none: the speed was good at the start.
        if let Ok(Err(ClockError::NotStored(error))) = tokio::task::spawn_blocking(move || world.set_scale(scale)).await {
            return Err(error);
        }
        self.0.store.forget_all().await?;
        self.reset_webhooks();
        self.0.faults.clear();
        self.0.log.clear();
        Ok(())
    }

    /// Sleeps until the sandbox's clock shows this instant or a later one.
    pub(crate) async fn sleep_until(&self, at: Timestamp) {
        self.0.clock.sleep_until(at).await;
    }

    /// The faults that are switched on. Those that break a connection need the sandbox's own socket: a request that another server passes
    /// on is answered 501 in their place.
    pub fn faults(&self) -> &Faults {
        &self.0.faults
    }

    /// The log of the last requests.
    pub fn requests(&self) -> &Requests {
        &self.0.log
    }

    /// How many uploaded or changed records and connections are forgotten. Without a [database in a file](crate::Builder::database) about
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

    /// How long what callers upload is kept, for people.
    pub(crate) fn keeps(&self) -> String {
        if self.0.store.is_durable() {
            return "Uploads and changes are kept in a file.".to_owned();
        }
        match self.forgotten() {
            0 => format!("Uploads and changes are kept in memory, about {MOST} of a kind. With --db FILE all are."),
            count => format!(
                "The oldest uploads and changes are forgotten, {count} so far: about {MOST} of a kind are kept. With --db FILE all are."
            ),
        }
    }

    /// The whole service as an axum router, to be served at [`World::base_url`].
    pub fn router(&self) -> Router {
        routes::router(self.clone())
    }

    pub(crate) fn limits(&self) -> Limits {
        self.0.options.limits
    }

    /// The room for bodies of requests.
    pub(crate) fn bodies(&self) -> &Bodies {
        &self.0.bodies
    }

    pub(crate) fn options(&self) -> &Options {
        &self.0.options
    }

    pub(crate) fn seed(&self) -> u64 {
        self.0.options.seed
    }

    pub(crate) fn signing_key(&self) -> &[u8] {
        &self.0.signing_key
    }

    pub(crate) fn store(&self) -> &Store {
        &self.0.store
    }

    pub(crate) fn webhooks(&self) -> &Webhooks {
        &self.0.webhooks
    }

    /// The settings of a sandbox that begins.
    pub(crate) fn first_webhooks(&self) -> Settings {
        first_webhooks(&self.0.options)
    }

    /// Whether the program that started this sandbox said where webhooks go or how they are signed.
    pub(crate) fn webhooks_given(&self) -> bool {
        !self.0.options.webhooks.is_empty() || self.0.options.webhook_key.is_some()
    }

    /// Where users may be sent back to.
    pub(crate) fn redirects(&self) -> &Redirects {
        &self.0.options.redirects
    }

    /// The hosts the sandbox talks to of its own accord.
    pub(crate) fn reach(&self) -> &Reach {
        &self.0.options.reach
    }

    /// The number of the request that begins now.
    pub(crate) fn next_request(&self) -> u64 {
        self.0.requests.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn profile(&self, user_id: &str) -> Profile {
        Profile::new(self.seed(), user_id)
    }

    /// The UTC date on which the sandbox started: seeded lab reports hang on it.
    pub(crate) fn started(&self) -> Date {
        self.0.started
    }

    pub(crate) fn token_end(&self, now: Timestamp) -> Option<i64> {
        let lifetime = SignedDuration::try_from(self.0.options.token_lifetime?).unwrap_or(SignedDuration::MAX);
        Some(plus(now, lifetime).as_second())
    }

    /// When a benefits lookup that began at `first` is over.
    pub(crate) fn benefits_at(&self, first: Timestamp) -> Timestamp {
        plus(first, SignedDuration::try_from(self.0.options.benefits).unwrap_or(SignedDuration::MAX))
    }

    /// Whether an empty list is answered as null, as some servers do.
    pub(crate) fn null_lists(&self) -> bool {
        self.0.options.null_lists
    }

    /// A list as this sandbox answers it.
    pub(crate) fn list(&self, items: Vec<Value>) -> Value {
        if items.is_empty() && self.null_lists() { Value::Null } else { Value::Array(items) }
    }

    /// The last day that has begun somewhere.
    fn last_day(&self) -> Date {
        self.today().tomorrow().unwrap_or(Date::MAX)
    }

    /// Whether a day may have data: from the first on, until the present.
    pub(crate) fn has_day(&self, day: Date) -> bool {
        (FIRST_DAY..=self.last_day()).contains(&day)
    }

    /// The days that may have data within `from` and `to`, both included.
    pub(crate) fn days(&self, from: Date, to: Date) -> impl Iterator<Item = Date> + Send + use<> {
        let (first, last) = (from.max(FIRST_DAY), to.min(self.last_day()));
        (number(first)..=number(last)).filter_map(|day| from_number(i32::try_from(day).ok()?))
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("World").field("base_url", &self.0.base_url).finish_non_exhaustive()
    }
}

fn first_webhooks(options: &Options) -> Settings {
    let key = || Key(format!("webhook-{}", crypto::hex(&crypto::digest(&[b"webhook key", &options.seed.to_be_bytes()])[..16])));
    let mut settings = Settings::new(options.webhook_key.clone().unwrap_or_else(key));
    for (webhook, url) in &options.webhooks {
        settings.set_url(*webhook, Some(url.clone()));
    }
    settings
}

fn application_id(seed: u64) -> i64 {
    (10_000 + seed % 10_000 * 10).cast_signed()
}

/// A seeded synthetic person.
#[derive(Clone)]
#[non_exhaustive]
pub struct Person {
    /// The application's id of this user.
    pub user_id: String,
    /// An invented name.
    pub display_name: String,
    /// A bearer token for the main service; it never expires.
    pub token: String,
    /// The IANA name of the time zone this person lives in.
    pub time_zone: String,
    profile: Profile,
}

impl Person {
    /// The id of the sleep that ended on the morning of `date`, local time. The interface has no operation that lists sleeps, so this is
    /// how a caller learns one. A night before 2020-01-01 or not yet over has an id too; asking for it is answered 404.
    pub fn sleep_id(&self, date: Date) -> String {
        self.profile.dated_id("sleep", date, 0).to_string()
    }
}

impl std::fmt::Debug for Person {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Person")
            .field("user_id", &self.user_id)
            .field("display_name", &self.display_name)
            .field("time_zone", &self.time_zone)
            .finish_non_exhaustive()
    }
}
