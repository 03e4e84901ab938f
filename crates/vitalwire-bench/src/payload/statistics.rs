//! Daily and hourly statistics of a year.

use vitalwire::open_sets::StatisticName;
use vitalwire::value::OpenSet;

use super::Unknown;
use super::json_writer::{JsonWriter, day, instant};

const DAYS: u32 = 365;
const HOURS: u32 = DAYS * 24;
/// Probability that an hour of `interval` has a field: 118,205 values in 8,760 hours of 19 fields.
const FIELD_PROBABILITY: f64 = 0.7102;

/// Writes a value with the magnitude and decimals typical of its name. Hourly values are smaller than daily ones.
fn value(json: &mut JsonWriter, name: &str, hour: bool) {
    let day_or_hour = |day: f64, hour_: f64| if hour { hour_ } else { day };
    match name {
        _ if name.ends_with("_score") => json.number(10.0, 99.0, 0),
        _ if name.starts_with("calories") => json.number(10.0, day_or_hour(2_400.0, 99.0), 2),
        _ if name.starts_with("distance") => json.number(10.0, day_or_hour(9_000.0, 800.0), 1),
        "heartrate" | "hrv_rmssd" | "hrv_sdnn" => json.number(45.0, 99.0, 2),
        "sleep_duration_total" => json.number(18_000_000.0, 32_000_000.0, 0),
        "sleep_skin_temperature_deviation" => json.number(-1.0, 1.0, 2),
        "steps" => json.number(0.0, day_or_hour(15_000.0, 900.0), 0),
        _ => json.number(45.0, 99.0, 0),
    }
}

/// Returns 365 days with all 20 values.
#[must_use]
pub fn daily(unknown: Unknown) -> Vec<u8> {
    let mut json = JsonWriter::new(1);
    json.object(|json| {
        json.text_field("from_date", day(0));
        json.text_field("to_date", day(DAYS - 1));
        json.name("statistics");
        json.list(|json| (0..DAYS).for_each(|at| one_day(json, at, unknown)));
    });
    json.finish()
}

fn one_day(json: &mut JsonWriter, at: u32, unknown: Unknown) {
    json.object(|json| {
        json.text_field("date", day(at));
        json.record_ids();
        json.name("values");
        json.object(|json| {
            for name in StatisticName::KNOWN {
                json.name(name);
                value(json, name, false);
            }
        });
        json.unknown(unknown);
    });
}

/// Returns a year of hours, each with a random subset of the 19 fields (`sleep_duration_total` was removed from them).
#[must_use]
pub fn interval(unknown: Unknown) -> Vec<u8> {
    hours(2, unknown, |json, _, _| json.rng().f64() < FIELD_PROBABILITY)
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

fn hours(seed: u64, unknown: Unknown, present: impl Fn(&mut JsonWriter, u32, usize) -> bool) -> Vec<u8> {
    let mut json = JsonWriter::new(seed);
    json.object(|json| {
        json.text_field("from_timestamp", instant(0));
        json.text_field("to_timestamp", instant(HOURS * 3_600));
        json.name("statistics");
        json.list(|json| {
            for hour in 0..HOURS {
                json.object(|json| {
                    json.text_field("from_timestamp", instant(hour * 3_600));
                    json.text_field("to_timestamp", instant((hour + 1) * 3_600));
                    json.record_ids();
                    json.name("values");
                    json.object(|json| {
                        for (field, name) in StatisticName::KNOWN.iter().enumerate() {
                            if *name != "sleep_duration_total" && present(json, hour, field) {
                                json.name(name);
                                value(json, name, true);
                            }
                        }
                    });
                    json.unknown(unknown);
                });
            }
        });
    });
    json.finish()
}
