//! Sleep records.

use serde_json::Value;
use vitalwire_sandbox::civil::{Date, date};

use super::support::{Service, TODAY, is_uuid, names, seconds};

async fn night(service: &Service, at: usize, day: Date, query: &str) -> Value {
    let id = service.sandbox.people()[at].sleep_id(day);
    service.get_as(at, &format!("/queries/sleeps/{id}{query}")).await.ok()
}

#[tokio::test]
async fn a_night_has_only_the_requested_fields() {
    let service = Service::new().await;
    for at in 0..4 {
        let record = night(&service, at, TODAY, "").await;
        assert_eq!(record["sleep_id"], service.sandbox.people()[at].sleep_id(TODAY));
        assert_eq!(record["sleep_date"], "2025-11-21");
        let (start, end) = (seconds(&record["start_at_timestamp"]), seconds(&record["end_at_timestamp"]));
        assert_eq!(record["duration"], (end - start) * 1000);
        assert!(seconds(&record["modified_at"]) >= end);
        assert!((6 * 3600..10 * 3600).contains(&(end - start)));
        assert_eq!(record["input_method"], "device");
        assert!(record["provider_slug"].is_string());
        assert!(record["record_ids"].as_array().unwrap().iter().all(is_uuid));
        assert!((0..=100).contains(&record["score"].as_i64().unwrap()));
        assert_eq!(record["user_time_offset_minutes"], [60, -300, 330, 660][at]);
        assert!(record["source"].as_object().unwrap().values().all(Value::is_string));
        assert_eq!(record["source"].as_object().unwrap().len(), 8);
        assert!(record["metrics"].as_object().unwrap().values().all(Value::is_number));
        assert!(record.get("stages").is_none() && record.get("samples").is_none());
    }
}

#[tokio::test]
async fn stages_fill_the_night_and_agree_with_the_metrics() {
    let service = Service::new().await;
    let record = night(&service, 0, TODAY, "?include_stages=true").await;
    assert!(record.get("samples").is_none());
    let stages = record["stages"].as_array().unwrap();
    let mut at = seconds(&record["start_at_timestamp"]);
    let mut spent = std::collections::BTreeMap::new();
    for stage in stages {
        assert_eq!(seconds(&stage["start_at"]), at);
        let end = seconds(&stage["end_at"]);
        assert_eq!(stage["duration"], (end - at) * 1000);
        *spent.entry(stage["stage"].as_str().unwrap().to_owned()).or_insert(0) += (end - at) * 1000;
        at = end;
    }
    assert_eq!(at, seconds(&record["end_at_timestamp"]));
    assert_eq!(spent.keys().collect::<Vec<_>>(), ["awake", "deep", "light", "rem"]);
    let metrics = &record["metrics"];
    for (name, milliseconds) in &spent {
        assert_eq!(metrics[format!("sleep_duration_{name}")], *milliseconds);
    }
    assert_eq!(metrics["sleep_duration"], spent["deep"] + spent["light"] + spent["rem"]);
    assert_eq!(metrics["bedtime_duration"], record["duration"]);
    assert_eq!(metrics["sleep_latency"], stages[0]["duration"]);
}

#[tokio::test]
async fn samples_have_one_length() {
    let service = Service::new().await;
    for at in 0..2 {
        let record = night(&service, at, TODAY, "?include_samples=true&include_stages=false").await;
        assert!(record.get("stages").is_none());
        let samples = &record["samples"];
        let list = |value: &Value| -> Vec<f64> { value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect() };
        let (offsets, durations) = (list(&samples["offsets"]), list(&samples["durations"]));
        assert!(offsets.iter().enumerate().all(|(at, offset)| *offset == at as f64 * 300_000.0));
        assert_eq!(durations.iter().sum::<f64>(), record["duration"].as_f64().unwrap());
        let values = samples["values"].as_object().unwrap();
        let names = names(&samples["values"]);
        let expected: &[&str] =
            if at == 0 { &["breathing_rate", "glucose", "heartrate", "hrv_rmssd"] } else { &["breathing_rate", "heartrate", "hrv_rmssd"] };
        assert_eq!(names, expected);
        for series in values.values() {
            assert_eq!(list(series).len(), offsets.len());
        }
        let heart = list(&values["heartrate"]);
        let least = heart.iter().copied().fold(f64::INFINITY, f64::min);
        assert_eq!(record["metrics"]["heartrate_min"].as_f64(), Some(least));
        let mean = heart.iter().sum::<f64>() / heart.len() as f64;
        assert!((record["metrics"]["heartrate"].as_f64().unwrap() - mean).abs() <= 0.5);
        if at == 0 {
            let glucose = values["glucose"].as_array().unwrap();
            let decimals = |value: &Value| value.to_string().split_once('.').map_or(0, |(_, rest)| rest.len());
            assert!(glucose.iter().all(|value| decimals(value) <= 6));
            assert!(glucose.iter().any(|value| decimals(value) == 6));
        }
    }
}

// statements: supplement.error.conditions
#[tokio::test]
async fn nights_exist_once_ended_and_only_for_their_owner() {
    let service = Service::new().await;
    for day in [date(2020, 1, 1), date(2023, 6, 15), date(2025, 3, 30), date(2025, 10, 26)] {
        for at in 0..4 {
            assert_eq!(night(&service, at, day, "").await["sleep_date"], day.to_string());
        }
    }
    let person = &service.sandbox.people()[0];
    for day in [date(2019, 12, 31), date(2025, 11, 22), Date::MIN, Date::MAX] {
        service.get(&format!("/queries/sleeps/{}", person.sleep_id(day))).await.problem(404);
    }
    service.get_as(1, &format!("/queries/sleeps/{}", person.sleep_id(TODAY))).await.problem(404);
    service.get("/queries/sleeps/6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b").await.problem(404);
    let odd = service.get(&format!("/queries/sleeps/{}?include_stages=1&include_samples=", person.sleep_id(TODAY))).await;
    assert_eq!(odd.problem(422), ["query.include_stages", "query.include_samples"]);

    service.sandbox.app().advance(std::time::Duration::from_secs(86_400)).unwrap();
    service.get(&format!("/queries/sleeps/{}", person.sleep_id(date(2025, 11, 22)))).await.ok();
}

#[tokio::test]
async fn a_new_night_is_not_modified_in_the_future() {
    let day = date(2025, 11, 22);
    let later = Service::new().await;
    later.sandbox.app().advance(std::time::Duration::from_secs(86_400)).unwrap();
    let end: jiff::Timestamp = night(&later, 0, day, "").await["end_at_timestamp"].as_str().unwrap().parse().unwrap();
    let service = Service::new().await;
    for (after, modified) in [(0, 0), (599, 0), (600, 600), (86_400, 600)] {
        service.sandbox.app().set_time(end + jiff::SignedDuration::from_secs(after)).unwrap();
        let record = night(&service, 0, day, "").await;
        assert_eq!(seconds(&record["modified_at"]) - end.as_second(), modified, "{after} s after the end");
    }
}

#[tokio::test]
async fn daily_sleep_statistics_match_the_night() {
    let service = Service::new().await;
    let path = "/queries/statistics/daily?from_date=2025-11-12&to_date=2025-11-21&types=sleep_duration_total,sleep_score,heartrate_resting&exclude_manual=true";
    let days = service.get(path).await.ok()["statistics"].clone();
    for (at, day) in days.as_array().unwrap().iter().enumerate() {
        let record = night(&service, 0, date(2025, 11, 12 + i8::try_from(at).unwrap()), "").await;
        assert_eq!(day["values"]["sleep_duration_total"], record["metrics"]["sleep_duration"]);
        assert_eq!(day["values"]["sleep_score"], record["score"]);
        assert_eq!(day["values"]["heartrate_resting"], record["metrics"]["heartrate_resting"]);
    }
}
