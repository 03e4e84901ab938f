//! Range calls over real sockets.

mod any_range;
mod bodies;
mod bounds;
mod failures;
mod merging;
mod parts;
mod running;
mod tables;
mod tokens;

use std::sync::mpsc;

use vitalwire::client::{BoxFuture, Call, Client};
use vitalwire::operations::{StatisticsDailyParams, StatisticsIntervalParams};
use vitalwire::range::{DateRange, InstantRange};
use vitalwire::value::{Date, Timestamp};
use vitalwire_testkit::{PATIENCE, Reply, Request, Server, json};

fn client(server: &Server) -> Client {
    Client::builder().base_url(server.url()).token("token-0").no_proxy().retry_delay_scale(0.01).build().unwrap()
}

fn date(text: &str) -> Date {
    text.parse().unwrap()
}

fn instant(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn days(first: &str, last: &str) -> DateRange {
    DateRange::new(date(first), date(last)).unwrap()
}

fn instants(from: &str, to: &str) -> InstantRange {
    InstantRange::new(instant(from), instant(to)).unwrap()
}

fn daily(server: &Server, range: DateRange) -> Call<StatisticsDailyParams> {
    client(server).statistics().daily(date("1999-01-01")..=date("1999-01-01"), ["steps"]).range(range).max_retries(0)
}

fn interval(server: &Server, range: InstantRange) -> Call<StatisticsIntervalParams> {
    client(server).statistics().interval("1h", ["steps"]).range(range).max_retries(0)
}

/// Wrapper for spawned parts. Blocks the thread that starts a part until the part completes.
pub(crate) fn block_until_done(part: BoxFuture<'static, ()>) -> BoxFuture<'static, ()> {
    let (done, completed) = mpsc::channel();
    tokio::spawn(async move {
        part.await;
        done.send(()).unwrap();
    });
    completed.recv_timeout(PATIENCE).unwrap();
    Box::pin(async {})
}

/// Returns the value of a query parameter, or an empty text.
fn query_value(seen: &Request, name: &str) -> String {
    let query = seen.line().split(' ').nth(1).unwrap().split_once('?').unwrap().1;
    query.split('&').find_map(|pair| pair.strip_prefix(&format!("{name}="))).unwrap_or_default().replace("%3A", ":")
}

/// Returns the first and last day of every request, sorted, because concurrent requests arrive in any order.
fn requested_days(server: &Server) -> Vec<(String, String)> {
    let mut requested: Vec<_> =
        server.requests().iter().map(|seen| (query_value(seen, "from_date"), query_value(seen, "to_date"))).collect();
    requested.sort();
    requested
}

/// Returns a response with these days. The steps of a day are its day of the month.
fn response_with(from: &str, to: &str, days: &[String]) -> Reply {
    let buckets: Vec<String> =
        days.iter().map(|day| format!(r#"{{"date":"{day}","values":{{"steps":{}}}}}"#, day[8..].parse::<u32>().unwrap())).collect();
    json(200, &format!(r#"{{"from_date":"{from}","to_date":"{to}","statistics":[{}]}}"#, buckets.join(",")))
}

/// Returns a response with every requested day.
fn every_day(seen: &Request) -> Reply {
    let (from, to) = (query_value(seen, "from_date"), query_value(seen, "to_date"));
    let range = days(&from, &to);
    let all: Vec<String> = (0..range.days()).map(|day| range.first().plus_days(day as i32).unwrap().to_string()).collect();
    response_with(&from, &to, &all)
}

/// Starts a service that has every day.
fn calendar() -> Server {
    Server::with_script(|seen, _| every_day(seen))
}
