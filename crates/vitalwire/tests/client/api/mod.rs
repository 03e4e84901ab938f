//! Operations and models over real sockets: requests, decoding, client-side validation and redaction.

mod access;
mod basis;
mod canaries;
mod checks;
mod decoding;
mod future_server;
mod json_paths;
mod models;
mod passing_values;
mod paths;
mod reads;
mod samples;
mod statistics;
mod unusual_bodies;
mod writes;

use vitalwire::client::{Client, ClientBuilder};
use vitalwire::value::{Date, Timestamp};
use vitalwire_testkit::{Request, Server};

/// Returns a builder for both services on one server, each with its own token. Delays between attempts are a hundredth of the default.
fn builder(server: &Server) -> ClientBuilder {
    let builder = Client::builder().base_url(server.url()).care_base_url(server.url());
    builder.token("health-token").care_token("care-token").no_proxy().retry_delay_scale(0.01)
}

fn client(server: &Server) -> Client {
    builder(server).build().unwrap()
}

/// Returns the only request that the server received.
fn only(server: &Server) -> Request {
    let seen = server.requests();
    assert_eq!(seen.len(), 1, "exactly one request");
    seen.into_iter().next().unwrap()
}

/// Returns the method and path of a request, without its query.
fn target(seen: &Request) -> &str {
    let line = seen.line().strip_suffix(" HTTP/1.1").expect("HTTP/1.1");
    line.split('?').next().unwrap()
}

/// Returns the query of a request, percent-encoded.
fn raw_query(seen: &Request) -> Option<&str> {
    seen.line().strip_suffix(" HTTP/1.1").unwrap().split_once('?').map(|(_, query)| query)
}

/// Returns the decoded query pairs, sorted by name. Pairs of one name keep their order.
fn query(seen: &Request) -> Vec<(String, String)> {
    let raw = raw_query(seen).unwrap_or_default();
    let mut pairs: Vec<(String, String)> =
        form_urlencoded::parse(raw.as_bytes()).map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
    pairs.sort_by(|left, right| left.0.cmp(&right.0));
    pairs
}

/// Returns expected query pairs.
fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn instant(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn date(text: &str) -> Date {
    text.parse().unwrap()
}
