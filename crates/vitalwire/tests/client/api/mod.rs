//! Every operation and every model over real sockets: what is sent, what is read, what is refused, what no text shows.

mod access;
mod basis;
mod canaries;
mod checks;
mod future_server;
mod handing_on;
mod mock;
mod models;
mod paths;
mod places;
mod reading;
mod reads;
mod samples;
mod statistics;
mod writes;

use vitalwire::client::{Client, ClientBuilder};
use vitalwire::value::{Date, Timestamp};
use vitalwire_testkit::{Request, Server};

/// Both services on one server, each with a token of its own; waits are a hundredth of what they are.
fn builder(server: &Server) -> ClientBuilder {
    let builder = Client::builder().base_url(server.url()).care_base_url(server.url());
    builder.token("health-token").care_token("care-token").no_proxy().retry_delay_scale(0.01)
}

fn client(server: &Server) -> Client {
    builder(server).build().unwrap()
}

/// The one request that the server saw.
fn only(server: &Server) -> Request {
    let seen = server.requests();
    assert_eq!(seen.len(), 1, "one request and no more");
    seen.into_iter().next().unwrap()
}

/// Method and path of a request, without its query.
fn target(seen: &Request) -> &str {
    let line = seen.line().strip_suffix(" HTTP/1.1").expect("HTTP/1.1");
    line.split('?').next().unwrap()
}

/// The query as it travelled.
fn raw_query(seen: &Request) -> Option<&str> {
    seen.line().strip_suffix(" HTTP/1.1").unwrap().split_once('?').map(|(_, query)| query)
}

/// The query's pairs, decoded, sorted by name; pairs of one name keep their order.
fn query(seen: &Request) -> Vec<(String, String)> {
    let raw = raw_query(seen).unwrap_or_default();
    let mut pairs: Vec<(String, String)> =
        form_urlencoded::parse(raw.as_bytes()).map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
    pairs.sort_by(|left, right| left.0.cmp(&right.0));
    pairs
}

/// The pairs that a query should have.
fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn instant(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn date(text: &str) -> Date {
    text.parse().unwrap()
}
