//! Tests of the writer: crashes between file operations, and records that change, move and disappear.

use std::collections::BTreeMap;
use std::path::Path;

use vitalwire::range::DateRange;
use vitalwire::table::{ColumnData, Table};

use super::Dataset;
use super::identity::Identity;
use super::names::{LOCK, part_name};
use super::parts;
use super::responses::{Quality, Response};
use super::writer::{Setup, Writer};
use crate::failure::Failure;
use crate::pseudonym::PseudonymRule;
use crate::storage::Storage;
use crate::{CohortTable, Plan, USER, WorkItem};

const USERS: [&str; 2] = ["anna", "ben"];

/// Rows in files as text: user, key and steps.
type Rows = BTreeMap<(String, i32), i64>;

fn days(first: &str, last: &str) -> DateRange {
    DateRange::new(first.parse().unwrap(), last.parse().unwrap()).unwrap()
}

fn steps(user: &str, values: &[(&str, i64)]) -> Table {
    let rows: Vec<String> = values.iter().map(|(day, steps)| format!(r#"{{"date":"{day}","values":{{"steps":{steps}}}}}"#)).collect();
    let body = format!(r#"{{"from_date":"2025-01-01","to_date":"2025-03-31","statistics":[{}]}}"#, rows.join(","));
    Table::read(CohortTable::Daily.id(), "daily_statistics", body.as_bytes()).unwrap().with_key(USER, user).unwrap()
}

/// Starts a run for January and February.
fn start(folder: &Path) -> Result<Writer, crate::CohortError> {
    start_with(Storage::new(folder))
}

fn start_with(storage: Storage) -> Result<Writer, crate::CohortError> {
    let mut writer = Writer::open_existing(storage)?;
    let item = WorkItem {
        table: CohortTable::Daily,
        users: USERS.map(str::to_owned).to_vec(),
        first: "2025-01-01".parse().unwrap(),
        last: "2025-02-28".parse().unwrap(),
        statistics: Vec::new(),
    };
    let setup = Setup {
        identity: Identity {
            service: "https://health.example.org".to_owned(),
            pseudonym_check: None,
            pseudonym_rule: PseudonymRule::Users,
        },
        plan_checksum: "plan".to_owned(),
        refresh_from: None,
        service_time: "2025-03-01T12:00:00Z".parse().unwrap(),
        statistics: BTreeMap::from([(CohortTable::Daily, Vec::new())]),
        users: USERS.map(|user| (user.to_owned(), user.to_owned())).into(),
        checked_at: Some("2025-03-01T12:00:00Z".parse().unwrap()),
        checked_users: USERS.map(str::to_owned).into(),
    };
    writer.start(setup, Plan::from(vec![item]))?;
    Ok(writer)
}

/// Adds a complete response.
fn add(writer: &mut Writer, user: &str, days: DateRange, rows: Table) {
    writer.add(CohortTable::Daily, Response { user: user.to_owned(), days, rows, quality: Quality::Complete, not_found: Vec::new() });
}

/// Writes the first response of each user.
fn first_run(folder: &Path) {
    let mut writer = start(folder).unwrap();
    for user in USERS {
        let rows = steps(user, &[("2025-01-01", 1), ("2025-01-02", 2), ("2025-02-01", 3)]);
        add(&mut writer, user, days("2025-01-01", "2025-02-28"), rows);
    }
    writer.write().unwrap();
    writer.finish().unwrap();
}

/// Writes a second response: a changed row, a removed one, a new month, and a failure.
fn second_run(writer: &mut Writer) -> Result<(), crate::CohortError> {
    let rows = steps("anna", &[("2025-01-01", 10), ("2025-02-01", 3), ("2025-02-02", 4)]);
    add(writer, "anna", days("2025-01-01", "2025-02-28"), rows);
    let error = vitalwire::Error::new(vitalwire::ErrorKind::Transport);
    let [first, last] = ["2025-01-01", "2025-02-28"].map(|day| day.parse().unwrap());
    writer.add_failure(Failure::new("ben".to_owned(), CohortTable::Daily, [first, last], &error));
    writer.write()?;
    // The last row of February is removed, so its file is, too.
    add(writer, "anna", days("2025-02-01", "2025-02-28"), steps("anna", &[]));
    add(writer, "ben", days("2025-02-01", "2025-02-28"), steps("ben", &[]));
    writer.write()?;
    writer.finish()
}

/// Reads all files of the dataset, after comparing them with the manifest.
fn rows(folder: &Path) -> Rows {
    let storage = Storage::new(folder);
    let mut all = Rows::new();
    for number in super::names::blocks(&storage).unwrap() {
        let block = super::manifest::BlockManifest::load(&storage, number).unwrap();
        for (table, state) in &block.tables {
            for (month, file) in &state.files {
                let rows = parts::read(&storage, *table, month, number, file).unwrap();
                let (ColumnData::Text(users), ColumnData::Date(dates)) =
                    (rows.column(USER).unwrap().data(), rows.column("date").unwrap().data())
                else {
                    panic!("columns of {}", part_name(*table, month, number))
                };
                let ColumnData::Number(steps) = rows.column("steps").unwrap().data() else { panic!("numbers") };
                for row in 0..rows.len() {
                    #[allow(clippy::cast_possible_truncation, reason = "small numbers")]
                    let before = all.insert((users.get(row).to_owned(), dates[row]), steps[row] as i64);
                    assert!(before.is_none(), "a duplicate row");
                }
            }
        }
    }
    all
}

/// Copies a folder without links.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &target),
            false => assert!(std::fs::copy(entry.path(), target).is_ok()),
        }
    }
}

#[test]
fn a_crash_between_any_two_file_operations_loses_and_doubles_nothing() {
    let start_folder = tempfile::tempdir().unwrap();
    first_run(start_folder.path());
    let before = rows(start_folder.path());
    let whole = tempfile::tempdir().unwrap();
    copy(start_folder.path(), whole.path());
    second_run(&mut start(whole.path()).unwrap()).unwrap();
    let after = rows(whole.path());
    // 2025-01-01 is day 20,089, and 2025-01-02 was removed for anna.
    let row = |user: &str, day: i32, steps: i64| ((user.to_owned(), day), steps);
    assert_eq!(after, Rows::from([row("anna", 20_089, 10), row("ben", 20_089, 1), row("ben", 20_090, 2)]));
    let between = Rows::from([
        row("anna", 20_089, 10),
        row("anna", 20_120, 3),
        row("anna", 20_121, 4),
        row("ben", 20_089, 1),
        row("ben", 20_090, 2),
        row("ben", 20_120, 3),
    ]);
    let mut crashes = 0;
    for operations in 1.. {
        let folder = tempfile::tempdir().unwrap();
        copy(start_folder.path(), folder.path());
        let storage = Storage::new(folder.path());
        storage.crash.after(operations);
        if start_with(storage).and_then(|mut writer| second_run(&mut writer)).is_ok() {
            break;
        }
        crashes += 1;
        // Readers of the folder see complete files at any time.
        let problems = Dataset::open(folder.path()).unwrap().verify().unwrap();
        assert!(problems.iter().all(|problem| problem.reason.contains("temporary")), "{operations}: {problems:?}");
        let mut writer = start(folder.path()).unwrap();
        let recovered = rows(folder.path());
        assert!([&before, &between, &after].contains(&&recovered), "{operations}: {recovered:?}");
        second_run(&mut writer).unwrap();
        drop(writer);
        assert_eq!(rows(folder.path()), after, "{operations}");
        assert!(Dataset::open(folder.path()).unwrap().verify().unwrap().is_empty(), "{operations}");
    }
    assert!(crashes > 30, "{crashes}");
}

#[test]
fn a_lock_admits_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let writer = start(folder.path()).unwrap();
    assert!(folder.path().join(LOCK).exists());
    let error = Writer::open(folder.path(), true).unwrap_err();
    assert!(error.to_string().contains("another program is writing"), "{error}");
    drop(writer);
    start(folder.path()).unwrap();
}

/// Manifests are input: a person may have edited them, or sent the folder.
#[test]
fn an_edited_manifest_is_rejected_or_read_without_a_panic() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("study");
    first_run(&folder);
    std::fs::write(parent.path().join("outside.parquet"), "mine").unwrap();
    let names = ["_manifest/dataset.json", "_manifest/block-00000.json"];
    let contents = names.map(|name| std::fs::read(folder.join(name)).unwrap());
    let mut random = fastrand::Rng::with_seed(7);
    let mut rejected = 0;
    let snippets =
        ["-1", "4294967295", "99999999999999999999", "\"../../outside\"", "null", "[]", "{}", "\"2025-02-30\"", "\"9999-12-31\"", ","];
    for _ in 0..200 {
        let at = random.usize(0..names.len());
        let mut text = contents[at].clone();
        let place = random.usize(0..text.len());
        match random.u8(0..3) {
            0 => text.truncate(place),
            1 => text[place] = random.u8(..),
            _ => {
                let end = (place + random.usize(0..12)).min(text.len());
                let snippet = snippets[random.usize(0..snippets.len())];
                drop(text.splice(place..end, snippet.bytes()));
            }
        }
        let copy_of = tempfile::tempdir_in(parent.path()).unwrap();
        copy(&folder, copy_of.path());
        std::fs::write(copy_of.path().join(names[at]), text).unwrap();
        let all = || -> Result<(), crate::CohortError> {
            let dataset = Dataset::open(copy_of.path())?;
            dataset.verify()?;
            dataset.coverage()?.iter().for_each(|rows| assert!(rows.days_without_data() < Some(u32::MAX)));
            dataset.failures()?;
            second_run(&mut start(copy_of.path())?)?;
            Dataset::repair(copy_of.path())?;
            Dataset::remove_user(copy_of.path(), "anna")?;
            Ok(())
        };
        rejected += u32::from(all().is_err());
        assert_eq!(std::fs::read_to_string(parent.path().join("outside.parquet")).unwrap(), "mine");
    }
    assert!(rejected > 100, "{rejected}");
}

/// Two plans for the same days: the second one finds nothing to change.
#[test]
fn the_same_response_twice_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    first_run(folder.path());
    let before = rows(folder.path());
    let mut writer = start(folder.path()).unwrap();
    for user in USERS {
        let rows = steps(user, &[("2025-01-01", 1), ("2025-01-02", 2), ("2025-02-01", 3)]);
        add(&mut writer, user, days("2025-01-01", "2025-02-28"), rows);
    }
    assert!(writer.write().unwrap().changes.iter().all(|(_, changes)| changes.is_empty()));
    writer.finish().unwrap();
    assert_eq!(rows(folder.path()), before);
}

/// A removal that was interrupted deleted the rows, and the next run read the user again.
#[test]
fn an_interrupted_removal_can_be_repeated_and_is_never_undone() {
    let start_folder = tempfile::tempdir().unwrap();
    first_run(start_folder.path());
    for operations in 1.. {
        let folder = tempfile::tempdir().unwrap();
        copy(start_folder.path(), folder.path());
        let storage = Storage::new(folder.path());
        storage.crash.after(operations);
        if Writer::open_existing(storage).and_then(|writer| super::repair::remove(writer, "anna")).is_ok() {
            assert!(operations > 8, "{operations}");
            break;
        }
        // The next run completes an interrupted write.
        drop(Writer::open_existing(Storage::new(folder.path())).unwrap());
        let has_rows = rows(folder.path()).keys().any(|(user, _)| user == "anna");
        let is_listed = Dataset::open(folder.path()).unwrap().coverage().unwrap().iter().any(|rows| rows.user == "anna");
        let is_known = !Dataset::open(folder.path()).unwrap().removed_users().is_empty();
        // Either the removal has not begun, or its proof is stored, and later runs are refused or leave the user out.
        assert!(is_known || has_rows, "{operations}");
        if is_known && (is_listed || has_rows) {
            let problems = Dataset::open(folder.path()).unwrap().verify().unwrap();
            assert!(problems.iter().any(|problem| problem.reason.contains("remove the user again")), "{operations}: {problems:?}");
        }
        let proof = Dataset::remove_user(folder.path(), "anna").unwrap();
        assert_eq!((proof.rows.get(&CohortTable::Daily), proof.files), (Some(&3), 2), "{operations}");
        let left: Vec<String> = rows(folder.path()).into_keys().map(|(user, _)| user).collect();
        assert_eq!(left, ["ben"; 3], "{operations}");
        assert!(Dataset::open(folder.path()).unwrap().verify().unwrap().is_empty(), "{operations}");
        for file in std::fs::read_dir(folder.path().join("_manifest")).unwrap().map(Result::unwrap) {
            assert!(!std::fs::read_to_string(file.path()).unwrap_or_default().contains("anna"), "{operations}: {}", file.path().display());
        }
        start(folder.path()).unwrap();
    }
}
