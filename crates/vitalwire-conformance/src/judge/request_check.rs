//! Comparison of a request with the expected one.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::http::HttpRequest;
use crate::canonical;
use crate::case::{MinDelay, Request, Service};
use crate::plan::RETRY_DELAY_SCALE;

/// A request that a client sent for a case.
#[derive(Debug)]
pub(super) struct ReceivedRequest<'a> {
    pub(super) request: &'a HttpRequest,
    pub(super) service: Service,
    /// The path after the base URL, and its query.
    pub(super) path: &'a str,
    pub(super) connection_info: ConnectionInfo,
    /// Time of arrival.
    pub(super) at: Instant,
}

/// The connection on which a request arrived.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConnectionInfo {
    /// Number of the connection.
    pub(super) connection: u64,
    /// Whether the proxy opened it.
    pub(super) via_proxy: bool,
}

impl ConnectionInfo {
    /// Assigns a number to a new connection.
    pub(super) fn new(via_proxy: bool) -> Self {
        static CONNECTIONS: AtomicU64 = AtomicU64::new(0);
        Self { connection: CONNECTIONS.fetch_add(1, Ordering::Relaxed), via_proxy }
    }
}

/// Returns the differences between a request and the expected one.
///
/// `previous_response` is the start of the previous response.
pub(super) fn differences(
    expected: &Request,
    received: &ReceivedRequest<'_>,
    default_token: &str,
    previous_response: Option<Instant>,
) -> Vec<String> {
    let mut found = Vec::new();
    let mut compare = |what: &str, expected: &str, actual: &str| {
        if expected != actual {
            found.push(format!("{what}: expected `{expected}`, got `{actual}`"));
        }
    };
    let ReceivedRequest { request, service, path, at, .. } = received;
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    compare("method", &expected.method, &request.method);
    compare("service", service_name(expected.service), service_name(*service));
    compare("path", &expected.path, path);
    compare("query", &sorted_pairs(expected.query.clone()), &sorted_pairs(decode_query(query)));
    if let Some(raw) = &expected.raw_query {
        compare("query on the wire", raw, query);
    }
    let token = expected.token.as_deref().unwrap_or(default_token);
    let authorization = if token.is_empty() { String::new() } else { format!("Bearer {token}") };
    compare("authorization", &authorization, &request.header("authorization").unwrap_or_default());
    let accepts = request.header("accept").unwrap_or_default();
    if !accepts.contains("json") && !accepts.contains("*/*") {
        compare("accept", "application/json", &accepts);
    }
    compare("api-version", "", &request.header("api-version").unwrap_or_default());
    for (header, value) in &expected.headers {
        let actual = request.header(header);
        compare(header, value.as_deref().unwrap_or("absent"), actual.as_deref().unwrap_or("absent"));
    }
    found.extend(body_differences(expected.body.as_ref(), request));
    if let (Some(after), Some(previous_response)) = (expected.after, previous_response) {
        let (min_delay, waited) = (min_delay(after), at.saturating_duration_since(previous_response));
        if waited < min_delay {
            found.push(format!(
                "arrived {} ms after the previous response, but must wait at least {} ms",
                waited.as_millis(),
                min_delay.as_millis()
            ));
        }
    }
    found
}

/// Returns the minimum delay in real time.
fn min_delay(after: MinDelay) -> Duration {
    match after {
        MinDelay::RetryMs(wait) => Duration::from_millis(wait).mul_f64(RETRY_DELAY_SCALE),
        MinDelay::Ms(wait) => Duration::from_millis(wait),
    }
}

fn body_differences(expected: Option<&Value>, request: &HttpRequest) -> Vec<String> {
    let Some(expected) = expected else {
        return if request.body.is_empty() { Vec::new() } else { vec![format!("body: expected none, got {} bytes", request.body.len())] };
    };
    let mut found = Vec::new();
    let kind = request.header("content-type").unwrap_or_default();
    if !kind.starts_with("application/json") {
        found.push(format!("content-type: expected `application/json`, got `{kind}`"));
    }
    match serde_json::from_slice::<Value>(&request.body) {
        Ok(actual) => {
            let differences = canonical::differences(
                &canonical::normalize(&crate::bytes::expand_zeros(expected), None),
                &canonical::normalize(&actual, None),
            );
            found.extend(differences.into_iter().map(|what| format!("body {what}")));
        }
        Err(_) => found.push(format!("body: expected JSON, got {} bytes of another format", request.body.len())),
    }
    found
}

fn service_name(service: Service) -> &'static str {
    match service {
        Service::Health => "health",
        Service::Care => "care",
    }
}

/// Normalizes pairs: order matters only among equal names.
fn sorted_pairs(mut pairs: Vec<(String, String)>) -> String {
    pairs.sort_by(|one, other| one.0.cmp(&other.0));
    pairs.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" & ")
}

fn decode_query(query: &str) -> Vec<(String, String)> {
    form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}
