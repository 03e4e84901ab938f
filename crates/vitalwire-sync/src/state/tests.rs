//! Random histories, compared with naive models, and digests of records.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use vitalwire::range::DateRange;
use vitalwire::table::Table;
use vitalwire::value::{Date, Timestamp};

use super::compare::{Changes, KnownRecord, compare};
use super::rows::RecordColumns;
use super::{RecordKey, SyncState};
use crate::RecordKind;
use crate::day_set::{DaySet, date_of};

/// Returns the number of histories. The step `histories` runs 50 times as many.
fn histories() -> u64 {
    20_000 * std::env::var("VITALWIRE_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(1)
}

/// Day and content by key.
type Records = BTreeMap<u8, (i32, u64)>;

fn known(records: &Records) -> Vec<KnownRecord<u8>> {
    let record =
        |(key, (day, content)): (&u8, &(i32, u64))| KnownRecord { key: *key, content: *content, first_day: *day, last_day: *day, rows: 1 };
    records.iter().map(record).collect()
}

#[test]
fn a_comparison_equals_that_of_a_naive_model() {
    for seed in 0..histories() {
        let mut random = Rng::with_seed(seed);
        let (mut service, mut warehouse) = (Records::new(), Records::new());
        for _ in 0..random.usize(1..5) {
            for _ in 0..random.usize(0..4) {
                let key = random.u8(0..6);
                if random.bool() {
                    service.insert(key, (random.i32(0..8), random.u64(0..3)));
                } else {
                    service.remove(&key);
                }
            }
            let (first, last) = (random.i32(0..8), random.i32(0..8));
            let (first, last) = (first.min(last), first.max(last));
            let is_requested = |day: i32| (first..=last).contains(&day);
            let response: Records =
                service.iter().filter(|(_, (day, _))| is_requested(*day)).map(|(key, record)| (*key, *record)).collect();
            // The naive model: forget all requested days and all returned records, and take the response.
            let mut expected = warehouse.clone();
            expected.retain(|key, (day, _)| !is_requested(*day) && !response.contains_key(key));
            let removed = warehouse.iter().filter(|(key, (day, _))| is_requested(*day) && !response.contains_key(key)).count() as u64;
            expected.extend(response.iter().map(|(key, record)| (*key, *record)));
            let added = response.keys().filter(|key| !warehouse.contains_key(key)).count() as u64;
            let changed = response.iter().filter(|(key, new)| warehouse.get(key).is_some_and(|old| old.1 != new.1)).count() as u64;

            let comparison =
                compare(known(&warehouse), known(&response), |record| first <= record.first_day && record.last_day <= last, |_| true);
            assert_eq!(comparison.changes, Changes { added, changed, removed }, "seed {seed}");
            warehouse.retain(|key, _| !comparison.removed.contains(key));
            warehouse.extend(response);
            assert_eq!(warehouse, expected, "seed {seed}");
            let mut records = comparison.records;
            records.sort_by_key(|record| record.key);
            assert_eq!(records, known(&warehouse), "seed {seed}");
        }
    }
}

#[test]
fn a_set_of_days_equals_a_naive_set() {
    for seed in 0..histories() / 20 {
        let mut random = Rng::with_seed(seed);
        let (mut set, mut naive) = (DaySet::new(), BTreeSet::new());
        for _ in 0..10 {
            let (first, last) = (random.i32(-20..20), random.i32(-20..20));
            let range = DateRange::from((date(first.min(last)), date(first.max(last))));
            let all = first.min(last)..=first.max(last);
            if random.u8(0..3) > 0 {
                set.insert(range);
                naive.extend(all.clone());
            } else {
                set.remove(range);
                naive.retain(|day| !all.contains(day));
            }
            assert_eq!(numbers(&set), naive, "seed {seed}");
            assert_eq!(set.len(), naive.len());
            assert_eq!(numbers(&set.within(range)), naive.iter().copied().filter(|day| all.contains(day)).collect(), "seed {seed}");
            assert_eq!(numbers(&set.missing_from(range)), all.filter(|day| !naive.contains(day)).collect(), "seed {seed}");
            assert_eq!(set.to_string().parse(), Ok(set.clone()));
        }
    }
}

fn date(day: i32) -> Date {
    date_of(day).unwrap()
}

fn numbers(set: &DaySet) -> BTreeSet<i32> {
    set.ranges()
        .flat_map(|range| (0..range.days()).map(move |day| crate::day_set::day_number(range.first()) + i32::try_from(day).unwrap()))
        .collect()
}

/// A warehouse that applies updates equals the service, as long as the service changes only new days and those of the look-back.
#[test]
fn later_runs_lose_and_double_nothing() {
    for seed in 0..histories() / 100 {
        let mut random = Rng::with_seed(seed);
        let lookback = random.u32(0..6);
        let (mut service, mut warehouse) = (BTreeMap::<i32, u8>::new(), BTreeMap::<i32, u8>::new());
        let mut state = SyncState::new();
        let (mut today, mut span_first) = (10, random.i32(0..8));
        let mut complete: i32 = -1;
        for _ in 0..random.usize(1..7) {
            // Providers deliver the days since the last run, and change those of the look-back.
            let first_changed = (complete + 1).saturating_sub(i32::try_from(lookback).unwrap()).max(0);
            for day in first_changed..today {
                match random.u8(0..3) {
                    0 => drop(service.insert(day, random.u8(0..5))),
                    1 => drop(service.remove(&day)),
                    _ => {}
                }
            }
            span_first = span_first.min(random.i32(0..8));
            // The plan may reach into the future, and a restart in between changes nothing.
            let span = DateRange::from((date(span_first), date(today + random.i32(0..5))));
            let time = Timestamp::from_unix(i64::from(today) * 86_400 + 12 * 3600, 0).unwrap();
            complete = today - 1;
            let due = state.due(DateRange::from((span.first(), span.last().min(date(complete)))), lookback);
            for range in due.ranges() {
                let (first, last) = (crate::day_set::day_number(range.first()), crate::day_set::day_number(range.last()));
                let response: BTreeMap<i32, u8> = service.range(first..=last).map(|(day, value)| (*day, *value)).collect();
                let update = state.update(RecordKind::Daily, range, &table(&response), lookback, time);
                for key in update.removed {
                    let RecordKey::Time(day) = key else { panic!("a day") };
                    assert!(warehouse.remove(&i32::try_from(day).unwrap()).is_some(), "seed {seed}");
                }
                warehouse.extend(response);
            }
            state = serde_json::from_str(&serde_json::to_string(&state).unwrap()).unwrap();
            let expected: BTreeMap<i32, u8> = service.range(span_first..today).map(|(day, value)| (*day, *value)).collect();
            assert_eq!(warehouse, expected, "seed {seed}, look-back {lookback}");
            today += random.i32(0..9);
        }
    }
}

fn table(steps: &BTreeMap<i32, u8>) -> Table {
    let rows: Vec<String> =
        steps.iter().map(|(day, steps)| format!(r#"{{"date":"{}","values":{{"steps":{steps}}}}}"#, date(*day))).collect();
    let body = format!(r#"{{"from_date":"1970-01-01","to_date":"1970-12-31","statistics":[{}]}}"#, rows.join(","));
    Table::read(RecordKind::Daily.id(), "daily_statistics", body.as_bytes()).unwrap()
}

/// Returns the digests of the only record of a response: of its content, and of its content in a file.
fn digests(kind: RecordKind, operation: &str, body: &str) -> (u64, u64) {
    let rows = Table::read(kind.id(), operation, body.as_bytes()).unwrap();
    let columns = RecordColumns::new(kind, &rows);
    let records = columns.records(0..rows.len());
    let [record] = &records[..] else { panic!("one record") };
    (columns.content_digest(record), columns.file_digest(record))
}

fn day_digests(values: &str) -> (u64, u64) {
    let day = format!(r#"{{"date":"2025-01-01","values":{{{values}}}}}"#);
    let body = format!(r#"{{"from_date":"2025-01-01","to_date":"2025-01-01","statistics":[{day}]}}"#);
    digests(RecordKind::Daily, "daily_statistics", &body)
}

/// States contain digests, so other digests would report every record as changed.
#[test]
fn the_digests_of_declared_columns_stay_the_same() {
    // Calculated with Python's hashlib, from the lengths and names of the columns and their values.
    let expected = 0xc089_4266_0b82_2b84;
    assert_eq!(day_digests(r#""steps":5"#), (expected, expected));
}

#[test]
fn the_order_of_undeclared_statistics_is_no_content() {
    let expected = day_digests(r#""zeta":1,"steps":5,"alpha":2"#);
    assert_eq!(day_digests(r#""alpha":2,"zeta":1,"steps":5"#), expected);
    assert_ne!(day_digests(r#""alpha":1,"zeta":2,"steps":5"#), expected);
}

#[test]
fn files_have_rows_in_the_order_of_times_and_times_in_microseconds() {
    let read = |times: [&str; 2]| {
        let stages = times.map(|time| format!(r#"{{"stage":"deep","start_at":"2025-01-01T{time}Z"}}"#)).join(",");
        let times = r#""modified_at":"2025-01-01T08:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z""#;
        digests(RecordKind::SleepStages, "get_sleep", &format!(r#"{{"sleep_id":"s",{times},"stages":[{stages}]}}"#))
    };
    let (content, file) = read(["00:00:00.123456", "01:00:00"]);
    assert_eq!(content, file);
    for times in [["01:00:00", "00:00:00.123456"], ["00:00:00.123456789", "01:00:00"]] {
        let other = read(times);
        assert!(other.0 != content && other.1 == file, "{times:?}");
    }
}
