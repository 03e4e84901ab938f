//! Sleep record operation.

use axum::Json;
use axum::extract::{RawQuery, State};
use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _};
use serde_json::{Value, json};

use super::auth::User;
use crate::app::AppState;
use crate::people::history;
use crate::people::manual_entries::{self, NAP, Nap};
use crate::people::night::Night;
use crate::people::profile::Profile;
use crate::people::samples::{self, NightSeries, min_mean_max};
use crate::people::source::{SLEEP, Source, View};
use crate::values::{calendar, round};
use crate::web::path_param::PathParam;
use crate::web::problem::Problem;
use crate::web::query::Query;

/// Time from the end of a night until its device changes the record once more, in seconds.
const SYNC: i64 = 600;

pub(crate) async fn get(
    State(app): State<AppState>,
    User(person): User,
    PathParam(id): PathParam<String>,
    RawQuery(raw): RawQuery,
) -> Result<Json<Value>, Problem> {
    let mut query = Query::parse(raw.as_deref());
    let stages = query.flag("include_stages");
    let samples = query.flag("include_samples");
    query.finish()?;
    let missing = || Problem::not_found("sleep");
    let now = app.now();
    let has_day = |date: &Date| history::has_day(history::today(&person, now), person.late_days, *date);
    let (date, part) = person.parse_dated_id("sleep", &id).filter(|(date, _)| has_day(date)).ok_or_else(missing)?;
    let has_ended = |end: i64| calendar::instant(end) <= now;
    if part == NAP {
        let source = View::all(app.sources().list(&person)).entries;
        let nap = manual_entries::nap(&person, date).filter(|nap| has_ended(nap.end));
        let (nap, source) = nap.zip(source).filter(|(nap, source)| source.covers(nap.start, nap.end)).ok_or_else(missing)?;
        return Ok(Json(nap_record(&person, nap, &source, modified_at(&person, date, nap.end, now), stages, samples)));
    }
    let night = Night::recorded(&person, date, part).ok_or_else(missing)?;
    let source = app
        .sources()
        .list(&person)
        .into_iter()
        .filter(|source| SLEEP.contains(&source.kind))
        .find(|source| source.part(&person) == part && source.covers(night.start, night.end))
        .filter(|_| has_ended(night.end))
        .ok_or_else(missing)?;
    let series = NightSeries::new(&person, &night);
    let mut record = night_record(&person, &night, &series, &source, modified_at(&person, date, night.end, now));
    if stages {
        record["stages"] = night
            .stages
            .iter()
            .map(|stage| {
                json!({
                    "stage": stage.name,
                    "start_at": timestamp(stage.start),
                    "end_at": timestamp(stage.start + stage.length),
                    "duration": stage.length * 1_000,
                })
            })
            .collect();
    }
    if samples {
        record["samples"] = samples_json(&series);
    }
    Ok(Json(record))
}

fn timestamp(seconds: i64) -> String {
    calendar::instant(seconds).to_string()
}

/// Returns the time of the last change of a record that ended at `end`, in seconds since 1970. The time is neither in the future nor before
/// the arrival of the record.
fn modified_at(person: &Profile, date: Date, end: i64, now: Timestamp) -> i64 {
    if person.late_days > 0 {
        return person.midnight(date.saturating_add(person.late_days.days()));
    }
    if end + SYNC <= now.as_second() { end + SYNC } else { end }
}

fn night_record(person: &Profile, night: &Night, series: &NightSeries, source: &Source, modified_at: i64) -> Value {
    let id = person.dated_id("sleep", night.date, night.part).to_string();
    let has_second_device = person.has_second_device(calendar::day_number(night.date));
    let [model, product] = source.kind.device().map(|name| if has_second_device { format!("{name} 2") } else { name.to_owned() });
    json!({
        "sleep_id": id,
        "modified_at": timestamp(modified_at),
        "start_at_timestamp": timestamp(night.start),
        "end_at_timestamp": timestamp(night.end),
        "duration": (night.end - night.start) * 1_000,
        "sleep_date": night.date.to_string(),
        "input_method": "device",
        "provider_slug": source.slug,
        "record_ids": [id],
        "score": night.score(),
        "user_time_offset_minutes": person.offset_minutes(calendar::instant(night.end)),
        "metrics": metrics(person, night, series),
        "source": {
            "device_manufacturer": "Synthetic Devices",
            "device_model": model,
            "device_product": product,
            "device_version": "2.1",
            "source_bundle_identifier": "com.example.synthetic",
            "source_os_version": "1.0",
            "source_product": "Vitalwire sandbox",
            "source_version": env!("CARGO_PKG_VERSION"),
        },
    })
}

/// Returns the record of a manually entered nap, without measured values.
fn nap_record(person: &Profile, nap: Nap, source: &Source, modified_at: i64, stages: bool, samples: bool) -> Value {
    let id = person.dated_id("sleep", nap.date, NAP).to_string();
    let duration = (nap.end - nap.start) * 1_000;
    let mut record = json!({
        "sleep_id": id,
        "modified_at": timestamp(modified_at),
        "start_at_timestamp": timestamp(nap.start),
        "end_at_timestamp": timestamp(nap.end),
        "duration": duration,
        "sleep_date": nap.date.to_string(),
        "input_method": "manual",
        "provider_slug": source.slug,
        "record_ids": [id],
        "user_time_offset_minutes": person.offset_minutes(calendar::instant(nap.end)),
        "metrics": { "sleep_duration": duration, "sleep_duration_nap": duration },
        "source": { "source_product": "Vitalwire sandbox", "source_version": env!("CARGO_PKG_VERSION") },
    });
    if stages {
        let stage = json!({ "stage": "nap", "start_at": timestamp(nap.start), "end_at": timestamp(nap.end), "duration": duration });
        record["stages"] = json!([stage]);
    }
    if samples {
        record["samples"] = json!({ "durations": [], "offsets": [], "values": {} });
    }
    record
}

/// Returns the metrics of a night. Durations in ms, heart rates in bpm, variability in ms, efficiency in percent, temperatures in degrees
/// Celsius.
fn metrics(person: &Profile, night: &Night, series: &NightSeries) -> Value {
    let day = calendar::day_number(night.date);
    let whole = night.end - night.start;
    let ends = |at: Option<&crate::people::night::SleepStage>| at.map_or(0, |stage| stage.length * 1_000);
    let (heart_min, heart, heart_max) = min_mean_max(&series.heart);
    let (_, rmssd, _) = min_mean_max(&series.rmssd);
    let tenths: Vec<i64> = series.breathing.iter().map(|value| (value * 10.0).round() as i64).collect();
    let (breath_min, breath, breath_max) = min_mean_max(&tenths);
    let skin = samples::skin_deviation(person, day) as f64 / 10_000.0;
    json!({
        "bedtime_duration": whole * 1_000,
        "breathing_rate": breath as f64 / 10.0,
        "breathing_rate_max": breath_max as f64 / 10.0,
        "breathing_rate_min": breath_min as f64 / 10.0,
        "heartrate": heart,
        "heartrate_max": heart_max,
        "heartrate_min": heart_min,
        "heartrate_resting": samples::resting(person, day),
        "hrv_rmssd": rmssd,
        "skin_temperature": round(34.4 + skin, 100.0),
        "sleep_duration": night.time_asleep() * 1_000,
        "sleep_duration_awake": night.time_in("awake") * 1_000,
        "sleep_duration_deep": night.time_in("deep") * 1_000,
        "sleep_duration_light": night.time_in("light") * 1_000,
        "sleep_duration_rem": night.time_in("rem") * 1_000,
        "sleep_efficiency": round(night.time_asleep() as f64 * 100.0 / whole as f64, 10.0),
        "sleep_interruptions": night.interruptions(),
        "sleep_latency": ends(night.stages.first()),
        "sleep_score": night.score(),
        "sleep_skin_temperature_deviation": skin,
        "wakeup_latency": ends(night.stages.last()),
    })
}

/// Returns the samples. Offsets from the start of the night and durations are in ms.
fn samples_json(series: &NightSeries) -> Value {
    let milliseconds = |seconds: &[i64]| -> Value { seconds.iter().map(|seconds| seconds * 1_000).collect() };
    let mut values = json!({
        "heartrate": series.heart,
        "hrv_rmssd": series.rmssd,
        "breathing_rate": series.breathing,
    });
    if !series.glucose.is_empty() {
        values["glucose"] = json!(series.glucose);
    }
    json!({
        "durations": milliseconds(&series.durations),
        "offsets": milliseconds(&series.offsets),
        "values": values,
    })
}
