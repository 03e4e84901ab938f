//! Consistency of daily and hourly statistics, for days of 23, 24 and 25 hours, several time zones and all filters.

use serde_json::Value;
use vitalwire_sandbox::Sandbox;

use super::support::Service;

/// Statistics that are summed over a day.
const SUMS: &str = "steps,distance_walking,distance_running,distance_cycling,distance_total,calories_burned_active,\
    calories_burned_basal,calories_burned_total";
/// Statistics with one value for all hours of a day.
const SAME: &str = "heartrate_resting,sleep_skin_temperature_deviation";
/// Statistics whose daily value is the rounded mean of the hourly values.
const MEANS: &str = "heartrate,hrv_rmssd,hrv_sdnn";

/// Days of 2025 without and with clock changes, and the number of hours of each day for each of the six people:
/// Berlin, New York, Kolkata, Sydney, São Paulo and Los Angeles.
const DAYS: [(&str, [usize; 6]); 8] = [
    ("2025-11-19", [24; 6]),
    ("2025-07-15", [24; 6]),
    ("2025-03-09", [24, 23, 24, 24, 24, 23]),
    ("2025-03-30", [23, 24, 24, 24, 24, 24]),
    ("2025-04-06", [24, 24, 24, 25, 24, 24]),
    ("2025-10-05", [24, 24, 24, 23, 24, 24]),
    ("2025-10-26", [25, 24, 24, 24, 24, 24]),
    ("2025-11-02", [24, 25, 24, 24, 24, 25]),
];

/// Providers of the six people, used as filters one by one.
const PROVIDERS: [&[&str]; 6] = [
    &["oura", "garmin", "dexcom", "apple"],
    &["fitbit", "withings"],
    &["polar", "strava", "health_connect"],
    &["whoop", "suunto", "omron_eu"],
    &["ultrahuman", "coros", "freestyle_libre"],
    &["withings", "huawei", "wahoo", "samsung_health_data"],
];

/// Returns local midnight of a day and of the next one. The rules are those of 2025; [`DAYS`] checks them.
fn bounds(day: &str, zone: &str) -> (String, String) {
    let rule = match zone {
        "Europe/Berlin" => "CET-1CEST,M3.5.0,M10.5.0/3",
        "America/New_York" => "EST5EDT,M3.2.0,M11.1.0",
        "Asia/Kolkata" => "IST-5:30",
        "Australia/Sydney" => "AEST-10AEDT,M10.1.0,M4.1.0/3",
        "America/Sao_Paulo" => "<-03>3",
        "America/Los_Angeles" => "PST8PDT,M3.2.0,M11.1.0",
        other => panic!("{other}"),
    };
    let zone = jiff::tz::TimeZone::posix(rule).unwrap();
    let day: jiff::civil::Date = day.parse().unwrap();
    let midnight = |day: jiff::civil::Date| zone.to_timestamp(day.at(0, 0, 0, 0)).unwrap().to_string();
    (midnight(day), midnight(day.tomorrow().unwrap()))
}

fn hourly_values(hours: &[Value], name: &str) -> Vec<f64> {
    hours.iter().filter_map(|hour| hour["values"][name].as_f64()).collect()
}

/// Compares a day with its hours. Returns the number of statistics compared.
fn compare(day: &Value, hours: &[Value], at: &str) -> usize {
    let value = |name: &str| day["values"][name].as_f64();
    let mut compared = 0;
    let mut expect = |name: &str, expected: Option<f64>| {
        let near = match (value(name), expected) {
            (Some(value), Some(expected)) => (value - expected).abs() < 1e-6,
            (None, None) => return,
            _ => false,
        };
        assert!(near, "{at}: {name} is {:?}, its hours say {expected:?}", value(name));
        compared += 1;
    };
    for name in SUMS.split(',') {
        expect(name, hourly_values(hours, name).into_iter().reduce(|sum, value| sum + value));
    }
    for name in SAME.split(',') {
        let values = hourly_values(hours, name);
        assert!(values.windows(2).all(|pair| pair[0] == pair[1]), "{at}: {name}");
        expect(name, values.first().copied());
    }
    for name in MEANS.split(',') {
        let values = hourly_values(hours, name);
        let mean = (values.iter().sum::<f64>() / values.len() as f64 + 0.5).floor();
        expect(name, (!values.is_empty()).then_some(mean));
    }
    expect("heartrate_min", hourly_values(hours, "heartrate_min").into_iter().reduce(f64::min));
    expect("heartrate_max", hourly_values(hours, "heartrate_max").into_iter().reduce(f64::max));
    compared
}

// statements: service.returns
#[tokio::test]
async fn days_are_aggregated_from_their_hours() {
    let service = Service::with_builder(Sandbox::builder().people(6)).await;
    let types = format!("types={SUMS},{SAME},{MEANS},heartrate_min,heartrate_max");
    for (day, lengths) in DAYS {
        for (at, length) in lengths.into_iter().enumerate() {
            let zone = service.sandbox.people()[at].time_zone.clone();
            let (from, to) = bounds(day, &zone);
            let mut filters: Vec<String> = PROVIDERS[at].iter().map(|slug| format!("&providers={slug}")).collect();
            filters.extend([String::new(), "&exclude_manual=true".to_owned(), "&device_types=unknown".to_owned()]);
            for filter in filters {
                let daily = service.get_as(at, &format!("/queries/statistics/daily?from_date={day}&to_date={day}&{types}{filter}")).await;
                let path = format!("/queries/statistics/interval?interval=1h&from_timestamp={from}&to_timestamp={to}&{types}{filter}");
                let hours = service.get_as(at, &path).await.ok()["statistics"].as_array().unwrap().clone();
                let place = format!("{day} in {zone}{filter}");
                let days = daily.ok()["statistics"].as_array().unwrap().clone();
                assert_eq!(days.is_empty(), hours.is_empty(), "{place}");
                let compared = days.first().map_or(0, |day| compare(day, &hours, &place));
                if filter.is_empty() {
                    assert_eq!(hours.len(), length, "{place}");
                    assert_eq!(compared, 15, "{place}");
                }
            }
        }
    }
}

#[tokio::test]
async fn a_day_is_the_same_in_any_range_and_sandbox() {
    let (one, two) = (Service::new().await, Service::new().await);
    let path = |from: &str, to: &str| format!("/queries/statistics/daily?from_date={from}&to_date={to}&types=steps,sleep_score,heartrate");
    let whole = one.get(&path("2025-03-25", "2025-04-03")).await.ok()["statistics"].as_array().unwrap().clone();
    assert_eq!(whole.len(), 10);
    for day in whole {
        let date = day["date"].as_str().unwrap();
        assert_eq!(two.get(&path(date, date)).await.ok()["statistics"][0], day);
    }
}
