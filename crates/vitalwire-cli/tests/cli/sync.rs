//! Tests of `vitalwire sync`: killed, repeated and later syncs, their output and their files.
#![cfg(all(unix, feature = "tables"))]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::{Field, Row};
use serde_json::Value;

use crate::cohort::{all_files, command, fail, limited, requests, run, start, succeed, write_tokens};
use crate::common::{RunningSandbox, control};

const KINDS: &str = "--kinds daily,hourly,labs,nutrition,sleeps,sleep_stages";

/// Applies all changes below a folder, in the order of the files. Returns the rows by user, kind and id.
fn copy(folder: &Path) -> BTreeMap<(String, String, String), Value> {
    let mut files: Vec<String> = all_files(folder).into_iter().filter(|file| file.contains("changes-")).collect();
    files.sort();
    let mut rows: BTreeMap<(String, String, String), (Value, Value)> = BTreeMap::new();
    for file in files {
        for change in changes(&file) {
            let text = |name: &str| change[name].as_str().unwrap_or_default().to_owned();
            let key = (text("user"), text("kind"), text("id"));
            match &*text("change") {
                "added" | "changed" => drop(rows.insert(key, (change["day"].clone(), change["rows"].clone()))),
                "removed" => drop(rows.remove(&key)),
                "day_removed" => rows.retain(|(user, kind, _), (day, _)| (user, kind) != (&key.0, &key.1) || *day != change["day"]),
                other => panic!("{other}"),
            }
        }
    }
    rows.into_iter().map(|(key, (_, rows))| (key, rows)).collect()
}

/// Reads a file of changes: lines of JSON, or Parquet.
fn changes(file: &str) -> Vec<Value> {
    let parse = |text: &str| -> Value { serde_json::from_str(text).expect("JSON") };
    if file.ends_with(".jsonl") {
        return fs::read_to_string(file).expect("a file").lines().map(parse).collect();
    }
    let reader = SerializedFileReader::new(fs::File::open(file).expect("a file")).expect("a Parquet file");
    let row = |(number, row): (usize, Result<Row, _>)| {
        let row = row.expect("a row");
        let mut change = serde_json::Map::new();
        for (name, field) in row.get_column_iter() {
            let value = match field {
                Field::Long(value) => {
                    assert_eq!((&**name, usize::try_from(*value)), ("number", Ok(number)));
                    continue;
                }
                Field::Null => continue,
                Field::Str(text) if name == "rows" => parse(text),
                Field::Str(text) => text.as_str().into(),
                // Days since 1970-01-01, as a date.
                Field::Date(_) => field.to_string()[..10].into(),
                other => panic!("{name}: {other}"),
            };
            change.insert(name.clone(), value);
        }
        Value::Object(change)
    };
    reader.get_row_iter(None).expect("rows").enumerate().map(row).collect()
}

fn advance(sandbox: &RunningSandbox, seconds: u64) {
    assert_eq!(control(sandbox, "POST", "/clock", &format!(r#"{{"advance":{seconds}}}"#)).0, 200);
}

/// Kills syncs at random moments while the service changes, and continues each time, with lines of JSON or with Parquet.
#[test]
fn killed_syncs_lose_no_change() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(4, folder.path());
    let sync = |name: &str| format!("sync --users users.csv {KINDS} --from 2025-10-01 --state {name}-state --out {name}");
    let started = Instant::now();
    succeed(&sandbox, folder.path(), &sync("first"));
    let duration = started.elapsed();
    let mut random = 0x2545_f491_u64;
    let mut killed = 0;
    for round in 0..12 {
        let format = if round % 2 == 0 { " --format parquet" } else { "" };
        let mut child = command(&sandbox, folder.path(), &(sync("killed") + format))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let part = u32::try_from(random >> 40).expect("24 bits");
        std::thread::sleep(duration.mul_f64(f64::from(part) / f64::from(1 << 24)));
        child.kill().expect("it can be killed");
        killed += usize::from(!child.wait().expect("it ends").success());
        if round % 3 == 0 {
            advance(&sandbox, 40_000);
        }
    }
    assert!(killed >= 3, "only {killed} syncs were killed before their end");
    succeed(&sandbox, folder.path(), &(sync("killed") + " --format parquet"));
    let unfinished = all_files(&folder.path().join("killed")).into_iter().filter(|file| file.ends_with(".part") || file.ends_with(".tmp"));
    assert_eq!(unfinished.collect::<Vec<_>>(), [""; 0]);
    succeed(&sandbox, folder.path(), &sync("whole"));
    let expected = copy(&folder.path().join("whole"));
    // 51 days of 4 users, with a daily row and 24 hourly rows a day.
    assert!(expected.len() > 51 * 4 * 25, "{}", expected.len());
    assert_eq!(copy(&folder.path().join("killed")), expected);
}

#[test]
fn parquet_files_have_the_changes_of_the_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(2, folder.path());
    let sync = |name: &str| format!("sync --users users.csv {KINDS} --from -9d --state {name}-state --out {name}");
    let file = |name: &str| -> String {
        let files: Vec<String> = all_files(&folder.path().join(name)).into_iter().filter(|file| file.contains("changes-")).collect();
        let [file] = &files[..] else { panic!("{files:?}") };
        file.clone()
    };
    succeed(&sandbox, folder.path(), &sync("lines"));
    let text = succeed(&sandbox, folder.path(), &(sync("rows") + " --format parquet"));
    let (lines, rows) = (file("lines"), file("rows"));
    assert!(rows.ends_with("Z-0000.parquet") && text.contains(rows.rsplit('/').next().expect("a name")), "{text}");
    // Users are read at the same time, so only the changes of each user have an order. Content keys differ, because the secrets do.
    let sorted = |file: &str| {
        let mut changes = changes(file);
        for change in &mut changes {
            let change = change.as_object_mut().expect("an object");
            assert_eq!(change.remove("after").map(|key| key.as_str().map(str::len)), Some(Some(12)));
        }
        changes.sort_by_key(|change| change["user"].as_str().map(str::to_owned));
        changes
    };
    assert!(sorted(&rows).len() > 500);
    assert_eq!(sorted(&rows), sorted(&lines));
    // A changed file is noticed, a file of others is not touched, and a later sync may write lines.
    let (foreign, content) = (folder.path().join("rows/changes-mine.parquet"), fs::read(&rows).expect("a file"));
    fs::write(&foreign, "mine").expect("a file");
    fs::write(&rows, &content[..content.len() - 1]).expect("a file");
    let text = fail(&sandbox, folder.path(), &sync("rows"), 10);
    assert!(text.contains("the file must not be changed after a sync has written it; restore it, or move it away"), "{text}");
    fs::write(&rows, &content).expect("a file");
    advance(&sandbox, 100_000);
    succeed(&sandbox, folder.path(), &sync("rows"));
    assert_eq!(fs::read(&foreign).expect("a file"), b"mine");
    assert!(
        all_files(&folder.path().join("rows"))
            .into_iter()
            .filter(|file| file.contains("changes-2"))
            .max()
            .expect("a file")
            .ends_with(".jsonl")
    );
    for options in ["--format csv", "--format arrow", "--format parquet --all-columns", "--format parquet --time-zone UTC"] {
        fail(&sandbox, folder.path(), &format!("{} {options}", sync("rows")), 2);
    }
}

#[test]
fn a_sync_without_changes_writes_no_file_and_a_later_sync_writes_only_new_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(2, folder.path());
    let token = write_tokens(&sandbox, folder.path(), 2).remove(0);
    let sync = "sync --users users.csv --kinds nutrition --state state --out out --format json";
    let first: Value = serde_json::from_str(&succeed(&sandbox, folder.path(), &format!("{sync} --from -30d"))).expect("JSON");
    assert!(first["kinds"]["nutrition"]["added"].as_u64().expect("a number") > 100, "{first}");
    let before = requests(&sandbox);
    let second: Value = serde_json::from_str(&succeed(&sandbox, folder.path(), sync)).expect("JSON");
    assert_eq!((&second["file"], &second["kinds"]), (&Value::Null, &serde_json::json!({})));
    // Each user needs a request for the information and a request for the list.
    assert_eq!(requests(&sandbox) - before, 2 * 2);
    let files = all_files(&folder.path().join("out"));
    assert_eq!(files.iter().filter(|file| file.contains("changes-")).count(), 1, "{files:?}");

    let meals = command(&sandbox, folder.path(), "nutrition list --from 2025-11-18 --to 2025-11-20 --format json")
        .env("VITALWIRE_TOKEN", &token)
        .output()
        .expect("it starts");
    let meals: Value = serde_json::from_slice(&meals.stdout).expect("JSON");
    let id = meals.as_array().and_then(|meals| meals.last()).and_then(|meal| meal["record_id"].as_str()).expect("an id");
    let delete = format!("nutrition delete {id} --yes");
    assert!(command(&sandbox, folder.path(), &delete).env("VITALWIRE_TOKEN", &token).output().expect("it starts").status.success());
    let third: Value = serde_json::from_str(&succeed(&sandbox, folder.path(), sync)).expect("JSON");
    let lines = fs::read_to_string(folder.path().join(third["file"].as_str().expect("a path"))).expect("a file");
    let line: Value = serde_json::from_str(lines.trim_end()).expect("one line");
    assert_eq!((&line["user"], &line["change"], &line["id"]), (&"person-1".into(), &"removed".into(), &id.into()));
    assert!(line["before"].is_string() && line.get("after").is_none() && line.get("rows").is_none(), "{line}");
}

#[test]
fn states_are_private_and_name_no_user() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(2, folder.path());
    succeed(&sandbox, folder.path(), "sync --users users.csv --kinds daily,sleeps --from -9d --state state --out out");
    let files = [all_files(&folder.path().join("state")), all_files(&folder.path().join("out"))].concat();
    // The secret and its check, two locks, two files with the name of the last file of changes, two states and one file of changes.
    assert_eq!(files.len(), 9, "{files:?}");
    for file in &files {
        assert_eq!(fs::metadata(file).expect("a file").permissions().mode() & 0o777, 0o600, "{file}");
        assert!(!file.contains("person"), "{file}");
        let is_state = file.contains("/state/");
        assert!(!is_state || !String::from_utf8_lossy(&fs::read(file).expect("a file")).contains("person"), "{file}");
    }
}

#[test]
fn a_state_that_cannot_be_used_fails_for_its_user_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(2, folder.path());
    let sync = "sync --users users.csv --kinds daily --from 2025-11-10 --state state --out out";
    succeed(&sandbox, folder.path(), sync);
    let state = all_files(&folder.path().join("state")).into_iter().find(|file| file.ends_with(".state")).expect("a state");
    fs::write(&state, "damaged").expect("a file");
    let output = run(&sandbox, folder.path(), sync);
    assert_eq!(output.status.code(), Some(21), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("person-") && text.contains("the state is damaged; use the right state"), "{text}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("; --remove-user ID removes a state"), "{output:?}");
    fs::remove_file(&state).expect("a file");
    succeed(&sandbox, folder.path(), sync);
    // With another secret, the state files have other names, so all users would be synced for the first time.
    fs::write(folder.path().join("key"), "another secret of 16 bytes\n").expect("a file");
    for options in ["", " --plan"] {
        let text = fail(&sandbox, folder.path(), &format!("{sync} --secret-file key{options}"), 10);
        assert!(text.contains("the states must be used with the secret that they were made with"), "{text}");
    }
    // A new secret would start all copies again.
    fs::remove_file(folder.path().join("state/secret")).expect("a file");
    let text = fail(&sandbox, folder.path(), sync, 10);
    assert!(text.contains("the states must be used with the secret"), "{text}");
}

#[test]
fn invalid_syncs_are_rejected_before_a_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(1, folder.path());
    let sync = "sync --users users.csv --kinds daily --state state --out out";
    let before = requests(&sandbox);
    assert!(fail(&sandbox, folder.path(), &format!("{sync} --look-back 0"), 10).contains("--look-back must be from 1 to 3,660 days"));
    assert!(fail(&sandbox, folder.path(), &format!("{sync} --secret-file missing"), 10).contains("--secret-file missing"));
    assert!(fail(&sandbox, folder.path(), &sync.replace("daily", "weekly"), 2).contains("weekly"));
    assert!(fail(&sandbox, folder.path(), &format!("{sync} --time-zone Europe/Berlin"), 2).contains("remove --time-zone"));
    let plan = succeed(&sandbox, folder.path(), &format!("{sync} --plan --format json"));
    let plan: Value = serde_json::from_str(&plan).expect("JSON");
    // Requests: the user's information, all days of statistics, and the token exchange.
    assert_eq!(plan["requests"], 3, "{plan}");
    assert!(!folder.path().join("state").exists() && !folder.path().join("out").exists());
    assert_eq!(requests(&sandbox), before);
}

#[test]
fn a_first_day_in_the_future_is_an_error_that_later_syncs_do_not_repeat() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(1, folder.path());
    let sync = "sync --users users.csv --kinds daily --state state --out out";
    let states = || all_files(&folder.path().join("state")).iter().filter(|file| file.ends_with(".state")).count();
    let reject = |options: &str| {
        let text = fail(&sandbox, folder.path(), &format!("{sync} {options}"), 10);
        assert!(text.contains("the first day of the copy must not be after tomorrow in UTC; use an earlier first day"), "{text}");
    };
    // The sandbox's clock shows 2025-11-21, and a plan uses this machine's clock.
    reject("--from 2025-11-23");
    reject("--from 2999-01-01 --plan");
    assert_eq!(states(), 0);
    succeed(&sandbox, folder.path(), &format!("{sync} --from 2025-11-10"));
    // A later day has no effect on a user with a state.
    succeed(&sandbox, folder.path(), &format!("{sync} --from 2025-11-23"));
    succeed(&sandbox, folder.path(), sync);
    let plan = succeed(&sandbox, folder.path(), &format!("{sync} --plan"));
    assert!(plan.contains("days by this machine's clock; a run also uses the service's clock"), "{plan}");
}

#[test]
fn a_full_disk_names_the_remedy_of_a_sync() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(2, folder.path());
    let line = "sync --users users.csv --kinds daily,hourly --from 2025-10-01 --state state --out out --format parquet";
    let output = limited(&sandbox, folder.path(), line);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("hint: correct the cause, keep the files of both folders, and run the sync again; it loses no change"), "{text}");
    succeed(&sandbox, folder.path(), line);
    succeed(&sandbox, folder.path(), &line.replace("state --out out --format parquet", "whole-state --out whole"));
    assert_eq!(copy(&folder.path().join("out")), copy(&folder.path().join("whole")));
}

#[test]
fn a_finished_file_that_was_changed_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(1, folder.path());
    let sync = "sync --users users.csv --kinds daily --state state --out out";
    succeed(&sandbox, folder.path(), &format!("{sync} --from -9d"));
    let file = all_files(&folder.path().join("out")).into_iter().find(|file| file.ends_with(".jsonl")).expect("a file");
    let content = fs::read(&file).expect("a file");
    let before = requests(&sandbox);
    let mut changed = content.clone();
    changed[content.len() - 3] ^= 1;
    for damaged in [&content[..content.len() / 2], &[], &changed, &[&content[..], b"{}\n"].concat()] {
        fs::write(&file, damaged).expect("a file");
        let text = fail(&sandbox, folder.path(), sync, 10);
        assert!(text.contains("the file must not be changed after a sync has written it; restore it, or move it away"), "{text}");
    }
    assert_eq!(requests(&sandbox), before);
    // Both remedies.
    fs::write(&file, &content).expect("a file");
    succeed(&sandbox, folder.path(), sync);
    fs::write(&file, b"").expect("a file");
    fs::remove_file(&file).expect("a file");
    succeed(&sandbox, folder.path(), sync);
    // Only the last file is checked.
    advance(&sandbox, 200_000);
    succeed(&sandbox, folder.path(), sync);
    fs::write(&file, b"").expect("a file");
    succeed(&sandbox, folder.path(), sync);
}

#[test]
fn two_syncs_cannot_use_one_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(4, folder.path());
    let sync = "sync --users users.csv --kinds sleeps --per-second 30 --state state --out out";
    let mut first = command(&sandbox, folder.path(), sync).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    while !folder.path().join("state/secret").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let text = fail(&sandbox, folder.path(), sync, 10);
    assert!(text.contains("another program is writing to the folder"), "{text}");
    first.kill().expect("it runs");
    first.wait().expect("it ends");
}

/// Makes a finished file of changes unfinished again, as a crash before its renaming leaves it. Returns its path.
fn unfinish(folder: &Path) -> std::path::PathBuf {
    let name = all_files(&folder.join("out")).into_iter().filter(|file| file.contains("changes-")).max().expect("a file");
    let part = std::path::PathBuf::from(format!("{name}.part"));
    fs::rename(&name, &part).expect("a file");
    fs::remove_file(folder.join("out/.vitalwire-last")).expect("a file");
    let name = Path::new(&name).file_name().and_then(|name| name.to_str()).expect("a name");
    let path = folder.join("state/changes");
    let progress: Value = serde_json::from_slice(&fs::read(&path).expect("a file")).expect("JSON");
    assert_eq!((&progress["finished"]["name"], &progress["current"]), (&name.into(), &Value::Null));
    let progress = serde_json::json!({ "finished": null, "current": { "name": name, "is_complete": false } });
    fs::write(&path, progress.to_string()).expect("a file");
    part
}

#[test]
fn lost_changes_of_an_interrupted_sync_are_an_error_and_not_skipped() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(2, folder.path());
    let sync = "sync --users users.csv --kinds nutrition --state state --out out";
    succeed(&sandbox, folder.path(), &format!("{sync} --from -9d"));
    let part = unfinish(folder.path());
    let content = fs::read_to_string(&part).expect("a file");
    let before = requests(&sandbox);
    let last_user = if content.lines().last().expect("a line").contains("person-1") { "person-1" } else { "person-2" };
    // The last line is removed, its end differs, or the whole file is removed.
    let cut = content.trim_end().rfind('\n').expect("lines") + 1;
    let changed = format!("{}x\n", &content[..content.len() - 2]);
    for damaged in [Some(&content[..cut]), Some(&*changed), None] {
        match damaged {
            Some(damaged) => fs::write(&part, damaged).expect("a file"),
            None => fs::remove_file(&part).expect("a file"),
        }
        let text = fail(&sandbox, folder.path(), sync, 10);
        assert!(text.contains("must have all changes that the states contain; restore it") && text.contains(".state"), "{text}");
        assert!(text.contains("if your consumer has moved this file, put it back once"), "{text}");
        assert!(text.contains("hint: the users of these states: ") && text.contains(last_user), "{text}");
        assert!(text.contains("--remove-user ID"), "{text}");
        assert_eq!(damaged.is_some(), part.exists(), "nothing was renamed");
    }
    assert_eq!(requests(&sandbox), before);
    // The first remedy: the file is restored.
    fs::write(&part, &content).expect("a file");
    succeed(&sandbox, folder.path(), sync);
    let finished = part.with_extension("");
    assert_eq!(fs::read_to_string(&finished).expect("a file"), content);
    // A finished file may be moved away.
    fs::remove_file(&finished).expect("a file");
    succeed(&sandbox, folder.path(), sync);
    // A crash after the renaming, before it was recorded.
    fs::write(&finished, &content).expect("a file");
    fs::rename(unfinish(folder.path()), &finished).expect("a file");
    succeed(&sandbox, folder.path(), sync);
    // The second remedy: the users are started again.
    fs::remove_file(unfinish(folder.path())).expect("a file");
    fail(&sandbox, folder.path(), sync, 10);
    for user in ["person-1", "person-2"] {
        let removed = succeed(&sandbox, folder.path(), &format!("sync --state state --remove-user {user} --format json"));
        assert_eq!(serde_json::from_str::<Value>(&removed).expect("JSON")["removed"], true);
    }
    succeed(&sandbox, folder.path(), &format!("{sync} --from -9d"));
    let file = all_files(&folder.path().join("out")).into_iter().find(|file| file.ends_with(".jsonl")).expect("a file");
    assert_eq!(fs::read_to_string(file).expect("a file").lines().count(), content.lines().count());
}

#[test]
fn states_older_than_the_changes_are_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(1, folder.path());
    let sync = "sync --users users.csv --kinds daily --state state --out out";
    let (state, backup) = (folder.path().join("state"), folder.path().join("backup"));
    let restore = |from: &Path, to: &Path| {
        drop(fs::remove_dir_all(to));
        fs::create_dir(to).expect("a folder");
        all_files(from).iter().for_each(|file| {
            fs::copy(file, to.join(Path::new(file).file_name().expect("a name"))).expect("a file");
        });
    };
    succeed(&sandbox, folder.path(), &format!("{sync} --from -9d"));
    restore(&state, &backup);
    advance(&sandbox, 100_000);
    succeed(&sandbox, folder.path(), sync);
    restore(&state, &folder.path().join("newest"));
    restore(&backup, &state);
    let fails = || assert!(fail(&sandbox, folder.path(), sync, 10).contains("changes that the states do not contain"));
    fails();
    // The consumer has moved the files away.
    for file in all_files(&folder.path().join("out")).into_iter().filter(|file| file.ends_with(".jsonl")) {
        fs::remove_file(file).expect("a file");
    }
    fails();
    // New states would add all records again.
    fs::remove_dir_all(&state).expect("a folder");
    fails();
    restore(&folder.path().join("newest"), &state);
    succeed(&sandbox, folder.path(), sync);
    // States without the file about the changes, from another backup.
    fs::remove_file(state.join("changes")).expect("a file");
    fs::rename(folder.path().join("out"), folder.path().join("moved")).expect("a folder");
    let text = fail(&sandbox, folder.path(), sync, 10);
    assert!(text.contains("state/changes: the file must be restored with the states"), "{text}");
    restore(&folder.path().join("newest"), &state);
    restore(&folder.path().join("moved"), &folder.path().join("out"));
    // Later changes can be written to another folder.
    advance(&sandbox, 100_000);
    succeed(&sandbox, folder.path(), &sync.replace("--out out", "--out other"));
}

/// A disk that is full after the renaming leaves the states without the note that the file is finished. The consumer moves the file away.
#[test]
fn a_finished_file_that_was_moved_away_before_it_was_recorded_is_no_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(1, folder.path());
    let sync = "sync --users users.csv --kinds daily --state state --out out";
    succeed(&sandbox, folder.path(), &format!("{sync} --from -9d"));
    let name = fs::read_to_string(folder.path().join("out/.vitalwire-last")).expect("a file");
    fs::remove_file(folder.path().join("out").join(&name)).expect("a file");
    let progress = serde_json::json!({ "finished": null, "current": { "name": name, "is_complete": true } });
    fs::write(folder.path().join("state/changes"), progress.to_string()).expect("a file");
    advance(&sandbox, 100_000);
    succeed(&sandbox, folder.path(), sync);
    succeed(&sandbox, folder.path(), sync);
    let days: Vec<String> = copy(&folder.path().join("out")).into_keys().map(|(_, _, id)| id).collect();
    assert!((1..=3).contains(&days.len()), "only new and changed days: {days:?}");
}

#[test]
fn a_folder_of_changes_older_than_the_states_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(1, folder.path());
    let sync = "sync --users users.csv --kinds daily --state state --out out";
    let last = folder.path().join("out/.vitalwire-last");
    succeed(&sandbox, folder.path(), &format!("{sync} --from -9d"));
    let older = fs::read(&last).expect("a file");
    advance(&sandbox, 100_000);
    succeed(&sandbox, folder.path(), sync);
    fs::write(&last, older).expect("a file");
    let text = fail(&sandbox, folder.path(), sync, 10);
    assert!(text.contains("the folder is older than the states; restore its newest copy"), "{text}");
    succeed(&sandbox, folder.path(), &sync.replace("--out out", "--out other"));
    // Without the file nothing is known about the folder.
    fs::remove_file(&last).expect("a file");
    succeed(&sandbox, folder.path(), sync);
}

#[test]
fn the_first_day_is_kept_for_a_user_whose_first_sync_fails() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(1, folder.path());
    write_tokens(&sandbox, folder.path(), 1);
    let users = fs::read_to_string(folder.path().join("users.csv")).expect("a file");
    fs::write(folder.path().join("users.csv"), "user,token\nperson-1,no-token\n").expect("a file");
    let sync = "sync --users users.csv --kinds daily --state state --out out";
    fail(&sandbox, folder.path(), &format!("{sync} --from 2025-11-10"), 11);
    fs::write(folder.path().join("users.csv"), &users).expect("a file");
    let first_day = || {
        let plan: Value = serde_json::from_str(&succeed(&sandbox, folder.path(), &format!("{sync} --plan --format json"))).expect("JSON");
        plan["plan"][0]["days"].as_str().expect("days")[..10].to_owned()
    };
    assert_eq!(first_day(), "2025-11-10");
    succeed(&sandbox, folder.path(), sync);
    // An earlier day is kept for a user with a state, too.
    fs::write(folder.path().join("users.csv"), "user,token\nperson-1,no-token\n").expect("a file");
    fail(&sandbox, folder.path(), &format!("{sync} --from 2025-11-01"), 11);
    assert_eq!(first_day(), "2025-11-01");
}

#[test]
fn a_state_that_cannot_be_read_fails_for_its_user_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(2, folder.path());
    let sync = "sync --users users.csv --kinds daily --from 2025-11-10 --state state --out out";
    succeed(&sandbox, folder.path(), sync);
    let state = all_files(&folder.path().join("state")).into_iter().find(|file| file.ends_with(".state")).expect("a state");
    fs::remove_file(&state).expect("a file");
    fs::create_dir(&state).expect("a folder");
    let output = run(&sandbox, folder.path(), &format!("{sync} --format json"));
    assert_eq!(output.status.code(), Some(21), "{output:?}");
    let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&summary["failed_users"], &summary["users_without_parts"]), (&1.into(), &1.into()));
    assert!(summary["failures"][0]["message"].as_str().expect("a text").contains("must be a regular file"), "{summary}");
}

#[test]
fn the_state_of_a_user_can_be_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(2, folder.path());
    succeed(&sandbox, folder.path(), "sync --users users.csv --kinds daily --from 2025-11-10 --state state --out out");
    let states = || all_files(&folder.path().join("state")).iter().filter(|file| file.ends_with(".state")).count();
    let before = requests(&sandbox);
    let text = succeed(&sandbox, folder.path(), "sync --state state --remove-user person-1");
    assert!(text.contains("The state of the user was removed."), "{text}");
    assert_eq!((states(), requests(&sandbox)), (1, before));
    let text = fail(&sandbox, folder.path(), "sync --state state --remove-user person-1", 10);
    assert!(text.contains("state: there is no state of this user"), "{text}");
    // A wrong folder has no state of any user, so nothing can be said about the user.
    for state in ["missing", "out"] {
        let files = all_files(folder.path());
        let text = fail(&sandbox, folder.path(), &format!("sync --state {state} --remove-user person-2"), 10);
        assert!(text.contains(&format!("{state}: must be a folder with the states of a sync")), "{text}");
        assert_eq!(all_files(folder.path()), files);
    }
    assert!(!folder.path().join("missing").exists());
    for option in ["--out out", "--from -30d", "--users users.csv"] {
        fail(&sandbox, folder.path(), &format!("sync --state state --remove-user person-1 {option}"), 2);
    }
    fail(&sandbox, folder.path(), "sync --users users.csv --state state --out out", 2);
}
