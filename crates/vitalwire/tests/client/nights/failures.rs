//! Failures of single days with both error policies, and resumed searches.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use vitalwire::client::{CallOptions, CancelToken, Client};
use vitalwire::error::ErrorKind;
use vitalwire::range::{OnError, PartFailure, PartLength, ResumeToken};
use vitalwire::table::TableId;
use vitalwire_testkit::{Reply, Server, json};

use crate::nights::{Diary, date, days, ids, query_value, requested_sleeps, requested_statistics, search, sleep_id};

/// Starts a service that fails for one sleep, or for statistics from one day, until it is repaired.
fn failing_at(failing: &'static str, diary: Diary) -> (Server, Arc<AtomicBool>) {
    let repaired = Arc::new(AtomicBool::new(false));
    let switch = Arc::clone(&repaired);
    let server = Server::with_script(move |seen, _| {
        let fails = sleep_id(seen).map_or_else(|| query_value(seen, "from_date") == failing, |id| id == failing);
        if fails && !switch.load(Ordering::SeqCst) { json(500, "{}") } else { diary.respond(seen) }
    });
    (server, repaired)
}

fn week() -> Diary {
    Diary::new(&[
        ("2025-01-01", &["a"]),
        ("2025-01-02", &["nap", "b"]),
        ("2025-01-03", &["b", "c"]),
        ("2025-01-04", &["d"]),
        ("2025-01-05", &["no", "e"]),
    ])
}

#[tokio::test]
async fn stop_returns_the_nights_before_a_failure_and_resume_reads_the_rest() {
    let (server, repaired) = failing_at("c", week());
    let range = days("2025-01-01", "2025-01-05");
    let error = search(&server, range).concurrency(1).collect().await.unwrap_err();
    assert_eq!((error.error().kind(), error.error().operation()), (ErrorKind::Service, Some("get_sleep")));
    assert_eq!(requested_sleeps(&server), ["a", "b", "c", "nap"], "nothing after the failure");
    assert_eq!(ids(error.partial_result().unwrap()), ["a", "nap", "b"]);
    let token: ResumeToken = error.resume_token().unwrap().to_string().parse().unwrap();
    assert_eq!((token.parts_left(), token.dates(), token.operation()), (3, Some(range), "sleeps_between"));

    repaired.store(true, Ordering::SeqCst);
    let rest = search(&server, range).resume(&token).collect().await.unwrap();
    // `b` belongs to the day before, which was read.
    assert_eq!((ids(&rest), rest.not_found()), (vec!["c".to_owned(), "d".into(), "e".into()], 1));
    assert_eq!((rest.parts().len(), rest.parts()[0].index, rest.resume_token()), (3, 2, None));
}

#[tokio::test]
async fn a_day_is_returned_completely_or_not_at_all() {
    let (server, repaired) = failing_at("b", week());
    let range = days("2025-01-01", "2025-01-05");
    let mut stream = search(&server, range).stream().unwrap();
    assert_eq!(stream.next().await.unwrap().unwrap().sleep_id.as_deref(), Some("a"));
    // The nap of that day was read but is not returned. A resumed search returns it with the night.
    let failure = stream.next().await.unwrap().unwrap_err();
    assert_eq!((failure.index(), failure.range()), (1, Some(days("2025-01-02", "2025-01-02").into())));
    assert_eq!(failure.resume_token().unwrap().parts_left(), 4);
    assert!(stream.next().await.is_none() && stream.next().await.is_none());
    assert_eq!(stream.resume_token().as_ref(), failure.resume_token());

    repaired.store(true, Ordering::SeqCst);
    let mut stream = search(&server, range).resume(failure.resume_token().unwrap()).stream().unwrap();
    assert_eq!(stream.next().await.unwrap().unwrap().sleep_id.as_deref(), Some("nap"));
    assert_eq!(stream.resume_token().unwrap().parts_left(), 4, "the day has another night");
    assert_eq!(stream.next().await.unwrap().unwrap().sleep_id.as_deref(), Some("b"));
    assert_eq!(stream.resume_token().unwrap().parts_left(), 3);
}

#[tokio::test]
async fn collect_continues_and_lists_failures() {
    let (server, repaired) = failing_at("c", week());
    let range = days("2025-01-01", "2025-01-05");
    let nights = search(&server, range).on_error(OnError::Collect).collect().await.unwrap();
    assert_eq!(ids(&nights), ["a", "nap", "b", "d", "e"]);
    let [failure] = nights.failures() else { panic!("{nights:?}") };
    assert_eq!((failure.range(), failure.error().status()), (Some(days("2025-01-03", "2025-01-03").into()), Some(500)));
    let token = nights.resume_token().unwrap().clone();
    assert_eq!(token.parts_left(), 1);
    repaired.store(true, Ordering::SeqCst);
    let rest = search(&server, range).resume(&token).collect().await.unwrap();
    assert_eq!((ids(&rest), rest.duplicates()), (vec!["c".to_owned()], 1));
}

/// 90 days that fail for the same reason are one failure and leave 90 days to resume.
#[tokio::test]
async fn failed_statistics_fail_all_their_days() {
    let diary = Diary::new(&[("2025-01-01", &["a"]), ("2025-03-31", &["x"]), ("2025-04-01", &["x", "b"]), ("2025-06-30", &["b", "c"])]);
    let (server, repaired) = failing_at("2025-04-01", diary);
    let range = days("2025-01-01", "2025-07-31");
    let nights = search(&server, range).on_error(OnError::Collect).collect().await.unwrap();
    // The first search cannot know that `b` belongs to a day that failed.
    assert_eq!(ids(&nights), ["a", "x", "b", "c"]);
    let [failure] = nights.failures() else { panic!("{nights:?}") };
    assert_eq!((failure.index(), failure.range()), (90, Some(days("2025-04-01", "2025-06-29").into())));
    assert_eq!(failure.error().operation(), Some("daily_statistics"));
    assert_eq!((nights.parts().len(), nights.resume_token().unwrap().parts_left()), (212 - 90, 90));

    repaired.store(true, Ordering::SeqCst);
    let before = requested_statistics(&server).len();
    let rest = search(&server, range).resume(nights.resume_token().unwrap()).collect().await.unwrap();
    // The day before the first remaining one is requested too, so the search knows that `x` belongs to that day. `b` is returned again.
    assert_eq!((ids(&rest), rest.duplicates()), (vec!["b".to_owned()], 1));
    assert_eq!((rest.parts().len(), requested_statistics(&server).len() - before), (90, 2));

    let (server, _) = failing_at("2025-04-01", Diary::new(&[("2025-03-31", &["x"]), ("2025-06-30", &["c"])]));
    let error = search(&server, range).concurrency(1).collect().await.unwrap_err();
    assert_eq!((ids(error.partial_result().unwrap()), error.resume_token().unwrap().parts_left()), (vec!["x".to_owned()], 122));
    assert_eq!((requested_statistics(&server).len(), requested_sleeps(&server)), (2, vec!["x".to_owned()]), "nothing after the failure");
}

/// A resumed search also requests the statistics before the first remaining day. If they fail, no day may count as read.
#[tokio::test]
async fn failed_statistics_before_the_first_remaining_day_fail_that_day() {
    let diary = Diary::new(&[("2025-03-31", &["x"]), ("2025-04-01", &["x", "b"]), ("2025-04-02", &["b", "c"])]);
    let (server, _) = failing_at("2025-04-01", diary.clone());
    let range = days("2025-01-01", "2025-06-29");
    let token = search(&server, range).concurrency(1).collect().await.unwrap_err().resume_token().unwrap().clone();
    assert_eq!(token.parts_left(), 90);

    for concurrency in [1, 8] {
        let (server, repaired) = failing_at("2025-01-01", diary.clone());
        let error = search(&server, range).concurrency(concurrency).resume(&token).collect().await.unwrap_err();
        assert_eq!((error.error().operation(), error.error().status()), (Some("daily_statistics"), Some(500)));
        assert_eq!((error.partial_result().is_none(), error.resume_token()), (true, Some(&token)));

        let nights = search(&server, range).concurrency(concurrency).on_error(OnError::Collect).resume(&token).collect().await.unwrap();
        let [failure] = nights.failures() else { panic!("{nights:?}") };
        assert_eq!((failure.range(), ids(&nights)), (Some(days("2025-04-01", "2025-04-01").into()), vec!["c".to_owned()]));
        assert_eq!(nights.resume_token().unwrap().parts_left(), 1);

        repaired.store(true, Ordering::SeqCst);
        let rest = search(&server, range).resume(nights.resume_token().unwrap()).collect().await.unwrap();
        assert_eq!(ids(&rest), ["b"]);
    }
}

/// The failed statistics also have another remaining day.
#[tokio::test]
async fn failed_statistics_before_a_gap_fail_the_day_after_the_gap() {
    let diary = Diary::new(&[("2025-01-11", &["a"]), ("2025-03-31", &["x"]), ("2025-04-01", &["x", "b"]), ("2025-04-02", &["c"])]);
    let first = diary.clone();
    let server = Server::with_script(move |seen, _| {
        let fails = sleep_id(seen).map_or_else(|| query_value(seen, "from_date") == "2025-04-01", |id| id == "a");
        if fails { json(500, "{}") } else { first.respond(seen) }
    });
    let range = days("2025-01-01", "2025-06-29");
    let nights = search(&server, range).on_error(OnError::Collect).collect().await.unwrap();
    assert_eq!((ids(&nights), nights.resume_token().unwrap().parts_left()), (vec!["x".to_owned()], 91));

    let (server, _) = failing_at("2025-01-01", diary);
    let rest = search(&server, range).on_error(OnError::Collect).resume(nights.resume_token().unwrap()).collect().await.unwrap();
    // Without the statistics of March 31, the search cannot know that `x` was returned.
    assert_eq!((ids(&rest), rest.resume_token().unwrap().parts_left()), (vec!["c".to_owned()], 2));
}

#[tokio::test]
async fn if_every_day_fails_the_first_failure_is_the_error() {
    let server = Server::always(json(403, "{}"));
    for on_error in [OnError::Stop, OnError::Collect] {
        let error = search(&server, days("2025-01-01", "2025-01-03")).on_error(on_error).collect().await.unwrap_err();
        assert_eq!((error.error().kind(), error.partial_result().is_none()), (ErrorKind::Permission, true));
        assert_eq!(error.resume_token().unwrap().parts_left(), 3);
    }
}

#[tokio::test]
async fn a_resume_token_is_rejected_by_another_search() {
    let (server, _) = failing_at("2025-01-01", week());
    let range = days("2025-01-01", "2025-01-05");
    let token = search(&server, range).collect().await.unwrap_err().resume_token().unwrap().clone();
    let text = token.to_string();
    assert!(text.starts_with("vwr1/sleeps_between/1d/2025-01-01/2025-01-05/0-4/"), "{text}");
    let client = Client::builder().base_url(server.url()).token("token-0").no_proxy().build().unwrap();
    let daily = client.statistics().daily(date("2025-01-01")..=date("2025-01-05"), ["sleep_duration_total"]).include_record_ids(true);
    let errors = [
        daily.split(PartLength::Days(1)).resume(&token).stream().unwrap_err(),
        search(&server, days("2025-01-01", "2025-01-06")).resume(&token).stream().unwrap_err(),
        search(&server, range).include_stages(true).resume(&token).stream().unwrap_err(),
        search(&server, range).include_samples(true).resume(&token).stream().unwrap_err(),
        search(&server, range).providers(["oura"]).resume(&token).stream().unwrap_err(),
        search(&server, range).exclude_manual(true).resume(&token).stream().unwrap_err(),
        search(&server, range).options(CallOptions::new().query("a", "b")).resume(&token).stream().unwrap_err(),
    ];
    for error in errors {
        assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("resume_token")), "{error}");
    }
    let count = server.count();
    let error = search(&server, range).concurrency(0).stream().unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("concurrency")));
    let error = search(&server, days("1000-01-01", "2025-01-01")).stream().unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("days")));
    assert_eq!(server.count(), count, "nothing was sent");
}

#[tokio::test]
async fn cancelling_aborts_the_call_in_flight() {
    let server = Server::with_script(|seen, _| match sleep_id(seen) {
        Some(id) if id == "nap" => Reply::SendAndHang(Vec::new()),
        _ => week().respond(seen),
    });
    let token = CancelToken::new();
    let options = CallOptions::new().max_retries(0).cancel_token(&token);
    let searched = search(&server, days("2025-01-01", "2025-01-05")).options(options).concurrency(1).collect();
    let cancel = async {
        server.wait_for(3).await;
        token.cancel();
    };
    let (ended, ()) = tokio::join!(searched, cancel);
    let error = ended.unwrap_err();
    assert_eq!((error.error().kind(), error.error().attempts()), (ErrorKind::Cancelled, 1));
    assert_eq!((ids(error.partial_result().unwrap()), error.resume_token().unwrap().parts_left()), (vec!["a".to_owned()], 4));
    assert_eq!(server.count(), 3);
}

#[tokio::test]
async fn a_resumed_search_can_be_merged_with_the_first() {
    let (server, repaired) = failing_at("c", week());
    let all = || search(&server, days("2025-01-01", "2025-01-05"));
    let first = all().on_error(OnError::Collect).collect().await.unwrap();
    let table = all().on_error(OnError::Collect).table(TableId::SleepStages).await.unwrap();
    assert_eq!((first.failures().len(), first.parts().len()), (1, 4));
    repaired.store(true, Ordering::SeqCst);
    let token = first.resume_token().cloned().unwrap();
    let whole = all().collect().await.unwrap();
    let merged = first.merge(all().resume(&token).collect().await.unwrap()).unwrap();
    assert_eq!((merged.failures().len(), merged.resume_token().is_none()), (0, true));
    assert_eq!((ids(&merged), merged.parts()), (ids(&whole), whole.parts()));
    let whole = all().table(TableId::SleepStages).await.unwrap();
    let merged = table.merge(all().resume(&token).table(TableId::SleepStages).await.unwrap()).unwrap();
    assert_eq!((merged.len(), merged.parts(), merged.failures().len()), (whole.len(), whole.parts(), 0));
    assert!(!whole.is_empty());
    let other = search(&server, days("2025-01-01", "2025-01-02")).table(TableId::SleepStages).await.unwrap();
    assert_eq!(merged.merge(other).err().unwrap().argument(), Some("later"));
}

/// In the first run, two days fail on their own. In the resumed run, they fail together, because statistics fail.
#[tokio::test]
async fn a_failure_of_several_days_replaces_earlier_failures_of_these_days() {
    let diary = Diary::new(&[("2025-01-01", &["a"]), ("2025-01-02", &["b"]), ("2025-04-02", &["c"]), ("2025-04-04", &["d"])]);
    let failing = Arc::new(Mutex::new(vec!["b", "c", "d"]));
    let script = Arc::clone(&failing);
    let server = Server::with_script(move |seen, _| {
        let requested = sleep_id(seen).unwrap_or_else(|| query_value(seen, "from_date"));
        if script.lock().unwrap().contains(&&*requested) { json(500, "{}") } else { diary.respond(seen) }
    });
    let all = || search(&server, days("2025-01-01", "2025-04-30")).on_error(OnError::Collect);
    let first = all().collect().await.unwrap();
    assert_eq!(first.failures().iter().map(PartFailure::index).collect::<Vec<_>>(), [1, 91, 93]);
    *failing.lock().unwrap() = vec!["2025-04-01"];
    let rest = all().resume(first.resume_token().unwrap()).collect().await.unwrap();
    let merged = first.merge(rest).unwrap();
    let [failure] = merged.failures() else { panic!("{:?}", merged.failures()) };
    assert_eq!((failure.index(), failure.range()), (91, Some(days("2025-04-02", "2025-04-04").into())));
    assert_eq!((ids(&merged), merged.resume_token().unwrap().parts_left()), (vec!["a".to_owned(), "b".to_owned()], 2));
}

#[tokio::test]
async fn a_night_in_both_halves_stays_at_its_first_day() {
    let diary = Diary::new(&[("2025-01-01", &["a"]), ("2025-04-01", &["b"]), ("2025-06-30", &["b", "c"])]);
    let (server, repaired) = failing_at("2025-04-01", diary);
    let all = || search(&server, days("2025-01-01", "2025-07-31"));
    let first = all().on_error(OnError::Collect).collect().await.unwrap();
    assert_eq!(ids(&first), ["a", "b", "c"]);
    repaired.store(true, Ordering::SeqCst);
    let token = first.resume_token().cloned().unwrap();
    let merged = first.merge(all().resume(&token).collect().await.unwrap()).unwrap();
    assert_eq!((ids(&merged), merged.failures().len()), (vec!["a".to_owned(), "b".to_owned(), "c".to_owned()], 0));
    let days: Vec<_> =
        merged.parts().iter().filter(|day| !day.rows.is_empty()).map(|day| day.range.unwrap().dates().unwrap().first()).collect();
    assert_eq!(days, [date("2025-01-01"), date("2025-04-01"), date("2025-06-30")]);
}

#[tokio::test]
async fn days_in_the_wrong_order_are_rejected_before_anything_is_sent() {
    let (server, _) = failing_at("", week());
    let client = Client::builder().base_url(server.url()).token("token-0").no_proxy().build().unwrap();
    let error = client.sleeps().between(date("2025-01-02")..=date("2025-01-01")).stream().err().unwrap();
    assert_eq!((error.argument(), server.requests().len()), (Some("days"), 0));
}
