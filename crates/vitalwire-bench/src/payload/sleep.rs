//! Sleep: a night with 60 stages, ten metrics each, and samples.

use super::Unknown;
use super::json_writer::{JsonWriter, instant};

const STAGES: u32 = 60;
const MANY_STAGES: u32 = 10_000;
const STAGE_SECONDS: u32 = 480;
/// Number of values in a series, one every three seconds.
const SAMPLES: u32 = 10_000;

/// Metrics of a stage: name, minimum, maximum and decimals.
const METRICS: [(&str, f64, f64, usize); 10] = [
    ("breathing_rate", 12.0, 18.0, 2),
    ("glucose", 70.0, 99.0, 6),
    ("heartrate", 45.0, 75.0, 2),
    ("heartrate_max", 60.0, 90.0, 0),
    ("heartrate_min", 40.0, 55.0, 0),
    ("hrv_rmssd", 20.0, 90.0, 2),
    ("hrv_sdnn", 20.0, 90.0, 2),
    ("skin_temperature", 33.0, 36.0, 2),
    ("sleep_efficiency", 80.0, 99.0, 1),
    ("sleep_skin_temperature_deviation", -1.0, 1.0, 2),
];

/// Series other than offsets and durations.
const SERIES: [(&str, f64, f64, usize); 8] = [
    ("breathing_rate", 12.0, 18.0, 1),
    ("glucose", 70.0, 99.0, 6),
    ("heartrate", 45.0, 75.0, 1),
    ("hrv_rmssd", 20.0, 90.0, 1),
    ("hrv_sdnn", 20.0, 90.0, 1),
    ("skin_temperature", 33.0, 36.0, 2),
    ("spo2", 93.0, 99.0, 1),
    ("steps", 0.0, 9.0, 3),
];

const STAGE_NAMES: [&str; 5] = ["awake", "light", "deep", "rem", "light"];

/// Returns a night with samples: ten arrays of 10,000 numbers.
#[must_use]
pub fn sleep(unknown: Unknown) -> Vec<u8> {
    record(unknown, STAGES, true)
}

/// Returns a night without samples.
#[must_use]
pub fn sleep_small(unknown: Unknown) -> Vec<u8> {
    record(unknown, STAGES, false)
}

/// Returns a night without samples and with 10,000 stages, to measure reading many small objects.
#[must_use]
pub fn sleep_long(unknown: Unknown) -> Vec<u8> {
    record(unknown, MANY_STAGES, false)
}

fn record(unknown: Unknown, stages: u32, with_samples: bool) -> Vec<u8> {
    let mut json = JsonWriter::new(4);
    json.object(|json| {
        let id = json.id();
        json.text_field("sleep_id", id);
        json.text_field("modified_at", instant(90_000));
        json.text_field("start_at_timestamp", instant(80_000));
        json.text_field("end_at_timestamp", instant(80_000 + stages * STAGE_SECONDS));
        json.field("duration", u64::from(stages * STAGE_SECONDS) * 1_000);
        json.text_field("sleep_date", "2025-01-02");
        json.text_field("input_method", "device");
        json.text_field("provider_slug", "oura");
        json.record_ids();
        json.field("score", 82);
        json.field("user_time_offset_minutes", 60);
        json.name("metrics");
        metrics(json);
        json.name("stages");
        json.list(|json| (0..stages).for_each(|at| stage(json, at, unknown)));
        if with_samples {
            json.name("samples");
            json.object(samples);
        }
        json.unknown(unknown);
    });
    json.finish()
}

fn metrics(json: &mut JsonWriter) {
    json.object(|json| {
        for (name, from, to, decimals) in METRICS {
            json.name(name);
            json.number(from, to, decimals);
        }
    });
}

fn stage(json: &mut JsonWriter, at: u32, unknown: Unknown) {
    json.object(|json| {
        let name = STAGE_NAMES[json.rng().usize(..STAGE_NAMES.len())];
        json.text_field("stage", name);
        json.text_field("start_at", instant(80_000 + at * STAGE_SECONDS));
        json.text_field("end_at", instant(80_000 + (at + 1) * STAGE_SECONDS));
        json.field("duration", STAGE_SECONDS * 1_000);
        json.name("metrics");
        metrics(json);
        json.unknown(unknown);
    });
}

fn samples(json: &mut JsonWriter) {
    json.name("durations");
    json.list(|json| (0..SAMPLES).for_each(|_| json.raw(3_000)));
    json.name("offsets");
    json.list(|json| (0..SAMPLES).for_each(|at| json.raw(at * 3_000)));
    json.name("values");
    json.object(|json| {
        for (name, from, to, decimals) in SERIES {
            json.name(name);
            json.list(|json| (0..SAMPLES).for_each(|_| json.number(from, to, decimals)));
        }
    });
}
