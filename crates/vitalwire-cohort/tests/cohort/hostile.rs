//! Tests of datasets from other people, who may have changed names, numbers, links and files.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;
use vitalwire::private_files::Access;
use vitalwire_cohort::dataset::{Dataset, Export, NextRun, Progress};
use vitalwire_cohort::{CohortError, CohortTable, DaySet, Plan, Selection, SyncStates, UserCredentials};

use super::days;
use super::service::Service;

const USERS: [&str; 2] = ["anna", "ben"];
const PART: &str = "table=daily/month=2025-01/part-00000.parquet";
const LIMIT: Duration = Duration::from_secs(60);

/// A dataset in the folder `study`, beside the folder `other` of somebody else.
struct Study {
    parent: TempDir,
    service: Service,
}

impl Study {
    async fn new() -> Self {
        let study = Self { parent: tempfile::tempdir().unwrap(), service: Service::start(&USERS, |_, day| Some(day)) };
        study.export("2025-01-10").await.unwrap();
        fs::create_dir_all(study.other("deep")).unwrap();
        study
    }

    fn path(&self, name: &str) -> PathBuf {
        self.parent.path().join("study").join(name)
    }

    fn other(&self, name: &str) -> PathBuf {
        self.parent.path().join("other").join(name)
    }

    /// Exports until a day. Fails the test if that takes long.
    async fn export(&self, last: &str) -> Result<(), CohortError> {
        self.export_with(last, |_| ()).await
    }

    async fn export_with(&self, last: &str, listener: impl FnMut(Progress)) -> Result<(), CohortError> {
        let run = async {
            let reader = self.service.reader(&USERS);
            let selection = Selection::new(USERS, [CohortTable::Daily], days("2025-01-01", last)).unwrap();
            let next = NextRun::plan(&reader, self.path(""), selection, true).await?;
            Export::new(next.plan).resume(true).run(&reader, self.path(""), listener).await.map(drop)
        };
        tokio::time::timeout(LIMIT, run).await.expect("the export must end")
    }

    /// Verifies the dataset. Fails the test if that takes long.
    async fn verify(&self) -> Result<Vec<String>, CohortError> {
        let path = self.path("");
        let verify = tokio::task::spawn_blocking(move || {
            let problems = Dataset::open(path)?.verify()?;
            Ok(problems.iter().map(ToString::to_string).collect())
        });
        tokio::time::timeout(LIMIT, verify).await.expect("the verification must end").unwrap()
    }

    fn edit(&self, manifest: &str, change: impl FnOnce(String) -> String) {
        let path = self.path(&format!("_manifest/{manifest}.json"));
        let text = fs::read_to_string(&path).unwrap();
        let changed = change(text.clone());
        assert_ne!(changed, text);
        fs::write(path, changed).unwrap();
    }

    /// Verifies and exports, and returns the error of each.
    async fn errors(&self) -> [String; 2] {
        let verify = self.verify().await.expect_err("an invalid dataset is rejected");
        let export = self.export("2025-01-20").await.expect_err("an invalid dataset is rejected");
        [verify, export].map(|error| error.to_string())
    }
}

fn mode(path: impl AsRef<Path>) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
}

/// Returns the names in a folder and below it.
fn names(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            all.push(entry.path());
            folders.extend(entry.file_type().unwrap().is_dir().then(|| entry.path()));
        }
    }
    all
}

#[tokio::test]
async fn names_of_months_that_leave_the_folder_are_rejected() {
    for month in ["x/../../../other", "../../other", "/etc", "", ".", "2025-13", "2025-1", "02025-01", "2025-01/", "2025-01-01"] {
        let study = Study::new().await;
        fs::copy(study.path(PART), study.other("part-00000.parquet")).unwrap();
        fs::create_dir_all(study.path("table=daily/month=x")).unwrap();
        study.edit("block-00000", |text| text.replace(r#""2025-01":"#, &format!(r#""{month}":"#)));
        for error in study.errors().await {
            assert!(error.ends_with("the manifest is damaged; export to a new folder"), "{month}: {error}");
        }
        assert_eq!(fs::read(study.other("part-00000.parquet")).unwrap(), fs::read(study.path(PART)).unwrap(), "{month}");
    }
}

#[tokio::test]
async fn temporary_files_of_others_stay() {
    let study = Study::new().await;
    let foreign = [
        study.other("deep/.vitalwire-token"),
        study.other(".vitalwire-part-00000.parquet.tmp"),
        study.path("table=daily/.vitalwire-a8dXy2"),
        study.path("table=daily/month=2025-01/.vitalwire-a8dXy2"),
        study.path("table=daily/month=2025-01/.vitalwire-notes.tmp"),
        study.path("table=daily/month=2025-01/deep/.vitalwire-part-00000.parquet.tmp"),
        study.path("table=mine/month=2025-01/.vitalwire-part-00000.parquet.tmp"),
        study.path("_manifest/.vitalwire-notes.json.tmp"),
    ];
    for path in &foreign {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "mine").unwrap();
    }
    let own = ["table=daily/month=2025-02/.vitalwire-part-00000.parquet.tmp", "_manifest/.vitalwire-block-00000.json.tmp"];
    fs::create_dir_all(study.path("table=daily/month=2025-02")).unwrap();
    own.iter().for_each(|name| fs::write(study.path(name), "left").unwrap());
    symlink(study.other(""), study.path("table=daily/link")).unwrap();
    symlink(study.other(""), study.path("x")).unwrap();
    study.export("2025-01-20").await.unwrap();
    for path in &foreign {
        assert_eq!(fs::read_to_string(path).unwrap(), "mine", "{}", path.display());
    }
    assert!(own.iter().all(|name| !study.path(name).exists()));
}

#[tokio::test]
async fn links_are_not_followed_without_end() {
    let study = Study::new().await;
    for folder in ["", "table=daily", "table=daily/month=2025-01"] {
        ["a", "b"].iter().for_each(|name| symlink(".", study.path(folder).join(name)).unwrap());
    }
    study.export("2025-01-20").await.unwrap();
    let foreign = study.verify().await.unwrap();
    // Two links in the folder of the table, and two in that of the month.
    assert_eq!(foreign.len(), 4, "{foreign:?}");
}

#[tokio::test]
async fn no_folder_of_the_dataset_may_be_a_link() {
    for folder in ["table=daily", "table=daily/month=2025-01", "failures", "_manifest"] {
        let study = Study::new().await;
        fs::rename(study.path(folder), study.other("moved")).unwrap();
        symlink(study.other("moved"), study.path(folder)).unwrap();
        let before = names(&study.other(""));
        for error in study.errors().await {
            assert!(error.contains("its folder must not be a link"), "{folder}: {error}");
        }
        assert_eq!(names(&study.other("")), before, "{folder}");
    }
}

#[tokio::test]
async fn no_file_of_the_dataset_may_be_a_link_or_a_pipe() {
    for name in [PART, "failures/failures.parquet", "_manifest/dataset.json", "_manifest/block-00000.json"] {
        for is_pipe in [false, true] {
            let study = Study::new().await;
            fs::rename(study.path(name), study.other("moved")).unwrap();
            if is_pipe {
                assert!(std::process::Command::new("mkfifo").arg(study.path(name)).status().unwrap().success());
            } else {
                symlink(study.other("moved"), study.path(name)).unwrap();
            }
            let before = fs::read(study.other("moved")).unwrap();
            let error = study.verify().await.expect_err("only regular files are read").to_string();
            assert!(error.contains("must be a regular file"), "{name}: {error}");
            // The file of failures is replaced, and never read.
            if !name.starts_with("failures") {
                let error = study.export("2025-01-20").await.expect_err("only regular files are read").to_string();
                assert!(error.contains("must be a regular file"), "{name}: {error}");
            }
            assert_eq!(fs::read(study.other("moved")).unwrap(), before, "{name}");
        }
    }
}

#[tokio::test]
async fn a_lock_that_is_a_link_creates_no_file() {
    for target in ["made", "there"] {
        let study = Study::new().await;
        fs::write(study.other("there"), "mine").unwrap();
        fs::remove_file(study.path("_manifest/lock")).unwrap();
        symlink(study.other(target), study.path("_manifest/lock")).unwrap();
        let error = study.export("2025-01-20").await.unwrap_err().to_string();
        assert!(error.ends_with("lock: must be a regular file"), "{error}");
        assert!(!study.other("made").exists());
        assert_eq!(fs::read_to_string(study.other("there")).unwrap(), "mine");
    }
}

#[tokio::test]
async fn numbers_beyond_their_bounds_are_rejected() {
    let study = Study::new().await;
    study.edit("dataset", |text| text.replace(r#""number":1,"#, r#""number":4294967295,"#));
    for error in study.errors().await {
        assert!(error.ends_with("dataset.json: the manifest is damaged; export to a new folder"), "{error}");
    }
    let study = Study::new().await;
    fs::copy(study.path("_manifest/block-00000.json"), study.path("_manifest/block-4294967295.json")).unwrap();
    let before = fs::read(study.path("_manifest/block-00000.json")).unwrap();
    for error in study.errors().await {
        assert!(error.ends_with("a block has a number that is out of range; export to a new folder"), "{error}");
    }
    assert_eq!(fs::read(study.path("_manifest/block-00000.json")).unwrap(), before);
    // A list of all days would not fit into memory.
    let study = Study::new().await;
    study.edit("dataset", |text| text.replace(r#""first":"2025-01-01""#, r#""first":"0001-01-01""#));
    for error in study.errors().await {
        assert!(error.ends_with("dataset.json: the manifest is damaged; export to a new folder"), "{error}");
    }
    // A size is reserved only for bytes that are there.
    let study = Study::new().await;
    let bytes = fs::metadata(study.path(PART)).unwrap().len();
    study.edit("block-00000", |text| text.replace(&format!(r#""bytes":{bytes}"#), r#""bytes":9223372036854775807"#));
    for error in study.errors().await {
        assert!(error.ends_with("the manifest is damaged; export to a new folder"), "{error}");
    }
}

/// Messages show the name of the service, and commands list users.
#[tokio::test]
async fn control_characters_and_long_texts_are_rejected() {
    let long = "x".repeat(10_000);
    for text in [r"\n", r"\u001b[2J", &long] {
        let study = Study::new().await;
        study.edit("dataset", |manifest| manifest.replace(r#""service":""#, &format!(r#""service":"{text}"#)));
        for error in study.errors().await {
            assert!(error.ends_with("dataset.json: the manifest is damaged; export to a new folder"), "{error}");
        }
        let study = Study::new().await;
        study.edit("block-00000", |manifest| manifest.replace("anna", &format!("anna{text}")));
        for error in study.errors().await {
            assert!(error.ends_with("the manifest is damaged; export to a new folder"), "{error}");
        }
    }
}

/// Names that only look like those of block manifests were read as other numbers.
#[tokio::test]
async fn files_with_similar_names_are_no_blocks() {
    let study = Study::new().await;
    for name in ["block-0.json", "block-+0001.json", "block-000001.json", "block-00002.json.tmp"] {
        fs::copy(study.path("_manifest/block-00000.json"), study.path("_manifest").join(name)).unwrap();
    }
    study.export("2025-01-20").await.unwrap();
    assert_eq!(study.verify().await.unwrap(), Vec::<String>::new());
}

/// A later run must not write a new checksum over a forged file.
#[tokio::test]
async fn a_forged_file_is_never_confirmed() {
    let study = Study::new().await;
    let forged = Study { parent: tempfile::tempdir().unwrap(), service: Service::start(&USERS, |_, day| Some(900 + day)) };
    forged.export("2025-01-10").await.unwrap();
    fs::copy(forged.path(PART), study.path(PART)).unwrap();
    for last in ["2025-01-20", "2025-01-10"] {
        let error = study.export(last).await.unwrap_err().to_string();
        assert!(error.contains(PART) && error.ends_with("repair the dataset to request its days again"), "{error}");
    }
    let problems = study.verify().await.unwrap();
    assert!(matches!(&*problems, [problem] if problem.starts_with(PART) && problem.ends_with("its days again")), "{problems:?}");
}

/// A file that is larger than the manifest states is not read into memory.
#[tokio::test]
async fn a_huge_sparse_file_is_a_difference() {
    let study = Study::new().await;
    fs::OpenOptions::new().write(true).open(study.path(PART)).unwrap().set_len(1 << 42).unwrap();
    let problems = study.verify().await.unwrap();
    assert!(problems[0].contains("the size of the file differs"), "{problems:?}");
    let study = Study::new().await;
    fs::OpenOptions::new().write(true).open(study.path("_manifest/block-00000.json")).unwrap().set_len(1 << 42).unwrap();
    for error in study.errors().await {
        assert!(error.ends_with("the manifest is damaged; export to a new folder"), "{error}");
    }
}

#[tokio::test]
async fn files_are_private_and_replaced_files_keep_their_access() {
    let study = Study::new().await;
    for path in names(&study.path("")).into_iter().chain([study.path("")]) {
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(&path), expected, "{}", path.display());
    }
    let files =
        [(PART, 0o640), ("failures/failures.parquet", 0o444), ("_manifest/dataset.json", 0o660), ("_manifest/block-00000.json", 0o640)];
    for (name, mode) in &files {
        // Root can set any group.
        let is_root = fs::metadata(study.path(name)).unwrap().uid() == 0;
        chown(study.path(name), None, is_root.then_some(1)).unwrap();
        fs::set_permissions(study.path(name), Permissions::from_mode(*mode)).unwrap();
    }
    let access = || files.map(|(name, _)| Access::from(&fs::metadata(study.path(name)).unwrap()));
    let before = access();
    assert_eq!(before.map(|access| access.mode & 0o777), files.map(|(_, mode)| mode));
    // Adds rows to the first month.
    study.export("2025-02-10").await.unwrap();
    assert_eq!(access(), before);
    assert_eq!(mode(study.path("_manifest/lock")), 0o600);
}

/// The group and mode of another user's file are not passed on to the file that replaces it. Only root can change the owner of a file.
#[tokio::test]
async fn a_replaced_file_of_another_user_gives_no_access() {
    let study = Study::new().await;
    let part = study.path(PART);
    if fs::metadata(&part).unwrap().uid() != 0 {
        return;
    }
    chown(&part, Some(65_533), None).unwrap();
    fs::set_permissions(&part, Permissions::from_mode(0o666)).unwrap();
    // Adds rows to the file.
    study.export("2025-02-10").await.unwrap();
    assert_eq!((fs::metadata(&part).unwrap().uid(), mode(&part)), (0, 0o600));
}

#[tokio::test]
async fn a_folder_that_is_replaced_during_a_run_ends_it() {
    let study = Study::new().await;
    let (folder, moved) = (study.path(""), study.path("").with_extension("moved"));
    let mut is_moved = false;
    let error = study
        .export_with("2025-02-10", |_| {
            if !std::mem::replace(&mut is_moved, true) {
                fs::rename(&folder, &moved).unwrap();
                fs::create_dir(&folder).unwrap();
            }
        })
        .await
        .unwrap_err()
        .to_string();
    assert!(error.ends_with("the folder of the dataset was moved or replaced during the run"), "{error}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    fs::remove_dir_all(moved).unwrap();
}

/// States with many ranges took quadratic time.
#[test]
fn a_state_with_a_million_ranges_is_rejected_at_once() {
    let start = std::time::Instant::now();
    let text = "2025-01-01/2025-01-01,".repeat(1_000_000);
    assert_eq!(text.parse::<DaySet>().unwrap_err(), "must be at most 10,000 ranges of days");
    let state = format!(r#"{{"version":2,"requested":"{text}","received":"","failed":"","as_of":null,"providers_as_of":null}}"#);
    let states = format!(r#"{{"service":null,"tables":{{"daily":{{"anna":{state}}}}}}}"#);
    assert!(SyncStates::from_json(&states).is_err());
    assert!(SyncStates::from_json(&states.replace(&text, "")).is_ok());
    assert!(start.elapsed() < LIMIT);
}

/// An endless file of users filled the memory.
#[test]
fn an_endless_file_of_users_is_rejected() {
    let error = UserCredentials::from_file("/dev/zero").unwrap_err().to_string();
    assert_eq!(error, "/dev/zero: the file must not be larger than 256 MiB");
}

#[test]
fn nested_plans_and_states_are_rejected() {
    let nested = "[".repeat(100_000);
    for text in [nested.clone(), format!(r#"{{"version":2,"items":{nested}"#), format!(r#"{{"service":null,"tables":{nested}"#)] {
        assert!(Plan::from_json(&text).is_err() && SyncStates::from_json(&text).is_err());
    }
}
