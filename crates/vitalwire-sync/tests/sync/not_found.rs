//! Tests of sleeps that the statistics list, but that the service does not return.

use vitalwire_sync::RecordKind::{SleepStages, Sleeps};
use vitalwire_sync::{SyncEvent, SyncPart};

use super::date;
use super::service::{Service, text};

fn texts(parts: &[SyncPart]) -> Vec<String> {
    parts.iter().flat_map(|part| part.changes()).map(text).collect()
}

#[tokio::test]
async fn a_listed_sleep_without_a_record_stays_until_it_is_no_longer_listed() {
    let service = Service::start("2025-11-20");
    for (id, day) in [("sleep-1", "2025-11-17"), ("sleep-2", "2025-11-18")] {
        service.world().sleeps.insert(id.to_owned(), (date(day), 1));
    }
    let kinds = [Sleeps, SleepStages];
    let parts = service.parts(service.call(kinds).from(date("2025-11-10"))).await;
    assert_eq!(parts[0].changes().len(), 4);
    service.world().failing = Some(("/sleeps/sleep-1", 404));
    service.world().sleeps.remove("sleep-2");
    service.world().sleeps.insert("sleep-3".to_owned(), (date("2025-11-19"), 1));
    let parts = service.parts(service.call(kinds).state(parts[0].state())).await;
    // The other sleeps are compared. The sleep counts as left out once for each kind.
    let others = ["removed sleep-2 2025-11-18", "added sleep-3 2025-11-19"];
    assert_eq!((texts(&parts), parts[0].left_out()), ([others, others].concat().iter().map(|text| (*text).to_owned()).collect(), 2));
    // Its day stays due after the look-back, and the sleep of the day after the look-back is not requested again.
    service.world().today = date("2025-11-29");
    let parts = service.parts(service.call(kinds).state(parts[0].state())).await;
    let days: Vec<String> = parts.iter().map(|part| format!("{} {}", part.days().first(), part.days().last())).collect();
    assert_eq!((texts(&parts), days), (vec![], vec!["2025-11-13 2025-11-30".to_owned()]));
    let parts = service.parts(service.call(kinds).state(parts[0].state())).await;
    let days: Vec<String> = parts.iter().map(|part| format!("{} {}", part.days().first(), part.days().last())).collect();
    assert_eq!(days, ["2025-11-22 2025-11-30", "2025-11-17 2025-11-17"]);
    assert_eq!((texts(&parts), parts[1].left_out()), (vec![], 2));
    // The record returns.
    let state = parts[1].state().to_vec();
    service.world().failing = None;
    let parts = service.parts(service.call(kinds).state(state.clone())).await;
    assert_eq!((texts(&parts), parts.iter().map(SyncPart::left_out).sum::<u64>()), (vec![], 0));
    // The statistics no longer list the sleep.
    service.world().sleeps.remove("sleep-1");
    let parts = service.parts(service.call(kinds).state(state)).await;
    assert_eq!(texts(&parts), ["removed sleep-1 2025-11-17", "removed sleep-1 2025-11-17"]);
}

#[tokio::test]
async fn an_older_day_with_a_listed_sleep_without_a_record_stays() {
    let service = Service::start("2025-11-20");
    for (id, day) in [("sleep-1", "2025-10-20"), ("sleep-2", "2025-10-20"), ("sleep-3", "2025-10-21")] {
        service.world().sleeps.insert(id.to_owned(), (date(day), 1));
    }
    let parts = service.parts(service.call([Sleeps]).from(date("2025-10-01"))).await;
    let state = parts.last().unwrap().state().to_vec();
    service.world().failing = Some(("/sleeps/sleep-1", 404));
    let event = SyncEvent::new([Sleeps], (date("2025-10-20"), date("2025-10-21")));
    let parts = service.parts(service.call([Sleeps]).state(state).event(event)).await;
    assert_eq!((texts(&parts), parts.last().unwrap().left_out()), (vec![], 1));
    // The days stay due.
    service.world().sleeps.remove("sleep-1");
    let parts = service.parts(service.call([Sleeps]).state(parts.last().unwrap().state())).await;
    assert_eq!(texts(&parts), ["day_removed - 2025-10-20", "added sleep-2 2025-10-20"]);
}

/// Statistics also list records that never were sleeps.
#[tokio::test]
async fn days_with_other_listed_records_are_requested_once_more() {
    let service = Service::start("2025-11-20");
    service.world().sleeps.insert("sleep-1".to_owned(), (date("2025-10-17"), 1));
    service.world().failing = Some(("/sleeps/sleep-1", 404));
    let days = |parts: &[SyncPart]| -> Vec<String> { parts.iter().map(|part| part.days().first().to_string()).collect() };
    let first = service.parts(service.call([Sleeps]).from(date("2025-10-10"))).await;
    assert_eq!(days(&first), ["2025-10-22", "2025-10-10"]);
    let state = first[1].state().to_vec();
    // The sleep was not stored yet.
    service.world().failing = None;
    let parts = service.parts(service.call([Sleeps]).state(state.clone())).await;
    assert_eq!(
        (days(&parts), texts(&parts)),
        (vec!["2025-11-13".to_owned(), "2025-10-17".to_owned()], vec!["added sleep-1 2025-10-17".to_owned()])
    );
    // The record never was a sleep.
    service.world().failing = Some(("/sleeps/sleep-1", 404));
    let parts = service.parts(service.call([Sleeps]).state(state)).await;
    assert_eq!(days(&parts), ["2025-11-13", "2025-10-17"]);
    let again = service.parts(service.call([Sleeps]).state(parts[1].state())).await;
    assert_eq!(days(&again), ["2025-11-13"]);
    let all = [first, parts, again].concat();
    assert!(all.iter().all(|part| part.changes().is_empty() && part.left_out() == 0));
}
