//! Comparison of a request with the expected one.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::http::Incoming;
use crate::canonical;
use crate::case::{After, Request, Service};
use crate::plan::RETRY_DELAY_SCALE;

/// A request of a case.
#[derive(Debug)]
pub(super) struct Arrived<'a> {
    pub(super) request: &'a Incoming,
    pub(super) service: Service,
    /// The path after the base URL, and its query.
    pub(super) path: &'a str,
    /// The connection it arrived on.
    pub(super) way: Way,
    /// Time of arrival.
    pub(super) at: Instant,
}

/// The connection of a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// Number of the connection.
    pub(super) connection: u64,
    /// Whether the proxy opened it.
    pub(super) by_proxy: bool,
}

impl Way {
    /// Creates a new connection number.
    pub(super) fn new(by_proxy: bool) -> Self {
        static CONNECTIONS: AtomicU64 = AtomicU64::new(0);
        Self { connection: CONNECTIONS.fetch_add(1, Ordering::Relaxed), by_proxy }
    }
}

/// Returns how a request differs from the expected one. Returns nothing if they match.
///
/// `answered` is the start of the previous response.
pub(super) fn differences(expected: &Request, arrived: &Arrived<'_>, usual_token: &str, answered: Option<Instant>) -> Vec<String> {
    let mut found = Vec::new();
    let mut tell = |what: &str, expected: &str, got: &str| {
        if expected != got {
            found.push(format!("{what}: expected `{expected}`, got `{got}`"));
        }
    };
    let Arrived { request, service, path, at, .. } = arrived;
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    tell("method", &expected.method, &request.method);
    tell("service", name(expected.service), name(*service));
    tell("path", &expected.path, path);
    tell("query", &pairs(expected.query.clone()), &pairs(decoded(query)));
    if let Some(raw) = &expected.raw_query {
        tell("query on the wire", raw, query);
    }
    let token = expected.token.as_deref().unwrap_or(usual_token);
    let authorization = if token.is_empty() { String::new() } else { format!("Bearer {token}") };
    tell("authorization", &authorization, &request.header("authorization").unwrap_or_default());
    let accepts = request.header("accept").unwrap_or_default();
    if !accepts.contains("json") && !accepts.contains("*/*") {
        tell("accept", "application/json", &accepts);
    }
    tell("api-version", "", &request.header("api-version").unwrap_or_default());
    for (header, value) in &expected.headers {
        let got = request.header(header);
        tell(header, value.as_deref().unwrap_or("absent"), got.as_deref().unwrap_or("absent"));
    }
    found.extend(body(expected.body.as_ref(), request));
    if let (Some(after), Some(answered)) = (expected.after, answered) {
        let (least, waited) = (least(after), at.saturating_duration_since(answered));
        if waited < least {
            found.push(format!("came {} ms after the answer before, and must not before {} ms", waited.as_millis(), least.as_millis()));
        }
    }
    found
}

/// Returns the minimum delay in real time.
fn least(after: After) -> Duration {
    match after {
        After::RetryMs(wait) => Duration::from_millis(wait).mul_f64(RETRY_DELAY_SCALE),
        After::Ms(wait) => Duration::from_millis(wait),
    }
}

fn body(expected: Option<&Value>, request: &Incoming) -> Vec<String> {
    let Some(expected) = expected else {
        return if request.body.is_empty() { Vec::new() } else { vec![format!("body: expected none, got {} bytes", request.body.len())] };
    };
    let mut found = Vec::new();
    let kind = request.header("content-type").unwrap_or_default();
    if !kind.starts_with("application/json") {
        found.push(format!("content-type: expected `application/json`, got `{kind}`"));
    }
    match serde_json::from_slice::<Value>(&request.body) {
        Ok(got) => {
            let told = canonical::differences(&canonical::normal(&crate::bytes::sent(expected), None), &canonical::normal(&got, None));
            found.extend(told.into_iter().map(|what| format!("body {what}")));
        }
        Err(_) => found.push(format!("body: no JSON, {} bytes", request.body.len())),
    }
    found
}

fn name(service: Service) -> &'static str {
    match service {
        Service::Health => "health",
        Service::Care => "care",
    }
}

/// Normalizes pairs: order matters only among equal names.
fn pairs(mut pairs: Vec<(String, String)>) -> String {
    pairs.sort_by(|one, other| one.0.cmp(&other.0));
    pairs.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" & ")
}

fn decoded(query: &str) -> Vec<(String, String)> {
    form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}
