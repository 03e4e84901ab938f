//! Tests of syncs that are stopped early.

use std::collections::BTreeMap;

use vitalwire_sync::RecordKind::{Daily, Sleeps};
use vitalwire_sync::{ChangeType, RecordKind, SyncError, SyncPart};

use super::date;
use super::service::Service;

/// A copy whose syncs stop after a part.
#[derive(Default)]
struct Copy {
    rows: BTreeMap<(RecordKind, String), i64>,
    state: Option<Vec<u8>>,
}

impl Copy {
    /// Reads and returns a part.
    async fn read_part(&mut self, service: &Service, kinds: &[RecordKind]) -> SyncPart {
        let call = service.call(kinds.iter().copied()).from(date("2025-09-10")).state_or_first(self.state.clone());
        let part = call.start().unwrap().next().await.unwrap().unwrap();
        for change in part.changes() {
            let key = (change.kind, change.id.clone().expect("no day before the look-back changes"));
            let value =
                part.json_rows(change).first().and_then(|row| row.get(if change.kind == Daily { "steps" } else { "duration" })?.as_f64());
            match (change.change_type, value) {
                #[allow(clippy::cast_possible_truncation, reason = "whole numbers")]
                (ChangeType::Added | ChangeType::Changed, Some(value)) => drop(self.rows.insert(key, value as i64)),
                _ => drop(self.rows.remove(&key)),
            }
        }
        self.state = Some(part.state().to_vec());
        part
    }

    /// Reads parts until the copy equals the service.
    async fn read_until_equal(&mut self, service: &Service, kinds: &[RecordKind], max: usize) {
        for _ in 0..max {
            if self.equals(service) {
                return;
            }
            self.read_part(service, kinds).await;
        }
        assert!(self.equals(service), "the copy differs after {max} parts");
    }

    fn equals(&self, service: &Service) -> bool {
        let world = service.world();
        let steps = world.steps.iter().map(|(day, steps)| ((Daily, day.to_string()), i64::from(*steps)));
        let sleeps = world.sleeps.iter().map(|(id, (_, duration))| ((Sleeps, id.clone()), i64::from(*duration)));
        self.rows == steps.chain(sleeps).collect()
    }
}

/// Starts a service with a sleep on every third day, and returns its first days of a copy: 73 days from 2025-09-10 to tomorrow.
fn service() -> Service {
    let service = Service::start("2025-11-20");
    for day in 0..72 {
        add_day(&service, day - 71);
    }
    service
}

/// Adds the steps of a day, as days after 2025-11-20, and the sleep of every third day.
fn add_day(service: &Service, after: i32) {
    let day = date("2025-11-20").plus_days(after).unwrap();
    let mut world = service.world();
    world.today = world.today.max(day);
    world.steps.insert(day, 1000 + after);
    if after % 3 == 0 {
        world.sleeps.insert(format!("sleep-{day}"), (day, 100 + after.abs()));
    }
}

fn shown(part: &SyncPart) -> String {
    format!("{} {} {}", part.kinds().next().unwrap(), part.days().first(), part.has_more())
}

#[tokio::test]
async fn a_first_sync_that_is_stopped_after_each_part_ends() {
    let (service, mut copy, mut parts) = (service(), Copy::default(), Vec::new());
    service.world().steps.clear();
    for _ in 0..3 {
        parts.push(shown(&copy.read_part(&service, &[Sleeps]).await));
    }
    assert!(copy.equals(&service));
    // 73 days have parts of 31, 31 and 11 days.
    assert_eq!(parts, ["sleeps 2025-10-22 true", "sleeps 2025-09-21 true", "sleeps 2025-09-10 true"]);
    // A change after the first part.
    service.world().sleeps.insert("sleep-2025-11-20".to_owned(), (date("2025-11-19"), 7));
    assert_eq!(shown(&copy.read_part(&service, &[Sleeps]).await), "sleeps 2025-11-13 false");
    assert!(copy.equals(&service));
}

#[tokio::test]
async fn stopped_syncs_of_several_kinds_reach_old_days_and_new_days() {
    let (service, mut copy, mut parts) = (service(), Copy::default(), Vec::new());
    // Each day, one part.
    for day in 0..8 {
        add_day(&service, day);
        parts.push(shown(&copy.read_part(&service, &[Daily, Sleeps]).await));
    }
    let first = ["daily 2025-09-10 true", "sleeps 2025-10-22 true", "sleeps 2025-09-21 true", "sleeps 2025-09-10 true"];
    // Four days after the first part, yesterday is 2025-11-23. Daily steps were last read on 2025-11-20.
    let second = ["daily 2025-11-13 true", "sleeps 2025-11-14 true"];
    // The look-back before 2025-11-23 and before 2025-11-24.
    let third = ["daily 2025-11-17 true", "sleeps 2025-11-18 true"];
    assert_eq!(parts, [&first[..], &second, &third].concat());
    // On the last day, each kind needs at most two parts.
    copy.read_until_equal(&service, &[Daily, Sleeps], 4).await;
    // A sync that is not stopped finds nothing else.
    let parts = service.parts(service.call([Daily, Sleeps]).state(copy.state.unwrap())).await;
    assert!(parts.iter().all(|part| part.changes().is_empty()) && !parts.last().unwrap().has_more());
}

#[tokio::test]
async fn a_sync_of_other_kinds_does_not_block_the_days_of_an_interrupted_sync() {
    let (service, mut copy) = (service(), Copy::default());
    // Each sync of sleeps is stopped after one part. Syncs of daily statistics have one part.
    for _ in 0..3 {
        copy.read_part(&service, &[Sleeps]).await;
        assert!(!copy.read_part(&service, &[Daily]).await.has_more());
    }
    assert!(copy.equals(&service));
}

#[tokio::test]
async fn a_clock_that_was_ahead_does_not_shorten_the_look_back() {
    let (service, mut copy) = (service(), Copy::default());
    copy.read_part(&service, &[Daily]).await;
    service.world().today = date("2025-11-21");
    copy.read_part(&service, &[Daily]).await;
    // The look-back of 7 days before 2025-11-20 begins on 2025-11-13.
    service.world().today = date("2025-11-20");
    service.world().steps.insert(date("2025-11-13"), 7);
    copy.read_part(&service, &[Daily]).await;
    assert_eq!(copy.rows[&(Daily, "2025-11-13".to_owned())], 7);
}

#[tokio::test]
async fn days_planned_by_a_fast_clock_do_not_come_before_the_look_back() {
    let (service, mut copy) = (service(), Copy::default());
    // Plans sleeps until 2026-01-21, and reads none of them.
    service.world().today = date("2026-01-20");
    copy.read_part(&service, &[Daily, Sleeps]).await;
    service.world().today = date("2025-11-20");
    copy.read_until_equal(&service, &[Daily, Sleeps], 12).await;
    service.world().steps.insert(date("2025-11-15"), 7);
    // Each day, one part.
    for day in ["2025-11-21", "2025-11-22", "2025-11-23", "2025-11-24"] {
        service.world().today = date(day);
        copy.read_part(&service, &[Daily, Sleeps]).await;
    }
    assert_eq!(copy.rows[&(Daily, "2025-11-15".to_owned())], 7);
}

#[tokio::test]
async fn days_that_always_fail_do_not_block_other_days() {
    // An error of the service, and no response.
    for status in [500, 0] {
        let (service, mut copy) = (service(), Copy::default());
        service.world().failing = Some(("/sleeps/sleep-2025-10-06", status));
        for _ in 0..6 {
            copy.read_part(&service, &[Daily, Sleeps]).await;
        }
        let missing: Vec<String> =
            service.world().sleeps.keys().filter(|id| !copy.rows.contains_key(&(Sleeps, (*id).clone()))).cloned().collect();
        assert_eq!((missing.first().map(String::as_str), missing.len()), (Some("sleep-2025-09-21"), 11), "{status}");
        // Each sync of several parts also reads the newest days.
        service.world().steps.insert(date("2025-11-20"), 7);
        let mut stream = service.call([Daily, Sleeps]).state(copy.state.clone().unwrap()).start().unwrap();
        let mut changes = 0;
        let error = loop {
            match stream.next().await.unwrap() {
                Ok(part) => changes += part.changes().len(),
                Err(error) => break error,
            }
        };
        assert!(matches!(error, SyncError::Client(_)));
        assert_eq!(changes, 1, "{status}");
        service.world().failing = None;
        copy.read_until_equal(&service, &[Daily, Sleeps], 6).await;
    }
}
