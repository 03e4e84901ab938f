//! Whether a request is the one that must arrive.

use serde_json::Value;

use super::http::Incoming;
use crate::canonical;
use crate::case::{Request, Service};

/// A request at the door of a case.
#[derive(Debug)]
pub(super) struct Arrived<'a> {
    pub(super) request: &'a Incoming,
    pub(super) service: Service,
    /// The path after the base URL, and its query.
    pub(super) path: &'a str,
}

/// In what a request differs from the one that must arrive; nothing where it is the one.
pub(super) fn differences(expected: &Request, arrived: &Arrived<'_>, usual_token: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut tell = |what: &str, expected: &str, got: &str| {
        if expected != got {
            found.push(format!("{what}: expected `{expected}`, got `{got}`"));
        }
    };
    let Arrived { request, service, path } = arrived;
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    tell("method", &expected.method, &request.method);
    tell("service", name(expected.service), name(*service));
    tell("path", &expected.path, path);
    tell("query", &pairs(expected.query.clone()), &pairs(decoded(query)));
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
    found
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
            let told = canonical::differences(&canonical::normal(expected, None), &canonical::normal(&got, None));
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

/// The order counts within one name only.
fn pairs(mut pairs: Vec<(String, String)>) -> String {
    pairs.sort_by(|one, other| one.0.cmp(&other.0));
    pairs.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" & ")
}

fn decoded(query: &str) -> Vec<(String, String)> {
    form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}
