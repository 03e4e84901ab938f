//! Tests of cohorts with real sockets and files: users, plans, readers, states and datasets.
//!
//! Expected values are worked out by hand from the interface documents.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
#![cfg(feature = "dataset")]
#![allow(unreachable_pub, reason = "modules of one test program")]

mod audit;
mod credentials;
mod dataset;
#[cfg(unix)]
mod hostile;
mod nights;
mod plan;
mod pseudonyms;
mod reader;
mod service;
mod state;
mod texts;

use vitalwire::range::DateRange;
use vitalwire::value::{Date, Timestamp};
use vitalwire_cohort::{Changes, Plan, Selection, SyncStates};

fn date(text: &str) -> Date {
    text.parse().unwrap()
}

fn days(first: &str, last: &str) -> DateRange {
    DateRange::new(date(first), date(last)).unwrap()
}

/// Returns the plan of a first run.
fn first_plan(selection: &Selection) -> Plan {
    Plan::due(selection, &SyncStates::default(), Some(noon("2026-01-01")))
}

/// Returns noon in UTC, when the day before is over in every time zone.
fn noon(day: &str) -> Timestamp {
    format!("{day}T12:00:00Z").parse().unwrap()
}

fn changes(added: u64, changed: u64, removed: u64) -> Changes {
    let mut changes = Changes::default();
    (changes.added, changes.changed, changes.removed) = (added, changed, removed);
    changes
}
