//! Tests of datasets: Parquet files, later runs, coverage and verification.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use vitalwire::cohort::dataset::{Dataset, DayState, Export, Summary};
use vitalwire::cohort::{Changes, CohortError, CohortTable, PseudonymKey};

use super::service::Service;
use super::{date, days};

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

async fn export(service: &Service, users: &[&str], folder: &Path, last: &str, resume: bool) -> Result<Summary, CohortError> {
    let export = Export::new([CohortTable::Daily], days("2025-01-01", last)).resume(resume);
    export.run(&service.reader(users), folder, |_| ()).await
}

fn changes(added: u64, changed: u64, gone: u64) -> Changes {
    let mut changes = Changes::default();
    (changes.added, changes.changed, changes.gone) = (added, changed, gone);
    changes
}

#[tokio::test]
async fn a_dataset_has_every_row_once_and_states_units() {
    let service = Service::start(&USERS, |user, day| (day != 5).then(|| 100 * i32::try_from(user).unwrap() + day));
    let folder = tempfile::tempdir().unwrap();
    let summary = export(&service, &USERS, folder.path(), "2025-01-20", false).await.unwrap();
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
    export(&service, &USERS, folder.path(), "2025-01-20", false).await.unwrap();
    service.change("anna", |steps| {
        steps.insert(date("2025-01-18"), 1800);
        steps.remove(&date("2025-01-19"));
        // Before the last 7 days, so it is not requested again.
        steps.insert(date("2025-01-02"), 200);
    });
    let before = service.server.requests().len();
    let summary = export(&service, &USERS, folder.path(), "2025-01-23", true).await.unwrap();
    assert_eq!(summary.total(), changes(9, 1, 1));
    // One request for each user, for the new days and the last 7 days of the first run.
    let requests = service.server.requests().split_off(before);
    assert_eq!(requests.len(), 3);
    assert!(
        requests
            .iter()
            .all(|request| request.target().contains("from_date=2025-01-14&") || request.target().contains("from_date=2025-01-14"))
    );
    let rows = steps(folder.path());
    assert_eq!(rows.len(), 3 * 23 - 1);
    let of_anna = |day: i32| rows.get(&("anna".to_owned(), FIRST + day - 1)).copied();
    assert_eq!((of_anna(18), of_anna(19), of_anna(2), of_anna(23)), (Some(1800.0), None, Some(1.0), Some(22.0)));
    let dataset = Dataset::open(folder.path()).unwrap();
    assert!(dataset.verify().unwrap().is_empty());
    let changed = dataset.changes().unwrap();
    assert_eq!(changed.iter().find(|user| user.user == "anna").map(|user| user.changes), Some(changes(3, 1, 1)));
    // A run without changes must not write a Parquet file.
    let written = fs::metadata(&files(folder.path(), "daily")[0]).unwrap().modified().unwrap();
    assert_eq!(export(&service, &USERS, folder.path(), "2025-01-23", true).await.unwrap().total(), changes(0, 0, 0));
    assert_eq!(steps(folder.path()), rows);
    assert_eq!(fs::metadata(&files(folder.path(), "daily")[0]).unwrap().modified().unwrap(), written);
}

#[tokio::test]
async fn failures_are_listed_and_requested_again() {
    let service = Service::start(&["anna", "ben"], |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    let summary = export(&service, &USERS, folder.path(), "2025-01-10", false).await.unwrap();
    assert_eq!((summary.failures, summary.total().added), (1, 20));
    let dataset = Dataset::open(folder.path()).unwrap();
    let failures = dataset.failures().unwrap();
    assert_eq!((failures.len(), &*failures[0].user, failures[0].status), (1, "carl", Some(401)));
    assert!(folder.path().join("table=errors/errors.parquet").exists());
    let coverage = dataset.coverage().unwrap();
    assert_eq!(coverage[2].day(date("2025-01-03")), DayState::Failed);
    assert_eq!(coverage[0].day(date("2025-01-03")), DayState::Received);
    assert_eq!(coverage[0].day(date("2025-01-11")), DayState::NotRequested);
    // Rows of a deleted user stay, and the run continues with the others.
    service.delete("ben");
    let summary = export(&service, &USERS, folder.path(), "2025-01-11", true).await.unwrap();
    assert_eq!((summary.failures, summary.total().added), (2, 1));
    assert_eq!(steps(folder.path()).len(), 21);
}

#[tokio::test]
async fn quiet_days_are_counted_from_the_last_day_with_data() {
    let service = Service::start(&["anna", "ben"], |user, day| (user == 0 || day < 4).then_some(day));
    let folder = tempfile::tempdir().unwrap();
    export(&service, &["anna", "ben"], folder.path(), "2025-01-10", false).await.unwrap();
    let coverage = Dataset::open(folder.path()).unwrap().coverage().unwrap();
    assert_eq!(coverage.iter().map(|rows| rows.quiet_days()).collect::<Vec<_>>(), [Some(0), Some(6)]);
    assert_eq!(coverage[1].day(date("2025-01-05")), DayState::Empty);
    assert_eq!(coverage[1].last_day(), Some(date("2025-01-04")));
}

#[tokio::test]
async fn users_can_be_added_and_their_rows_stay_when_they_are_removed() {
    let service = Service::start(&USERS, |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    export(&service, &["ben"], folder.path(), "2025-01-05", false).await.unwrap();
    let summary = export(&service, &["carl", "anna"], folder.path(), "2025-01-05", true).await.unwrap();
    assert_eq!((summary.users, summary.not_listed, summary.total().added), (2, 1, 10));
    assert_eq!(steps(folder.path()).len(), 15);
    assert_eq!(files(folder.path(), "daily").len(), 2);
}

#[tokio::test]
async fn a_folder_with_other_files_is_rejected_unchanged() {
    let service = Service::start(&USERS, |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("thesis.txt"), "three years of work").unwrap();
    for resume in [false, true] {
        let error = export(&service, &USERS, folder.path(), "2025-01-05", resume).await.unwrap_err();
        assert!(error.to_string().ends_with("the folder must be empty or new"), "{error}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!(service.server.requests().is_empty());
}

#[tokio::test]
async fn a_dataset_is_continued_only_with_resume_and_the_same_settings() {
    let service = Service::start(&USERS, |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    export(&service, &USERS, folder.path(), "2025-01-05", false).await.unwrap();
    let error = export(&service, &USERS, folder.path(), "2025-01-06", false).await.unwrap_err();
    assert!(error.to_string().ends_with("resume it to continue"), "{error}");
    let start = || Export::new([CohortTable::Daily], days("2025-01-01", "2025-01-06")).resume(true);
    let error = start().late_days(3).run(&service.reader(&USERS), folder.path(), |_| ()).await.unwrap_err();
    assert!(error.to_string().contains("late days"), "{error}");
    let reader = service.reader(&USERS).with_pseudonyms(PseudonymKey::new(b"a key of 16 bytes").unwrap());
    let error = start().run(&reader, folder.path(), |_| ()).await.unwrap_err();
    assert!(error.to_string().ends_with("use the same key file"), "{error}");
}

#[tokio::test]
async fn verification_finds_every_difference() {
    let service = Service::start(&USERS, |_, day| Some(day));
    let folder = tempfile::tempdir().unwrap();
    export(&service, &USERS, folder.path(), "2025-01-05", false).await.unwrap();
    let path = files(folder.path(), "daily").remove(0);
    let content = fs::read(&path).unwrap();
    let problems = || {
        let problems = Dataset::open(folder.path()).unwrap().verify().unwrap();
        problems.iter().map(|problem| problem.reason).collect::<Vec<_>>()
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
    fs::write(path.with_file_name("part-00009.parquet"), &content).unwrap();
    fs::write(path.with_file_name(".vitalwire-x.tmp"), "").unwrap();
    assert_eq!(problems().len(), 2);
}
