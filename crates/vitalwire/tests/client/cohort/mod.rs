//! Tests of cohorts: users, plans, readers, sync states and datasets.

mod dataset;
mod people;
mod plan;
mod reader;
mod service;
mod sync;

use vitalwire::range::DateRange;
use vitalwire::value::Date;

fn date(text: &str) -> Date {
    text.parse().unwrap()
}

fn days(first: &str, last: &str) -> DateRange {
    DateRange::new(date(first), date(last)).unwrap()
}
