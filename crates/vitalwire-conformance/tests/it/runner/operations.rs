//! Every operation sends its arguments and returns its response unchanged. The expected values come from the cases; the judge is not used.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};
use vitalwire::client::CallOptions;
use vitalwire_conformance::bytes;
use vitalwire_conformance::canonical::differences;
use vitalwire_conformance::case::{Call, Case, Client, Exchange, Operation, Outcome};
use vitalwire_conformance::expected;
use vitalwire_conformance::runner::{self, Mode};
use vitalwire_conformance::set::{self, Set};

use crate::runner::server::Server;
use crate::runner::{fields, finish_blocking, send};

/// Reads the cases of the workspace.
pub(crate) fn cases() -> Set {
    set::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}

/// A case with a default client, one call and one successful request.
pub(super) struct SimpleCase<'a> {
    case: &'a Case,
    pub(super) call: &'a Operation,
    exchange: &'a Exchange,
}

impl<'a> SimpleCase<'a> {
    pub(super) fn from_case(case: &'a Case) -> Option<Self> {
        let (Call::Operation(call), [exchange]) = (&case.call, case.exchanges.as_slice()) else { return None };
        let reply = &exchange.reply;
        let works = (200..300).contains(&reply.status) && reply.fault.is_none() && reply.encoding.is_none() && reply.headers.is_empty();
        let usual = case.client == Client::default() && call.options.is_empty() && exchange.times == 1;
        (works && usual && !matches!(case.outcome, Outcome::Error(_))).then_some(Self { case, call, exchange })
    }

    /// Returns the response as JSON. Null for an empty body.
    pub(super) fn reply(&self, set: &Set) -> Value {
        let body = bytes::body_bytes(&self.exchange.reply.body, &set.fixtures()).unwrap();
        // A byte order mark is ignored.
        serde_json::from_slice(body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&body)).unwrap_or_default()
    }

    /// Returns the expected value, with marks.
    fn outcome(&self, set: &Set) -> Value {
        expected::outcome(self.case, &set.fixtures(), true).unwrap()["value"].take()
    }
}

fn names<'a>(ids: impl IntoIterator<Item = &'a str>) -> BTreeSet<&'a str> {
    ids.into_iter().collect()
}

#[test]
fn the_table_of_calls_has_every_operation() {
    let known = names(vitalwire::OPERATIONS.iter().map(|operation| operation.id));
    assert_eq!(names(runner::OPERATIONS.iter().copied()), known);
    let set = cases();
    let covered = names(set.cases().iter().filter_map(SimpleCase::from_case).map(|simple| simple.call.id.as_str()));
    assert_eq!(covered, known, "every operation needs a case with one successful call in tests/conformance/cases");
}

#[test]
fn every_operation_sends_its_arguments_and_returns_its_response() {
    let set = cases();
    for simple in set.cases().iter().filter_map(SimpleCase::from_case) {
        let (id, call, request) = (&simple.case.id, simple.call, &simple.exchange.request);
        let (status, body) = (simple.exchange.reply.status, bytes::body_bytes(&simple.exchange.reply.body, &set.fixtures()).unwrap());
        let body = String::from_utf8(body).unwrap();
        let outcome = simple.outcome(&set);
        let server = Server::with_script(move |_, _| (status, body.clone()));
        let client = server.client();
        let async_response =
            send(&client, &call.id, Value::Object(call.arguments.clone())).unwrap_or_else(|failure| panic!("{id}: {failure:?}"));
        let blocking_response = runner::send(&client, &call.id, &call.arguments, CallOptions::new(), Mode::Blocking);
        let blocking_response = finish_blocking(blocking_response.unwrap()).unwrap();
        assert_eq!((differences(&outcome, &async_response.value), async_response.attempts), (Vec::new(), 1), "{id}");
        assert_eq!(async_response, blocking_response, "{id}");
        let expected = (format!("{} {}", request.method, request.path), sorted_by_name(request.query.clone()));
        for (line, sent) in server.requests() {
            let (path, query) = line.split_once('?').unwrap_or((&line, ""));
            let query = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
            assert_eq!((path.to_owned(), sorted_by_name(query)), expected, "{id}");
            let sent = serde_json::from_str(&sent).unwrap_or_default();
            assert_eq!(differences(&bytes::expand_zeros(&request.body.clone().unwrap_or_default()), &sent), Vec::<String>::new(), "{id}");
        }
        assert_eq!(server.requests().len(), 2, "{id}");
    }
}

/// Sorts query parameters by name. Order matters only among equal names.
fn sorted_by_name(mut pairs: Vec<(String, String)>) -> Vec<(String, String)> {
    pairs.sort_by(|one, other| one.0.cmp(&other.0));
    pairs
}

#[test]
fn an_error_in_the_case_is_reported_before_a_request() {
    let server = Server::in_order([]);
    let client = server.client();
    for (id, arguments, text) in [
        ("no_operation", json!({}), "unknown operation `no_operation`"),
        ("get_sleep", json!({}), "`get_sleep` requires the argument `sleep_id`"),
        ("get_sleep", json!({"sleep_id": 7}), "the argument `sleep_id` of `get_sleep` must be of type text"),
        ("get_sleep", json!({"sleep_id": "s", "include": true}), "`get_sleep` has no argument `include`"),
        ("get_user_info", json!({"id": 1}), "`get_user_info` has no argument `id`"),
    ] {
        let (arguments, options) = (fields(arguments), CallOptions::new());
        for mode in [Mode::Async, Mode::Blocking] {
            assert_eq!(runner::send(&client, id, &arguments, options.clone(), mode).err().unwrap().to_string(), text);
        }
    }
    assert!(server.requests().is_empty());
}
