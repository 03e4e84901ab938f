//! Daily and hourly statistics: values, ranges and consistency.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::Value;
use vitalwire_sandbox::Sandbox;

use super::specification::SPECIFICATION;
use super::support::{Service, names, seconds};

/// Types of daily statistics. A later specification may list some without data.
static DAILY: LazyLock<Vec<&str>> = LazyLock::new(|| SPECIFICATION.names("daily_statistics", "types"));
/// Types of interval statistics.
static INTERVAL: LazyLock<Vec<&str>> = LazyLock::new(|| SPECIFICATION.names("interval_statistics", "types"));

#[tokio::test]
async fn every_day_has_the_same_plausible_values() {
    let service = Service::new().await;
    let mut with_data = None;
    for at in 0..4 {
        let path = format!("/queries/statistics/daily?from_date=2025-08-01&to_date=2025-11-20&types={}", DAILY.join(","));
        let body = service.get_as(at, &path).await.ok();
        assert_eq!(body["from_date"], "2025-08-01");
        assert_eq!(body["to_date"], "2025-11-20");
        let days = body["statistics"].as_array().unwrap();
        assert_eq!(days.len(), 31 + 30 + 31 + 20);
        for day in days {
            assert_eq!(day.as_object().unwrap().len(), 2);
            let values = day["values"].as_object().unwrap();
            let found: BTreeSet<String> = values.keys().cloned().collect();
            assert!(found.iter().all(|name| DAILY.contains(&name.as_str())), "{found:?}");
            assert_eq!(&found, with_data.get_or_insert_with(|| found.clone()), "{}", day["date"]);
            let within = |name: &str, low: f64, high: f64| {
                let value = values[name].as_f64().unwrap();
                assert!((low..=high).contains(&value), "{name}: {value} on {}", day["date"]);
            };
            within("steps", 2_000.0, 16_000.0);
            within("heartrate_resting", 48.0, 70.0);
            within("heartrate", 50.0, 110.0);
            // Includes a nap, if any.
            within("sleep_duration_total", 5.0 * 3.6e6, 11.0 * 3.6e6);
            within("calories_burned_total", 1_350.0, 4_000.0);
            within("sleep_skin_temperature_deviation", -1.0, 1.0);
            for score in ["activity_score", "recovery_score", "sleep_score", "stress_score"] {
                within(score, 0.0, 100.0);
            }
            let number = |name: &str| values[name].as_f64().unwrap();
            assert!(number("heartrate_min") <= number("heartrate") && number("heartrate") <= number("heartrate_max"));
            let burned = number("calories_burned_active") + number("calories_burned_basal");
            assert!((burned - number("calories_burned_total")).abs() < 1e-6);
            let covered = number("distance_walking") + number("distance_running") + number("distance_cycling");
            assert!((covered - number("distance_total")).abs() < 1e-6);
        }
    }
}

// statements: supplement.unit.decimals
#[tokio::test]
async fn distances_and_energies_have_four_decimals_and_temperatures_two() {
    let service = Service::new().await;
    let path = format!("/queries/statistics/daily?from_date=2025-11-01&to_date=2025-11-20&types={}", DAILY.join(","));
    let body = service.get(&path).await.ok();
    let mut with_decimals = BTreeSet::new();
    for day in body["statistics"].as_array().unwrap() {
        for (name, value) in day["values"].as_object().unwrap() {
            let decimals = match name.as_str() {
                name if name.starts_with("distance_") || name.starts_with("calories_") => 4,
                name if name.contains("temperature") => 2,
                _ => continue,
            };
            let text = value.to_string();
            let found = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
            assert!(found <= decimals, "{name} has {found} decimals");
            if found == decimals {
                with_decimals.insert(name.split('_').next().unwrap_or_default().to_owned());
            }
        }
    }
    // Each kind has a value with all of its decimals.
    assert_eq!(with_decimals, ["calories", "distance", "sleep"].map(str::to_owned).into());
}

/// Start and end of a local day in UTC, and its number of hours.
type LocalDay = (&'static str, &'static str, usize);

// statements: daily.param.from_date, daily.param.to_date
#[tokio::test]
async fn the_hours_of_a_local_day_add_up_to_it() {
    let service = Service::new().await;
    let sums = ["steps", "calories_burned_total", "calories_burned_active", "distance_total"];
    // Each day with its bounds for each of the four people, worked out by hand. Berlin's clock goes back on the second day, Sydney's
    // goes forward on the third.
    let cases: [(&str, [LocalDay; 4]); 3] = [
        (
            "2025-11-20",
            [
                ("2025-11-19T23:00:00Z", "2025-11-20T23:00:00Z", 24),
                ("2025-11-20T05:00:00Z", "2025-11-21T05:00:00Z", 24),
                ("2025-11-19T18:30:00Z", "2025-11-20T18:30:00Z", 24),
                ("2025-11-19T13:00:00Z", "2025-11-20T13:00:00Z", 24),
            ],
        ),
        (
            "2025-10-26",
            [
                ("2025-10-25T22:00:00Z", "2025-10-26T23:00:00Z", 25),
                ("2025-10-26T04:00:00Z", "2025-10-27T04:00:00Z", 24),
                ("2025-10-25T18:30:00Z", "2025-10-26T18:30:00Z", 24),
                ("2025-10-25T13:00:00Z", "2025-10-26T13:00:00Z", 24),
            ],
        ),
        (
            "2025-10-05",
            [
                ("2025-10-04T22:00:00Z", "2025-10-05T22:00:00Z", 24),
                ("2025-10-05T04:00:00Z", "2025-10-06T04:00:00Z", 24),
                ("2025-10-04T18:30:00Z", "2025-10-05T18:30:00Z", 24),
                ("2025-10-04T14:00:00Z", "2025-10-05T13:00:00Z", 23),
            ],
        ),
    ];
    for (day, people) in cases {
        for (at, (from, to, count)) in people.into_iter().enumerate() {
            let types = sums.join(",");
            let daily = format!("/queries/statistics/daily?from_date={day}&to_date={day}&types={types}");
            let daily = service.get_as(at, &daily).await.ok()["statistics"][0].clone();
            assert_eq!(daily["date"], day);
            let hourly = format!("/queries/statistics/interval?interval=1h&from_timestamp={from}&to_timestamp={to}&types={types}");
            let hourly = service.get_as(at, &hourly).await.ok();
            assert_eq!((hourly["from_timestamp"].as_str(), hourly["to_timestamp"].as_str()), (Some(from), Some(to)));
            let hours = hourly["statistics"].as_array().unwrap();
            assert_eq!(hours.len(), count, "{day}, person {at}");
            for name in sums {
                // The hour in which the watch is charged may have no value.
                let sum: f64 = hours.iter().filter_map(|hour| hour["values"][name].as_f64()).sum();
                assert!((sum - daily["values"][name].as_f64().unwrap()).abs() < 1e-6, "{name} of {day}, person {at}");
            }
        }
    }
}

// statements: statistics.values.interval_removed, supplement.set.interval_types, supplement.set.rejected_types
#[tokio::test]
async fn hourly_statistics_accept_only_their_types() {
    let service = Service::new().await;
    let range = "interval=1h&from_timestamp=2025-11-20T00:00:00Z&to_timestamp=2025-11-21T00:00:00Z";
    let body = service.get(&format!("/queries/statistics/interval?{range}&types={}", INTERVAL.join(","))).await.ok();
    let hours = body["statistics"].as_array().unwrap();
    assert_eq!(hours.len(), 24);
    let mut seen = std::collections::BTreeSet::new();
    for hour in hours {
        assert_eq!(seconds(&hour["to_timestamp"]) - seconds(&hour["from_timestamp"]), 3_600);
        seen.extend(hour["values"].as_object().unwrap().keys().cloned());
    }
    // Hours have the statistics of the day, except those of whole days.
    let day =
        service.get(&format!("/queries/statistics/daily?from_date=2025-11-20&to_date=2025-11-20&types={}", DAILY.join(","))).await.ok();
    let day = names(&day["statistics"][0]["values"]).into_iter().filter(|name| INTERVAL.contains(name)).map(str::to_owned).collect();
    assert_eq!(seen, day);
    for name in ["activity_score", "recovery_score", "sleep_score", "stress_score", "sleep_duration_total", "nonsense"] {
        let response = service.get(&format!("/queries/statistics/interval?{range}&types=steps,{name}")).await;
        assert_eq!(response.problem(422), ["query.types"], "{name}");
    }
}

// statements: interval.param.from_timestamp, interval.param.to_timestamp
#[tokio::test]
async fn a_bucket_belongs_to_the_range_it_starts_in() {
    let service = Service::new().await;
    let starts = async |from: &str, to: &str| -> Vec<String> {
        let path = format!("/queries/statistics/interval?interval=1h&types=steps&from_timestamp={from}&to_timestamp={to}");
        let body = service.get(&path).await.ok();
        let hours = body["statistics"].as_array().unwrap().clone();
        hours.iter().map(|hour| hour["from_timestamp"].as_str().unwrap()[11..16].to_owned()).collect()
    };
    assert_eq!(starts("2025-11-20T08:00:00Z", "2025-11-20T11:00:00Z").await, ["08:00", "09:00", "10:00"]);
    assert_eq!(starts("2025-11-20T08:00:00", "2025-11-20T09:00:00").await, ["08:00"]);
    assert_eq!(starts("2025-11-20T08:00:00.000000001Z", "2025-11-20T09:00:00.000000001Z").await, ["09:00"]);
    assert_eq!(starts("2025-11-20T08:00:00Z", "2025-11-20T08:00:00Z").await, [""; 0]);
    // It is noon, so the hour from 11:00 is the last that has ended.
    assert_eq!(starts("2025-11-21T10:00:00Z", "2025-11-22T00:00:00Z").await, ["10:00", "11:00"]);
    assert_eq!(starts("0001-01-01T00:00:00Z", "2020-01-01T00:00:00Z").await, ["23:00"], "New Year in Berlin");
    assert_eq!(starts("2030-01-01T00:00:00Z", "9999-12-30T00:00:00Z").await, [""; 0]);

    let open = service.get("/queries/statistics/interval?interval=1h&types=steps").await.ok();
    assert_eq!(open["statistics"].as_array().unwrap().len(), 24);
    assert_eq!(open["to_timestamp"], "2025-11-21T12:00:00Z");
    assert_eq!(open["from_timestamp"], "2025-11-20T12:00:00Z");
}

#[tokio::test]
async fn today_grows_with_the_hours() {
    let service = Service::new().await;
    let path = format!("/queries/statistics/daily?from_date=2025-11-21&to_date=2025-11-25&types={}", DAILY.join(","));
    let now = service.get(&path).await.ok()["statistics"].clone();
    assert_eq!(now.as_array().unwrap().len(), 1);
    let six = std::time::Duration::from_secs(6 * 3600);
    service.sandbox.app().advance(six).unwrap();
    let later = service.get(&path).await.ok()["statistics"].clone();
    assert!(later[0]["values"]["steps"].as_i64() > now[0]["values"]["steps"].as_i64());
    assert_eq!(later[0]["values"]["sleep_score"], now[0]["values"]["sleep_score"]);
    service.sandbox.app().advance(six * 4).unwrap();
    assert_eq!(service.get(&path).await.ok()["statistics"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_year_of_hours_is_streamed_without_gaps() {
    let service = Service::new().await;
    let path = "/queries/statistics/interval?interval=1h&types=steps,heartrate&from_timestamp=2020-01-01T00:00:00Z&to_timestamp=2021-01-01T00:00:00Z";
    let response = service.get(path).await;
    assert!(response.headers.get("content-length").is_none());
    let hours = response.ok()["statistics"].as_array().unwrap().clone();
    assert_eq!(hours.len(), 366 * 24);
    assert!(hours.windows(2).all(|pair| pair[0]["to_timestamp"] == pair[1]["from_timestamp"]));
}

#[tokio::test]
async fn record_ids_are_returned_only_on_request() {
    let service = Service::new().await;
    let base = "/queries/statistics/daily?from_date=2025-11-20&to_date=2025-11-20&types=steps";
    for (query, expected) in [("", false), ("&include_record_ids=false", false), ("&include_record_ids=true", true)] {
        let day = service.get(&format!("{base}{query}")).await.ok()["statistics"][0].clone();
        let ids = day.get("record_ids").and_then(Value::as_array).map_or(0, Vec::len);
        assert_eq!(ids > 0, expected, "{query}");
    }
}

// statements: supplement.lenient.null_lists
#[tokio::test]
async fn an_empty_list_can_be_null() {
    let path = "/queries/statistics/daily?from_date=2030-01-01&to_date=2030-01-02&types=steps";
    let service = Service::new().await;
    assert_eq!(service.get(path).await.ok()["statistics"], Value::Array(Vec::new()));
    let service = Service::with_builder(Sandbox::builder().null_for_empty(true)).await;
    assert_eq!(service.get(path).await.ok()["statistics"], Value::Null);
    let labs = service.get("/lab_reports?to_timestamp=2000-01-01T00:00:00Z").await.ok();
    assert_eq!(labs, Value::Null);
}
