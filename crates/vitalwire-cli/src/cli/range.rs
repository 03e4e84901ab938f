//! Options for time ranges: the bounds, and long ranges in parts.

use clap::Args;
use vitalwire::range::ResumeToken;
use vitalwire::value::Timestamp;

use super::day::{Day, parse_day};
use super::number_parser::{COUNT, number};
use crate::output::Destination;

/// A bound of a range of instants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// A whole day of the user.
    Day(Day),
    Instant(Timestamp),
}

impl Bound {
    /// Whether the bound depends on today.
    pub(crate) fn is_relative(self) -> bool {
        matches!(self, Self::Day(day) if day.is_relative())
    }
}

/// Parses a date or a date-time.
pub(super) fn parse_bound(text: &str) -> Result<Bound, &'static str> {
    let bound = parse_day(text).map(Bound::Day).or_else(|_| parse_instant(text).map(Bound::Instant));
    bound.map_err(|_| "must be a date such as 2025-11-20, yesterday or -7d, or a time such as 2025-11-20T22:00:00Z")
}

/// Options of ranges that are requested in parts.
#[derive(Args, Clone, Debug)]
pub(crate) struct PartOptions {
    /// Split the range into parts of this many days, request several parts at once and merge the responses
    #[arg(long, value_name = "DAYS", help_heading = "Long ranges", allow_negative_numbers = true)]
    #[arg(value_parser = number(1..=u32::MAX, COUNT))]
    pub(crate) split_days: Option<u32>,
    /// Maximum number of parts requested at once, 1 to 64 [default: 4]
    #[arg(long, value_name = "PARTS", help_heading = "Long ranges", allow_negative_numbers = true)]
    #[arg(value_parser = number(1..=64_usize, "must be a whole number from 1 to 64"))]
    pub(crate) concurrency: Option<usize>,
    /// Continue an interrupted run of the same command. With --output, omit TOKEN: the command completes the file from the
    /// parts in FILE.part. Without --output, TOKEN is required: the resume token that the interrupted run printed. Only the missing parts
    /// are requested
    #[arg(long, value_name = "TOKEN", value_parser = parse_resume_token, num_args = 0..=1, help_heading = "Long ranges")]
    pub(crate) resume: Option<Option<ResumeToken>>,
}

impl PartOptions {
    /// Whether the range is split.
    pub(crate) fn is_given(&self) -> bool {
        self.split_days.is_some() || self.resume.is_some()
    }

    /// Returns the token of the run that is continued.
    pub(crate) fn token(&self) -> Option<&ResumeToken> {
        self.resume.as_ref()?.as_ref()
    }

    /// Returns an error text if these options contradict each other.
    pub(super) fn contradiction(&self, destination: &Destination) -> Option<&'static str> {
        if self.concurrency.is_some() && !self.is_given() {
            Some("--concurrency applies to parts: add --split-days")
        } else if self.resume == Some(None) && destination.regular_file().is_none() {
            Some("--resume without a token completes the file of --output: add --output, or the token")
        } else {
            None
        }
    }
}

fn parse_resume_token(text: &str) -> Result<ResumeToken, &'static str> {
    text.parse().map_err(|_| "must be a complete resume token")
}

/// Parses a date-time in the forms that [`Timestamp`] documents. Without an offset, it is UTC, as in the whole interface.
pub(super) fn parse_instant(text: &str) -> Result<Timestamp, &'static str> {
    text.parse().map_err(|_| "must be a date-time such as 2025-11-20T22:00:00Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_instants_are_distinguished() {
        assert_eq!(parse_bound("2024-02-28"), Ok(Bound::Day(Day::Fixed("2024-02-28".parse().expect("a date")))));
        assert!(parse_bound("yesterday").is_ok_and(Bound::is_relative) && !parse_bound("2024-02-28").is_ok_and(Bound::is_relative));
        assert_eq!(parse_bound("2024-02-28T22:00:00+01:00"), Ok(Bound::Instant("2024-02-28T21:00:00Z".parse().expect("a date-time"))));
        for text in ["", "tomorrow", "2024-02-30", "2024-02"] {
            assert!(parse_bound(text).is_err(), "{text}");
        }
    }

    /// Uses the test cases shared by client, sandbox and command line.
    #[test]
    fn reads_the_forms_of_the_shared_table() {
        // Read at run time, because the file is not in the published crate.
        const FORMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/forms/instants.json");
        let table: serde_json::Value = serde_json::from_slice(&std::fs::read(FORMS).expect("a table")).expect("a table");
        for form in table["forms"].as_array().expect("forms") {
            let text = form["text"].as_str().expect("a text");
            assert_eq!(parse_instant(text).ok().map(|instant| instant.to_string()).as_deref(), form["instant"].as_str(), "{text}");
        }
    }
}
