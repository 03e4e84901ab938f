//! Daily and hourly statistics of a year.

use vitalwire::open_sets::StatisticName;
use vitalwire::value::OpenSet;

use super::Unknown;
use super::generator::{Generator, day, instant, join};

const DAYS: u32 = 365;
const HOURS: u32 = DAYS * 24;
/// Probability that an hour of `interval` has a field: 118,205 values in 8,760 hours of 19 fields.
const FIELD_PROBABILITY: f64 = 0.7102;

/// Returns a field with a value of the magnitude and decimals typical of its name. Hourly values are smaller than daily ones.
fn field(generator: &mut Generator, name: &str, is_hour: bool) -> String {
    let by_length = |day: f64, hour: f64| if is_hour { hour } else { day };
    let (from, to, decimals) = match name {
        _ if name.ends_with("_score") => (10.0, 99.0, 0),
        _ if name.starts_with("calories") => (10.0, by_length(2_400.0, 99.0), 2),
        _ if name.starts_with("distance") => (10.0, by_length(9_000.0, 800.0), 1),
        "heartrate" | "hrv_rmssd" | "hrv_sdnn" => (45.0, 99.0, 2),
        "sleep_duration_total" => (18_000_000.0, 32_000_000.0, 0),
        "sleep_skin_temperature_deviation" => (-1.0, 1.0, 2),
        "steps" => (0.0, by_length(15_000.0, 900.0), 0),
        _ => (45.0, 99.0, 0),
    };
    format!("\"{name}\":{}", generator.number(from, to, decimals))
}

/// Returns 365 days with all 20 values.
#[must_use]
pub fn daily(unknown: Unknown) -> Vec<u8> {
    let mut generator = Generator::new(1, unknown);
    let days = join((0..DAYS).map(|at| {
        let (date, ids) = (day(at), generator.record_ids());
        let values = join(StatisticName::KNOWN.iter().map(|name| field(&mut generator, name, false)));
        format!(r#"{{"date":"{date}","record_ids":{ids},"values":{{{values}}}{}}}"#, generator.unknown())
    }));
    format!(r#"{{"from_date":"{}","to_date":"{}","statistics":[{days}]}}"#, day(0), day(DAYS - 1)).into_bytes()
}

/// Returns a year of hours, each with a random subset of the 19 fields (`sleep_duration_total` was removed from them).
#[must_use]
pub fn interval(unknown: Unknown) -> Vec<u8> {
    hours(2, unknown, |generator, _, _| generator.rng.f64() < FIELD_PROBABILITY)
}

/// Like [`interval`], but with the same fields all day and no distance at night, which is closer to a real device.
#[must_use]
pub fn interval_regular(unknown: Unknown) -> Vec<u8> {
    hours(3, unknown, |_, hour, field| {
        let night = !(6..22).contains(&(hour % 24));
        let at = u32::try_from(field).unwrap_or_default();
        let distance = StatisticName::KNOWN[field].starts_with("distance");
        !(distance && night) && (hour / 24 + at * 7) % 11 < 8
    })
}

fn hours(seed: u64, unknown: Unknown, present: impl Fn(&mut Generator, u32, usize) -> bool) -> Vec<u8> {
    let mut generator = Generator::new(seed, unknown);
    let hours = join((0..HOURS).map(|hour| {
        let (from, to, ids) = (instant(hour * 3_600), instant((hour + 1) * 3_600), generator.record_ids());
        let values = join(StatisticName::KNOWN.iter().enumerate().filter_map(|(at, name)| {
            let is_present = *name != "sleep_duration_total" && present(&mut generator, hour, at);
            is_present.then(|| field(&mut generator, name, true))
        }));
        let unknown = generator.unknown();
        format!(r#"{{"from_timestamp":"{from}","to_timestamp":"{to}","record_ids":{ids},"values":{{{values}}}{unknown}}}"#)
    }));
    let (from, to) = (instant(0), instant(HOURS * 3_600));
    format!(r#"{{"from_timestamp":"{from}","to_timestamp":"{to}","statistics":[{hours}]}}"#).into_bytes()
}
