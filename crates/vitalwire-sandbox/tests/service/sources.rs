//! Precedence of providers that measured the same, manual entries, and ids of contributing records.
//!
//! `person-1` has a ring (oura), a watch (garmin), a glucose sensor (dexcom) and a phone (apple); `person-2` a watch (fitbit) and a mat
//! (withings) whose integration is broken.

use std::collections::{BTreeMap, BTreeSet};

use http::Method;
use serde_json::Value;

use super::specification::SPECIFICATION;
use super::support::{Service, TODAY, is_uuid, names};

const DAYS: &str = "/queries/statistics/daily?from_date=2025-09-01&to_date=2025-11-20";
const HOURS: &str = "/queries/statistics/interval?interval=1h&from_timestamp=2025-09-01T00:00:00Z&to_timestamp=2025-11-20T00:00:00Z";

/// Returns the buckets of a query by date or start time.
async fn buckets(service: &Service, at: usize, path: &str) -> BTreeMap<String, Value> {
    let body = service.get_as(at, path).await.ok();
    let start = |bucket: &Value| bucket.get("date").unwrap_or(&bucket["from_timestamp"]).as_str().unwrap().to_owned();
    body["statistics"].as_array().unwrap().iter().map(|bucket| (start(bucket), bucket.clone())).collect()
}

fn number(bucket: &Value, name: &str) -> Option<f64> {
    bucket["values"][name].as_f64()
}

#[tokio::test]
async fn the_watch_counts_and_the_phone_fills_its_gaps() {
    let service = Service::new().await;
    let buckets_with =
        async |providers: &str| buckets(&service, 0, &format!("{HOURS}&types=steps&exclude_manual=true&providers={providers}")).await;
    let (watch, phone, both) = (buckets_with("garmin").await, buckets_with("apple").await, buckets_with("apple,garmin").await);
    let everyone = buckets(&service, 0, &format!("{HOURS}&types=steps&exclude_manual=true")).await;
    assert_eq!(both, everyone);
    let (mut differ, mut gaps) = (0, 0);
    for (hour, bucket) in &both {
        let (watch, phone) = (watch.get(hour).and_then(|bucket| number(bucket, "steps")), number(&phone[hour], "steps").unwrap());
        let expected = watch.unwrap_or(phone);
        assert_eq!(number(bucket, "steps"), Some(expected), "{hour}");
        if let Some(watch) = watch {
            assert!(phone <= watch, "a phone is not always carried");
            differ += usize::from(phone != watch);
        } else {
            gaps += 1;
            assert!(["18:", "19:", "20:", "21:"].iter().any(|clock| hour[11..].starts_with(clock)), "{hour} is no evening in Berlin");
        }
    }
    assert!(differ > 500, "{differ}");
    // 80 days with a charging hour on every second one.
    assert!((35..=45).contains(&gaps), "{gaps}");
}

#[tokio::test]
async fn the_ring_takes_precedence_for_nights() {
    let service = Service::new().await;
    let types = "types=sleep_score,sleep_duration_total&exclude_manual=true";
    let buckets_with = async |query: &str| buckets(&service, 0, &format!("{DAYS}&{types}{query}")).await;
    let (all, ring, watch) = (buckets_with("").await, buckets_with("&providers=oura").await, buckets_with("&providers=garmin").await);
    assert_eq!(all, ring);
    assert_eq!(watch.len(), 81);
    let minutes = |buckets: &BTreeMap<String, Value>, day: &str| number(&buckets[day], "sleep_duration_total").unwrap() / 60_000.0;
    let apart = ring.keys().filter(|day| minutes(&ring, day) != minutes(&watch, day)).count();
    assert!(apart > 70, "{apart}");
    assert!(ring.keys().all(|day| (minutes(&ring, day) - minutes(&watch, day)).abs() < 60.0), "it is the same night");
    assert!(buckets_with("&providers=apple").await.is_empty(), "a phone measures no sleep");
    assert!(buckets_with("&providers=dexcom").await.is_empty(), "a glucose sensor measures no sleep");
}

#[tokio::test]
async fn a_provider_returns_only_what_it_measures() {
    let service = Service::new().await;
    let all = SPECIFICATION.names("daily_statistics", "types").join(",");
    let buckets_with = async |at: usize, provider: &str| {
        let path = format!(
            "/queries/statistics/daily?from_date=2025-07-20&to_date=2025-07-20&types={all}&exclude_manual=true&providers={provider}"
        );
        let body = service.get_as(at, &path).await.ok();
        names(&body["statistics"][0]["values"]).join(",")
    };
    assert_eq!(buckets_with(0, "garmin").await, buckets_with(0, "").await, "a watch measures everything");
    let ring = "heartrate,heartrate_max,heartrate_min,heartrate_resting,hrv_rmssd,hrv_sdnn,recovery_score,sleep_duration_total,\
        sleep_score,sleep_skin_temperature_deviation";
    assert_eq!(buckets_with(0, "oura").await, ring);
    let phone = "activity_score,calories_burned_active,calories_burned_basal,calories_burned_total,distance_cycling,distance_running,\
        distance_total,distance_walking,steps";
    assert_eq!(buckets_with(0, "apple").await, phone);
    assert_eq!(buckets_with(1, "withings").await, "heartrate,heartrate_max,heartrate_min,sleep_duration_total,sleep_score");
}

#[tokio::test]
async fn excluding_manual_entries_lowers_some_days() {
    let service = Service::new().await;
    let types = "types=distance_cycling,calories_burned_active,sleep_duration_total";
    for at in 0..4 {
        let with = buckets(&service, at, &format!("{DAYS}&{types}&include_record_ids=true")).await;
        let without = buckets(&service, at, &format!("{DAYS}&{types}&include_record_ids=true&exclude_manual=true")).await;
        let same = buckets(&service, at, &format!("{DAYS}&{types}&include_record_ids=true&exclude_manual=false")).await;
        assert_eq!(with, same, "false is the default");
        let (mut rides, mut naps) = (0, 0);
        for (day, with) in &with {
            let more = |name: &str| number(with, name).unwrap() - number(&without[day], name).unwrap();
            let (metres, energy, asleep) = (more("distance_cycling"), more("calories_burned_active"), more("sleep_duration_total"));
            if metres > 0.0 {
                rides += 1;
                assert!((3_000.0..=8_000.0).contains(&metres) && metres % 500.0 == 0.0, "{metres}");
                assert!((energy - metres / 40.0).abs() < 1e-6);
            }
            if asleep > 0.0 {
                naps += 1;
                let new = ids(with).into_iter().find(|id| !ids(&without[day]).contains(id) && is_nap(id)).unwrap();
                let nap = service.get_as(at, &format!("/queries/sleeps/{new}?include_stages=true&include_samples=true")).await.ok();
                assert_eq!(nap["input_method"], "manual");
                assert_eq!(nap["sleep_date"], *day);
                assert_eq!(nap["duration"].as_f64(), Some(asleep));
                assert_eq!(nap["stages"][0]["stage"], "nap");
            }
            assert_eq!(ids(with).len() - ids(&without[day]).len(), usize::from(metres > 0.0) + usize::from(asleep > 0.0), "{day}");
        }
        assert!(rides > 2 && naps > 2 && rides + naps < 50, "{rides} rides and {naps} naps in 81 days");
    }
}

fn ids(bucket: &Value) -> BTreeSet<String> {
    let ids = bucket["record_ids"].as_array().unwrap();
    assert!(ids.iter().all(is_uuid));
    let set: BTreeSet<String> = ids.iter().map(|id| id.as_str().unwrap().to_owned()).collect();
    assert_eq!(set.len(), ids.len(), "each once");
    set
}

/// Whether a record id is one of a nap. Its fifth byte is 0xff.
fn is_nap(id: &str) -> bool {
    id[9..].starts_with("ff")
}

#[tokio::test]
async fn unknown_devices_are_phones_and_manual_entries() {
    let service = Service::new().await;
    let types = "types=steps,distance_walking,heartrate,sleep_duration_total";
    let unknown = buckets(&service, 0, &format!("{DAYS}&{types}&device_types=unknown&exclude_manual=true")).await;
    let phone = buckets(&service, 0, &format!("{DAYS}&{types}&providers=apple&exclude_manual=true")).await;
    assert_eq!(unknown, phone);
    assert_eq!(unknown.len(), 81);
    // All devices of person-2 have a known type, so only manual entries remain.
    let left = buckets(&service, 1, &format!("{DAYS}&types=steps,distance_total,sleep_duration_total&device_types=unknown")).await;
    assert!((5..40).contains(&left.len()), "{}", left.len());
    assert!(left.values().all(|day| number(day, "steps").is_none()));
    assert!(buckets(&service, 1, &format!("{DAYS}&types=steps&device_types=unknown")).await.is_empty());
    // The set of types is open. Other ones match no record.
    assert!(buckets(&service, 0, &format!("{DAYS}&{types}&device_types=watch")).await.is_empty());
    assert_eq!(buckets(&service, 0, &format!("{DAYS}&{types}&device_types=unknown,watch&exclude_manual=true")).await, unknown);
}

#[tokio::test]
async fn record_ids_name_the_contributing_records() {
    let service = Service::new().await;
    let day = "/queries/statistics/daily?from_date=2025-11-20&to_date=2025-11-20&exclude_manual=true&include_record_ids=true";
    let buckets_with = async |query: &str| {
        let body = service.get(&format!("{day}&{query}")).await.ok();
        ids(&body["statistics"][0])
    };
    let (ring, watch, phone) = (
        buckets_with("types=hrv_sdnn&providers=oura").await,
        buckets_with("types=steps&providers=garmin").await,
        buckets_with("types=steps&providers=apple").await,
    );
    assert_eq!((ring.len(), watch.len(), phone.len()), (1, 1, 1));
    let steps = buckets_with("types=steps").await;
    assert!(steps.is_superset(&watch) && !steps.contains(ring.first().unwrap()));
    assert!(steps.iter().all(|id| watch.contains(id) || phone.contains(id)));
    // The record of a night has the id of its sleep.
    let night = buckets_with("types=sleep_score").await;
    let date = vitalwire_sandbox::civil::date(2025, 11, 20);
    assert_eq!(night, BTreeSet::from([service.sandbox.people()[0].sleep_id(date)]));
    let other = buckets_with("types=sleep_score&providers=garmin").await;
    assert_eq!((other.len(), other.is_disjoint(&night)), (1, true));
    let record = service.get(&format!("/queries/sleeps/{}", other.first().unwrap())).await.ok();
    assert_eq!(record["provider_slug"], "garmin");
    assert_eq!(record["record_ids"][0], record["sleep_id"]);
    assert_eq!(record["sleep_date"], "2025-11-20");
    // Each device has its own record of the night.
    let own = service.get(&format!("/queries/sleeps/{}", night.first().unwrap())).await.ok();
    assert_eq!(own["provider_slug"], "oura");
    assert_ne!(own["metrics"], record["metrics"]);
    // Other users cannot read the record.
    service.get_as(1, &format!("/queries/sleeps/{}", other.first().unwrap())).await.problem(404);
    // Hours have the same record ids as their day. 2025-11-19T23:00Z is midnight in Berlin.
    let range = "from_timestamp=2025-11-19T23:00:00Z&to_timestamp=2025-11-20T23:00:00Z";
    let path = format!("/queries/statistics/interval?interval=1h&{range}&types=steps,hrv_sdnn&exclude_manual=true&include_record_ids=true");
    let hours = buckets(&service, 0, &path).await;
    assert_eq!(hours.len(), 24);
    let together: BTreeSet<String> = hours.values().flat_map(ids).collect();
    assert_eq!(together, buckets_with("types=steps,hrv_sdnn").await);
}

#[tokio::test]
async fn a_broken_integration_keeps_its_data_and_delivers_no_more() {
    let service = Service::new().await;
    let info = service.get_as(1, "/userinfo").await.ok();
    let broken = info["integrated_providers"].as_array().unwrap().iter().find(|one| one["is_integration_broken"] == true).unwrap();
    assert_eq!(broken["provider_slug"], "withings");
    let mat = buckets(&service, 1, &format!("{DAYS}&types=sleep_score,heartrate&providers=withings")).await;
    let last = mat.keys().last().unwrap().parse::<vitalwire_sandbox::civil::Date>().unwrap();
    let first = vitalwire_sandbox::civil::date(2025, 9, 1);
    // The integration broke ten to forty days before the start, and has no earlier gap.
    let days = |from: vitalwire_sandbox::civil::Date, to: vitalwire_sandbox::civil::Date| (to - from).get_days();
    assert!((10..40).contains(&days(last, TODAY)), "{last}");
    assert_eq!(usize::try_from(days(first, last)).unwrap() + 1, mat.len());
    let all = buckets(&service, 1, &format!("{DAYS}&types=sleep_score,heartrate")).await;
    assert_eq!(all.len(), 81, "the watch goes on");
    // The mat takes precedence until its integration broke. After that, the watch does.
    let watch = buckets(&service, 1, &format!("{DAYS}&types=sleep_score&providers=fitbit")).await;
    for (day, bucket) in &all {
        let expected = mat.get(day).filter(|bucket| number(bucket, "sleep_score").is_some()).unwrap_or(&watch[day]);
        assert_eq!(number(bucket, "sleep_score"), number(expected, "sleep_score"), "{day}");
    }
    // Removing an integration keeps its data.
    let before = buckets(&service, 0, &format!("{DAYS}&types=sleep_score&providers=oura")).await;
    service.send(service.request_as(0, Method::DELETE, "/providers/oura/integration")).await;
    assert_eq!(buckets(&service, 0, &format!("{DAYS}&types=sleep_score&providers=oura")).await, before);
    service.sandbox.app().advance(std::time::Duration::from_secs(10 * 86_400)).unwrap();
    let later = "/queries/statistics/daily?from_date=2025-11-22&to_date=2025-11-30&types=sleep_score";
    assert!(buckets(&service, 0, &format!("{later}&providers=oura")).await.is_empty(), "it was ended on the 21st");
    assert_eq!(buckets(&service, 0, later).await.len(), 9, "the watch goes on");
}
