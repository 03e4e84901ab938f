//! Observations of each case in each run.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use aho_corasick::AhoCorasick;
use serde_json::Value;

use super::expect::{self, Arrived};
use crate::case::{Case, Reply, Service};
use crate::set::Set;

/// Observations of one case in one run.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Number of requests that each exchange has served.
    used: Vec<u32>,
    /// Errors in the requests.
    pub(super) faults: Vec<String>,
    /// Times when a client closed a connection before its response was complete.
    pub(super) left: Vec<Instant>,
    /// The outcome that the runner posted, and the time.
    pub(super) posted: Option<(Value, Instant)>,
    /// Start of the last response.
    pub(super) answered: Option<Instant>,
    /// Connections that had requests.
    pub(super) connections: BTreeSet<u64>,
}

type RunAndCase = (String, String);

/// Each case has its own lock: comparing large bodies under a shared one would make other cases miss deadlines.
type Locked = Arc<Mutex<Seen>>;

/// All observations of the judge.
#[derive(Debug)]
pub(super) struct State {
    pub(super) set: Arc<Set>,
    seen: Mutex<HashMap<RunAndCase, Locked>>,
    /// Texts by run that belong to no single case.
    texts: Mutex<HashMap<String, Vec<String>>>,
}

impl State {
    pub(super) fn new(set: Arc<Set>) -> Self {
        Self { set, seen: Mutex::default(), texts: Mutex::default() }
    }

    /// Adds texts of a run.
    pub(super) fn texts(&self, run: &str, more: Vec<String>) {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner).entry(run.to_owned()).or_default().extend(more);
    }

    /// Returns the secrets that appear in a text of a run.
    pub(super) fn shown<'a>(&self, run: &str, secrets: &[&'a str]) -> anyhow::Result<BTreeSet<&'a str>> {
        let search = AhoCorasick::new(secrets)?;
        let texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let found = texts.get(run).into_iter().flatten().flat_map(|text| search.find_overlapping_iter(text));
        Ok(found.filter_map(|found| secrets.get(found.pattern().as_usize()).copied()).collect())
    }

    /// Reads or changes the observations of a case.
    pub(super) fn of<T>(&self, run: &str, case: &str, look: impl FnOnce(&mut Seen) -> T) -> T {
        let seen =
            Arc::clone(self.seen.lock().unwrap_or_else(PoisonError::into_inner).entry((run.to_owned(), case.to_owned())).or_default());
        look(&mut seen.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the response to a request. `None` if the case has none.
    pub(super) fn answer<'a>(&self, run: &str, case: &'a Case, arrived: &Arrived<'_>) -> Option<&'a Reply> {
        self.of(run, &case.id, |seen| {
            seen.connections.insert(arrived.way.connection);
            let by_proxy = arrived.way.by_proxy;
            seen.used.resize(case.exchanges.len(), 0);
            if by_proxy != case.client.proxy.is_some() {
                seen.faults.push(format!(
                    "request {}: {}",
                    total(seen) + 1,
                    if by_proxy { "came by the proxy" } else { "came past the proxy" }
                ));
            }
            let unused = |at: &usize| seen.used.get(*at).copied() < case.exchanges.get(*at).map(|exchange| exchange.times);
            let free: Vec<usize> = (0..case.exchanges.len()).filter(unused).collect();
            let answered = seen.answered;
            let differ = |at: usize| {
                case.exchanges.get(at).map_or_else(Vec::new, |exchange| {
                    expect::differences(&exchange.request, arrived, usual_token(arrived.service), answered)
                })
            };
            let chosen = if case.any_order { free.iter().copied().find(|at| differ(*at).is_empty()) } else { None };
            let Some(at) = chosen.or_else(|| free.first().copied()) else {
                let path = arrived.path.split('?').next().unwrap_or_default();
                seen.faults.push(format!("request {} was one too many: {} {path}", total(seen) + 1, arrived.request.method));
                return None;
            };
            for what in differ(at) {
                seen.faults.push(format!("request {}: {what}", total(seen) + 1));
            }
            *seen.used.get_mut(at)? += 1;
            case.exchanges.get(at).map(|exchange| &exchange.reply)
        })
    }

    /// Describes exchanges that were not used completely.
    pub(super) fn missing(&self, run: &str, case: &Case) -> Vec<String> {
        self.of(run, &case.id, |seen| {
            seen.used.resize(case.exchanges.len(), 0);
            let left = case.exchanges.iter().zip(&seen.used).enumerate().filter(|(_, (exchange, used))| **used < exchange.times);
            left.map(|(at, (exchange, used))| {
                format!("exchange {at}: {} {} came {used} of {} times", exchange.request.method, exchange.request.path, exchange.times)
            })
            .collect()
        })
    }
}

fn total(seen: &Seen) -> u32 {
    seen.used.iter().sum()
}

/// Returns the default token of a service.
pub(crate) fn usual_token(service: Service) -> &'static str {
    match service {
        Service::Health => "health-token",
        Service::Care => "care-token",
    }
}
