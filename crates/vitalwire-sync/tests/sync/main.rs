//! Tests of syncs with a mock service on a real socket.
//!
//! Expected values are worked out by hand from the documentation of the crate.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
#![allow(unreachable_pub, reason = "modules of one test program")]

mod interruptions;
mod not_found;
mod service;
mod states;

use vitalwire::{Date, ErrorKind};
use vitalwire_sync::RecordKind::{Daily, Hourly, Labs, Nutrition, SleepStages, Sleeps};
use vitalwire_sync::{RecordKind, SyncClient as _, SyncError, SyncEvent};

use self::service::{Service, text};

fn date(text: &str) -> Date {
    text.parse().unwrap()
}

/// Starts a service with steps on each of the last days. Returns the state of a first sync of these days, too.
async fn synced(days: i32) -> (Service, Vec<u8>) {
    let service = Service::start("2025-11-20");
    for day in 0..days {
        service.world().steps.insert(date("2025-11-20").plus_days(-day).unwrap(), 1000 + day);
    }
    let first = date("2025-11-20").plus_days(1 - days).unwrap();
    let (changes, state) = service.changes(service.call([Daily]).from(first)).await;
    assert_eq!(changes.len(), usize::try_from(days).unwrap());
    (service, state)
}

#[tokio::test]
async fn late_corrected_and_removed_days_are_reported_with_their_content_keys() {
    let (service, state) = synced(5).await;
    {
        let mut world = service.world();
        world.today = date("2025-11-21");
        world.steps.insert(date("2025-11-21"), 1);
        world.steps.insert(date("2025-11-18"), 2);
        world.steps.remove(&date("2025-11-17"));
    }
    let parts = service.parts(service.call([Daily]).state(state)).await;
    let [part] = &parts[..] else { panic!("one part") };
    let changes: Vec<String> = part.changes().iter().map(text).collect();
    assert_eq!(changes, ["removed 2025-11-17 2025-11-17", "changed 2025-11-18 2025-11-18", "added 2025-11-21 2025-11-21"]);
    let [removed, changed, added] = part.changes() else { panic!("three changes") };
    assert!(removed.before.is_some() && removed.after.is_none() && part.json_rows(removed).is_empty());
    assert!(changed.before.is_some() && changed.after.is_some() && changed.before != changed.after);
    assert!(added.before.is_none() && added.after.is_some());
    assert_eq!(part.json_rows(changed)[0]["steps"], 2.0);
    // Debug texts have no user, no id and no day.
    for shown in [format!("{part:?}"), format!("{changed:?}"), format!("{:?}", service.call([Daily]))] {
        assert!(!shown.contains("2025") && !shown.contains("user-7"), "{shown}");
    }
}

#[tokio::test]
async fn a_sync_without_changes_reports_nothing_and_sends_the_fewest_requests() {
    let service = Service::start("2025-11-20");
    for day in 1..=30 {
        let day = date("2025-11-20").plus_days(-day).unwrap();
        service.world().sleeps.insert(format!("sleep-{day}"), (day, 1));
    }
    // The look-back has the 7 days up to yesterday, each with a sleep. The sleep of the day before is listed, but not requested.
    for (kinds, requests) in [
        (&[Daily][..], 2),
        (&[Hourly], 2),
        (&[Labs], 2),
        (&[Nutrition], 2),
        (&[Sleeps], 2 + 7),
        (&[Sleeps, SleepStages], 2 + 7),
        (&RecordKind::ALL, 1 + 4 + 1 + 7),
    ] {
        let call = service.call(kinds.iter().copied()).from(date("2025-10-25"));
        let state = service.parts(call).await.last().unwrap().state().to_vec();
        let before = service.server.count();
        let parts = service.parts(service.call(kinds.iter().copied()).state(state.clone())).await;
        assert_eq!(service.server.count() - before, requests, "{kinds:?}");
        assert!(parts.iter().all(|part| part.changes().is_empty()), "{kinds:?}");
        assert!(!parts.last().unwrap().has_more());
        // The plan of a new client uses this machine's clock, which is ahead of the service's clock, so it has more days.
        assert!(service.call(kinds.iter().copied()).state(state).plan().unwrap().requests >= requests as u64);
    }
}

#[tokio::test]
async fn a_first_sync_reads_the_newest_days_first_and_knows_its_end() {
    let service = Service::start("2025-11-20");
    service.world().sleeps.insert("sleep-1".to_owned(), (date("2025-09-15"), 1));
    let parts = service.parts(service.call([Sleeps, Daily]).from(date("2025-09-10"))).await;
    let days: Vec<String> = parts.iter().map(|part| format!("{} {}", part.kinds().next().unwrap(), part.days().first())).collect();
    // A part has up to 372 days of statistics, or 31 days of sleeps. The last day is tomorrow.
    assert_eq!(days, ["daily 2025-09-10", "sleeps 2025-10-22", "sleeps 2025-09-21", "sleeps 2025-09-10"]);
    // 73 days of two kinds.
    assert_eq!(parts.iter().map(|part| part.progress().total_days).collect::<Vec<_>>(), [146; 4]);
    assert_eq!(parts.iter().map(|part| part.progress().done_days).collect::<Vec<_>>(), [73, 104, 135, 146]);
    assert_eq!(parts.iter().map(|part| part.has_more()).collect::<Vec<_>>(), [true, true, true, false]);
    // A sync can continue from the state of any part: it requests only the remaining days, then the look-back.
    let rest = service.parts(service.call([Sleeps, Daily]).state(parts[1].state())).await;
    let days: Vec<String> = rest.iter().map(|part| format!("{} {}", part.kinds().next().unwrap(), part.days().first())).collect();
    assert_eq!(days, ["sleeps 2025-09-21", "sleeps 2025-09-10", "daily 2025-11-13", "sleeps 2025-11-13"]);
    // 42 remaining days, and 9 days of each kind.
    assert_eq!(rest.iter().map(|part| part.progress().total_days).collect::<Vec<_>>(), [60; 4]);
    assert_eq!(rest.iter().map(|part| part.changes().len()).sum::<usize>(), 1);
}

#[tokio::test]
async fn a_sync_can_continue_from_a_state_that_is_months_old() {
    let (service, state) = synced(5).await;
    {
        let mut world = service.world();
        world.today = date("2026-08-20");
        world.steps.insert(date("2025-11-19"), 7);
        world.steps.insert(date("2026-03-01"), 8);
    }
    let (changes, _) = service.changes(service.call([Daily]).state(state)).await;
    assert_eq!(changes, ["changed 2025-11-19 2025-11-19", "added 2026-03-01 2026-03-01"]);
}

#[tokio::test]
async fn an_event_names_days_before_the_look_back_and_a_change_is_reported_once() {
    let (service, state) = synced(40).await;
    {
        let mut world = service.world();
        world.steps.insert(date("2025-10-20"), 7);
        world.steps.remove(&date("2025-10-21"));
        world.steps.insert(date("2025-11-18"), 8);
    }
    let recent = ["changed 2025-11-18 2025-11-18"];
    let (changes, without_event) = service.changes(service.call([Daily]).state(state.clone())).await;
    assert_eq!(changes, recent);

    // The receiver of webhooks stores the event without a request.
    let event = SyncEvent::new([Daily], (date("2025-10-19"), date("2025-10-22")));
    let before = service.server.count();
    let marked = service.call([Daily]).state(without_event).event(event.clone()).record_events().unwrap();
    let marked = service.call([Daily]).state(marked).event(event).record_events().unwrap();
    assert_eq!(service.server.count(), before);
    let parts = service.parts(service.call([Daily]).state(marked)).await;
    let changes: Vec<String> = parts.iter().flat_map(|part| part.changes()).map(text).collect();
    // Daily statistics have one record a day, so no whole day is removed.
    assert_eq!(changes, ["removed 2025-10-21 2025-10-21", "changed 2025-10-20 2025-10-20"]);
    let (changes, _) = service.changes(service.call([Daily]).state(parts.last().unwrap().state())).await;
    assert_eq!(changes, [""; 0]);
}

#[tokio::test]
async fn webhooks_become_events() {
    let body = br#"[{"application_user_id":"user-7","event_type":"record_change",
        "earliest_record_start_at":"2025-11-10T23:30:00Z","latest_record_end_at":"2025-11-11T07:00:00Z"},
        {"application_user_id":"user-7","event_type":"provider_integration_created"}]"#;
    let events = vitalwire::webhook::parse_events(body).unwrap();
    let event = SyncEvent::from_webhook(&events[0]).unwrap();
    // Local days can differ from those in UTC.
    assert_eq!((event.days().first(), event.days().last()), (date("2025-11-09"), date("2025-11-12")));
    assert_eq!(event.kinds(), [Daily, Hourly, Sleeps, SleepStages]);
    assert_eq!(SyncEvent::from_webhook(&events[1]), None);
    // A change without end.
    let open = String::from_utf8_lossy(body).replace("2025-11-11T07:00:00Z", "9999-12-31T23:59:59Z");
    let open = SyncEvent::from_webhook(&vitalwire::webhook::parse_events(open.as_bytes()).unwrap()[0]).unwrap();
    assert_eq!((open.days().first(), open.days().last()), (date("2025-11-09"), date("9999-12-31")));
    let (service, state) = synced(5).await;
    let own = event.clone();
    assert!(service.call([Daily]).state(state.clone()).event(event).start().is_ok());
    let body = String::from_utf8_lossy(body).replace("user-7", "user-8");
    let event = SyncEvent::from_webhook(&vitalwire::webhook::parse_events(body.as_bytes()).unwrap()[0]).unwrap();
    let Err(SyncError::Client(error)) = service.call([Daily]).state(state.clone()).event(event.clone()).start() else { panic!("an error") };
    assert_eq!(error.argument(), Some("event"));
    // A list with events of several users.
    let days = SyncEvent::new([Daily], (date("2025-11-01"), date("2025-11-01"))).of_user("user-8");
    let call = service.call([Daily]).state(state).event(event).event(own).event(days).from(date("2025-10-25"));
    assert_eq!(service.changes(call).await.0, [""; 0]);
}

/// The service does not document which date of a lab report selects it.
#[test]
fn the_event_of_a_lab_report_has_the_days_of_its_collection_and_upload() {
    let days = |collected: &str| {
        let body =
            format!(r#"{{"record_id":"r","status":"completed","uploaded_at":"2025-11-10T12:00:00Z","collection_date":"{collected}"}}"#);
        let event = SyncEvent::from_lab_report(&vitalwire::webhook::parse_lab_report(body.as_bytes()).unwrap()).unwrap();
        assert_eq!(event.kinds(), [Labs]);
        format!("{} {}", event.days().first(), event.days().last())
    };
    for collected in ["2025-11-03", "2025-11-03T08:00:00Z", " 2025-11-03, fasting"] {
        assert_eq!(days(collected), "2025-11-02 2025-11-11", "{collected}");
    }
    assert_eq!(days("2025-11-12"), "2025-11-09 2025-11-13");
    for text in ["", "03.11.2025", "2025-11-033", "2025-02-30"] {
        assert_eq!(days(text), "2025-11-09 2025-11-11", "{text}");
    }
    let body = br#"{"record_id":"r","status":"completed","collection_date":"2025-11-03"}"#;
    let event = SyncEvent::from_lab_report(&vitalwire::webhook::parse_lab_report(body).unwrap()).unwrap();
    assert_eq!((event.days().first(), event.days().last()), (date("2025-11-02"), date("2025-11-04")));
}

#[tokio::test]
async fn an_older_day_with_several_records_is_removed_and_its_records_follow() {
    let service = Service::start("2025-11-20");
    for (id, day) in [("sleep-1", "2025-10-20"), ("sleep-2", "2025-10-20"), ("sleep-3", "2025-10-21")] {
        service.world().sleeps.insert(id.to_owned(), (date(day), 1));
    }
    let parts = service.parts(service.call([Sleeps]).from(date("2025-10-01"))).await;
    let state = parts.last().unwrap().state().to_vec();
    service.world().sleeps.remove("sleep-1");
    let event = SyncEvent::new([Sleeps], (date("2025-10-20"), date("2025-10-21")));
    let parts = service.parts(service.call([Sleeps]).state(state).event(event)).await;
    let changes: Vec<String> = parts.iter().flat_map(|part| part.changes()).map(text).collect();
    assert_eq!(changes, ["day_removed - 2025-10-20", "added sleep-2 2025-10-20"]);
}

#[tokio::test]
async fn a_moved_record_is_changed_and_a_returning_one_is_added() {
    let service = Service::start("2025-11-20");
    service.world().sleeps.insert("sleep-1".to_owned(), (date("2025-11-18"), 1));
    let (changes, state) = service.changes(service.call([Sleeps]).from(date("2025-11-10"))).await;
    assert_eq!(changes, ["added sleep-1 2025-11-18"]);
    service.world().sleeps.insert("sleep-1".to_owned(), (date("2025-11-17"), 1));
    let (changes, state) = service.changes(service.call([Sleeps]).state(state)).await;
    assert_eq!(changes, ["changed sleep-1 2025-11-17"]);
    service.world().sleeps.clear();
    let (changes, state) = service.changes(service.call([Sleeps]).state(state)).await;
    assert_eq!(changes, ["removed sleep-1 2025-11-17"]);
    service.world().sleeps.insert("sleep-1".to_owned(), (date("2025-11-17"), 1));
    let (changes, _) = service.changes(service.call([Sleeps]).state(state)).await;
    assert_eq!(changes, ["added sleep-1 2025-11-17"]);
}

#[tokio::test]
async fn after_a_provider_was_connected_all_days_are_compared() {
    let (service, state) = synced(60).await;
    {
        let mut world = service.world();
        world.steps.insert(date("2025-10-01"), 7);
        world.today = date("2025-11-21");
        world.connected = Some(date("2025-11-20"));
    }
    let (changes, state) = service.changes(service.call([Daily]).state(state)).await;
    assert_eq!(changes, ["changed 2025-10-01 2025-10-01"]);
    let before = service.server.count();
    let parts = service.parts(service.call([Daily]).state(state.clone())).await;
    assert_eq!((parts[0].days().first(), service.server.count() - before), (date("2025-11-14"), 2));
    // Without the check of the account, the sync sends one request less.
    let client = service.client();
    let parts = service.parts(client.sync([Daily], service::key()).state(state)).await;
    let before = service.server.count();
    service.parts(client.sync([Daily], service::key()).state(parts[0].state()).check_account(false)).await;
    assert_eq!(service.server.count() - before, 1);
}

#[tokio::test]
async fn an_incomplete_response_removes_nothing_and_its_days_stay_due() {
    let (service, state) = synced(5).await;
    {
        let mut world = service.world();
        world.steps.remove(&date("2025-11-19"));
        world.steps.insert(date("2025-11-18"), 7);
        world.extra_item = Some("7");
    }
    let parts = service.parts(service.call([Daily]).state(state)).await;
    assert_eq!(parts[0].changes().iter().map(text).collect::<Vec<_>>(), ["changed 2025-11-18 2025-11-18"]);
    assert_eq!(parts[0].left_out(), 1);
    service.world().extra_item = None;
    let (changes, _) = service.changes(service.call([Daily]).state(parts[0].state())).await;
    assert_eq!(changes, ["removed 2025-11-19 2025-11-19"]);
}

#[tokio::test]
async fn a_failed_part_is_left_out_and_its_error_ends_the_stream() {
    let (service, state) = synced(5).await;
    service.world().failing = Some(("/daily", 500));
    service.world().steps.insert(date("2025-11-20"), 7);
    let mut stream = service.call([Daily, Nutrition]).state(state).start().unwrap();
    // The failed part of the statistics comes first.
    let first = stream.next().await.unwrap().unwrap();
    assert_eq!(first.kinds().collect::<Vec<_>>(), [Nutrition]);
    let Some(Err(SyncError::Client(error))) = stream.next().await else { panic!("an error") };
    assert_eq!(error.status(), Some(500));
    for _ in 0..2 {
        assert!(stream.next().await.is_none());
    }
    service.world().failing = None;
    let parts = service.parts(service.call([Daily, Nutrition]).state(first.state())).await;
    assert_eq!(parts.iter().flat_map(|part| part.changes()).map(text).collect::<Vec<_>>(), ["changed 2025-11-20 2025-11-20"]);
    // A rejected token ends the sync.
    service.world().failing = Some(("/v3", 401));
    let mut stream = service.call([Daily, Nutrition]).start().unwrap();
    let Some(Err(SyncError::Client(error))) = stream.next().await else { panic!("an error") };
    assert_eq!(error.kind(), ErrorKind::Authentication);
    assert!(stream.next().await.is_none());
}

#[tokio::test]
async fn a_dropped_stream_cancels_and_the_last_state_stays_valid() {
    let (service, state) = synced(5).await;
    service.world().steps.insert(date("2025-11-20"), 7);
    let mut stream = service.call([Daily, Nutrition]).state(state).start().unwrap();
    let part = stream.next().await.unwrap().unwrap();
    drop(stream);
    let parts = service.parts(service.call([Daily, Nutrition]).state(part.state())).await;
    assert!(parts.iter().all(|part| part.changes().is_empty()));
}

#[tokio::test]
async fn a_lost_state_after_a_change_makes_the_next_sync_report_the_change_or_its_opposite() {
    let (service, _) = synced(5).await;
    let state = service.parts(service.call([Daily]).from(date("2025-11-16"))).await.remove(0).state().to_vec();
    service.world().steps.insert(date("2025-11-19"), 7);
    let part = service.parts(service.call([Daily]).state(state)).await.remove(0);
    // The change was applied, the state after the change was lost, and the service reverted the change.
    service.world().steps.insert(date("2025-11-19"), 1001);
    let (changes, state) = service.changes(service.call([Daily]).state(part.state_before())).await;
    assert_eq!(changes, ["changed 2025-11-19 2025-11-19"]);
    let (changes, _) = service.changes(service.call([Daily]).state(state)).await;
    assert_eq!(changes, [""; 0]);
}

#[tokio::test]
async fn a_provider_that_is_new_with_an_old_time_is_noticed() {
    let (service, state) = synced(60).await;
    {
        let mut world = service.world();
        world.steps.insert(date("2025-10-01"), 7);
        world.has_old_provider = true;
    }
    let (changes, state) = service.changes(service.call([Daily]).state(state)).await;
    assert_eq!(changes, ["changed 2025-10-01 2025-10-01"]);
    assert_only_look_back(&service, state).await;
}

/// Checks that all days are compared only once: the next sync begins with the look-back of 7 days.
async fn assert_only_look_back(service: &Service, state: Vec<u8>) {
    let parts = service.parts(service.call([Daily]).state(state)).await;
    assert_eq!(parts[0].days().first(), date("2025-11-13"));
}

#[tokio::test]
async fn after_a_broken_provider_was_repaired_all_days_are_compared() {
    let (service, state) = synced(60).await;
    {
        let mut world = service.world();
        (world.has_old_provider, world.is_broken) = (true, true);
    }
    let (_, state) = service.changes(service.call([Daily]).state(state)).await;
    service.world().is_broken = false;
    service.world().steps.insert(date("2025-10-01"), 7);
    let (changes, state) = service.changes(service.call([Daily]).state(state)).await;
    assert_eq!(changes, ["changed 2025-10-01 2025-10-01"]);
    assert_only_look_back(&service, state).await;
}

#[tokio::test]
async fn a_later_first_day_hides_no_due_day() {
    let service = Service::start("2025-11-20");
    service.world().steps.insert(date("2025-10-25"), 7);
    // The first sync fails, and the state has only the first day.
    let first = service.call([Daily]).from(date("2025-10-24")).record_events().unwrap();
    let (changes, state) = service.changes(service.call([Daily]).from(date("2025-11-01")).state(first)).await;
    assert_eq!(changes, ["added 2025-10-25 2025-10-25"]);
    // An earlier day adds days.
    service.world().steps.insert(date("2025-10-02"), 8);
    let parts = service.parts(service.call([Daily]).from(date("2025-10-01")).state(state)).await;
    let changes: Vec<String> = parts.iter().flat_map(|part| part.changes().iter().map(service::text)).collect();
    assert_eq!(changes, ["added 2025-10-02 2025-10-02"]);
}

#[tokio::test]
async fn the_first_check_of_the_account_compares_all_days() {
    let service = Service::start("2025-11-20");
    service.world().steps.insert(date("2025-10-25"), 7);
    let client = service.client();
    // The response shows the service's clock.
    client.user().info().await.unwrap();
    let first = client.sync([Daily], service::key()).from(date("2025-10-24")).check_account(false);
    let (_, state) = service.changes(first).await;
    {
        let mut world = service.world();
        world.steps.insert(date("2025-10-26"), 8);
        world.has_old_provider = true;
    }
    let (changes, state) = service.changes(service.call([Daily]).state(state)).await;
    assert_eq!(changes, ["added 2025-10-26 2025-10-26"]);
    assert_only_look_back(&service, state).await;
}

#[tokio::test]
async fn a_list_that_is_null_removes_nothing() {
    let service = Service::start("2025-11-20");
    {
        let mut world = service.world();
        world.null_lists = true;
        world.steps.insert(date("2025-11-19"), 1);
        world.hours.insert(24 * 20_411 + 1, 1);
        world.sleeps.insert("sleep-1".to_owned(), (date("2025-11-19"), 1));
        world.meals.insert("meal-1".to_owned(), (date("2025-11-19"), 1));
    }
    for kind in [Daily, Hourly, Sleeps, Nutrition] {
        let (changes, state) = service.changes(service.call([kind]).from(date("2025-11-10"))).await;
        assert_eq!(changes.len(), 1, "{kind}");
        let before = service.world().clone();
        {
            let mut world = service.world();
            world.steps.clear();
            world.hours.clear();
            world.sleeps.clear();
            world.meals.clear();
        }
        let parts = service.parts(service.call([kind]).state(state)).await;
        assert_eq!((parts[0].changes().len(), parts[0].left_out()), (0, 1), "{kind}");
        // The days stay due, and an empty list removes the record.
        service.world().null_lists = false;
        let (changes, _) = service.changes(service.call([kind]).state(parts[0].state())).await;
        let [removed] = &changes[..] else { panic!("{kind}: {changes:?}") };
        assert!(removed.starts_with("removed "), "{kind}: {removed}");
        *service.world() = before;
    }
    // Null is an empty list if the copy has no record of the days.
    let parts = service.parts(service.call([Labs]).from(date("2025-11-10"))).await;
    let again = service.parts(service.call([Labs]).state(parts[0].state())).await;
    assert_eq!((parts[0].left_out(), again[0].left_out()), (0, 0));
}

#[tokio::test]
async fn days_of_null_lists_stay_due_in_parts_without_records() {
    let service = Service::start("2025-11-20");
    for day in 0..71 {
        let day = date("2025-11-20").plus_days(day).unwrap();
        service.world().sleeps.insert(format!("sleep-{day}"), (day, 1));
    }
    let (_, mut state) = service.changes(service.call([Sleeps]).from(date("2025-11-10"))).await;
    let sleeps = std::mem::take(&mut service.world().sleeps);
    service.world().null_lists = true;
    // On the second day, the due days have two parts. The copy has no record of the newest part.
    for (day, left_out) in [("2025-11-30", 1), ("2025-12-25", 2)] {
        service.world().today = date(day);
        let parts = service.parts(service.call([Sleeps]).state(state)).await;
        assert_eq!(parts.iter().map(vitalwire_sync::SyncPart::left_out).sum::<u64>(), left_out, "{day}");
        state = parts.last().unwrap().state().to_vec();
    }
    {
        let mut world = service.world();
        (world.sleeps, world.null_lists, world.today) = (sleeps, false, date("2025-12-30"));
    }
    let parts = service.parts(service.call([Sleeps]).state(state)).await;
    let added = parts.iter().flat_map(vitalwire_sync::SyncPart::changes).filter(|change| change.change_type.as_str() == "added").count();
    // From 2025-11-22 to 2025-12-31.
    assert_eq!(added, 40);
}

/// A service may return null for each empty list.
#[tokio::test]
async fn null_lists_of_days_without_records_are_empty_once_older_days_have_a_list() {
    for kind in [Hourly, Sleeps] {
        let service = Service::start("2025-11-20");
        {
            let mut world = service.world();
            world.null_lists = true;
            world.hours.insert(24 * 20_411 + 1, 1);
            world.sleeps.insert("sleep-1".to_owned(), (date("2025-11-19"), 1));
        }
        let (changes, mut state) = service.changes(service.call([kind]).from(date("2025-11-10"))).await;
        assert_eq!(changes.len(), 1, "{kind}");
        for (today, part_count) in [("2026-02-20", 2..=9), ("2026-02-21", 1..=1)] {
            service.world().today = date(today);
            let parts = service.parts(service.call([kind]).state(state)).await;
            assert!(part_count.contains(&parts.len()), "{kind} {today}: {}", parts.len());
            assert!(parts.iter().all(|part| part.changes().is_empty()), "{kind} {today}");
            state = parts.last().unwrap().state().to_vec();
        }
        let parts = service.parts(service.call([kind]).state(state)).await;
        assert_eq!(parts.iter().map(vitalwire_sync::SyncPart::left_out).sum::<u64>(), 0, "{kind}");
    }
}

/// Syncs would request every year up to the year 9999, or no day at all.
#[tokio::test]
async fn a_clock_of_the_service_with_an_impossible_year_does_not_count() {
    for clock in ["Fri, 31 Dec 9999 12:00:00 GMT", "Thu, 01 Jan 1970 12:00:00 GMT"] {
        for data_set in ["seed=1", ""] {
            let service = Service::start("2025-11-20");
            {
                let mut world = service.world();
                (world.clock, world.data_set) = (Some(clock), data_set);
            }
            let parts = service.parts(service.call([Daily])).await;
            let [part] = &parts[..] else { panic!("{clock}: {} parts", parts.len()) };
            // The last 365 days and tomorrow, by this machine's clock.
            assert_eq!(part.days().days(), 366, "{clock}");
            let today = vitalwire::Timestamp::try_from(std::time::SystemTime::now()).unwrap();
            assert!(part.days().last().to_string() > today.to_string(), "{clock}");
        }
    }
}
