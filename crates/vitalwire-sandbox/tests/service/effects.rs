//! Effects and gaps in the data of 30 people over 90 days, as a study reads them.

use std::collections::BTreeMap;

use http::Method;
use serde_json::Value;
use tokio::sync::OnceCell;
use vitalwire_sandbox::civil::{Date, Weekday, date};
use vitalwire_sandbox::{Builder, Effect, Effects, Error, Sandbox};

use super::least_squares::Regression;
use super::specification::SPECIFICATION;
use super::support::{Service, seconds};

const PEOPLE: usize = 30;
const DAYS: usize = 90;
const LAST: Date = date(2025, 11, 20);
const MISSING: f64 = 0.1;
/// More steps are outliers.
const MAX_STEPS: f64 = 20_000.0;
/// Skin temperatures above this deviation are those of an illness.
const FEVER: f64 = 0.8;
/// People who live south of the equator: those in Sydney and São Paulo, counted from 0.
const SOUTHERN: [usize; 2] = [3, 4];

/// A night of a person's own device.
struct Night {
    /// Minutes.
    latency: f64,
    /// Hours.
    in_bed: f64,
    offset: f64,
    model: String,
}

/// Data of a person by day.
#[derive(Default)]
struct Data {
    days: BTreeMap<Date, Value>,
    nights: BTreeMap<Date, Night>,
}

impl Data {
    fn value(&self, day: Date, name: &str) -> Option<f64> {
        self.days.get(&day)?[name].as_f64()
    }

    fn steps(&self, day: Date) -> Option<f64> {
        self.value(day, "steps").filter(|steps| *steps <= MAX_STEPS)
    }

    fn is_ill(&self, day: Date) -> Option<bool> {
        Some(self.value(day, "sleep_skin_temperature_deviation")? > FEVER)
    }
}

fn builder(people: usize) -> Builder {
    Sandbox::builder().people(people).missing(MISSING).effects(Effects::all())
}

fn days() -> impl Iterator<Item = Date> {
    std::iter::successors(Some(LAST), |day| day.yesterday().ok()).take(DAYS)
}

fn daily(first: Date, types: &str) -> String {
    format!("/queries/statistics/daily?from_date={first}&to_date={LAST}&types={types}")
}

fn first_day() -> Date {
    days().last().unwrap()
}

async fn read(service: &Service, at: usize) -> Data {
    let mut data = Data::default();
    let types = "steps,heartrate_resting,sleep_skin_temperature_deviation,sleep_score";
    let body = service.get_as(at, &daily(first_day(), types)).await.ok();
    for bucket in body["statistics"].as_array().unwrap() {
        data.days.insert(bucket["date"].as_str().unwrap().parse().unwrap(), bucket["values"].clone());
    }
    for day in days() {
        let id = service.sandbox.people()[at].sleep_id(day);
        let request = service.request_as(at, Method::GET, &format!("/queries/sleeps/{id}")).build().unwrap();
        let response = service.send_unchecked(request).await;
        if response.status == 404 {
            continue;
        }
        let record = response.ok();
        let metric = |name: &str| record["metrics"][name].as_f64().unwrap();
        let night = Night {
            latency: metric("sleep_latency") / 60_000.0,
            in_bed: metric("bedtime_duration") / 3_600_000.0,
            offset: record["user_time_offset_minutes"].as_f64().unwrap(),
            model: record["source"]["device_model"].as_str().unwrap().to_owned(),
        };
        data.nights.insert(day, night);
    }
    data
}

/// Returns the data of all people, read once.
async fn study() -> &'static [Data] {
    static STUDY: OnceCell<Vec<Data>> = OnceCell::const_new();
    let read_all = async || {
        let service = Service::with_builder(builder(PEOPLE)).await;
        let mut people = Vec::new();
        for at in 0..PEOPLE {
            people.push(read(&service, at).await);
        }
        people
    };
    STUDY.get_or_init(read_all).await
}

fn number(is: bool) -> f64 {
    f64::from(u8::from(is))
}

fn is_weekend(day: Date) -> bool {
    matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday)
}

fn season(at: usize, day: Date) -> f64 {
    let north = (std::f64::consts::TAU * (f64::from(day.day_of_year()) - 172.0) / 365.25).cos();
    if SOUTHERN.contains(&(at % 6)) { -north } else { north }
}

#[tokio::test]
async fn more_steps_shorten_the_latency_of_the_next_night() {
    let (mut cleaned, mut raw) = (Regression::default(), Regression::default());
    for person in study().await {
        let with_steps = |steps: &dyn Fn(Date) -> Option<f64>| {
            person.nights.iter().filter_map(|(day, night)| Some(([steps(day.yesterday().unwrap())? / 1_000.0], night.latency))).collect()
        };
        cleaned.add_group(with_steps(&|day| person.steps(day)));
        raw.add_group(with_steps(&|day| person.value(day, "steps")));
    }
    let [effect] = cleaned.fit();
    effect.assert_recovers(Effect::StepsOnLatency.default_size(), "minutes per 1,000 steps");
    assert!(effect.margin < 0.2, "{effect:?}");
    let [biased] = raw.fit();
    assert!(biased.value > -1.6, "outliers must bias a careless analysis: {biased:?}");
}

#[tokio::test]
async fn steps_depend_on_weekday_season_and_sleep() {
    let mut regression = Regression::default();
    for (at, person) in study().await.iter().enumerate() {
        let observations = person.days.keys().filter_map(|day| {
            let in_bed = person.nights.get(day)?.in_bed;
            let regressors = [number(is_weekend(*day)), season(at, *day), in_bed, number(person.is_ill(*day)?)];
            Some((regressors, person.steps(*day)?))
        });
        regression.add_group(observations.collect());
    }
    let [weekend, season, sleep, illness] = regression.fit();
    weekend.assert_recovers(Effect::WeekendSteps.default_size(), "steps at weekends");
    season.assert_recovers(Effect::SeasonSteps.default_size(), "steps at midsummer");
    sleep.assert_recovers(Effect::SleepOnSteps.default_size(), "steps per hour in bed");
    illness.assert_recovers(-3_000.0, "steps of the ill");
}

#[tokio::test]
async fn illness_and_devices_change_the_resting_heart_rate() {
    let mut regression = Regression::default();
    for person in study().await {
        let observations = person.days.keys().filter_map(|day| {
            let has_second = person.nights.get(day)?.model.ends_with(" 2");
            Some(([number(person.is_ill(*day)?), number(has_second)], person.value(*day, "heartrate_resting")?))
        });
        regression.add_group(observations.collect());
    }
    let [illness, device] = regression.fit();
    illness.assert_recovers(Effect::Illness.default_size(), "bpm of the ill");
    device.assert_recovers(Effect::DeviceChange.default_size(), "bpm of the second device");
}

#[tokio::test]
async fn nights_are_longer_at_weekends_and_for_the_ill() {
    let mut regression = Regression::default();
    for person in study().await {
        let observations = person
            .nights
            .iter()
            .filter_map(|(day, night)| Some(([number(is_weekend(*day)), number(person.is_ill(*day)?)], night.in_bed * 60.0)));
        regression.add_group(observations.collect());
    }
    let [weekend, illness] = regression.fit();
    weekend.assert_recovers(Effect::WeekendSleep.default_size(), "minutes at weekends");
    illness.assert_recovers(45.0, "minutes of the ill");
}

#[tokio::test]
async fn the_share_of_missing_days_is_the_requested_one() {
    let people = study().await;
    let all = (PEOPLE * DAYS) as f64;
    let present: usize = people.iter().map(|person| person.days.len()).sum();
    let missing = 1.0 - present as f64 / all;
    assert!((missing - MISSING).abs() < 0.02, "{missing}");
    // Half the share is missing of the other nights.
    let nights: usize = people.iter().map(|person| person.nights.len()).sum();
    let missing = 1.0 - nights as f64 / present as f64;
    assert!((missing - MISSING / 2.0).abs() < 0.015, "{missing}");
    for person in people {
        assert!(person.nights.keys().all(|day| person.days.contains_key(day)), "a missing day has no night");
        for (day, values) in &person.days {
            assert!(values["steps"].as_f64().unwrap() > 0.0, "a missing value must be absent, never zero");
            assert_eq!(person.nights.contains_key(day), values.get("sleep_score").is_some());
        }
    }
}

#[tokio::test]
async fn episodes_and_outliers_are_visible() {
    let people = study().await;
    let ill = people.iter().filter(|person| person.days.keys().any(|day| person.is_ill(*day) == Some(true))).count();
    assert!((15..=PEOPLE).contains(&ill), "{ill} of {PEOPLE} people were ill");
    let travelled = people.iter().filter(|person| {
        let offsets: Vec<f64> = person.nights.values().map(|night| night.offset).collect();
        let least = offsets.iter().copied().fold(f64::MAX, f64::min);
        let most = offsets.iter().copied().fold(f64::MIN, f64::max);
        // A clock change at home is one hour, a trip six.
        most - least >= 300.0
    });
    let travelled = travelled.count();
    assert!((8..=28).contains(&travelled), "{travelled} of {PEOPLE} people travelled");
    let changed = people.iter().filter(|person| {
        let seconds = person.nights.values().filter(|night| night.model.ends_with(" 2")).count();
        seconds > 0 && seconds < person.nights.len()
    });
    let changed = changed.count();
    assert!((8..=22).contains(&changed), "{changed} of {PEOPLE} people changed their device");
    let outliers = people.iter().flat_map(|person| person.days.values()).filter(|day| day["steps"].as_f64().unwrap() > MAX_STEPS);
    let share = outliers.count() as f64 / people.iter().map(|person| person.days.len()).sum::<usize>() as f64;
    assert!((share - 0.01).abs() < 0.006, "{share}");
}

/// Returns the offset of each day by its night, checking that the night ends in the morning. Reads every record of the days.
async fn offsets(service: &Service, at: usize, days: &[Value]) -> BTreeMap<Date, i64> {
    let mut offsets = BTreeMap::new();
    for bucket in days {
        for id in bucket["record_ids"].as_array().unwrap() {
            let path = format!("/queries/sleeps/{}?include_stages=true&include_samples=true", id.as_str().unwrap());
            let response = service.get_as(at, &path).await;
            // Records of days are no sleeps.
            if response.status == 404 || response.ok()["input_method"] == "manual" {
                continue;
            }
            let night = response.ok();
            assert_eq!(night["sleep_date"], bucket["date"]);
            let offset = night["user_time_offset_minutes"].as_i64().unwrap();
            let clock = (seconds(&night["end_at_timestamp"]) + offset * 60).rem_euclid(86_400) / 3_600;
            assert!((4..9).contains(&clock), "the night of {} ends at {clock} o'clock", bucket["date"]);
            offsets.insert(day_of(bucket), offset);
        }
    }
    offsets
}

fn day_of(bucket: &Value) -> Date {
    bucket["date"].as_str().unwrap().parse().unwrap()
}

/// Returns midnight at an offset in minutes, in seconds since 1970.
fn midnight(day: Date, offset: i64) -> i64 {
    jiff::tz::TimeZone::UTC.to_timestamp(day.at(0, 0, 0, 0)).unwrap().as_second() - offset * 60
}

// statements: service.returns
#[tokio::test]
async fn every_response_is_valid_and_hours_add_up_to_days() {
    // Few gaps, because a flight is only recognised between two nights.
    let service = Service::with_builder(builder(6).missing(0.02)).await;
    let types = format!("{}&include_record_ids=true", SPECIFICATION.names("daily_statistics", "types").join(","));
    let (mut compared, mut flights) = (0, 0);
    for at in 0..6 {
        let days = service.get_as(at, &daily(first_day(), &types)).await.ok()["statistics"].as_array().unwrap().clone();
        let offsets = offsets(&service, at, &days).await;
        let range = format!("from_timestamp={}T00:00:00Z&to_timestamp=2025-11-22T00:00:00Z", first_day().yesterday().unwrap());
        let types = SPECIFICATION.names("interval_statistics", "types").join(",");
        let path = format!("/queries/statistics/interval?interval=1h&{range}&types={types}");
        let hours = service.get_as(at, &path).await.ok()["statistics"].as_array().unwrap().clone();
        let start = |hour: &Value| seconds(&hour["from_timestamp"]);
        assert!(hours.windows(2).all(|pair| start(&pair[1]) - start(&pair[0]) >= 3_600), "hours must neither overlap nor repeat");
        for bucket in &days {
            let day = day_of(bucket);
            let near = [day.yesterday().unwrap(), day, day.tomorrow().unwrap()].map(|day| offsets.get(&day).copied());
            let [Some(before), Some(here), Some(after)] = near else { continue };
            // The offset of a morning is not the one of midnight when clocks change.
            if [here - before, after - here].iter().any(|change| change.abs() == 60) {
                continue;
            }
            let local_day = midnight(day, here)..midnight(day.tomorrow().unwrap(), after);
            for name in ["steps", "distance_walking", "calories_burned_total"] {
                let sum: f64 =
                    hours.iter().filter(|hour| local_day.contains(&start(hour))).filter_map(|hour| hour["values"][name].as_f64()).sum();
                let whole = bucket["values"][name].as_f64().unwrap();
                assert!((sum - whole).abs() < 1e-6, "{name} of person {at} on {day}: {whole}, by hours {sum}");
            }
            compared += 1;
            flights += usize::from(here != after);
        }
    }
    assert!(compared > 400 && flights >= 2, "{compared} days, {flights} flights");
}

#[tokio::test]
async fn nothing_is_measured_in_missing_nights_and_days() {
    let service = Service::with_builder(Sandbox::builder().missing(0.4)).await;
    let days = service.get(&daily(date(2025, 11, 1), "steps,sleep_score")).await.ok()["statistics"].as_array().unwrap().clone();
    let (mut missing_days, mut missing_nights) = (0, 0);
    for day in days_from(date(2025, 11, 1)) {
        // One to four o'clock in Berlin, in every night.
        let range = format!("from_timestamp={day}T00:00:00Z&to_timestamp={day}T03:00:00Z");
        let path = format!("/queries/statistics/interval?interval=1h&{range}&types=steps,heartrate,calories_burned_basal");
        let hours = service.get(&path).await.ok()["statistics"].as_array().unwrap().clone();
        let bucket = days.iter().find(|bucket| day_of(bucket) == day);
        let names: Vec<Vec<&str>> = hours.iter().map(|hour| super::support::names(&hour["values"])).collect();
        match bucket.map(|bucket| bucket["values"].get("sleep_score").is_some()) {
            None => {
                missing_days += 1;
                assert!(hours.is_empty(), "{day}");
            }
            Some(false) => {
                missing_nights += 1;
                // Basal energy is computed, not measured.
                assert_eq!(names, [["calories_burned_basal"]; 3], "{day}");
            }
            Some(true) => assert_eq!(names, [["calories_burned_basal", "heartrate", "steps"]; 3], "{day}"),
        }
    }
    assert!(missing_days > 3 && missing_nights > 1, "{missing_days} days, {missing_nights} nights");
}

fn days_from(first: Date) -> impl Iterator<Item = Date> {
    std::iter::successors(Some(first), |day| day.tomorrow().ok()).take_while(|day| *day <= LAST)
}

#[tokio::test]
async fn the_seed_determines_gaps_and_effects() {
    let (few, many) = (Service::with_builder(builder(2)).await, Service::with_builder(builder(4)).await);
    let path = daily(first_day(), "steps,heartrate_resting,sleep_duration_total");
    let text = few.get_as(1, &path).await.text;
    let state: Value = few.http.get(format!("{}/_sandbox/state", few.sandbox.base_url())).send().await.unwrap().json().await.unwrap();
    assert_eq!(state["effects"], Effects::all().to_string());
    assert_eq!(state["missing"], MISSING);
    assert_eq!(many.get_as(1, &path).await.text, text, "the number of people must not change a person");
    let complete = Service::with_builder(Sandbox::builder().effects(Effects::all())).await;
    let complete = complete.get_as(1, &path).await.ok()["statistics"].as_array().unwrap().clone();
    let bucket = few.get_as(1, &path).await.ok()["statistics"][3].clone();
    assert!(complete.contains(&bucket), "a gap elsewhere must not change a day");
    let other = builder(2).seed(8).today(super::support::TODAY).start().await.unwrap();
    assert_ne!(other.people()[1].sleep_id(LAST), few.sandbox.people()[1].sleep_id(LAST));
}

#[tokio::test]
async fn the_last_night_of_each_person_is_recorded() {
    let service = Service::with_builder(builder(PEOPLE)).await;
    for (at, person) in service.sandbox.people().iter().enumerate() {
        let night = person.sleep_id(service.sandbox.app().last_night(person));
        service.get_as(at, &format!("/queries/sleeps/{night}")).await.ok();
    }
}

#[tokio::test]
async fn meals_have_the_energy_that_a_person_burns() {
    let service = Service::with_builder(Sandbox::builder().people(6).effects(Effects::all())).await;
    let eaten_by = async |service: &Service, at: usize| {
        let path = "/nutrition_records?from_timestamp=2025-11-01T00:00:00Z&to_timestamp=2025-11-15T00:00:00Z";
        service.get_as(at, path).await.ok().as_array().unwrap().clone()
    };
    for at in 0..6 {
        let path = "/queries/statistics/daily?from_date=2025-11-01&to_date=2025-11-14&types=calories_burned_total";
        let days = service.get_as(at, path).await.ok();
        let burned: Vec<f64> =
            days["statistics"].as_array().unwrap().iter().map(|day| day["values"]["calories_burned_total"].as_f64().unwrap()).collect();
        let meals = eaten_by(&service, at).await;
        let energy = |meal: &Value| meal["nutritional_fields"]["energy_kcal"].as_f64().unwrap();
        for week in 0..2_i64 {
            let burned: f64 = burned.iter().skip(week as usize * 7).take(7).sum();
            let local = |meal: &Value| seconds(&meal["consumed_at"]) + meal["user_time_offset_minutes"].as_i64().unwrap() * 60;
            let from = midnight(date(2025, 11, 1), 0) + week * 7 * 86_400;
            let eaten: f64 = meals.iter().filter(|meal| (from..from + 7 * 86_400).contains(&local(meal))).map(energy).sum();
            assert!((eaten / burned - 1.0).abs() < 0.1, "person {at} ate {eaten} kcal and burned {burned}");
        }
        let mut dishes: Vec<&str> = meals.iter().map(|meal| meal["dish_name"].as_str().unwrap()).collect();
        dishes.sort_unstable();
        dishes.dedup();
        assert!(dishes.len() >= 15, "{dishes:?}");
        assert!(meals.iter().map(energy).all(|energy| (100.0..1_300.0).contains(&energy)));
    }
}

#[tokio::test]
async fn an_impossible_share_of_missing_days_is_an_error() {
    for share in [-0.1, 0.91, f64::NAN] {
        let error = Sandbox::builder().missing(share).start().await.unwrap_err();
        assert!(matches!(error, Error::Missing) && error.to_string().contains("from 0 to 0.9"), "{error}");
    }
}
