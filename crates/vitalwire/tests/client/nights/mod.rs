//! NightSearch that are found by daily statistics, over real sockets.

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

/// A search that tries nothing again.
fn search(server: &Server, range: DateRange) -> NightSearch {
    client(server).sleeps().between(range).options(CallOptions::new().max_retries(0))
}

/// A value of the query, as sent.
fn asked(seen: &Request, name: &str) -> String {
    let query = seen.line().split(' ').nth(1).unwrap().split_once('?').unwrap_or_default().1;
    query.split('&').find_map(|pair| pair.strip_prefix(&format!("{name}="))).unwrap_or_default().to_owned()
}

/// The id of the sleep that was asked for; `None` where statistics were.
fn sleep(seen: &Request) -> Option<String> {
    let path = seen.line().split(' ').nth(1).unwrap().split('?').next().unwrap();
    path.strip_prefix("/v3/queries/sleeps/").map(str::to_owned)
}

/// The sleeps that were asked for, sorted: requests that run at once arrive in any order.
fn sleeps(server: &Server) -> Vec<String> {
    let mut ids: Vec<_> = server.requests().iter().filter_map(sleep).collect();
    ids.sort();
    ids
}

/// First and last day of all statistics that were asked for, sorted.
fn statistics(server: &Server) -> Vec<(String, String)> {
    let seen = server.requests();
    let mut asked: Vec<_> =
        seen.iter().filter(|seen| sleep(seen).is_none()).map(|seen| (asked(seen, "from_date"), asked(seen, "to_date"))).collect();
    asked.sort();
    asked
}

/// The record of a sleep, with a stage and a sample of the length of its id.
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

/// A service with these records behind these days. Ids that begin with `no` are no sleeps.
#[derive(Clone)]
struct Diary(BTreeMap<Date, Vec<&'static str>>);

impl Diary {
    fn of(days: &[(&str, &[&'static str])]) -> Self {
        Self(days.iter().map(|(day, ids)| (date(day), ids.to_vec())).collect())
    }

    fn statistics(&self, seen: &Request) -> Reply {
        let (from, to) = (asked(seen, "from_date"), asked(seen, "to_date"));
        let buckets: Vec<String> = self
            .0
            .range(date(&from)..=date(&to))
            .map(|(day, ids)| format!(r#"{{"date":"{day}","record_ids":{ids:?},"values":{{"sleep_duration_total":1}}}}"#))
            .collect();
        json(200, &format!(r#"{{"from_date":"{from}","to_date":"{to}","statistics":[{}]}}"#, buckets.join(",")))
    }

    fn respond(&self, seen: &Request) -> Reply {
        match sleep(seen) {
            None => self.statistics(seen),
            Some(id) if id.starts_with("no") => json(404, r#"{"status":404}"#),
            Some(id) => record(&id),
        }
    }

    fn serve(self) -> Server {
        Server::with_script(move |seen, _| self.respond(seen))
    }
}

/// Ids and days, as found.
fn found(nights: &[Night]) -> Vec<(String, Vec<String>)> {
    nights.iter().map(|night| (night.sleep_id.clone().unwrap(), night.days.iter().map(ToString::to_string).collect())).collect()
}

fn ids(nights: &[Night]) -> Vec<String> {
    nights.iter().map(|night| night.sleep_id.clone().unwrap()).collect()
}
