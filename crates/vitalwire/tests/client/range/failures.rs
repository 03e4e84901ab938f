//! Failures of single parts with both error policies, and resumed calls.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use vitalwire::Error;
use vitalwire::error::ErrorKind;
use vitalwire::range::{OnError, PartFailure, PartLength, ResumeToken};
use vitalwire_testkit::{Server, json};

use crate::range::{client, daily, days, every_day, query_value, requested_days};

/// Starts a service that fails for one day until it is repaired.
fn failing_at(day: &'static str) -> (Server, Arc<AtomicBool>) {
    let repaired = Arc::new(AtomicBool::new(false));
    let switch = Arc::clone(&repaired);
    let server = Server::with_script(move |seen, _| {
        let fails = query_value(seen, "from_date") == day && !switch.load(Ordering::SeqCst);
        if fails { json(404, "{}") } else { every_day(seen) }
    });
    (server, repaired)
}

fn firsts(server: &Server, from: usize) -> Vec<String> {
    let mut firsts: Vec<_> = server.requests()[from..].iter().map(|seen| query_value(seen, "from_date")).collect();
    firsts.sort();
    firsts
}

#[tokio::test]
async fn stop_returns_the_parts_before_a_failure_and_resume_reads_the_rest() {
    let (server, repaired) = failing_at("2025-01-05");
    let range = days("2025-01-01", "2025-01-09");
    let error = daily(&server, range).split(PartLength::Days(2)).concurrency(1).collect().await.unwrap_err();
    assert_eq!((error.error().kind(), error.error().operation()), (ErrorKind::NotFound, Some("daily_statistics")));
    assert_eq!(firsts(&server, 0), ["2025-01-01", "2025-01-03", "2025-01-05"], "nothing after the failure");
    let partial_result = error.partial_result().unwrap();
    assert_eq!((partial_result.statistics.len(), partial_result.to_date.to_string()), (4, "2025-01-04".to_owned()));
    let token: ResumeToken = error.resume_token().unwrap().to_string().parse().unwrap();
    assert_eq!((token.parts_left(), token.dates(), token.operation()), (3, Some(range), "daily_statistics"));

    repaired.store(true, Ordering::SeqCst);
    let rest = daily(&server, range).split(None).resume(&token).collect().await.unwrap();
    assert_eq!(firsts(&server, 3), ["2025-01-05", "2025-01-07", "2025-01-09"]);
    assert_eq!((rest.statistics.len(), rest.from_date.to_string()), (5, "2025-01-05".to_owned()));
    let whole = error.into_parts().0.unwrap().merge(rest).unwrap();
    assert_eq!((whole.statistics.len(), whole.parts().len(), whole.resume_token()), (9, 5, None));
    assert_eq!((whole.from_date.to_string(), whole.to_date.to_string()), ("2025-01-01".into(), "2025-01-09".into()));
    assert!(whole.statistics.is_sorted_by_key(|day| day.date));
}

#[tokio::test]
async fn the_stream_returns_the_error_once_and_ends() {
    let (server, _) = failing_at("2025-01-02");
    let mut parts = daily(&server, days("2025-01-01", "2025-01-09")).split(PartLength::Days(1)).stream().unwrap();
    assert_eq!(parts.next().await.unwrap().unwrap().index, 0);
    let failure = parts.next().await.unwrap().unwrap_err();
    assert_eq!((failure.index(), failure.range()), (1, Some(days("2025-01-02", "2025-01-02").into())));
    assert_eq!(failure.resume_token().unwrap().parts_left(), 8);
    assert!(parts.next().await.is_none() && parts.next().await.is_none());
    assert_eq!(parts.resume_token().as_ref(), failure.resume_token());
    assert_eq!(Error::from(failure).kind(), ErrorKind::NotFound);
}

#[tokio::test]
async fn collect_continues_and_lists_failures() {
    let (server, repaired) = failing_at("2025-01-05");
    let range = days("2025-01-01", "2025-01-09");
    let merged = daily(&server, range).split(PartLength::Days(2)).on_error(OnError::Collect).collect().await.unwrap();
    assert_eq!((server.count(), merged.parts().len(), merged.statistics.len()), (5, 4, 7));
    let [failure] = merged.failures() else { panic!("{:?}", merged.failures()) };
    assert_eq!((failure.range(), failure.error().kind()), (Some(days("2025-01-05", "2025-01-06").into()), ErrorKind::NotFound));
    let token = merged.resume_token().unwrap().clone();
    assert_eq!(token.parts_left(), 1);

    repaired.store(true, Ordering::SeqCst);
    let rest = daily(&server, range).split(PartLength::Days(2)).resume(&token).collect().await.unwrap();
    assert_eq!(firsts(&server, 5), ["2025-01-05"]);
    let whole = merged.merge(rest).unwrap();
    assert_eq!((whole.statistics.len(), whole.failures().len(), whole.resume_token()), (9, 0, None));
    let dates: Vec<_> = whole.statistics.iter().map(|day| day.date.unwrap().ymd().2).collect();
    assert_eq!(dates, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
}

/// Starts a service that fails with the status that this map has for the requested day.
fn failing_with(statuses: &Arc<Mutex<BTreeMap<&'static str, u16>>>) -> Server {
    let statuses = Arc::clone(statuses);
    Server::with_script(move |seen, _| match statuses.lock().unwrap().get(&*query_value(seen, "from_date")) {
        Some(status) => json(*status, "{}"),
        None => every_day(seen),
    })
}

#[tokio::test]
async fn a_part_that_fails_in_both_runs_has_the_failure_of_the_later_run() {
    let statuses = Arc::new(Mutex::new(BTreeMap::from([("2025-01-03", 404), ("2025-01-05", 404), ("2025-01-07", 404)])));
    let server = failing_with(&statuses);
    let split = || daily(&server, days("2025-01-01", "2025-01-09")).split(PartLength::Days(2)).on_error(OnError::Collect);
    let kind = |failure: &PartFailure| (failure.index(), failure.error().kind());
    let engine = client(&server);
    let first = split().collect().await.unwrap();
    let any_first = split().erased(|_, _| ()).collect(engine.engine()).collect(drop).await.unwrap();
    assert_eq!(first.failures().iter().map(kind).collect::<Vec<_>>(), [1, 2, 3].map(|index| (index, ErrorKind::NotFound)));

    *statuses.lock().unwrap() = BTreeMap::from([("2025-01-03", 403), ("2025-01-07", 403)]);
    let token = first.resume_token().unwrap().clone();
    let merged = first.merge(split().resume(&token).collect().await.unwrap()).unwrap();
    let failures = [(1, ErrorKind::Permission), (3, ErrorKind::Permission)];
    assert_eq!(merged.failures().iter().map(kind).collect::<Vec<_>>(), failures);
    assert_eq!(merged.resume_token().unwrap().parts_left(), 2);
    let any_rest = split().resume(&token).erased(|_, _| ()).collect(engine.engine()).collect(drop).await.unwrap();
    let any_merged = any_first.merge(&any_rest).unwrap();
    assert_eq!(any_merged.failures().iter().map(|failure| kind(failure)).collect::<Vec<_>>(), failures);
    // A part that one of the ranges has read has no failure in either order.
    let any_merged = any_rest.merge(&any_first).unwrap();
    assert_eq!(any_merged.failures().iter().map(|failure| failure.index()).collect::<Vec<_>>(), [1, 3]);

    statuses.lock().unwrap().clear();
    let rest = split().resume(merged.resume_token().unwrap()).collect().await.unwrap();
    let whole = merged.merge(rest).unwrap();
    assert_eq!((whole.failures().len(), whole.resume_token(), whole.statistics.len()), (0, None, 9));
}

#[tokio::test]
async fn merged_failures_are_in_the_order_of_the_parts() {
    let statuses = Arc::new(Mutex::new(BTreeMap::from([("2025-01-03", 404), ("2025-01-07", 404)])));
    let server = failing_with(&statuses);
    let split = || daily(&server, days("2025-01-01", "2025-01-09")).split(PartLength::Days(2)).on_error(OnError::Collect);
    let indexes = |failures: &[PartFailure]| failures.iter().map(PartFailure::index).collect::<Vec<_>>();
    let text = split().collect().await.unwrap().resume_token().unwrap().to_string();
    assert!(text.contains("/1,3/"), "{text}");
    let read_parts = async |parts: &str| split().resume(&text.replace("/1,3/", parts).parse().unwrap()).collect().await.unwrap();
    let (earlier, later) = (read_parts("/2-3/").await, read_parts("/0-1/").await);
    assert_eq!((indexes(earlier.failures()), indexes(later.failures())), (vec![3], vec![1]));
    let merged = earlier.merge(later).unwrap();
    assert_eq!((indexes(merged.failures()), merged.parts().len()), (vec![1, 3], 2));
}

#[tokio::test]
async fn if_every_part_fails_the_first_failure_is_the_error() {
    let server = Server::always(json(403, "{}"));
    let split = daily(&server, days("2025-01-01", "2025-01-04")).split(PartLength::Days(2)).on_error(OnError::Collect);
    let error = split.collect().await.unwrap_err();
    assert_eq!((error.error().kind(), error.partial_result().is_none()), (ErrorKind::Permission, true));
    assert_eq!(error.resume_token().unwrap().parts_left(), 2);
    assert_eq!(requested_days(&server).len(), 2);
}

#[tokio::test]
async fn results_of_different_calls_cannot_be_merged() {
    let server = crate::range::calendar();
    let read = async |range| daily(&server, range).split(PartLength::Days(2)).collect().await.unwrap();
    let (one, other) = (read(days("2025-01-01", "2025-01-04")).await, read(days("2025-01-01", "2025-01-05")).await);
    assert_eq!(one.merge(other).unwrap_err().argument(), Some("later"));
}
