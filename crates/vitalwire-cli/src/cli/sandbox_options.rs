//! Options of the synthetic people of a sandbox.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use jiff::civil;
use vitalwire_sandbox::{Deliveries, Effects};

use super::number_parser::number;

/// Options of a sandbox: its people, its clock and its storage.
#[derive(Args, Clone, Debug)]
pub(crate) struct SandboxOptions {
    /// Seed for all numbers, ids, keys and tokens of the sandbox [default: 1]
    #[arg(long, global = true, value_name = "NUMBER", help_heading = "Sandbox", allow_negative_numbers = true)]
    #[arg(value_parser = number(0..=u64::MAX, "must be a whole number from 0 to 18446744073709551615"))]
    pub(crate) seed: Option<u64>,
    /// Number of the sandbox's people, 1 to 10000: person-1, person-2 and so on [default: 4]
    #[arg(long, global = true, value_name = "NUMBER", help_heading = "Sandbox", allow_negative_numbers = true)]
    #[arg(value_parser = number(1..=10_000_usize, "must be a whole number from 1 to 10000"))]
    pub(crate) people: Option<usize>,
    /// Share of days without data, 0 to 0.9 [default: 0]
    #[arg(long, global = true, value_name = "SHARE", help_heading = "Sandbox", allow_negative_numbers = true)]
    #[arg(value_parser = number(0.0..=0.9, "must be a number from 0 to 0.9"))]
    pub(crate) missing: Option<f64>,
    /// Effects in the sandbox's data for analyses to find: `all`, or names with optional sizes, such as `illness,travel=3`. Known are
    /// steps_on_latency, sleep_on_steps, weekend_steps, weekend_sleep, season_steps, illness, travel, device_change, outliers and meals.
    /// The README of the crate vitalwire-sandbox has their sizes and formulas. Defaults to none
    #[arg(long, global = true, value_name = "LIST", help_heading = "Sandbox")]
    pub(crate) effects: Option<Effects>,
    /// People whose data arrives late, never, or only from a day on, such as `person-2=late:3,person-3=absent,person-4=new:14`. `late:3`:
    /// each day arrives 3 days later. `new:14`: data begins 13 days before the start. Defaults to none
    #[arg(long, global = true, value_name = "LIST", help_heading = "Sandbox")]
    pub(crate) delivery: Option<Deliveries>,
    /// Set the sandbox's clock to noon UTC on this date, 2020-02-01 to 2199-12-31. It stands still unless --time-scale is given. With --db,
    /// the date must not be earlier than the clock saved in the file. Exception: if the date is the --today of the previous start, the
    /// clock continues from the saved time. Defaults to the current time
    #[arg(long, global = true, value_name = "YYYY-MM-DD", value_parser = parse_today, help_heading = "Sandbox")]
    pub(crate) today: Option<civil::Date>,
    /// Speed of the sandbox's clock, in sandbox seconds per real second, 0 to 1000000 [default: 1, or 0 with --today]
    #[arg(long, global = true, value_name = "NUMBER", help_heading = "Sandbox", allow_negative_numbers = true)]
    #[arg(value_parser = number(0.0..=1e6, "must be a number from 0 to 1000000"))]
    pub(crate) time_scale: Option<f64>,
    /// Duration of each analysis: seconds of the sandbox's clock, or `typical`. `typical` takes 4 to 30 seconds for meals and 10 to 60
    /// for reports [default: 0]
    #[arg(long, global = true, value_name = "TIME", value_parser = parse_processing, help_heading = "Sandbox", allow_negative_numbers = true)]
    pub(crate) processing: Option<Processing>,
    /// Keep the sandbox's uploads, changes and clock in this file, and continue from it. Defaults to memory, which holds about 10000
    /// uploads of each kind and drops the oldest first
    #[arg(long, global = true, value_name = "FILE", help_heading = "Sandbox")]
    pub(crate) db: Option<PathBuf>,
}

impl SandboxOptions {
    pub(super) fn is_given(&self) -> bool {
        let has_people = self.people.is_some() || self.missing.is_some() || self.effects.is_some() || self.delivery.is_some();
        let has_clock = self.today.is_some() || self.time_scale.is_some() || self.processing.is_some();
        self.seed.is_some() || has_people || has_clock || self.db.is_some()
    }
}

/// Duration of analyses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Processing {
    Typical,
    Fixed(Duration),
}

/// Writes the form that `--processing` parses.
impl fmt::Display for Processing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Typical => f.write_str("typical"),
            Self::Fixed(time) => write!(f, "{}", time.as_secs_f64()),
        }
    }
}

/// Parses `--processing`.
fn parse_processing(text: &str) -> Result<Processing, &'static str> {
    if text == "typical" {
        return Ok(Processing::Typical);
    }
    let duration = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.map(Processing::Fixed).ok_or("must be a number of seconds or `typical`")
}

/// The first date for `--today`. The people have data from the month before it.
const FIRST_TODAY: civil::Date = civil::date(2020, 2, 1);
/// The last date for `--today`. It catches typing errors.
const LAST_TODAY: civil::Date = civil::date(2199, 12, 31);
/// The rule of dates for `--today`.
const TODAY_RANGE: &str = "must be a date from 2020-02-01 to 2199-12-31";

/// Parses `--today` as a strict date: only `YYYY-MM-DD`.
fn parse_today(text: &str) -> Result<civil::Date, &'static str> {
    let date = text.parse::<vitalwire::value::Date>().map_err(|_| "must be a date such as 2025-11-21")?.jiff();
    if (FIRST_TODAY..=LAST_TODAY).contains(&date) { Ok(date) } else { Err(TODAY_RANGE) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processing_is_seconds_or_typical() {
        assert_eq!(parse_processing("typical"), Ok(Processing::Typical));
        assert_eq!(parse_processing("0"), Ok(Processing::Fixed(Duration::ZERO)));
        assert_eq!(parse_processing("1.5"), Ok(Processing::Fixed(Duration::from_millis(1_500))));
        for text in ["", "-1", "NaN", "inf", "soon", "10s"] {
            assert_eq!(parse_processing(text), Err("must be a number of seconds or `typical`"), "{text}");
        }
    }

    #[test]
    fn today_is_a_whole_date_with_data() {
        assert_eq!(parse_today("2025-11-21"), Ok(civil::date(2025, 11, 21)));
        assert_eq!(parse_today("2020-02-01"), Ok(FIRST_TODAY));
        assert_eq!(TODAY_RANGE, format!("must be a date from {FIRST_TODAY} to {LAST_TODAY}"));
        assert_eq!(parse_today("2020-01-31"), Err(TODAY_RANGE));
        assert_eq!(parse_today("2200-01-01"), Err(TODAY_RANGE));
        for text in ["", "today", "2025-11-31", "2025-11-21T00:00", "21.11.2025"] {
            assert_eq!(parse_today(text), Err("must be a date such as 2025-11-21"), "{text}");
        }
    }
}
