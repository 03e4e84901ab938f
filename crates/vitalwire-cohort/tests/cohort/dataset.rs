//! Tests of datasets: Parquet files, later runs, coverage and verification.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use vitalwire::Client;
use vitalwire_cohort::dataset::{Dataset, DayState, Export, NextRun, Summary};
use vitalwire_cohort::{
    CohortError, CohortReader, CohortTable, Credential, Plan, PseudonymKey, RateLimits, Selection, SyncStates, UserCredentials, WorkItem,
};
use vitalwire_testkit::{Server, response};

use super::service::{Edit, Service};
use super::{changes, date, days, first_plan};

const USERS: [&str; 3] = ["anna", "ben", "carl"];

/// Returns the Parquet files of a table, sorted.
fn files(folder: &Path, table: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder.join(format!("table={table}")))
        .unwrap()
        .flat_map(|month| fs::read_dir(month.unwrap().path()).unwrap())
        .map(|file| file.unwrap().path())
        .collect();
    found.sort();
    found
}

/// Reads the steps by user and day number from the Parquet files. Fails on a duplicate row.
fn steps(folder: &Path) -> BTreeMap<(String, i32), f64> {
    let mut steps = BTreeMap::new();
    for file in files(folder, "daily") {
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&file).unwrap()).unwrap().build().unwrap();
        for batch in reader.map(Result::unwrap) {
            let users = batch.column_by_name("user").unwrap().as_string::<i32>();
            let days = batch.column_by_name("date").unwrap().as_primitive::<Date32Type>();
            let values = batch.column_by_name("steps").unwrap().as_primitive::<Float64Type>();
            for row in 0..batch.num_rows() {
                let before = steps.insert((users.value(row).to_owned(), days.value(row)), values.value(row));
                assert!(before.is_none(), "{} has a duplicate row", file.display());
            }
        }
    }
    steps
}

/// Day number of 2025-01-01, counted from 1970-01-01.
const FIRST: i32 = 20_089;

fn select(reader: &CohortReader, last: &str) -> Selection {
    Selection::new(reader.credentials().ids(), [CohortTable::Daily], days("2025-01-01", last)).unwrap()
}

/// Plans what is due until `last`, and exports it.
async fn run(reader: &CohortReader, folder: &Path, selection: Selection) -> Result<Summary, CohortError> {
    let next = NextRun::plan(reader, folder, selection, true).await?;
    Export::new(next.plan).resume(true).run(reader, folder, |_| ()).await
}

async fn export(service: &Service, users: &[&str], folder: &Path, last: &str) -> Result<Summary, CohortError> {
    let reader = service.reader(users);
    let selection = select(&reader, last);
    run(&reader, folder, selection).await
}

#[tokio::test]
async fn a_dataset_has_every_row_once_and_states_units() {
    let service = Service::start(&USERS, |user, day| (day != 5).then(|| 100 * i32::try_from(user).unwrap() + day));
    let folder = tempfile::tempdir().unwrap();
    let summary = export(&service, &USERS, folder.path(), "2025-01-20").await.unwrap();
    assert_eq!((summary.users, summary.failures, summary.total()), (3, 0, changes(3 * 19, 0, 0)));
    let rows = steps(folder.path());
    assert_eq!(rows.len(), 3 * 19);
    assert_eq!(rows.get(&("carl".to_owned(), FIRST + 7)), Some(&207.0));
    assert_eq!(files(folder.path(), "daily"), [folder.path().join("table=daily/month=2025-01/part-00000.parquet")]);
    let file = File::open(&files(folder.path(), "daily")[0]).unwrap();
    let schema = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().schema().clone();
    assert_eq!(schema.field_with_name("heartrate").unwrap().metadata().get("unit").map(String::as_str), Some("bpm"));
    let dataset = Dataset::open(folder.path()).unwrap();
    assert!(dataset.is_finished() && dataset.verify().unwrap().is_empty());
}

#[tokio::test]
async fn the_next_run_replaces_late_rows_and_reports_them() {
    let service = Service::start(&USERS, |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    export(&service, &USERS, folder.path(), "2025-01-20").await.unwrap();
    service.change("anna", |steps| {
        steps.insert(date("2025-01-18"), 1800);
        steps.remove(&date("2025-01-19"));
        // Before the last 7 days, so it is not requested again.
        steps.insert(date("2025-01-02"), 200);
    });
    let before = service.server.requests().len();
    let summary = export(&service, &USERS, folder.path(), "2025-01-23").await.unwrap();
    assert_eq!(summary.total(), changes(9, 1, 1));
    // One request for each user, for the new days and the last 7 days of the first run.
    let again = |user: &str| (user.to_owned(), "2025-01-14".to_owned());
    let mut requested = service.requested(before);
    requested.sort();
    assert_eq!(requested, USERS.map(again));
    let rows = steps(folder.path());
    assert_eq!(rows.len(), 3 * 23 - 1);
    let of_anna = |day: i32| rows.get(&("anna".to_owned(), FIRST + day - 1)).copied();
    assert_eq!((of_anna(18), of_anna(19), of_anna(2), of_anna(23)), (Some(1800.0), None, Some(1.0), Some(22.0)));
    let dataset = Dataset::open(folder.path()).unwrap();
    assert!(dataset.verify().unwrap().is_empty());
    // A run without changes must not write a Parquet file.
    let written = fs::metadata(&files(folder.path(), "daily")[0]).unwrap().modified().unwrap();
    assert_eq!(export(&service, &USERS, folder.path(), "2025-01-23").await.unwrap().total(), changes(0, 0, 0));
    assert_eq!(steps(folder.path()), rows);
    assert_eq!(fs::metadata(&files(folder.path(), "daily")[0]).unwrap().modified().unwrap(), written);
}

#[tokio::test]
async fn failures_are_listed_and_requested_again() {
    let service = Service::start(&["anna", "ben"], |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    let summary = export(&service, &USERS, folder.path(), "2025-01-10").await.unwrap();
    assert_eq!((summary.failures, summary.total().added), (1, 20));
    let dataset = Dataset::open(folder.path()).unwrap();
    let failures = dataset.failures().unwrap();
    assert_eq!((failures.len(), &*failures[0].user, failures[0].status), (1, "carl", Some(401)));
    assert!(folder.path().join("failures/failures.parquet").exists());
    let coverage = dataset.coverage().unwrap();
    assert_eq!(coverage[2].day(date("2025-01-03")), DayState::Failed);
    assert_eq!(coverage[0].day(date("2025-01-03")), DayState::HasData);
    assert_eq!(coverage[0].day(date("2025-01-11")), DayState::NotRequested);
    // Rows of a deleted user stay, and the run continues with the others.
    service.delete("ben");
    let summary = export(&service, &USERS, folder.path(), "2025-01-11").await.unwrap();
    assert_eq!((summary.failures, summary.total().added), (2, 1));
    assert_eq!(steps(folder.path()).len(), 21);
}

/// The service rejects carl. His days without data count too, so that nobody takes him for a user without problems.
#[tokio::test]
async fn days_without_data_are_counted_from_the_last_day_with_data() {
    let service = Service::start(&["anna", "ben"], |user, day| (user == 0 || day < 4).then_some(day));
    let folder = tempfile::tempdir().unwrap();
    export(&service, &USERS, folder.path(), "2025-01-10").await.unwrap();
    let coverage = Dataset::open(folder.path()).unwrap().coverage().unwrap();
    assert_eq!(coverage.iter().map(|rows| rows.days_without_data()).collect::<Vec<_>>(), [Some(0), Some(6), Some(10)]);
    assert_eq!(coverage[1].day(date("2025-01-05")), DayState::NoData);
    assert_eq!(coverage[1].last_day(), Some(date("2025-01-04")));
}

#[tokio::test]
async fn users_can_be_added_and_their_rows_stay_when_they_are_removed() {
    let service = Service::start(&USERS, |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    export(&service, &["ben"], folder.path(), "2025-01-05").await.unwrap();
    let summary = export(&service, &["carl", "anna"], folder.path(), "2025-01-05").await.unwrap();
    assert_eq!((summary.users, summary.not_listed, summary.total().added), (2, 1, 10));
    assert_eq!(steps(folder.path()).len(), 15);
    assert_eq!(files(folder.path(), "daily").len(), 2);
}

#[tokio::test]
async fn a_folder_with_other_files_is_rejected_unchanged() {
    let service = Service::start(&USERS, |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("thesis.txt"), "three years of work").unwrap();
    let plan = Plan::due(&select(&service.reader(&USERS), "2025-01-05"), &SyncStates::new(), None);
    for resume in [false, true] {
        let error = Export::new(plan.clone()).resume(resume).run(&service.reader(&USERS), folder.path(), |_| ()).await.unwrap_err();
        assert!(error.to_string().ends_with("the folder must be empty or new"), "{error}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!(service.server.requests().is_empty());
}

#[tokio::test]
async fn a_dataset_is_continued_only_with_resume() {
    let service = Service::start(&USERS, |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    export(&service, &USERS, folder.path(), "2025-01-05").await.unwrap();
    let plan = Plan::due(&select(&service.reader(&USERS), "2025-01-06"), &SyncStates::new(), None);
    let error = Export::new(plan).run(&service.reader(&USERS), folder.path(), |_| ()).await.unwrap_err();
    assert!(error.to_string().ends_with("resume it to continue"), "{error}");
}

#[tokio::test]
async fn a_dataset_belongs_to_one_service_and_one_key() {
    let (service, other) = (Service::start(&USERS, |_, day| Some(day)), Service::start(&USERS, |_, day| Some(day + 1)));
    let folder = tempfile::tempdir().unwrap();
    export(&service, &USERS, folder.path(), "2025-01-05").await.unwrap();
    let before = steps(folder.path());
    let plan = Plan::due(&select(&service.reader(&USERS), "2025-01-06"), &SyncStates::new(), None);
    let pseudonyms = service.reader(&USERS).with_pseudonyms(PseudonymKey::new(b"a key of 16 bytes").unwrap());
    for (reader, expected) in [
        (pseudonyms, "another pseudonym key, or without one".to_owned()),
        (other.reader(&USERS), format!("but the run would read {}", other.server.url())),
    ] {
        let error = Export::new(plan.clone()).resume(true).run(&reader, folder.path(), |_| ()).await.unwrap_err().to_string();
        assert!(error.contains(&expected), "{error}");
        let error = NextRun::plan(&reader, folder.path(), select(&reader, "2025-01-06"), true).await.unwrap_err().to_string();
        assert!(error.contains(&expected), "{error}");
    }
    assert_eq!(steps(folder.path()), before);
}

/// Exports executed the first and the last day of a plan, and everything between.
#[tokio::test]
async fn an_export_executes_exactly_the_items_of_its_plan() {
    let service = Service::start(&USERS, |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    let item = |users: &[&str], first: &str, last: &str| WorkItem {
        table: CohortTable::Daily,
        users: users.iter().map(|user| (*user).to_owned()).collect(),
        first: date(first),
        last: date(last),
        statistics: vec!["steps".to_owned()],
    };
    let plan = Plan::from(vec![item(&["anna", "ben"], "2025-01-01", "2025-01-02"), item(&["ben"], "2025-01-20", "2025-01-20")]);
    let summary = Export::new(plan.clone()).run(&service.reader(&USERS), folder.path(), |_| ()).await.unwrap();
    assert_eq!((summary.users, summary.total()), (2, changes(5, 0, 0)));
    let days: Vec<_> = steps(folder.path()).into_keys().collect();
    let row = |user: &str, day: i32| (user.to_owned(), FIRST + day - 1);
    assert_eq!(days, [row("anna", 1), row("anna", 2), row("ben", 1), row("ben", 2), row("ben", 20)]);
    assert!(
        service
            .server
            .requests()
            .iter()
            .filter(|request| request.target().contains("from_date"))
            .all(|request| request.target().ends_with("types=steps"))
    );
    // The dataset has only steps, so other statistics of the same days would be missing for ever.
    let all = plan.items().iter().map(|item| WorkItem { statistics: Vec::new(), ..item.clone() }).collect::<Vec<_>>();
    let error = Export::new(all.into()).resume(true).run(&service.reader(&USERS), folder.path(), |_| ()).await.unwrap_err();
    assert!(error.to_string().contains("the table daily of the dataset has other statistics"), "{error}");
    let stranger = Plan::from(vec![item(&["stranger"], "2025-01-01", "2025-01-02")]);
    let error = Export::new(stranger).resume(true).run(&service.reader(&USERS), folder.path(), |_| ()).await.unwrap_err();
    assert!(error.to_string().contains("must contain every user of the plan"), "{error}");
    let nothing = Export::new(Plan::default()).resume(true).run(&service.reader(&USERS), folder.path(), |_| ()).await.unwrap();
    assert_eq!((nothing.users, nothing.total(), nothing.last_day), (0, changes(0, 0, 0), None));
}

/// Two plans of the same state have the same days. The second export replaces rows, and adds none twice.
#[tokio::test]
async fn two_plans_of_one_state_export_each_row_once() {
    let service = Service::start(&USERS, |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    export(&service, &USERS, folder.path(), "2025-01-10").await.unwrap();
    let reader = service.reader(&USERS);
    let plans = [
        NextRun::plan(&reader, folder.path(), select(&reader, "2025-01-20"), true).await.unwrap().plan,
        NextRun::plan(&reader, folder.path(), select(&reader, "2025-01-15"), true).await.unwrap().plan,
    ];
    let mut added = Vec::new();
    for plan in plans {
        service.change("anna", |steps| {
            steps.insert(date("2025-01-09"), 900);
        });
        let summary = Export::new(plan).resume(true).run(&reader, folder.path(), |_| ()).await.unwrap();
        added.push((summary.total().added, summary.total().changed));
    }
    assert_eq!(added, [(30, 1), (0, 0)]);
    assert_eq!(steps(folder.path()).len(), 3 * 20);
    // The second export ended earlier, but the days of the first one stay requested.
    let next = NextRun::plan(&reader, folder.path(), select(&reader, "2025-01-20"), true).await.unwrap();
    let shown: Vec<_> = next.plan.items().iter().map(|item| format!("{}/{}", item.first, item.last)).collect();
    assert_eq!(shown, ["2025-01-14/2025-01-20"]);
    assert!(Dataset::open(folder.path()).unwrap().verify().unwrap().is_empty());
}

/// A study's end date in the future lost every day between the runs.
#[tokio::test]
async fn days_that_are_not_over_are_requested_by_a_later_run() {
    let service = Service::start(&USERS, |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    // Providers deliver a day once it is over.
    let all: BTreeMap<_, _> = (0..31).filter_map(|day| Some((date("2025-01-01").plus_days(day)?, day))).collect();
    let mut added = Vec::new();
    for today in ["2025-01-06", "2025-01-13", "2025-01-20", "2025-02-03"] {
        service.set_today(today);
        for user in USERS {
            service.change(user, |steps| {
                *steps = all.iter().filter(|(day, _)| **day < date(today)).map(|(day, value)| (*day, *value)).collect()
            });
        }
        let summary = export(&service, &USERS, folder.path(), "2025-01-31").await.unwrap();
        added.push((summary.total().added, summary.last_day.unwrap().to_string()));
    }
    assert_eq!(
        added,
        [(15, "2025-01-05".to_owned()), (21, "2025-01-12".to_owned()), (21, "2025-01-19".to_owned()), (36, "2025-01-31".to_owned())]
    );
    assert_eq!(steps(folder.path()).len(), 3 * 31);
    // A plan that ignores the clock loses nothing, either.
    service.set_today("2025-01-06");
    let other = tempfile::tempdir().unwrap();
    let reader = service.reader(&USERS);
    let plan = Plan::due(&select(&reader, "2025-01-31"), &SyncStates::new(), None);
    Export::new(plan).run(&reader, other.path(), |_| ()).await.unwrap();
    let coverage = Dataset::open(other.path()).unwrap().coverage().unwrap();
    assert_eq!(
        [5, 6, 31].map(|day| coverage[0].day(date(&format!("2025-01-{day:02}")))),
        [DayState::HasData, DayState::NotRequested, DayState::NotRequested]
    );
}

#[tokio::test]
async fn a_newly_connected_provider_makes_its_history_due() {
    let service = Service::start(&USERS, |_, day| (day >= 20).then_some(day));
    let folder = tempfile::tempdir().unwrap();
    service.set_today("2025-02-01");
    export(&service, &USERS, folder.path(), "2025-01-31").await.unwrap();
    service.change("ben", |steps| {
        steps.insert(date("2025-01-02"), 200);
    });
    service.connect_provider("ben", "2025-02-02");
    service.set_today("2025-02-03");
    let before = service.server.requests().len();
    let summary = export(&service, &USERS, folder.path(), "2025-02-28").await.unwrap();
    assert_eq!(summary.total(), changes(1, 0, 0));
    let due = |user: &str, day: &str| (user.to_owned(), day.to_owned());
    let mut requested = service.requested(before);
    requested.sort();
    // The last 7 days of January for the others; one item has at most 12 months.
    assert_eq!(requested, [due("anna", "2025-01-25"), due("ben", "2025-01-01"), due("carl", "2025-01-25")]);
    assert_eq!(steps(folder.path()).get(&("ben".to_owned(), FIRST + 1)), Some(&200.0));
}

/// A run that cannot check for new providers must not mark them as handled.
#[tokio::test]
async fn a_provider_that_was_connected_during_an_outage_is_found_later() {
    let service = Service::start(&USERS, |_, day| (day >= 20).then_some(day));
    let folder = tempfile::tempdir().unwrap();
    service.set_today("2025-02-01");
    export(&service, &USERS, folder.path(), "2025-02-28").await.unwrap();
    service.change("ben", |steps| {
        steps.insert(date("2025-01-02"), 200);
    });
    service.connect_provider("ben", "2025-02-02");
    service.set_outage(true);
    service.set_today("2025-02-03");
    assert_eq!(export(&service, &USERS, folder.path(), "2025-02-28").await.unwrap().total(), changes(0, 0, 0));
    service.set_outage(false);
    service.set_today("2025-02-04");
    assert_eq!(export(&service, &USERS, folder.path(), "2025-02-28").await.unwrap().total(), changes(1, 0, 0));
    // Once it is read, the history is not due any more.
    service.set_today("2025-02-05");
    let before = service.server.requests().len();
    export(&service, &USERS, folder.path(), "2025-02-28").await.unwrap();
    assert!(service.requested(before).iter().all(|(_, first)| first > &"2025-01-20".to_owned()));
}

/// The plan was made before the provider was connected, and the export ran after it.
#[tokio::test]
async fn a_provider_that_was_connected_after_the_plan_is_found_later() {
    let service = Service::start(&USERS, |_, day| (day >= 20).then_some(day));
    let folder = tempfile::tempdir().unwrap();
    service.set_today("2025-02-01");
    export(&service, &USERS, folder.path(), "2025-02-28").await.unwrap();
    service.set_today("2025-02-03");
    let reader = service.reader(&USERS);
    let next = NextRun::plan(&reader, folder.path(), select(&reader, "2025-02-28"), true).await.unwrap();
    service.change("ben", |steps| {
        steps.insert(date("2025-01-02"), 200);
    });
    service.connect_provider("ben", "2025-02-04");
    service.set_today("2025-02-05");
    // The reader of another process knows the clock of its own time.
    Export::new(next.plan).resume(true).run(&service.reader(&USERS), folder.path(), |_| ()).await.unwrap();
    service.set_today("2025-02-06");
    assert_eq!(export(&service, &USERS, folder.path(), "2025-02-28").await.unwrap().total(), changes(1, 0, 0));
}

/// The failure was removed as a whole when some of its days were read.
#[tokio::test]
async fn days_that_still_fail_stay_in_the_list_of_failures() {
    let service = Service::start(&["anna"], |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    export(&service, &["anna"], folder.path(), "2025-01-01").await.unwrap();
    let reader = service.reader(&["anna"]);
    let refresh = select(&reader, "2025-01-31").refresh_from(date("2025-01-01"));
    let plan = NextRun::plan(&reader, folder.path(), refresh, false).await.unwrap().plan;
    service.edit("anna", |_| "not JSON".to_owned());
    Export::new(plan).resume(true).run(&reader, folder.path(), |_| ()).await.unwrap_err();
    service.end_edits();
    let part = Selection::new(["anna"], [CohortTable::Daily], days("2025-01-10", "2025-01-20")).unwrap();
    run(&reader, folder.path(), part).await.unwrap();
    let dataset = Dataset::open(folder.path()).unwrap();
    let failed: Vec<String> = dataset.failures().unwrap().iter().map(|failure| format!("{}/{}", failure.first, failure.last)).collect();
    assert_eq!(failed, ["2025-01-01/2025-01-09", "2025-01-21/2025-01-31"]);
    let coverage = dataset.coverage().unwrap();
    assert_eq!(
        [9, 10, 20, 21].map(|day| coverage[0].day(date(&format!("2025-01-{day:02}")))).map(|state| state == DayState::Failed),
        [true, false, false, true]
    );
}

/// Older changes are found on demand, removed rows included.
#[tokio::test]
async fn older_days_are_requested_again_on_demand() {
    let service = Service::start(&["anna"], |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    export(&service, &["anna"], folder.path(), "2025-01-31").await.unwrap();
    service.change("anna", |steps| {
        steps.insert(date("2025-01-04"), 400);
        steps.remove(&date("2025-01-05"));
    });
    assert_eq!(export(&service, &["anna"], folder.path(), "2025-01-31").await.unwrap().total(), changes(0, 0, 0));
    let reader = service.reader(&["anna"]);
    let selection = select(&reader, "2025-01-31").refresh_from(date("2025-01-03"));
    assert_eq!(run(&reader, folder.path(), selection).await.unwrap().total(), changes(0, 1, 1));
    let selection = select(&reader, "2025-01-31").lookback_days(40).unwrap();
    assert_eq!(run(&reader, folder.path(), selection).await.unwrap().total(), changes(0, 0, 0));
    assert_eq!(steps(folder.path()).len(), 30);
}

/// Rewriting a month must not record the checksum of a damaged file.
#[tokio::test]
async fn a_damaged_part_is_never_written_again() {
    let service = Service::start(&USERS, |_, day| Some(day));
    for damage in ["removed", "changed", "exchanged"] {
        let folder = tempfile::tempdir().unwrap();
        export(&service, &USERS, folder.path(), "2025-01-20").await.unwrap();
        let expected = {
            let whole = tempfile::tempdir().unwrap();
            export(&service, &USERS, whole.path(), "2025-01-22").await.unwrap();
            let path = files(folder.path(), "daily").remove(0);
            match damage {
                "removed" => fs::remove_file(&path).unwrap(),
                "exchanged" => drop(fs::copy(files(whole.path(), "daily").remove(0), &path).unwrap()),
                _ => {
                    let mut content = fs::read(&path).unwrap();
                    let at = content.len() / 2;
                    content[at] ^= 1;
                    fs::write(&path, content).unwrap();
                }
            }
            steps(whole.path())
        };
        let before = fs::read(folder.path().join("table=daily/month=2025-01/part-00000.parquet")).ok();
        let error = export(&service, &USERS, folder.path(), "2025-01-22").await.unwrap_err().to_string();
        assert!(error.contains("part-00000.parquet: the") && error.contains("repair the dataset"), "{damage}: {error}");
        assert_eq!(fs::read(folder.path().join("table=daily/month=2025-01/part-00000.parquet")).ok(), before, "{damage}");
        assert_eq!(Dataset::open(folder.path()).unwrap().verify().unwrap().len(), 1, "{damage}");
        let forgotten = Dataset::repair(folder.path()).unwrap();
        assert_eq!(forgotten.len(), 1, "{damage}");
        // All files match the manifest, but their rows are lost. A run without some of the users does not change that.
        let lost = |users: &str| {
            let rows = format!("table=daily: a repair removed the rows of {users} from 2025-01-01 to 2025-01-20");
            format!("{rows}, and no run has read all of these days again; resume the export with this table and these users")
        };
        let problems =
            || -> Vec<String> { Dataset::open(folder.path()).unwrap().verify().unwrap().iter().map(ToString::to_string).collect() };
        assert_eq!(problems(), [lost("3 users (anna, ben, carl)")], "{damage}");
        export(&service, &["ben"], folder.path(), "2025-01-20").await.unwrap();
        assert_eq!(problems(), [lost("2 users (anna, carl)")], "{damage}");
        // The lost days are due, although the span of the run does not include them.
        let reader = service.reader(&USERS);
        let selection = Selection::new(USERS, [CohortTable::Daily], days("2025-01-21", "2025-01-22")).unwrap();
        run(&reader, folder.path(), selection).await.unwrap();
        assert_eq!(steps(folder.path()), expected, "{damage}");
        assert!(Dataset::open(folder.path()).unwrap().verify().unwrap().is_empty(), "{damage}");
    }
}

#[tokio::test]
async fn a_user_can_be_removed_with_proof() {
    let service = Service::start(&USERS, |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    export(&service, &USERS, folder.path(), "2025-01-05").await.unwrap();
    let error = Dataset::remove_user(folder.path(), "stranger").unwrap_err();
    assert!(error.to_string().ends_with("the dataset has no user with this id; check the id and the pseudonym key"), "{error}");
    let proof = Dataset::remove_user(folder.path(), "ben").unwrap();
    // SHA-256 of `ben`, computed with another program.
    assert_eq!(proof.sha256, "6700869c8ff7480e34a70a708b028700dbaa3a033b5652b903afe89f49a31456");
    assert_eq!((proof.rows.get(&CohortTable::Daily), proof.files), (Some(&5), 1));
    let dataset = Dataset::open(folder.path()).unwrap();
    assert_eq!(dataset.removed_users(), [proof]);
    assert!(dataset.verify().unwrap().is_empty());
    assert_eq!(steps(folder.path()).len(), 10);
    for file in ["dataset.json", "block-00000.json"] {
        assert!(!fs::read_to_string(folder.path().join("_manifest").join(file)).unwrap().contains("ben"), "{file}");
    }
    // Later runs leave the user out, whoever plans them.
    let reader = service.reader(&USERS);
    let next = NextRun::plan(&reader, folder.path(), select(&reader, "2025-01-06"), true).await.unwrap();
    assert_eq!((next.plan.users(), next.removed_users), (vec!["anna", "carl"], vec!["ben".to_owned()]));
    let plan = Plan::due(&select(&reader, "2025-01-06"), &SyncStates::new(), None);
    let summary = Export::new(plan).resume(true).run(&reader, folder.path(), |_| ()).await.unwrap();
    assert_eq!((summary.users, summary.removed_users), (2, 1));
    assert_eq!(steps(folder.path()).len(), 12);
}

#[tokio::test]
async fn an_export_fails_if_nobody_can_be_read() {
    let service = Service::start(&["anna"], |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    let error = export(&service, &["ben", "carl"], folder.path(), "2025-01-05").await.unwrap_err();
    let CohortError::NobodyRead { reasons } = &error else { panic!("{error}") };
    assert_eq!((reasons.len(), &*reasons[0].kind, reasons[0].status, reasons[0].count), (1, "authentication", Some(401), 2));
    assert_eq!(Dataset::open(folder.path()).unwrap().failures().unwrap().len(), 2);
    // The next run reads whom it can.
    let summary = export(&service, &["anna", "ben", "carl"], folder.path(), "2025-01-05").await.unwrap();
    assert_eq!((summary.failures, summary.total()), (2, changes(5, 0, 0)));
}

#[tokio::test]
async fn a_dataset_of_an_older_layout_is_refused() {
    let service = Service::start(&USERS, |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("_manifest")).unwrap();
    fs::write(folder.path().join("_manifest/dataset.json"), r#"{"version":1,"tables":["daily"],"late_days":7}"#).unwrap();
    let error = export(&service, &USERS, folder.path(), "2025-01-05").await.unwrap_err();
    assert!(error.to_string().ends_with("the dataset has the layout of an older version; export to a new folder"), "{error}");
}

#[tokio::test]
async fn verification_finds_every_difference() {
    let service = Service::start(&USERS, |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    export(&service, &USERS, folder.path(), "2025-01-05").await.unwrap();
    let path = files(folder.path(), "daily").remove(0);
    let content = fs::read(&path).unwrap();
    let problems = || {
        let problems = Dataset::open(folder.path()).unwrap().verify().unwrap();
        problems.into_iter().map(|problem| problem.reason.split(';').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let mut changed = content.clone();
    changed[10] ^= 1;
    fs::write(&path, &changed).unwrap();
    assert_eq!(problems(), ["the checksum of the file differs from the manifest"]);
    fs::write(&path, &content[1..]).unwrap();
    assert_eq!(problems(), ["the size of the file differs from the manifest"]);
    fs::remove_file(&path).unwrap();
    assert_eq!(problems(), ["the file is missing"]);
    fs::write(&path, &content).unwrap();
    fs::remove_file(folder.path().join("failures/failures.parquet")).unwrap();
    assert_eq!(problems(), ["the file is missing"]);
    fs::write(path.with_file_name("part-00009.parquet"), &content).unwrap();
    fs::write(path.with_file_name(".vitalwire-part-00009.parquet.tmp"), "").unwrap();
    assert_eq!(problems().len(), 3);
    export(&service, &USERS, folder.path(), "2025-01-05").await.unwrap();
    assert_eq!(problems(), ["the file does not belong to the dataset"]);
}

/// Items that cannot be decoded deleted the rows of their days.
#[tokio::test]
async fn items_that_are_left_out_remove_nothing_and_are_reported() {
    let service = Service::start(&USERS, |_, day| Some(day));
    let edits: [(&str, Edit); 4] = [
        ("a text in place of an item", |body| body.replace(r#"{"date":"2025-01-18","values":{"steps":17}}"#, r#""2025-01-18""#)),
        ("null in place of an item", |body| body.replace(r#"{"date":"2025-01-18","values":{"steps":17}}"#, "null")),
        ("an item without a date", |body| body.replace(r#""date":"2025-01-18","#, "")),
        ("an item of another day", |body| body.replace(r#""date":"2025-01-18","#, r#""date":"2031-01-18","#)),
    ];
    for (what, edit) in edits {
        let folder = tempfile::tempdir().unwrap();
        export(&service, &USERS, folder.path(), "2025-01-20").await.unwrap();
        let expected = steps(folder.path());
        service.edit("ben", edit);
        let summary = export(&service, &USERS, folder.path(), "2025-01-20").await.unwrap();
        assert_eq!((summary.total(), summary.failures), (changes(0, 0, 0), 1), "{what}");
        assert_eq!(steps(folder.path()), expected, "{what}");
        let dataset = Dataset::open(folder.path()).unwrap();
        let failures = dataset.failures().unwrap();
        assert_eq!((failures.len(), &*failures[0].user, &*failures[0].kind), (1, "ben", "decode"), "{what}");
        // A first run keeps the other days, and the next run requests all of them again.
        let first = tempfile::tempdir().unwrap();
        assert_eq!(export(&service, &USERS, first.path(), "2025-01-20").await.unwrap().failures, 1, "{what}");
        assert_eq!(steps(first.path()).len(), expected.len() - 1, "{what}");
        service.end_edits();
        for folder in [&folder, &first] {
            assert_eq!(export(&service, &USERS, folder.path(), "2025-01-20").await.unwrap().failures, 0, "{what}");
            assert_eq!(steps(folder.path()), expected, "{what}");
            assert!(Dataset::open(folder.path()).unwrap().failures().unwrap().is_empty(), "{what}");
        }
    }
}

#[tokio::test]
async fn a_record_that_is_sent_twice_is_stored_once() {
    let service = Service::start(&USERS, |_, day| Some(day));
    service.edit("ben", |body| body.replace(r#""statistics":["#, r#""statistics":[{"date":"2025-01-03","values":{"steps":99}},"#));
    let folder = tempfile::tempdir().unwrap();
    let summary = export(&service, &USERS, folder.path(), "2025-01-05").await.unwrap();
    assert_eq!((summary.total(), summary.failures), (changes(15, 0, 0), 0));
    // The last one counts.
    assert_eq!(steps(folder.path()).get(&("ben".to_owned(), FIRST + 2)), Some(&2.0));
}

/// A run for some tables or days must not mark new providers as handled.
#[tokio::test]
async fn a_new_provider_stays_due_until_all_its_days_were_read() {
    let service = Service::start(&USERS, |_, day| (day >= 20).then_some(day));
    let folder = tempfile::tempdir().unwrap();
    service.set_today("2025-02-01");
    export(&service, &USERS, folder.path(), "2025-02-28").await.unwrap();
    service.change("ben", |steps| {
        steps.insert(date("2025-01-02"), 200);
    });
    service.connect_provider("ben", "2025-02-02");
    service.set_today("2025-02-03");
    // A narrower span reads all days that were requested before.
    let reader = service.reader(&USERS);
    let selection = Selection::new(USERS, [CohortTable::Daily], days("2025-01-30", "2025-02-28")).unwrap();
    assert_eq!(run(&reader, folder.path(), selection).await.unwrap().total(), changes(1, 0, 0));
}

/// An interrupted run forgot the days that were requested on demand.
#[tokio::test]
async fn an_interrupted_refresh_is_completed_by_the_next_run() {
    let service = Service::start(&USERS, |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    export(&service, &USERS, folder.path(), "2025-01-31").await.unwrap();
    for user in USERS {
        service.change(user, |steps| {
            steps.insert(date("2025-01-04"), 400);
        });
    }
    service.slow_down("anna");
    let reader = service.reader(&USERS);
    let next = NextRun::plan(&reader, folder.path(), select(&reader, "2025-01-31").refresh_from(date("2025-01-01")), true).await.unwrap();
    let before = service.requested(0).len();
    let export_all = Export::new(next.plan).resume(true);
    let requested = async {
        while service.requested(0).len() < before + 3 {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        _ = export_all.run(&reader, folder.path(), |_| ()) => panic!("the export must be interrupted"),
        interrupted = tokio::time::timeout(std::time::Duration::from_secs(60), requested) => interrupted.expect("three requests"),
    }
    assert!(!Dataset::open(folder.path()).unwrap().is_finished());
    assert_eq!(export(&service, &USERS, folder.path(), "2025-01-31").await.unwrap().total(), changes(0, 3, 0));
}

#[tokio::test]
async fn a_slow_user_does_not_hold_up_the_others() {
    let service = Service::start(&USERS, |_, day| Some(day));
    service.slow_down("anna");
    let folder = tempfile::tempdir().unwrap();
    let reader = service.reader(&USERS);
    let next = NextRun::plan(&reader, folder.path(), select(&reader, "2025-01-05"), true).await.unwrap();
    let start = std::time::Instant::now();
    let mut times = Vec::new();
    Export::new(next.plan).run(&reader, folder.path(), |progress| times.push((progress.done, start.elapsed().as_millis()))).await.unwrap();
    let fast = times.iter().filter(|(done, time)| *done > 0 && *time < 400).count();
    assert_eq!(fast, 2, "{times:?}");
}

/// A text in place of a number would replace a good value with null, for ever after the look-back.
#[tokio::test]
async fn values_that_cannot_be_decoded_replace_nothing_and_are_reported() {
    let service = Service::start(&USERS, |_, day| Some(100 + day));
    let folder = tempfile::tempdir().unwrap();
    export(&service, &USERS, folder.path(), "2025-01-10").await.unwrap();
    let before = steps(folder.path());
    service.edit("anna", |body| body.replace("\"steps\":", "\"steps\":\"").replace("}}", "\"}}"));
    let summary = export(&service, &USERS, folder.path(), "2025-01-12").await.unwrap();
    assert_eq!((summary.failures, summary.total()), (1, changes(6, 0, 0)));
    let reason = &summary.reasons[0];
    assert!(reason.kind == "decode" && reason.message.contains("(0 items, 9 values)"), "{}", reason.message);
    let during = steps(folder.path());
    assert!(before.iter().all(|(day, value)| during.get(day) == Some(value)));
    service.end_edits();
    assert_eq!(export(&service, &USERS, folder.path(), "2025-01-12").await.unwrap().total(), changes(0, 2, 0));
    assert_eq!(steps(folder.path()).get(&("anna".to_owned(), FIRST + 11)), Some(&111.0));
}

#[tokio::test]
async fn statistics_with_the_names_of_added_columns_are_left_out() {
    let service = Service::start(&USERS, |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    service.edit("anna", |body| body.replace("\"steps\":", "\"user\":1,\"month\":2,\"table\":3,\"steps\":"));
    let summary = export(&service, &USERS, folder.path(), "2025-01-10").await.unwrap();
    assert_eq!((summary.failures, summary.total()), (0, changes(30, 0, 0)));
    let file = File::open(&files(folder.path(), "daily")[0]).unwrap();
    let schema = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().schema().clone();
    assert!(schema.field_with_name("month").is_err() && schema.field_with_name("table").is_err());
}

/// Columns of undeclared statistics are in the order of their first appearance. Another order is not a change.
#[tokio::test]
async fn undeclared_statistics_in_another_order_are_no_change() {
    let service = Service::start(&["anna"], |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    let edits: [(Edit, _); 2] = [
        (|body| body.replace("\"steps\":", "\"zeta\":1,\"alpha\":2,\"steps\":"), changes(10, 0, 0)),
        (|body| body.replace("\"steps\":", "\"alpha\":2,\"zeta\":1,\"steps\":"), changes(0, 0, 0)),
    ];
    for (edit, expected) in edits {
        service.edit("anna", edit);
        assert_eq!(export(&service, &["anna"], folder.path(), "2025-01-10").await.unwrap().total(), expected);
    }
}

#[tokio::test]
async fn swapped_tokens_are_found_before_a_later_run() {
    let service = Service::start(&USERS, |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    export(&service, &USERS, folder.path(), "2025-01-10").await.unwrap();
    let tokens = [("anna", "token-ben"), ("ben", "token-anna"), ("carl", "token-carl")];
    let users = UserCredentials::new(tokens.map(|(user, token)| (user, Credential::Token(token.to_owned().into())))).unwrap();
    let builder = Client::builder().base_url(service.server.url()).retry_delay_scale(0.0);
    let reader = CohortReader::new(builder, users, RateLimits::new()).unwrap();
    let error = NextRun::plan(&reader, folder.path(), select(&reader, "2025-01-12"), true).await.unwrap_err();
    assert!(error.to_string().contains("must not give a user the token of another user of the cohort"), "{error}");
}

/// A gateway that caches the token exchange gives everybody the data of one user.
#[tokio::test]
async fn an_exchanged_token_of_another_user_is_a_failure() {
    let server = Server::with_script(|request, _| {
        let body = match request.bearer() {
            None => r#"{"access_token":"same","token_type":"bearer"}"#,
            Some(_) => r#"{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":[{"date":"2025-01-01","values":{"steps":1}}]}"#,
        };
        response(200, &[("content-type", "application/json")], body.as_bytes())
    });
    let signature = || Credential::Signature { application_id: 7, signature: "0af1".to_owned().into() };
    let users = UserCredentials::new([("anna", signature()), ("ben", signature())]).unwrap();
    let limits = RateLimits::new().in_flight(1).unwrap();
    let reader = CohortReader::new(Client::builder().base_url(server.url()).retry_delay_scale(0.0), users, limits).unwrap();
    let plan = first_plan(&Selection::new(["anna", "ben"], [CohortTable::Daily], days("2025-01-01", "2025-01-02")).unwrap());
    let read = reader.read_all(plan.items()).await.unwrap();
    assert_eq!((read[0].table.len(), read[0].failures.len()), (1, 1));
    let failure = &read[0].failures[0];
    assert!(failure.user == "ben" && failure.message.contains("the service returned the token of another user"), "{}", failure.message);
}

#[tokio::test]
async fn a_service_that_changes_during_an_export_stops_it() {
    let server = Server::with_script(|request, _| {
        let seed = if request.target().contains("to_date=2025-01-31") { "seed=15" } else { "seed=14" };
        let headers = [("content-type", "application/json"), ("vitalwire-sandbox", seed), ("date", "Sat, 01 Mar 2025 12:00:00 GMT")];
        let body = match request.target().contains("/userinfo") {
            true => r#"{"application_user_id":"anna"}"#,
            false => r#"{"from_date":"2025-01-31","to_date":"2025-01-31","statistics":[{"date":"2025-01-31","values":{"steps":1}}]}"#,
        };
        response(200, &headers, body.as_bytes())
    });
    let users = UserCredentials::new([("anna", Credential::Token("token".to_owned().into()))]).unwrap();
    let reader = CohortReader::new(Client::builder().base_url(server.url()).retry_delay_scale(0.0), users, RateLimits::new()).unwrap();
    let plan = first_plan(&Selection::new(["anna"], [CohortTable::Daily], days("2025-01-31", "2025-01-31")).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let error = Export::new(plan).run(&reader, folder.path(), |_| ()).await.unwrap_err();
    assert!(error.to_string().contains("the service has changed during the export"), "{error}");
    assert!(!folder.path().join("table=daily").exists());
}

#[tokio::test]
async fn a_lost_block_is_named_and_its_files_are_not_called_foreign() {
    let service = Service::start(&USERS, |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    export(&service, &USERS, folder.path(), "2025-01-10").await.unwrap();
    fs::remove_file(folder.path().join("_manifest/block-00000.json")).unwrap();
    let problems: Vec<String> = Dataset::open(folder.path()).unwrap().verify().unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(problems, ["_manifest: the manifest of a block is missing; restore it, or export to a new folder"]);
}

#[tokio::test]
async fn an_empty_path_is_rejected() {
    let service = Service::start(&USERS, |_, day| Some(day));
    let reader = service.reader(&USERS);
    let error = Export::new(first_plan(&select(&reader, "2025-01-02"))).run(&reader, "", |_| ()).await.unwrap_err();
    assert!(error.to_string().contains("must not be empty; `.` is the current folder"), "{error}");
}
