//! Type-erased ranges: concurrent readers, closing, dropping, and the remaining parts in every state.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use vitalwire::blocking::block_on_several;
use vitalwire::client::Client;
use vitalwire::error::ErrorKind;
use vitalwire::models::DailyStatistics;
use vitalwire::range::{AnyParts, AnyRange, CollectStep, OnError, PartLength, RangeError};
use vitalwire::table::TableId;
use vitalwire_testkit::{PATIENCE, Server, json};

use super::{calendar, client, daily, days, every_day, query_value};

/// Converted value of a part: its number of days, and whether it comes from a single response.
type PartSummary = (usize, bool);

fn nine_days(server: &Server) -> (Client, AnyRange<PartSummary>) {
    nine_days_with(server, OnError::Stop)
}

fn nine_days_with(server: &Server, on_error: OnError) -> (Client, AnyRange<PartSummary>) {
    let split = daily(server, days("2025-03-01", "2025-03-09")).split(PartLength::Days(3)).on_error(on_error).concurrency(1);
    let convert = |statistics: Arc<DailyStatistics>, from: vitalwire::operation::Provenance| {
        assert_eq!(from.operation(), Some("daily_statistics"));
        (statistics.statistics.len(), from.response().is_some())
    };
    (client(server), split.erased(convert))
}

fn kind_and_parts_left<T>(failure: &RangeError<T>) -> (ErrorKind, Option<u32>) {
    (failure.error().kind(), failure.resume_token().map(vitalwire::range::ResumeToken::parts_left))
}

fn parts_left(parts: &AnyParts<PartSummary>) -> Option<u32> {
    parts.resume_token().map(|token| token.parts_left())
}

/// Delays all responses except the first until the gate is opened.
#[derive(Clone, Default)]
struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    fn open(&self) {
        *self.0.0.lock().unwrap() = true;
        self.0.1.notify_all();
    }

    fn server(&self) -> Server {
        let gate = self.clone();
        Server::with_script(move |seen, _| {
            if query_value(seen, "from_date") != "2025-03-01" {
                drop(gate.0.1.wait_timeout_while(gate.0.0.lock().unwrap(), PATIENCE, |open| !*open).unwrap());
            }
            every_day(seen)
        })
    }
}

#[tokio::test]
async fn parts_have_bounds_responses_and_a_resume_token() {
    let server = calendar();
    let (client, range) = nine_days(&server);
    assert_eq!((range.name(), range.operation()), ("daily_statistics", "daily_statistics"));
    let parts = range.parts(client.engine()).unwrap();
    assert!(server.requests().is_empty() && parts_left(&parts) == Some(3));
    let first = parts.next().await.unwrap().unwrap();
    let bounds = Some(days("2025-03-01", "2025-03-03").into());
    assert_eq!((first.index, first.range, first.duplicates), (Some(0), bounds, 0));
    assert_eq!(first.response.unwrap(), (3, true));
    assert_eq!((parts_left(&parts), parts.progress().done), (Some(2), 1));
    assert!(parts.next().await.unwrap().is_some() && parts.next().await.unwrap().is_some());
    assert!(parts.next().await.unwrap().is_none() && parts.next().await.unwrap().is_none());
    assert_eq!((parts_left(&parts), parts.progress().done, server.requests().len()), (None, 3, 3));
}

#[tokio::test]
async fn a_second_reader_is_rejected_and_the_first_continues() {
    let gate = Gate::default();
    let server = gate.server();
    let (client, range) = nine_days(&server);
    let parts = range.parts(client.engine()).unwrap();
    parts.next().await.unwrap();
    let reading = tokio::spawn(parts.next());
    server.wait_for(2).await;
    let error = parts.next().await.err().unwrap();
    assert_eq!(kind_and_parts_left(&error), (ErrorKind::Configuration, None));
    assert_eq!(parts_left(&parts), Some(2), "the part that is being read is still remaining");
    gate.open();
    assert_eq!(reading.await.unwrap().unwrap().unwrap().index, Some(1));
    assert_eq!(parts.next().await.unwrap().unwrap().index, Some(2));
}

#[tokio::test]
async fn closing_aborts_a_read_and_keeps_the_remaining_parts() {
    let gate = Gate::default();
    let server = gate.server();
    let (client, range) = nine_days(&server);
    let parts = range.parts(client.engine()).unwrap();
    parts.next().await.unwrap();
    let reading = tokio::spawn(parts.next());
    server.wait_for(2).await;
    parts.close();
    let error = reading.await.unwrap().err().unwrap();
    assert_eq!(kind_and_parts_left(&error), (ErrorKind::Cancelled, Some(2)));
    assert!(parts.next().await.unwrap().is_none() && parts_left(&parts) == Some(2));
    gate.open();
    // Close while no part is being read.
    let parts = range.parts(client.engine()).unwrap();
    parts.next().await.unwrap();
    parts.close();
    parts.close();
    assert!(parts.next().await.unwrap().is_none() && parts_left(&parts) == Some(2));
}

#[tokio::test]
async fn dropping_a_read_cancels_the_parts() {
    let gate = Gate::default();
    let server = gate.server();
    let (client, range) = nine_days(&server);
    let parts = range.parts(client.engine()).unwrap();
    parts.next().await.unwrap();
    drop(parts.next());
    assert_eq!(parts_left(&parts), Some(2), "a future that is never polled reads nothing");
    assert!(tokio::time::timeout(Duration::from_millis(50), parts.next()).await.is_err());
    let error = parts.next().await.err().unwrap();
    assert_eq!(kind_and_parts_left(&error), (ErrorKind::Cancelled, Some(2)));
    assert!(parts.next().await.unwrap().is_none(), "the error comes once");
    assert_eq!(parts_left(&parts), Some(2));
    gate.open();
}

#[tokio::test]
async fn an_undelivered_part_counts_as_not_returned() {
    let server = calendar();
    let (client, range) = nine_days(&server);
    let parts = range.parts(client.engine()).unwrap();
    let first = parts.next_undelivered().await.unwrap().unwrap();
    assert_eq!((first.part.index, parts_left(&parts), parts.progress().done), (Some(0), Some(3), 0));
    let error = parts.next().await.err().unwrap();
    assert_eq!(kind_and_parts_left(&error).0, ErrorKind::Configuration);
    first.delivery.confirm();
    assert_eq!((parts_left(&parts), parts.progress().done), (Some(2), 1));
    drop(parts.next_undelivered().await.unwrap().unwrap());
    let error = parts.next().await.err().unwrap();
    assert_eq!(kind_and_parts_left(&error), (ErrorKind::Cancelled, Some(2)));
    assert_eq!((parts_left(&parts), parts.progress().done), (Some(2), 1));
    // Close the parts between the read and the delivery.
    let parts = range.parts(client.engine()).unwrap();
    let first = parts.next_undelivered().await.unwrap().unwrap();
    parts.close();
    first.delivery.confirm();
    assert!(parts.next().await.unwrap().is_none() && parts_left(&parts) == Some(2));
}

#[tokio::test]
async fn each_read_of_a_range_makes_new_calls() {
    let server = calendar();
    let (client, range) = nine_days(&server);
    let merged = range.collect(client.engine()).collect(drop).await.unwrap();
    assert_eq!((merged.response(), merged.parts().len(), server.requests().len()), ((9, false), 3, 3));
    let table = range.table(client.engine(), TableId::DailyStatistics.spec(), |table| table).collect(drop).await.unwrap();
    assert_eq!((table.response().len(), server.requests().len()), (9, 6));
    // The requested columns are exported, although the table comes from several responses.
    assert!(table.response().exported().any(|column| column.field().name == "steps"));
}

#[tokio::test]
async fn each_step_reports_the_progress() {
    let server = calendar();
    let (client, range) = nine_days(&server);
    let mut collect = range.collect(client.engine());
    let mut done = Vec::new();
    let merged = loop {
        match collect.step().await.unwrap() {
            CollectStep::Progress(progress) => done.push(progress.done),
            CollectStep::Ended(merged) => break merged,
        }
    };
    assert_eq!((done, merged.response().0), (vec![1, 2, 3], 9));
    assert_eq!(kind_and_parts_left(&collect.step().await.err().unwrap()).0, ErrorKind::Internal);
}

#[tokio::test]
async fn a_resumed_result_can_be_merged() {
    let broken = Arc::new(Mutex::new(true));
    let recorded = Arc::clone(&broken);
    let server = Server::with_script(move |seen, _| {
        let fails = query_value(seen, "from_date") == "2025-03-04" && *recorded.lock().unwrap();
        if fails { json(404, "{}") } else { every_day(seen) }
    });
    let (client, range) = nine_days_with(&server, OnError::Collect);
    let first = range.collect(client.engine()).collect(drop).await.unwrap();
    assert_eq!((first.response().0, first.failures().len(), first.failures()[0].index()), (6, 1, 1));
    let first_table = range.table(client.engine(), TableId::DailyStatistics.spec(), |table| table).collect(drop).await.unwrap();
    *broken.lock().unwrap() = false;
    let token = first.resume_token().cloned().unwrap();
    let rest = daily(&server, days("2025-03-01", "2025-03-09")).split(PartLength::Days(3)).resume(&token);
    let rest = rest.erased(|statistics, from| (statistics.statistics.len(), from.response().is_some()));
    let merged = first.merge(&rest.collect(client.engine()).collect(drop).await.unwrap()).unwrap();
    assert_eq!((merged.response().0, merged.failures().len(), merged.resume_token().is_none()), (9, 0, true));
    assert_eq!(merged.parts().iter().map(|part| part.rows.clone()).collect::<Vec<_>>(), [0..3, 3..6, 6..9]);
    let table = first_table
        .merge(&rest.table(client.engine(), TableId::DailyStatistics.spec(), |table| table).collect(drop).await.unwrap())
        .unwrap();
    assert_eq!((table.response().len(), table.failures().len()), (9, 0));
    // The result of another call is rejected.
    let foreign = daily(&server, days("2025-04-01", "2025-04-02")).split(None).erased(|_, _| (0, false));
    let error = merged.merge(&foreign.collect(client.engine()).collect(drop).await.unwrap()).err().unwrap();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("later")));
}

#[test]
fn parts_can_block_a_thread() {
    let server = calendar();
    let (client, range) = nine_days(&server);
    let parts = range.parts(client.engine()).unwrap();
    let mut indexes = Vec::new();
    while let Some(part) = parts.next_blocking().unwrap() {
        indexes.push(part.index.unwrap());
    }
    let merged = block_on_several(range.collect(client.engine()).collect(drop)).unwrap().unwrap();
    assert_eq!((indexes, merged.response().0), (vec![0, 1, 2], 9));
}
