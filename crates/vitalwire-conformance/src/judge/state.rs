//! Observations of each case in each run.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use aho_corasick::AhoCorasick;
use serde_json::Value;

use super::request_check::{self, ReceivedRequest};
use crate::case::{Case, Reply, Service};
use crate::set::Set;

/// Observations of one case in one run.
#[derive(Debug, Default)]
pub(super) struct Observations {
    /// Number of requests that each exchange has served.
    use_counts: Vec<u32>,
    /// Errors in the requests.
    pub(super) errors: Vec<String>,
    /// Times when a client closed a connection before its response was complete.
    pub(super) closed_early: Vec<Instant>,
    /// The outcome that the runner posted, and the time.
    pub(super) posted: Option<(Value, Instant)>,
    /// Start of the last response.
    pub(super) last_response: Option<Instant>,
    /// Connections that had requests.
    pub(super) connections: BTreeSet<u64>,
}

type RunAndCase = (String, String);

/// Each case has its own lock: comparing large bodies under a shared one would make other cases miss deadlines.
type SharedObservations = Arc<Mutex<Observations>>;

/// All observations of the judge.
#[derive(Debug)]
pub(super) struct State {
    pub(super) set: Arc<Set>,
    observations: Mutex<HashMap<RunAndCase, SharedObservations>>,
    /// Texts by run that belong to no single case.
    texts: Mutex<HashMap<String, Vec<String>>>,
}

impl State {
    pub(super) fn new(set: Arc<Set>) -> Self {
        Self { set, observations: Mutex::default(), texts: Mutex::default() }
    }

    pub(super) fn add_texts(&self, run: &str, more: Vec<String>) {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner).entry(run.to_owned()).or_default().extend(more);
    }

    pub(super) fn leaked_secrets<'a>(&self, run: &str, secrets: &[&'a str]) -> anyhow::Result<BTreeSet<&'a str>> {
        let search = AhoCorasick::new(secrets)?;
        let texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let found = texts.get(run).into_iter().flatten().flat_map(|text| search.find_overlapping_iter(text));
        Ok(found.filter_map(|found| secrets.get(found.pattern().as_usize()).copied()).collect())
    }

    /// Reads or changes the observations of a case.
    pub(super) fn with_case<T>(&self, run: &str, case: &str, access: impl FnOnce(&mut Observations) -> T) -> T {
        let observations = Arc::clone(
            self.observations.lock().unwrap_or_else(PoisonError::into_inner).entry((run.to_owned(), case.to_owned())).or_default(),
        );
        access(&mut observations.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the response to a request. `None` if the case has none.
    pub(super) fn match_request<'a>(&self, run: &str, case: &'a Case, received: &ReceivedRequest<'_>) -> Option<&'a Reply> {
        self.with_case(run, &case.id, |observations| {
            observations.connections.insert(received.connection_info.connection);
            let via_proxy = received.connection_info.via_proxy;
            observations.use_counts.resize(case.exchanges.len(), 0);
            if via_proxy != case.client.proxy.is_some() {
                observations.errors.push(format!(
                    "request {}: {}",
                    request_count(observations) + 1,
                    if via_proxy { "must not use the proxy" } else { "must use the proxy" }
                ));
            }
            let unused = |at: &usize| observations.use_counts.get(*at).copied() < case.exchanges.get(*at).map(|exchange| exchange.times);
            let free: Vec<usize> = (0..case.exchanges.len()).filter(unused).collect();
            let last_response = observations.last_response;
            let differences = |at: usize| {
                case.exchanges.get(at).map_or_else(Vec::new, |exchange| {
                    request_check::differences(&exchange.request, received, default_token(received.service), last_response)
                })
            };
            let chosen = if case.any_order { free.iter().copied().find(|at| differences(*at).is_empty()) } else { None };
            let Some(at) = chosen.or_else(|| free.first().copied()) else {
                let path = received.path.split('?').next().unwrap_or_default();
                observations.errors.push(format!(
                    "request {} is unexpected: {} {path}",
                    request_count(observations) + 1,
                    received.request.method
                ));
                return None;
            };
            for what in differences(at) {
                observations.errors.push(format!("request {}: {what}", request_count(observations) + 1));
            }
            *observations.use_counts.get_mut(at)? += 1;
            case.exchanges.get(at).map(|exchange| &exchange.reply)
        })
    }

    /// Describes exchanges that were not used completely.
    pub(super) fn unused_exchanges(&self, run: &str, case: &Case) -> Vec<String> {
        self.with_case(run, &case.id, |observations| {
            observations.use_counts.resize(case.exchanges.len(), 0);
            let unused =
                case.exchanges.iter().zip(&observations.use_counts).enumerate().filter(|(_, (exchange, count))| **count < exchange.times);
            unused
                .map(|(at, (exchange, count))| {
                    format!(
                        "exchange {at}: {} {} was requested {count} times, expected {}",
                        exchange.request.method, exchange.request.path, exchange.times
                    )
                })
                .collect()
        })
    }
}

fn request_count(observations: &Observations) -> u32 {
    observations.use_counts.iter().sum()
}

pub(crate) fn default_token(service: Service) -> &'static str {
    match service {
        Service::Health => "health-token",
        Service::Care => "care-token",
    }
}
