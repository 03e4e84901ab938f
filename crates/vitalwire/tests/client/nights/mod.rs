//! Night searches over real sockets.

mod failures;
mod finding;
mod running;
mod tables;

use std::collections::BTreeMap;

use vitalwire::client::{CallOptions, Client};
use vitalwire::nights::{Night, NightSearch};
use vitalwire::range::DateRange;
use vitalwire::value::Date;
use vitalwire_testkit::{Reply, Request, Server, json};

fn date(text: &str) -> Date {
    text.parse().unwrap()
}

fn days(first: &str, last: &str) -> DateRange {
    DateRange::new(date(first), date(last)).unwrap()
}

fn client(server: &Server) -> Client {
    Client::builder().base_url(server.url()).token("token-0").no_proxy().retry_delay_scale(0.01).build().unwrap()
}

/// Creates a search without retries.
fn search(server: &Server, range: DateRange) -> NightSearch {
    client(server).sleeps().between(range).options(CallOptions::new().max_retries(0))
}

/// Returns the encoded value of a query parameter, or an empty text.
fn query_value(seen: &Request, name: &str) -> String {
    let query = seen.line().split(' ').nth(1).unwrap().split_once('?').unwrap_or_default().1;
    query.split('&').find_map(|pair| pair.strip_prefix(&format!("{name}="))).unwrap_or_default().to_owned()
}

/// Returns the id of the requested sleep, or `None` for a statistics request.
fn sleep_id(seen: &Request) -> Option<String> {
    let path = seen.line().split(' ').nth(1).unwrap().split('?').next().unwrap();
    path.strip_prefix("/v3/queries/sleeps/").map(str::to_owned)
}

/// Returns the ids of all requested sleeps, sorted, because concurrent requests arrive in any order.
fn requested_sleeps(server: &Server) -> Vec<String> {
    let mut ids: Vec<_> = server.requests().iter().filter_map(sleep_id).collect();
    ids.sort();
    ids
}

/// Returns the first and last day of all statistics requests, sorted.
fn requested_statistics(server: &Server) -> Vec<(String, String)> {
    let seen = server.requests();
    let mut requested: Vec<_> = seen
        .iter()
        .filter(|seen| sleep_id(seen).is_none())
        .map(|seen| (query_value(seen, "from_date"), query_value(seen, "to_date")))
        .collect();
    requested.sort();
    requested
}

/// Returns the record of a sleep. The values of its stage and its sample are the length of the id.
fn record(id: &str) -> Reply {
    let length = id.len();
    json(
        200,
        &format!(
            r#"{{"sleep_id":"{id}","modified_at":"2025-01-01T08:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z","duration":{length},
            "stages":[{{"stage":"deep","start_at":"2025-01-01T00:00:00Z","duration":{length}}}],
            "samples":{{"offsets":[0],"values":{{"heartrate":[{length}]}}}}}}"#
        ),
    )
}

/// Records of a service by day. Ids that begin with `no` are not sleeps.
#[derive(Clone)]
struct Diary(BTreeMap<Date, Vec<&'static str>>);

impl Diary {
    fn new(days: &[(&str, &[&'static str])]) -> Self {
        Self(days.iter().map(|(day, ids)| (date(day), ids.to_vec())).collect())
    }

    fn statistics(&self, seen: &Request) -> Reply {
        let (from, to) = (query_value(seen, "from_date"), query_value(seen, "to_date"));
        let buckets: Vec<String> = self
            .0
            .range(date(&from)..=date(&to))
            .map(|(day, ids)| format!(r#"{{"date":"{day}","record_ids":{ids:?},"values":{{"sleep_duration_total":1}}}}"#))
            .collect();
        json(200, &format!(r#"{{"from_date":"{from}","to_date":"{to}","statistics":[{}]}}"#, buckets.join(",")))
    }

    fn respond(&self, seen: &Request) -> Reply {
        match sleep_id(seen) {
            None => self.statistics(seen),
            Some(id) if id.starts_with("no") => json(404, r#"{"status":404}"#),
            Some(id) => record(&id),
        }
    }

    fn serve(self) -> Server {
        Server::with_script(move |seen, _| self.respond(seen))
    }
}

fn nights_with_days(nights: &[Night]) -> Vec<(String, Vec<String>)> {
    nights.iter().map(|night| (night.sleep_id.clone().unwrap(), night.days.iter().map(ToString::to_string).collect())).collect()
}

fn ids(nights: &[Night]) -> Vec<String> {
    nights.iter().map(|night| night.sleep_id.clone().unwrap()).collect()
}
