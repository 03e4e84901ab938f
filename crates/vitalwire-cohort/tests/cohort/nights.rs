//! Tests of exports of sleeps and their stages: nights that arrive late, change, move and disappear.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::Path;
use std::sync::{Arc, Mutex};

use parquet::file::reader::{FileReader, SerializedFileReader};
use vitalwire::Client;
use vitalwire_cohort::dataset::{Dataset, Export, NextRun, Summary};
use vitalwire_cohort::{CohortReader, CohortTable, Credential, Plan, RateLimits, RecordKey, Selection, SyncStates, UserCredentials};
use vitalwire_testkit::{Server, response};

use super::{changes, date, days, first_plan};

/// A night of the only user.
#[derive(Clone)]
struct Night {
    /// Its `sleep_date`, under which the statistics list it. [`listed_on`] has an exception.
    day: &'static str,
    score: i32,
    stages: usize,
}

/// Returns the days under which the statistics list a night: its `sleep_date`. The day before for ids that begin with `shifted`, and both
/// for ids that begin with `twice`.
fn listed_on(id: &str, night: &Night) -> Vec<String> {
    let day = |offset: i32| date(night.day).plus_days(offset).unwrap().to_string();
    match id {
        _ if id.starts_with("shifted") => vec![day(-1)],
        _ if id.starts_with("twice") => vec![day(-1), day(0)],
        _ => vec![day(0)],
    }
}

type Nights = Arc<Mutex<BTreeMap<&'static str, Night>>>;

/// A mock service with nights. Its clock shows noon.
struct Service {
    server: Server,
    nights: Nights,
    today: Arc<Mutex<&'static str>>,
    /// Night that the service returns for each id.
    only_night: Arc<Mutex<Option<&'static str>>>,
    /// Night that the statistics list, but that the service does not return.
    lost: Arc<Mutex<Option<&'static str>>>,
}

impl Service {
    fn start(nights: &[(&'static str, Night)]) -> Self {
        let nights: Nights = Arc::new(Mutex::new(nights.iter().cloned().collect()));
        let today = Arc::new(Mutex::new("2025-02-10"));
        let (only_night, lost) = (Arc::new(Mutex::new(None)), Arc::new(Mutex::new(None)));
        let (known, clock, only, missing) = (Arc::clone(&nights), Arc::clone(&today), Arc::clone(&only_night), Arc::clone(&lost));
        let server = Server::with_script(move |request, _| {
            let time = date(*clock.lock().unwrap()).jiff().strftime("%a, %d %b %Y 12:00:00 GMT").to_string();
            let answer = |body: &str| response(200, &[("content-type", "application/json"), ("date", &time)], body.as_bytes());
            let nights = known.lock().unwrap();
            let (path, query) = request.target().split_once('?').unwrap_or((request.target(), ""));
            let parameter = |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')).unwrap_or_default();
            if path.ends_with("/statistics/daily") {
                let (from, to) = (parameter("from_date"), parameter("to_date").split(' ').next().unwrap());
                let mut listed: BTreeMap<String, Vec<String>> = BTreeMap::new();
                for (id, night) in nights.iter() {
                    for day in listed_on(id, night).into_iter().filter(|day| (from..=to).contains(&&**day)) {
                        listed.entry(day).or_default().push(format!(r#""{id}""#));
                    }
                }
                let rows: Vec<String> = listed
                    .iter()
                    .map(|(day, ids)| {
                        format!(r#"{{"date":"{day}","record_ids":[{}],"values":{{"sleep_duration_total":1}}}}"#, ids.join(","))
                    })
                    .collect();
                return answer(&format!(r#"{{"from_date":"{from}","to_date":"{to}","statistics":[{}]}}"#, rows.join(",")));
            }
            let id = path.rsplit('/').next().unwrap().split(' ').next().unwrap();
            let id = only.lock().unwrap().filter(|_| nights.contains_key(id)).unwrap_or(id);
            match nights.get(id).filter(|_| *missing.lock().unwrap() != Some(id)) {
                Some(Night { day, score, stages }) => {
                    let evening = date(day).plus_days(-1).unwrap();
                    let fraction = if id.starts_with("precise") { ".123456789" } else { "" };
                    let stage = |at: usize| {
                        let times = format!(r#""start_at":"{day}T0{at}:00:00{fraction}Z","end_at":"{day}T0{at}:30:00Z""#);
                        format!(r#"{{"stage":"deep",{times},"duration":1800000}}"#)
                    };
                    let mut stages: Vec<String> = (0..*stages).map(stage).collect();
                    if id.starts_with("unordered") {
                        stages.reverse();
                    }
                    answer(&format!(
                        r#"{{"sleep_id":"{id}","modified_at":"{day}T12:00:00{fraction}Z","start_at_timestamp":"{evening}T22:00:00Z","sleep_date":"{day}","score":{score},"stages":[{}]}}"#,
                        stages.join(",")
                    ))
                }
                None if path.contains("/userinfo") => answer(r#"{"application_user_id":"anna","integrated_providers":null}"#),
                None => response(404, &[("date", &time)], b"{}"),
            }
        });
        Self { server, nights, today, only_night, lost }
    }

    fn reader(&self) -> CohortReader {
        let users = UserCredentials::new([("anna", Credential::Token("token".to_owned().into()))]).unwrap();
        CohortReader::new(Client::builder().base_url(self.server.url()).retry_delay_scale(0.0), users, RateLimits::new()).unwrap()
    }

    async fn export(&self, folder: &Path) -> Summary {
        let reader = self.reader();
        let tables = [CohortTable::Sleeps, CohortTable::SleepStages];
        let selection = Selection::new(["anna"], tables, days("2025-01-01", "2025-03-31")).unwrap();
        let next = NextRun::plan(&reader, folder, selection, true).await.unwrap();
        let summary = Export::new(next.plan).resume(true).run(&reader, folder, |_| ()).await.unwrap();
        assert!(Dataset::open(folder).unwrap().verify().unwrap().is_empty());
        summary
    }

    /// Number of requests for sleeps.
    fn sleep_requests(&self) -> usize {
        self.server.requests().iter().filter(|request| request.target().contains("/queries/sleeps/")).count()
    }
}

/// Returns all rows of a table as text. Fails on a duplicate row.
pub(super) fn rows(folder: &Path, table: &str) -> BTreeSet<String> {
    let mut rows = BTreeSet::new();
    for month in fs::read_dir(folder.join(format!("table={table}"))).into_iter().flatten().map(Result::unwrap) {
        for file in fs::read_dir(month.path()).unwrap().map(Result::unwrap) {
            let reader = SerializedFileReader::new(File::open(file.path()).unwrap()).unwrap();
            for row in reader.get_row_iter(None).unwrap().map(Result::unwrap) {
                assert!(rows.insert(row.to_string()), "{} has a duplicate row", file.path().display());
            }
        }
    }
    rows
}

fn night(day: &'static str, score: i32, stages: usize) -> Night {
    Night { day, score, stages }
}

const FIRST: [(&str, Night); 6] = [
    ("early", Night { day: "2025-01-03", score: 1, stages: 2 }),
    ("old", Night { day: "2025-01-20", score: 2, stages: 3 }),
    ("changing", Night { day: "2025-02-04", score: 3, stages: 2 }),
    ("vanishing", Night { day: "2025-02-05", score: 4, stages: 1 }),
    ("moving", Night { day: "2025-02-06", score: 5, stages: 2 }),
    ("losing", Night { day: "2025-02-07", score: 6, stages: 4 }),
];

#[tokio::test]
async fn each_sleep_is_requested_once_for_both_tables() {
    let service = Service::start(&FIRST);
    let folder = tempfile::tempdir().unwrap();
    let summary = service.export(folder.path()).await;
    assert_eq!(summary.tables.get(&CohortTable::Sleeps), Some(&changes(6, 0, 0)));
    assert_eq!(summary.tables.get(&CohortTable::SleepStages), Some(&changes(2 + 3 + 2 + 1 + 2 + 4, 0, 0)));
    assert_eq!(service.sleep_requests(), 6);
}

/// One user with more than a year: after an interruption, only what was read since the last write is requested again.
#[tokio::test]
async fn an_interruption_costs_at_most_200_requests_of_one_user() {
    let names: Vec<(&'static str, &'static str)> = (0..420)
        .map(|day| date("2024-01-01").plus_days(day).unwrap().to_string())
        .map(|day| (&*Box::leak(format!("night-{day}").into_boxed_str()), &*Box::leak(day.into_boxed_str())))
        .collect();
    let nights: Vec<_> = names.iter().map(|(id, day)| (*id, night(day, 1, 1))).collect();
    let service = Service::start(&nights);
    *service.today.lock().unwrap() = "2025-03-01";
    let folder = tempfile::tempdir().unwrap();
    let reader = service.reader();
    let selection = || Selection::new(["anna"], [CohortTable::Sleeps], days("2024-01-01", "2025-02-28")).unwrap();
    let mut interruptions = 0;
    for limit in [350, 300, 300, usize::MAX] {
        let before = service.sleep_requests();
        let next = NextRun::plan(&reader, folder.path(), selection(), true).await.unwrap();
        let export = Export::new(next.plan).resume(true);
        let (run, mut watch) = (export.run(&reader, folder.path(), |_| ()), tokio::time::interval(std::time::Duration::from_millis(1)));
        let mut run = std::pin::pin!(run);
        loop {
            tokio::select! {
                summary = &mut run => {
                    summary.unwrap();
                    break;
                }
                _ = watch.tick() => {
                    if service.sleep_requests() - before > limit {
                        interruptions += 1;
                        break;
                    }
                }
            }
        }
    }
    assert_eq!(interruptions, 1 + usize::from(service.sleep_requests() > 700));
    assert_eq!(rows(folder.path(), "sleeps").len(), 420);
    // An item has a month, and up to two of them are in flight when the run is interrupted.
    let again = service.sleep_requests() - 420;
    assert!(again <= interruptions * (200 + 31 + 16), "{again} requests were sent again after {interruptions} interruptions");
    assert!(Dataset::open(folder.path()).unwrap().verify().unwrap().is_empty());
}

#[tokio::test]
async fn later_runs_equal_a_fresh_export() {
    let service = Service::start(&FIRST);
    let folder = tempfile::tempdir().unwrap();
    service.export(folder.path()).await;
    {
        let mut nights = service.nights.lock().unwrap();
        nights.insert("changing", night("2025-02-04", 30, 2));
        nights.remove("vanishing");
        // A night that moves to another day within the look-back, and one that moves into it from an older month.
        nights.insert("moving", night("2025-02-08", 5, 2));
        nights.insert("early", night("2025-02-09", 1, 2));
        nights.insert("losing", night("2025-02-07", 6, 0));
        nights.insert("late", night("2025-02-03", 7, 1));
        nights.insert("new", night("2025-02-12", 8, 2));
        *service.today.lock().unwrap() = "2025-02-13";
    }
    let summary = service.export(folder.path()).await;
    // Changed are the score of one night and the days of two.
    assert_eq!(summary.tables.get(&CohortTable::Sleeps), Some(&changes(2, 3, 1)));
    // Added are the stages of the late and the new night, changed those of the two moved nights; one and four stages have disappeared.
    assert_eq!(summary.tables.get(&CohortTable::SleepStages), Some(&changes(1 + 2, 2 + 2, 1 + 4)));
    let fresh = tempfile::tempdir().unwrap();
    service.export(fresh.path()).await;
    for table in ["sleeps", "sleep_stages"] {
        assert_eq!(rows(folder.path(), table), rows(fresh.path(), table), "{table}");
    }
    assert_eq!(rows(folder.path(), "sleeps").len(), 7);
    // January has one night left, and an unchanged run writes nothing.
    let files = || {
        let january = folder.path().join("table=sleeps/month=2025-01/part-00000.parquet");
        let february = folder.path().join("table=sleeps/month=2025-02/part-00000.parquet");
        [january, february].map(|file| fs::metadata(file).unwrap().modified().unwrap())
    };
    let before = files();
    let summary = service.export(folder.path()).await;
    assert_eq!((summary.total(), files()), (changes(0, 0, 0), before));
}

/// The date of stages is that of their sleep, so a later run that requests other days reports no change.
#[tokio::test]
async fn the_date_of_stages_does_not_depend_on_the_requested_days() {
    for tables in [&[CohortTable::Sleeps, CohortTable::SleepStages][..], &[CohortTable::SleepStages]] {
        let service = Service::start(&[("twice", night("2025-02-04", 1, 2))]);
        *service.today.lock().unwrap() = "2025-02-12";
        let folder = tempfile::tempdir().unwrap();
        let reader = service.reader();
        let export = async || {
            let selection = Selection::new(["anna"], tables.iter().copied(), days("2025-01-01", "2025-03-31")).unwrap();
            let next = NextRun::plan(&reader, folder.path(), selection, true).await.unwrap();
            Export::new(next.plan).resume(true).run(&reader, folder.path(), |_| ()).await.unwrap()
        };
        assert_eq!(export().await.tables[&CohortTable::SleepStages], changes(2, 0, 0));
        let before = service.server.requests().len();
        let summary = export().await;
        assert_eq!((summary.total(), summary.failures), (changes(0, 0, 0), 0));
        // The second run requests the second of the two days that list the sleep, but not the first.
        let requests = service.server.requests().split_off(before);
        assert!(requests.iter().any(|request| request.target().contains("from_date=2025-02-04")));
        let stages = rows(folder.path(), "sleep_stages");
        assert!(stages.len() == 2 && stages.iter().all(|row| row.contains("sleep_date: 2025-02-04")), "{stages:?}");
    }
}

/// Files have stages in the order of their times, and times in microseconds. Differences beyond that are no change.
#[tokio::test]
async fn the_order_of_stages_and_digits_beyond_microseconds_are_no_change() {
    let service = Service::start(&[("unordered", night("2025-02-05", 1, 3)), ("precise", night("2025-02-06", 2, 2))]);
    let folder = tempfile::tempdir().unwrap();
    let summary = service.export(folder.path()).await;
    // The last change of the sleep, and the starts of its stages.
    assert_eq!((summary.total(), summary.rounded_times), (changes(2 + 5, 0, 0), 1 + 2));
    let summary = service.export(folder.path()).await;
    assert_eq!((summary.total(), summary.rounded_times), (changes(0, 0, 0), 0));
}

/// A 404 for a sleep that the statistics still list is no removal.
#[tokio::test]
async fn a_listed_night_without_a_record_stays_until_it_is_no_longer_listed() {
    let service = Service::start(&[FIRST.as_slice(), &[("walk", night("2025-02-06", 7, 1))]].concat());
    *service.lost.lock().unwrap() = Some("walk");
    let folder = tempfile::tempdir().unwrap();
    // A record that never was a sleep is no failure.
    assert_eq!(service.export(folder.path()).await.failures, 0);
    let before = rows(folder.path(), "sleeps");
    *service.lost.lock().unwrap() = Some("vanishing");
    service.nights.lock().unwrap().remove("changing");
    service.nights.lock().unwrap().remove("walk");
    let summary = service.export(folder.path()).await;
    assert_eq!((summary.tables[&CohortTable::Sleeps], summary.failures), (changes(0, 0, 1), 2));
    assert_eq!((summary.reasons[0].kind.as_str(), summary.reasons[0].status), ("not_found", Some(404)));
    assert_eq!(rows(folder.path(), "sleeps").len(), before.len() - 1);
    let failures = Dataset::open(folder.path()).unwrap().failures().unwrap();
    assert!(failures.iter().all(|failure| (failure.first, failure.last) == (date("2025-02-04"), date("2025-02-05"))), "{failures:?}");
    // The day stays due after the look-back.
    *service.today.lock().unwrap() = "2025-03-20";
    assert_eq!(service.export(folder.path()).await.failures, 2);
    service.nights.lock().unwrap().remove("vanishing");
    let summary = service.export(folder.path()).await;
    assert_eq!((summary.tables[&CohortTable::Sleeps], summary.failures), (changes(0, 0, 1), 0));
}

/// The same, with states instead of files.
#[tokio::test]
async fn states_keep_a_listed_night_without_a_record() {
    let service = Service::start(&FIRST);
    let reader = service.reader();
    let mut states = SyncStates::new();
    let mut read = async |lost| {
        *service.lost.lock().unwrap() = lost;
        let selection = Selection::new(["anna"], [CohortTable::Sleeps], days("2025-02-01", "2025-02-08")).unwrap();
        let plan = Plan::due(&selection, &states, Some(reader.service_time().await.unwrap()));
        let changes = reader.read_changes(plan.items(), &mut states, 7).await.unwrap().remove(0);
        (changes.removed.len(), changes.rows.failures.iter().map(|failure| failure.kind.clone()).collect::<Vec<_>>())
    };
    assert_eq!(read(None).await, (0, vec![]));
    assert_eq!(read(Some("vanishing")).await, (0, vec!["not_found".to_owned()]));
    service.nights.lock().unwrap().remove("vanishing");
    assert_eq!(read(None).await, (1, vec![]));
}

/// The first requested day kept a sleep that had begun on the evening before, and every later run, too.
#[tokio::test]
async fn a_night_of_the_first_requested_day_is_removed() {
    let service = Service::start(&FIRST);
    let folder = tempfile::tempdir().unwrap();
    let reader = service.reader();
    let tables = [CohortTable::Sleeps, CohortTable::SleepStages];
    let export = async |selection: Selection| {
        let next = NextRun::plan(&reader, folder.path(), selection, true).await.unwrap();
        Export::new(next.plan).resume(true).run(&reader, folder.path(), |_| ()).await.unwrap()
    };
    let selection = || Selection::new(["anna"], tables, days("2025-01-03", "2025-03-31")).unwrap();
    export(selection()).await;
    service.nights.lock().unwrap().remove("early");
    assert_eq!(export(selection().refresh_from(date("2025-01-03"))).await.tables.get(&CohortTable::Sleeps), Some(&changes(0, 0, 1)));
    // 2025-02-03 is the first of the last 7 days of a run until 2025-02-09, and has one more day before it.
    service.nights.lock().unwrap().insert("first", night("2025-02-03", 1, 1));
    export(selection()).await;
    service.nights.lock().unwrap().remove("first");
    assert_eq!(export(selection()).await.tables.get(&CohortTable::Sleeps), Some(&changes(0, 0, 1)));
    let coverage = Dataset::open(folder.path()).unwrap().coverage().unwrap();
    assert_eq!(coverage[0].day(date("2025-02-03")), vitalwire_cohort::dataset::DayState::NoData);
}

/// Months are read by different items. The one of February does not list a sleep of its first day.
#[tokio::test]
async fn a_sleep_that_the_month_before_lists_stays() {
    let service = Service::start(&[("shifted", night("2025-02-01", 1, 2)), ("other", night("2025-02-01", 2, 1))]);
    let folder = tempfile::tempdir().unwrap();
    let reader = service.reader();
    let tables = [CohortTable::Sleeps, CohortTable::SleepStages];
    // Seven months of a user have more than 200 estimated requests, so January is written before February is read.
    let selection = || Selection::new(["anna"], tables, days("2024-07-01", "2025-03-31")).unwrap();
    let plan = async |selection| NextRun::plan(&reader, folder.path(), selection, true).await.unwrap().plan;
    let is_reading_february = || service.server.requests().iter().any(|request| request.target().contains("from_date=2025-02-01"));
    let export = Export::new(plan(selection()).await).resume(true);
    {
        let mut run = std::pin::pin!(export.run(&reader, folder.path(), |_| ()));
        let mut watch = tokio::time::interval(std::time::Duration::from_millis(1));
        while !is_reading_february() {
            tokio::select! {
                _ = &mut run => panic!("the run must be interrupted"),
                _ = watch.tick() => {}
            }
        }
    }
    assert_eq!(rows(folder.path(), "sleeps").len(), 1, "January must be written");
    let resumed = Export::new(plan(selection()).await).resume(true).run(&reader, folder.path(), |_| ()).await.unwrap();
    assert_eq!(resumed.total().removed, 0);
    assert_eq!((rows(folder.path(), "sleeps").len(), rows(folder.path(), "sleep_stages").len()), (2, 3));
    // A run without an interruption keeps it, too, and finds that it is gone.
    let again = || selection().refresh_from(date("2024-07-01"));
    let kept = Export::new(plan(again()).await).resume(true).run(&reader, folder.path(), |_| ()).await.unwrap();
    assert_eq!(kept.total(), changes(0, 0, 0));
    service.nights.lock().unwrap().remove("shifted");
    let gone = Export::new(plan(again()).await).resume(true).run(&reader, folder.path(), |_| ()).await.unwrap();
    assert_eq!(gone.total(), changes(0, 0, 3));
    assert_eq!(rows(folder.path(), "sleeps").len(), 1);
}

/// Digests of recent sleeps find removed ones, but not those that another request lists.
#[tokio::test]
async fn states_keep_sleeps_that_the_day_before_lists() {
    let service = Service::start(&[("shifted", night("2025-02-01", 1, 2)), ("shifted-first", night("2025-01-28", 1, 2))]);
    let reader = service.reader();
    let mut states = SyncStates::new();
    let mut removed = Vec::new();
    for change in [false, false, true, false] {
        if change {
            service.nights.lock().unwrap().remove("shifted");
        }
        *service.today.lock().unwrap() = "2025-02-05";
        let selection = Selection::new(["anna"], [CohortTable::Sleeps], days("2025-01-01", "2025-02-28")).unwrap();
        let plan = Plan::due(&selection, &states, Some(reader.service_time().await.unwrap()));
        for item in plan.items() {
            for changes in reader.read_changes(std::slice::from_ref(item), &mut states, 7).await.unwrap() {
                removed.extend(changes.removed);
            }
        }
    }
    assert_eq!(removed, [("anna".to_owned(), RecordKey::Id("shifted".to_owned()))]);
}

/// The rows of a file can come from requests for the month before.
#[tokio::test]
async fn a_repair_requests_a_sleep_that_the_month_before_lists() {
    let service = Service::start(&[("shifted", night("2025-02-01", 1, 2)), ("other", night("2025-02-10", 2, 1))]);
    *service.today.lock().unwrap() = "2025-03-20";
    let folder = tempfile::tempdir().unwrap();
    service.export(folder.path()).await;
    let before = rows(folder.path(), "sleeps");
    fs::remove_file(folder.path().join("table=sleeps/month=2025-02/part-00000.parquet")).unwrap();
    Dataset::repair(folder.path()).unwrap();
    service.export(folder.path()).await;
    assert_eq!((before.len(), rows(folder.path(), "sleeps")), (2, before));
}

/// An id that the service must not send failed the run of all users.
#[tokio::test]
async fn an_invalid_id_is_a_failure_of_its_user() {
    let service = Service::start(&[(".", night("2025-02-04", 1, 1))]);
    let folder = tempfile::tempdir().unwrap();
    let reader = service.reader();
    let selection = Selection::new(["anna"], [CohortTable::Sleeps, CohortTable::Daily], days("2025-02-01", "2025-02-05")).unwrap();
    let next = NextRun::plan(&reader, folder.path(), selection, true).await.unwrap();
    let summary = Export::new(next.plan).run(&reader, folder.path(), |_| ()).await.unwrap();
    assert_eq!((summary.failures, summary.reasons[0].kind.as_str()), (1, "invalid_argument"));
}

/// Readers have no files that would find the duplicate.
#[tokio::test]
async fn a_sleep_that_two_months_list_is_read_once() {
    let service = Service::start(&[
        ("before", night("2025-01-31", 1, 1)),
        ("twice", night("2025-02-01", 2, 2)),
        ("after", night("2025-02-01", 3, 1)),
    ]);
    let selection = |table| Selection::new(["anna"], [table], days("2025-01-20", "2025-02-08")).unwrap();
    for (table, expected) in [(CohortTable::Sleeps, 3), (CohortTable::SleepStages, 4)] {
        let (plan, mut states) = (first_plan(&selection(table)), SyncStates::default());
        assert_eq!(plan.items().len(), 2);
        let (reader, other) = (service.reader(), service.reader());
        let (mut read, mut changes) = (0, 0);
        for item in plan.items() {
            read += reader.read_all(std::slice::from_ref(item)).await.unwrap()[0].table.len();
            changes += other.read_changes(std::slice::from_ref(item), &mut states, 7).await.unwrap()[0].rows.table.len();
        }
        assert_eq!((read, changes), (expected, expected), "{table}");
    }
}

/// A cache that returned one response for each path stored one person's night under other ids, and removed the others.
#[tokio::test]
async fn a_sleep_with_another_id_changes_nothing() {
    let service = Service::start(&FIRST);
    let folder = tempfile::tempdir().unwrap();
    service.export(folder.path()).await;
    let before = [rows(folder.path(), "sleeps"), rows(folder.path(), "sleep_stages")];
    *service.only_night.lock().unwrap() = Some("old");
    *service.today.lock().unwrap() = "2025-02-11";
    let reader = service.reader();
    let selection = Selection::new(["anna"], [CohortTable::Sleeps, CohortTable::SleepStages], days("2025-01-01", "2025-03-31")).unwrap();
    let next = NextRun::plan(&reader, folder.path(), selection, true).await.unwrap();
    let error = Export::new(next.plan).resume(true).run(&reader, folder.path(), |_| ()).await.unwrap_err();
    assert!(error.to_string().contains("expected the requested sleep"), "{error}");
    assert_eq!([rows(folder.path(), "sleeps"), rows(folder.path(), "sleep_stages")], before);
    *service.only_night.lock().unwrap() = None;
    assert_eq!(service.export(folder.path()).await.failures, 0);
    assert_eq!([rows(folder.path(), "sleeps"), rows(folder.path(), "sleep_stages")], before);
}
