//! Every operation: its arguments arrive, and its answer comes back as it was. What is expected stands in the cases; none is played by the
//! judge here.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};
use vitalwire::client::CallOptions;
use vitalwire_conformance::bytes;
use vitalwire_conformance::canonical::differences;
use vitalwire_conformance::case::{Call, Case, Client, Exchange, Operation, Outcome};
use vitalwire_conformance::expected;
use vitalwire_conformance::runner;
use vitalwire_conformance::set::{self, Set};

use crate::runner::server::Server;
use crate::runner::{members, send};

/// The workspace's cases.
pub(crate) fn cases() -> Set {
    set::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}

/// A case of a usual client that makes one call, of one request that succeeds.
pub(super) struct Plain<'a> {
    case: &'a Case,
    pub(super) call: &'a Operation,
    exchange: &'a Exchange,
}

impl<'a> Plain<'a> {
    pub(super) fn of(case: &'a Case) -> Option<Self> {
        let (Call::Operation(call), [exchange]) = (&case.call, case.exchanges.as_slice()) else { return None };
        let reply = &exchange.reply;
        let works = (200..300).contains(&reply.status) && reply.fault.is_none() && reply.encoding.is_none() && reply.headers.is_empty();
        let usual = case.client == Client::default() && call.options.is_empty() && exchange.times == 1;
        (works && usual && !matches!(case.outcome, Outcome::Error(_))).then_some(Self { case, call, exchange })
    }

    /// What the service answers; null where that is nothing.
    pub(super) fn reply(&self, set: &Set) -> Value {
        let body = bytes::body_bytes(&self.exchange.reply.body, &set.fixtures()).unwrap();
        // A byte order mark is ignored.
        serde_json::from_slice(body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&body)).unwrap_or_default()
    }

    /// The value that must come of it, with its marks.
    fn outcome(&self, set: &Set) -> Value {
        expected::outcome(self.case, &set.fixtures(), true).unwrap()["value"].take()
    }
}

fn names<'a>(ids: impl IntoIterator<Item = &'a str>) -> BTreeSet<&'a str> {
    ids.into_iter().collect()
}

#[test]
fn the_table_has_every_operation() {
    let known = names(vitalwire::OPERATIONS.iter().map(|operation| operation.id));
    assert_eq!(names(runner::OPERATIONS.iter().copied()), known);
    let set = cases();
    let shown = names(set.cases().iter().filter_map(Plain::of).map(|plain| plain.call.id.as_str()));
    assert_eq!(shown, known, "each operation has a case of one call that succeeds, in tests/conformance/cases");
}

#[test]
fn arguments_arrive_and_answers_come_back() {
    let set = cases();
    for plain in set.cases().iter().filter_map(Plain::of) {
        let (id, call, request) = (&plain.case.id, plain.call, &plain.exchange.request);
        let (status, body) = (plain.exchange.reply.status, bytes::body_bytes(&plain.exchange.reply.body, &set.fixtures()).unwrap());
        let body = String::from_utf8(body).unwrap();
        let outcome = plain.outcome(&set);
        let server = Server::with_script(move |_, _| (status, body.clone()));
        let client = server.client();
        let asynchronous =
            send(&client, &call.id, Value::Object(call.arguments.clone())).unwrap_or_else(|failed| panic!("{id}: {failed:?}"));
        let blocking = runner::send_blocking(&client, &call.id, &call.arguments, CallOptions::new()).unwrap().unwrap();
        assert_eq!((differences(&outcome, &asynchronous.value), asynchronous.attempts), (Vec::new(), 1), "{id}");
        assert_eq!(asynchronous, blocking, "{id}");
        let expected = (format!("{} {}", request.method, request.path), by_name(request.query.clone()));
        for (line, sent) in server.seen() {
            let (path, query) = line.split_once('?').unwrap_or((&line, ""));
            let query = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
            assert_eq!((path.to_owned(), by_name(query)), expected, "{id}");
            let sent = serde_json::from_str(&sent).unwrap_or_default();
            assert_eq!(differences(&bytes::expand_zeros(&request.body.clone().unwrap_or_default()), &sent), Vec::<String>::new(), "{id}");
        }
        assert_eq!(server.seen().len(), 2, "{id}");
    }
}

/// Parameters of a query by name: only within one name does their order count.
fn by_name(mut pairs: Vec<(String, String)>) -> Vec<(String, String)> {
    pairs.sort_by(|one, other| one.0.cmp(&other.0));
    pairs
}

#[test]
fn a_mistake_in_the_case_is_none_of_the_client() {
    let server = Server::in_order([]);
    let client = server.client();
    for (id, arguments, text) in [
        ("no_operation", json!({}), "`no_operation` is no operation"),
        ("get_sleep", json!({}), "`get_sleep` needs the argument `sleep_id`"),
        ("get_sleep", json!({"sleep_id": 7}), "the argument `sleep_id` of `get_sleep` is no text"),
        ("get_sleep", json!({"sleep_id": "s", "include": true}), "`get_sleep` has no argument `include`"),
        ("get_user_info", json!({"id": 1}), "`get_user_info` has no argument `id`"),
    ] {
        let (arguments, options) = (members(arguments), CallOptions::new());
        assert_eq!(runner::send(&client, id, &arguments, options.clone()).err().unwrap().to_string(), text);
        assert_eq!(runner::send_blocking(&client, id, &arguments, options).err().unwrap().to_string(), text);
    }
    assert!(server.seen().is_empty());
}
