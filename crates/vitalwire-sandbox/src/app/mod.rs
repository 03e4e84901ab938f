//! [`AppState`]: the state of a sandbox.

mod api;
mod person;
mod settings;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::Value;

pub use self::person::Person;
pub(crate) use self::settings::{Limits, Settings};
use crate::clock::Clock;
use crate::faults::Faults;
use crate::integrations::Integrations;
use crate::people::population::Population;
use crate::people::profile::Profile;
use crate::processing::Processing;
use crate::request_bodies::BodyBudget;
use crate::requests::Requests;
use crate::sources::Sources;
use crate::store::{MAX_DOCUMENTS, Store};
use crate::tokens::Keys;
use crate::webhooks::Webhooks;

/// Path of the control routes below the base URL.
pub(crate) const CONTROL_PREFIX: &str = "/_sandbox";
/// Database key of the date of the first start.
const STARTED: &str = "started";
/// Number of people whose new data is announced by webhooks, starting with the first.
const MAX_ANNOUNCED: usize = 50;

/// The synthetic service without a socket: people, tokens and a router to embed in another server.
///
/// Clones share their state.
#[derive(Clone)]
pub struct AppState(Arc<Inner>);

struct Inner {
    settings: Settings,
    data_set: String,
    base_url: String,
    keys: Keys,
    people: Vec<Person>,
    population: Arc<Population>,
    started: Date,
    clock: Arc<Clock>,
    store: Arc<Store>,
    sources: Sources,
    integrations: Integrations,
    webhooks: Webhooks,
    processing: Processing,
    body_budget: BodyBudget,
    faults: Faults,
    log: Arc<Requests>,
    next_request: AtomicU64,
}

impl AppState {
    pub(crate) fn new(settings: Settings, clock: Arc<Clock>, store: Arc<Store>, base_url: String) -> Self {
        let now = clock.now();
        // Seeded lab reports are dated relative to this date, so it stays the same when a database is opened again.
        let started = store.read_setting(STARTED).unwrap_or_else(|| now.to_zoned(TimeZone::UTC).date());
        // An unwritable file was rejected earlier. If the disk is full, date and clock rate are not stored.
        let _ = store.write_setting(STARTED, &started).and_then(|()| clock.store_rate(&store));
        let keys = Keys::new(settings.seed);
        let population =
            Arc::new(Population::new(settings.missing, settings.effects).with_deliveries(settings.deliveries.clone(), started));
        let people = Person::seeded(&settings, &population, &keys, now);
        let sources = Sources::new(Arc::clone(&store), started);
        let announced_people = people.iter().take(MAX_ANNOUNCED).map(|person| person.profile().clone()).collect();
        let webhooks = Webhooks::new(
            settings.initial_webhooks(),
            Arc::clone(&store),
            Arc::clone(&clock),
            sources.clone(),
            settings.outbound.clone(),
            announced_people,
        );
        let integrations = Integrations::new(Arc::clone(&store), Arc::clone(&clock), sources.clone(), webhooks.clone());
        let (duration, limit) = (settings.duration, settings.wait_limit);
        let processing = Processing::new(Arc::clone(&store), Arc::clone(&clock), webhooks.clone(), duration, limit);
        Self(Arc::new(Inner {
            data_set: settings.data_set(),
            settings,
            base_url,
            keys,
            people,
            population,
            started,
            clock,
            store,
            sources,
            integrations,
            webhooks,
            processing,
            body_budget: BodyBudget::default(),
            faults: Faults::default(),
            log: Arc::default(),
            next_request: AtomicU64::new(0),
        }))
    }

    /// Returns the name of the data set.
    pub(crate) fn data_set(&self) -> &str {
        &self.0.data_set
    }

    /// Returns a text for the page about how long uploads are kept.
    pub(crate) fn retention_text(&self) -> String {
        if self.0.store.is_durable() {
            return "Uploads and changes are stored in a file.".to_owned();
        }
        match self.forgotten() {
            0 => format!("Uploads and changes are kept in memory, about {MAX_DOCUMENTS} of each kind. With --db FILE, all are kept."),
            count => format!(
                "{count} of the oldest uploads and changes were removed. About {MAX_DOCUMENTS} of each kind are kept, all with --db FILE."
            ),
        }
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.0.settings
    }

    pub(crate) fn keys(&self) -> &Keys {
        &self.0.keys
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.0.clock
    }

    pub(crate) fn store(&self) -> &Store {
        &self.0.store
    }

    pub(crate) fn sources(&self) -> &Sources {
        &self.0.sources
    }

    pub(crate) fn integrations(&self) -> &Integrations {
        &self.0.integrations
    }

    pub(crate) fn webhooks(&self) -> &Webhooks {
        &self.0.webhooks
    }

    pub(crate) fn processing(&self) -> &Processing {
        &self.0.processing
    }

    /// Returns the memory budget for request bodies.
    pub(crate) fn body_budget(&self) -> &BodyBudget {
        &self.0.body_budget
    }

    /// Returns the shared log, for requests that outlive their handler.
    pub(crate) fn log(&self) -> &Arc<Requests> {
        &self.0.log
    }

    /// Returns the UTC date of the first start. Seeded lab reports are dated relative to it.
    pub(crate) fn started(&self) -> Date {
        self.0.started
    }

    pub(crate) fn next_request(&self) -> u64 {
        self.0.next_request.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn profile(&self, user_id: &str) -> Profile {
        Profile::new(self.0.settings.seed, user_id, &self.0.population)
    }

    /// Returns a list as JSON, with null for an empty one if [`Builder::null_for_empty`](crate::Builder::null_for_empty) is set.
    pub(crate) fn list(&self, items: Vec<Value>) -> Value {
        if items.is_empty() && self.0.settings.null_lists { Value::Null } else { Value::Array(items) }
    }
}

impl std::fmt::Debug for AppState {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("AppState").field("base_url", &self.0.base_url).finish_non_exhaustive()
    }
}
