//! Sleep: a night with 60 stages, ten metrics each, and samples.

use super::Unknown;
use super::generator::{Generator, compact, instant, join};

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

/// Returns a night without samples and with 10,000 stages, to measure reading many small objects.
#[must_use]
pub fn sleep_long(unknown: Unknown) -> Vec<u8> {
    record(unknown, MANY_STAGES, false)
}

fn record(unknown: Unknown, stages: u32, with_samples: bool) -> Vec<u8> {
    let mut generator = Generator::new(4, unknown);
    let (id, ids, metrics) = (generator.id(), generator.record_ids(), metrics(&mut generator));
    let (modified, start, end) = (instant(90_000), instant(80_000), instant(80_000 + stages * STAGE_SECONDS));
    let duration = u64::from(stages * STAGE_SECONDS) * 1_000;
    let stages = join((0..stages).map(|at| stage(&mut generator, at)));
    let samples = if with_samples { samples(&mut generator) } else { String::new() };
    let text = format!(
        r#"{{"sleep_id":"{id}","modified_at":"{modified}","start_at_timestamp":"{start}","end_at_timestamp":"{end}",
        "duration":{duration},"sleep_date":"2025-01-02","input_method":"device","provider_slug":"oura","record_ids":{ids},
        "score":82,"user_time_offset_minutes":60,"metrics":{metrics},"stages":[{stages}]{samples}{}}}"#,
        generator.unknown()
    );
    compact(&text).into_bytes()
}

fn metrics(generator: &mut Generator) -> String {
    let number = |(name, from, to, decimals)| format!("\"{name}\":{}", generator.number(from, to, decimals));
    format!("{{{}}}", join(METRICS.into_iter().map(number)))
}

fn stage(generator: &mut Generator, at: u32) -> String {
    let name = STAGE_NAMES[generator.rng.usize(..STAGE_NAMES.len())];
    let (start, end) = (instant(80_000 + at * STAGE_SECONDS), instant(80_000 + (at + 1) * STAGE_SECONDS));
    let (duration, metrics, unknown) = (STAGE_SECONDS * 1_000, metrics(generator), generator.unknown());
    format!(r#"{{"stage":"{name}","start_at":"{start}","end_at":"{end}","duration":{duration},"metrics":{metrics}{unknown}}}"#)
}

fn samples(generator: &mut Generator) -> String {
    let durations = join((0..SAMPLES).map(|_| "3000".to_owned()));
    let offsets = join((0..SAMPLES).map(|at| (at * 3_000).to_string()));
    let values =
        join(SERIES.into_iter().map(|(name, from, to, decimals)| {
            format!("\"{name}\":[{}]", join((0..SAMPLES).map(|_| generator.number(from, to, decimals))))
        }));
    format!(r#","samples":{{"durations":[{durations}],"offsets":[{offsets}],"values":{{{values}}}}}"#)
}
