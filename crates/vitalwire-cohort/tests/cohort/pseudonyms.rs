//! Tests of pseudonyms: ids of records, places and free text. The digests were calculated with Python's `hmac`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parquet::file::reader::{FileReader as _, SerializedFileReader};
use vitalwire::Client;
use vitalwire_cohort::dataset::{Dataset, Export, NextRun};
use vitalwire_cohort::{Changes, CohortReader, CohortTable, Credential, PseudonymKey, RateLimits, Selection, UserCredentials};
use vitalwire_testkit::{Server, response};

use super::nights::rows;
use super::{changes, days};

const DAILY: &str = r#"{"from_date":"2025-01-01","to_date":"2025-01-31","statistics":[{"date":"2025-01-28","record_ids":["canary-sleep"],
    "values":{"sleep_duration_total":1}}]}"#;
const HOURLY: &str = r#"{"statistics":[{"from_timestamp":"2025-01-28T08:00:00Z","to_timestamp":"2025-01-28T09:00:00Z",
    "record_ids":["canary-sleep"],"values":{"steps":1}}]}"#;
const SLEEP: &str = r#"{"sleep_id":"canary-sleep","modified_at":"2025-01-28T12:00:00Z","start_at_timestamp":"2025-01-27T22:00:00Z",
    "sleep_date":"2025-01-28","record_ids":["canary-a","canary-sleep"],"metrics":{"latitude":47.125,"longitude":47.125,"elevation":47.125,
    "latitude_max":47.125,"longitude_min":47.125,"elevation_gain":47.125,"altitude":47.125,"steps":2},"stages":[{"stage":"deep","start_at":"2025-01-27T23:00:00Z","end_at":"2025-01-27T23:30:00Z","duration":1800000}]}"#;
const LABS: &str = r#"[{"record_id":"canary-sleep","status":"completed","uploaded_at":"2025-01-28T12:00:00Z","notes":"canary",
    "sections":[{"notes":"canary","results":[{"original_test_name":"LDL","notes":"canary","value":1}]}]}]"#;
const MEALS: &str = r#"[{"record_id":"canary-meal","status":"completed","uploaded_at":"2025-01-28T12:00:00Z","modified_at":"2025-01-28T12:00:00Z",
    "consumed_at":"2025-01-28T12:00:00Z","dish_name":"canary","dish_name_translated":"canary","dish_description":"canary",
    "dish_description_translated":"canary","failure_reason":"canary","unit":"g","ingredients":[]}]"#;

/// Starts a service whose ids and free texts have the word `canary`, and whose places are 47.125.
fn start() -> Server {
    start_with(Arc::default())
}

/// Starts a service whose records change when `has_changed` is set.
fn start_with(has_changed: Arc<AtomicBool>) -> Server {
    Server::with_script(move |request, _| {
        let bodies =
            [("/statistics/daily", DAILY), ("/statistics/", HOURLY), ("/sleeps/", SLEEP), ("/lab_reports", LABS), ("/nutrition", MEALS)];
        let body = bodies.iter().find(|(path, _)| request.target().contains(path));
        let user = request.header("authorization").unwrap_or_default().rsplit("token-").next().unwrap_or_default();
        let user = format!(r#"{{"application_user_id":"{user}","integrated_providers":null}}"#);
        let body = body.map_or(&*user, |(_, body)| body);
        let changes = [(r#""steps":"#, r#""steps":1"#), (r#""sleep_duration_total":"#, r#""sleep_duration_total":1"#)];
        let changes = changes.iter().chain(&[(r#""value":"#, r#""value":1"#), (r#""unit":"g""#, r#""unit":"ml""#)]);
        let changes = changes.filter(|_| has_changed.load(Ordering::Relaxed));
        let body = changes.fold(body.to_owned(), |body, (from, to)| body.replace(from, to));
        response(200, &[("content-type", "application/json"), ("date", "Sat, 01 Mar 2025 12:00:00 GMT")], body.as_bytes())
    })
}

fn reader(server: &Server, key: Option<PseudonymKey>) -> CohortReader {
    reader_of(server, &["anna".to_owned()], key)
}

fn reader_of(server: &Server, users: &[String], key: Option<PseudonymKey>) -> CohortReader {
    let users = users.iter().map(|user| (user, Credential::Token(format!("token-{user}").into())));
    let users = UserCredentials::new(users).unwrap();
    let reader = CohortReader::new(Client::builder().base_url(server.url()).retry_delay_scale(0.0), users, RateLimits::new()).unwrap();
    key.into_iter().fold(reader, CohortReader::with_pseudonyms)
}

fn key() -> PseudonymKey {
    PseudonymKey::new(b"a key of 16 bytes").unwrap()
}

async fn export(reader: &CohortReader, folder: &Path) -> Result<Changes, String> {
    let selection = Selection::new(reader.credentials().ids(), CohortTable::ALL, days("2025-01-01", "2025-01-31")).unwrap();
    let selection = selection.refresh_from(super::date("2025-01-01"));
    let next = NextRun::plan(reader, folder, selection, true).await.map_err(|error| error.to_string())?;
    let summary = Export::new(next.plan).resume(true).run(reader, folder, |_| ()).await.map_err(|error| error.to_string())?;
    assert_eq!(Dataset::open(folder).unwrap().failures().unwrap(), []);
    Ok(summary.total())
}

/// Returns the only row of a table as text.
fn row(folder: &Path, table: CohortTable) -> String {
    let rows = rows(folder, table.as_str());
    assert_eq!(rows.len(), 1, "{table}");
    rows.into_iter().next().unwrap()
}

#[tokio::test]
async fn no_id_place_or_free_text_stays_with_pseudonyms() {
    let server = start();
    let folder = tempfile::tempdir().unwrap();
    export(&reader(&server, Some(key())), folder.path()).await.unwrap();
    for table in CohortTable::ALL {
        let text = row(folder.path(), table);
        assert!(text.contains(r#"user: "c79b9029229948fdff5711d8478427e8""#), "{text}");
        assert!(!["canary", "anna", "47.125"].iter().any(|secret| text.contains(secret)), "{text}");
    }
    // The same record has the same pseudonym in all tables of its service, and another one as a lab report.
    let sleep = "e13d5ac8d1180dbaac3bf43c6b83138a";
    for (table, expected) in [
        (CohortTable::Daily, format!(r#"record_ids: ["{sleep}"]"#)),
        (CohortTable::Hourly, format!(r#"record_ids: ["{sleep}"]"#)),
        (CohortTable::Sleeps, format!(r#"sleep_id: "{sleep}""#)),
        (CohortTable::Sleeps, format!(r#"record_ids: ["00ac059084f63b1c0be94871d8341ac7", "{sleep}"]"#)),
        (CohortTable::Sleeps, "steps: 2.0".to_owned()),
        (CohortTable::SleepStages, format!(r#"sleep_id: "{sleep}""#)),
        (CohortTable::Labs, r#"record_id: "18084910d219dacede4b28f10322a6be""#.to_owned()),
        (CohortTable::Labs, r#"original_test_name: "LDL""#.to_owned()),
        (CohortTable::Nutrition, r#"record_id: "7508a9ab82f6d9d2a770f7e16756aaeb""#.to_owned()),
    ] {
        let text = row(folder.path(), table);
        // Statistics list record ids only if they are requested.
        assert!(text.contains(&expected) || (expected.starts_with("record_ids") && !text.contains("record_ids: [")), "{expected}: {text}");
    }
    for block in ["dataset", "block-00000"] {
        let text = fs::read_to_string(folder.path().join(format!("_manifest/{block}.json"))).unwrap();
        assert!(!text.contains("canary") && !text.contains("anna"), "{text}");
    }
}

#[tokio::test]
async fn places_and_free_text_can_be_kept() {
    let server = start();
    let folder = tempfile::tempdir().unwrap();
    export(&reader(&server, Some(key().keep_places_and_text(true))), folder.path()).await.unwrap();
    assert!(row(folder.path(), CohortTable::Sleeps).contains("latitude: 47.125"));
    assert!(row(folder.path(), CohortTable::Nutrition).contains(r#"dish_name: "canary""#));
    assert!(row(folder.path(), CohortTable::Labs).contains(r#"record_id: "18084910d219dacede4b28f10322a6be""#));
    // Rows of readers have the same columns as without pseudonyms.
    let selection = Selection::new(["anna"], [CohortTable::Nutrition], days("2025-01-01", "2025-01-31")).unwrap();
    let plan = super::first_plan(&selection);
    for (key, expected) in [(key(), true), (key().keep_places_and_text(true), false)] {
        let read = reader(&server, Some(key)).read_all(plan.items()).await.unwrap();
        assert_eq!(read[0].table.column("dish_name").unwrap().is_missing(0), expected);
    }
}

/// Movable records are found by their pseudonyms, so a later run changes nothing.
#[tokio::test]
async fn later_runs_and_repairs_work_with_pseudonyms() {
    let server = start();
    let folder = tempfile::tempdir().unwrap();
    let reader = reader(&server, Some(key()));
    assert_eq!(export(&reader, folder.path()).await.unwrap(), changes(6, 0, 0));
    assert_eq!(export(&reader, folder.path()).await.unwrap(), changes(0, 0, 0));
    let before = CohortTable::ALL.map(|table| row(folder.path(), table));
    for table in ["sleeps", "labs"] {
        fs::write(folder.path().join(format!("table={table}/month=2025-01/part-00000.parquet")), "damaged").unwrap();
    }
    assert_eq!(Dataset::repair(folder.path()).unwrap().len(), 2);
    export(&reader, folder.path()).await.unwrap();
    assert_eq!(CohortTable::ALL.map(|table| row(folder.path(), table)), before);
    assert!(Dataset::open(folder.path()).unwrap().verify().unwrap().is_empty());
}

/// The pseudonym of an id differs by letter case. A listed sleep without a record must stay nevertheless.
#[tokio::test]
async fn a_sleep_that_is_listed_in_another_case_stays() {
    let is_lost = Arc::new(AtomicBool::new(false));
    let lost = Arc::clone(&is_lost);
    let server = Server::with_script(move |request, _| {
        let head = [("content-type", "application/json"), ("date", "Sat, 01 Mar 2025 12:00:00 GMT")];
        let is_lost = lost.load(Ordering::Relaxed);
        if request.target().contains("/sleeps/") {
            return if is_lost { response(404, &head, b"{}") } else { response(200, &head, SLEEP.as_bytes()) };
        }
        if request.target().contains("/statistics/daily") {
            let id = if is_lost { "CANARY-SLEEP" } else { "canary-sleep" };
            return response(200, &head, DAILY.replace("canary-sleep", id).as_bytes());
        }
        response(200, &head, br#"{"application_user_id":"anna","integrated_providers":null}"#)
    });
    let folder = tempfile::tempdir().unwrap();
    let reader = reader(&server, Some(key()));
    let export = async || {
        let selection = Selection::new(["anna"], [CohortTable::Sleeps], days("2025-01-01", "2025-01-31")).unwrap();
        let selection = selection.refresh_from(super::date("2025-01-01"));
        let next = NextRun::plan(&reader, folder.path(), selection, true).await.unwrap();
        Export::new(next.plan).resume(true).run(&reader, folder.path(), |_| ()).await.unwrap()
    };
    assert_eq!(export().await.total(), changes(1, 0, 0));
    let before = row(folder.path(), CohortTable::Sleeps);
    is_lost.store(true, Ordering::Relaxed);
    let summary = export().await;
    assert_eq!((summary.total(), summary.failures, summary.reasons[0].status), (changes(0, 0, 0), 1, Some(404)));
    assert_eq!(row(folder.path(), CohortTable::Sleeps), before);
}

/// Returns the columns of each part file, by table.
fn columns(folder: &Path) -> BTreeMap<String, BTreeSet<Vec<String>>> {
    let mut columns: BTreeMap<String, BTreeSet<Vec<String>>> = BTreeMap::new();
    for name in CohortTable::ALL.map(|table| format!("table={table}")) {
        for month in fs::read_dir(folder.join(&name)).unwrap() {
            for file in fs::read_dir(month.unwrap().path()).unwrap() {
                let reader = SerializedFileReader::new(File::open(file.unwrap().path()).unwrap()).unwrap();
                let schema = reader.metadata().file_metadata().schema_descr();
                let names = schema.columns().iter().map(|column| column.path().string()).collect();
                columns.entry(name.clone()).or_default().insert(names);
            }
        }
    }
    columns
}

#[tokio::test]
async fn left_out_columns_stay_out_of_rewritten_files() {
    let has_changed = Arc::new(AtomicBool::new(false));
    let server = start_with(Arc::clone(&has_changed));
    let folder = tempfile::tempdir().unwrap();
    export(&reader(&server, Some(key())), folder.path()).await.unwrap();
    let first = columns(folder.path());
    assert!(first.values().all(|schemas| schemas.len() == 1) && first.len() == CohortTable::ALL.len(), "{first:?}");
    let place_or_text = ["latitude", "longitude", "elevation", "altitude", "notes", "dish", "failure_reason"];
    assert!(first.values().flatten().flatten().all(|name| !place_or_text.iter().any(|part| name.contains(part))), "{first:?}");
    // 1 request for each day and one for the list: 7 users have more than 200 requests for sleeps, so there are several writes.
    let users: Vec<String> = (0..16).map(|user| format!("anna{user}")).chain(["anna".to_owned()]).collect();
    export(&reader_of(&server, &users, Some(key())), folder.path()).await.unwrap();
    assert_eq!(columns(folder.path()), first, "several writes in one run");
    has_changed.store(true, Ordering::Relaxed);
    let changes = export(&reader_of(&server, &users, Some(key())), folder.path()).await.unwrap();
    assert!(changes.changed >= 17 * 5, "{changes:?}");
    assert_eq!(columns(folder.path()), first, "changed rows");
    Dataset::remove_user(folder.path(), &key().pseudonym("anna3")).unwrap();
    assert_eq!(columns(folder.path()), first, "a removed user");
}

#[tokio::test]
async fn a_dataset_has_one_rule_of_pseudonyms() {
    let server = start();
    let folder = tempfile::tempdir().unwrap();
    export(&reader(&server, Some(key())), folder.path()).await.unwrap();
    let kept = reader(&server, Some(key().keep_places_and_text(true)));
    let error = export(&kept, folder.path()).await.unwrap_err();
    assert!(error.ends_with("use the same setting for places and free text as in the first export, or export to a new folder"), "{error}");
    // Earlier versions replaced only ids of users, and did not state a rule.
    let path = folder.path().join("_manifest/dataset.json");
    let text = fs::read_to_string(&path).unwrap();
    let old = text.replace(r#""pseudonym_rule":"records","#, "");
    assert_ne!(old, text);
    fs::write(&path, old).unwrap();
    for reader in [kept, reader(&server, Some(key()))] {
        let error = export(&reader, folder.path()).await.unwrap_err();
        assert!(error.ends_with("the dataset has pseudonyms for users, but not for records; export to a new folder"), "{error}");
    }
    // A user of such a dataset can be removed.
    let dataset = Dataset::open(folder.path()).unwrap();
    let shown = dataset.shown_id("anna", Some(&key())).unwrap();
    Dataset::remove_user(folder.path(), &shown).unwrap();
}
