//! Files with the changes of a run, as lines of JSON. A finished file can be converted to Parquet.

use std::collections::BTreeSet;
use std::io::{self, BufRead as _, ErrorKind};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};
use vitalwire::value::Timestamp;
use vitalwire_sync::{Change, SyncPart};

use super::parquet_file::write_parquet;
use super::progress::{CurrentFile, FileEnd, FinishedFile, PROGRESS_FILE, Progress};
use super::state_file::{Position, has_states};
use crate::error::{CohortError, LostState};
use crate::storage::{Storage, checksum, temporary};

/// File that a running sync locks. Without the lock, another sync would rename the unfinished file of the running sync.
const LOCK_FILE: &str = ".vitalwire-lock";

/// Suffix of the file that a running sync writes, and of a Parquet file until the lines of JSON are removed.
const UNFINISHED: &str = ".part";

/// Suffixes of finished files.
const LINES: &str = ".jsonl";
const PARQUET: &str = ".parquet";

/// File with the name of the last complete file of changes, in the folder of changes. Written before the file gets its final name. It shows
/// that the file may have been moved away, and that the states are older than the changes or the reverse.
const LAST_FILE: &str = ".vitalwire-last";

/// Maximum size of [`LAST_FILE`].
const MAX_NAME_BYTES: u64 = 1024;

/// Error reason if the folder of changes was used with other states.
const OLDER_STATES: &str = "the folder has changes that the states do not contain; use the states of its last sync, or remove the records \
                            from the copy and start again with new folders for states and changes";

/// Error reason if the states were used with a newer copy of the folder of changes, or later with another folder.
const OLDER_CHANGES: &str = "the folder is older than the states; restore its newest copy, or use a new folder for changes if your copy has \
                             all earlier changes";

/// Error reason if [`LAST_FILE`] does not contain the name of a file.
const DAMAGED_LAST: &str =
    "the file is damaged; restore both folders, or use a new folder for changes if your copy has all earlier changes";

/// Error reason if the last file was changed after the sync had finished it. Its changes are in the states.
const CHANGED_FILE: &str = "the file must not be changed after a sync has written it; restore it, or move it away if your copy has all \
                            of its changes";

/// Error reason if there are states without [`PROGRESS_FILE`].
const NO_PROGRESS: &str = "the file must be restored with the states; restore it, or remove the records from the copy and start again with \
                           new folders for states and changes";

/// The file with the changes of a run. The file gets its final name when the run ends.
pub(super) struct ChangeFile<'a> {
    storage: Storage,
    states: &'a Storage,
    name: String,
    /// The last file before this one.
    finished: Option<FinishedFile>,
    /// Files of interrupted runs.
    pub(super) recovered: Vec<PathBuf>,
    has_lines: Mutex<bool>,
    /// Whether finished files are Parquet files.
    is_parquet: bool,
    _lock: std::fs::File,
}

impl<'a> ChangeFile<'a> {
    /// Chooses the name of a new file. Gives the files of interrupted runs their final names, because their changes may be in the states.
    /// Changes of users without a state are left out: their states were removed.
    ///
    /// # Errors
    /// * [`CohortError::LostChanges`] if the file of an interrupted run lacks changes that the states contain.
    /// * [`CohortError::Dataset`] if the states lack changes of the folder, or the folder is older than the states.
    pub(super) fn open(
        storage: Storage,
        states: &'a Storage,
        is_parquet: bool,
        has_state: impl Fn(&str) -> bool,
        positions: impl FnOnce() -> Result<Vec<(LostState, Position)>, CohortError>,
    ) -> Result<Self, CohortError> {
        let lock = storage.lock(LOCK_FILE)?;
        let entries = storage.entries("")?;
        let last = read_text(&storage, LAST_FILE)?;
        if last.as_ref().is_some_and(|name| !is_change_file(name)) {
            return Err(CohortError::dataset(&storage.path(LAST_FILE), DAMAGED_LAST));
        }
        let stored = Progress::read(states)?;
        let is_new = stored.is_none();
        let Progress { mut finished, current } = stored.unwrap_or_default();
        let written = entries.iter().filter_map(|entry| lines_name(entry.strip_suffix(UNFINISHED).unwrap_or(entry))).max();
        let newest = current.as_ref().map(|current| &current.name).or(finished.as_ref().map(|file| &file.name)).cloned();
        let complete = current.as_ref().filter(|current| current.is_complete).map(|current| &current.name);
        if written > newest || last.as_ref() > complete.or(finished.as_ref().map(|file| &file.name)) {
            return Err(CohortError::dataset(storage.root(), OLDER_STATES));
        }
        if last.is_some() && last.as_ref() < finished.as_ref().map(|file| &file.name) {
            return Err(CohortError::dataset(storage.root(), OLDER_CHANGES));
        }
        // A consumer may have moved the file away.
        if let Some(FinishedFile { name, end: Some(end) }) = &finished {
            for name in [name.clone(), parquet_name(name)] {
                if FileEnd::read(&storage, &name)?.is_some_and(|found| found != *end) {
                    return Err(CohortError::dataset(&storage.path(&name), CHANGED_FILE));
                }
            }
        }
        if is_new {
            if has_states(states)? {
                return Err(CohortError::dataset(&states.path(PROGRESS_FILE), NO_PROGRESS));
            }
            Progress::default().write(states)?;
        }
        if let Some(CurrentFile { name, .. }) = &current {
            let may_be_moved = last.as_ref() == Some(name) && !entries.contains(&unfinished(name));
            if !may_be_moved {
                check_complete(&storage, name, positions()?)?;
            }
        }
        let names: BTreeSet<String> = entries.iter().filter_map(|entry| lines_name(entry.strip_suffix(UNFINISHED)?)).collect();
        for name in names.iter().map(|name| unfinished(name)).filter(|name| entries.contains(name)) {
            storage.cut_incomplete_line(&name)?;
            keep_users(&storage, &name, &has_state)?;
        }
        let recovered = names.iter().map(|name| storage.path(&final_name(&storage, name, is_parquet))).collect();
        match current {
            Some(CurrentFile { name, .. }) => {
                finished = Some(finish_files(&storage, states, finished, &name, names, is_parquet)?);
            }
            None => {
                convert_all(&storage, &names, is_parquet)?;
                names.iter().try_for_each(|name| finish_file(&storage, name, is_parquet).map(drop))?;
            }
        }
        let now = Timestamp::try_from(std::time::SystemTime::now()).unwrap_or_default();
        let name = next_name(now, newest.as_deref());
        Ok(Self { storage, states, name, finished, recovered, has_lines: Mutex::new(false), is_parquet, _lock: lock })
    }

    /// Appends the changes of a part, and flushes them to the disk. Returns the position after them.
    pub(super) fn append(&self, user: &str, part: &SyncPart) -> Result<Position, CohortError> {
        let lines: Vec<String> = part.changes().iter().map(|change| json_line(user, part, change).to_string()).collect();
        self.append_lines(&lines.join("\n"))
    }

    fn append_lines(&self, lines: &str) -> Result<Position, CohortError> {
        let mut has_lines = self.has_lines.lock().unwrap_or_else(PoisonError::into_inner);
        if !*has_lines {
            let current = Some(CurrentFile { name: self.name.clone(), is_complete: false });
            Progress { finished: self.finished.clone(), current }.write(self.states)?;
            // Reserves the space for the name now, because the changes may fill the disk.
            self.storage.stage(LAST_FILE, self.name.as_bytes())?;
            *has_lines = true;
        }
        let unfinished = unfinished(&self.name);
        let length = self.storage.append_line(&unfinished, lines)?;
        let replaced = || CohortError::dataset(&self.storage.path(&unfinished), "must not be changed while a sync writes it");
        let sha256 = self.storage.checksum_before(&unfinished, length)?.ok_or_else(replaced)?;
        Ok(Position { file: self.name.clone(), length, sha256 })
    }

    pub(super) fn finish(self) -> Result<Option<PathBuf>, CohortError> {
        if !*self.has_lines.lock().unwrap_or_else(PoisonError::into_inner) {
            return Ok(None);
        }
        finish_files(&self.storage, self.states, self.finished, &self.name, BTreeSet::from([self.name.clone()]), self.is_parquet)?;
        Ok(Some(self.storage.path(&if self.is_parquet { parquet_name(&self.name) } else { self.name })))
    }
}

/// Gives complete files their final names, the last of which is `name`. Each step is on disk before the next one. If the program ends in
/// between, the next run finds either the unfinished file, or `LAST_FILE` with its name: then the file was finished and may be moved away.
fn finish_files(
    storage: &Storage,
    states: &Storage,
    finished: Option<FinishedFile>,
    name: &str,
    files: BTreeSet<String>,
    is_parquet: bool,
) -> Result<FinishedFile, CohortError> {
    Progress { finished, current: Some(CurrentFile { name: name.to_owned(), is_complete: true }) }.write(states)?;
    convert_all(storage, &files, is_parquet)?;
    if !storage.is_staged(LAST_FILE, name.len() as u64, &checksum(name.as_bytes())) {
        storage.stage(LAST_FILE, name.as_bytes())?;
    }
    storage.publish(LAST_FILE)?;
    // If the file is finished, an interrupted run has renamed it.
    let mut end = FileEnd::read(storage, name)?.or(FileEnd::read(storage, &parquet_name(name))?);
    for file in files {
        let finished = finish_file(storage, &file, is_parquet)?;
        end = if file == name { finished } else { end };
    }
    let finished = FinishedFile { name: name.to_owned(), end };
    Progress { finished: Some(finished.clone()), current: None }.write(states)?;
    Ok(finished)
}

/// Converts complete files to Parquet, if `is_parquet` is set. The lines of JSON stay until [`finish_file`].
fn convert_all(storage: &Storage, names: &BTreeSet<String>, is_parquet: bool) -> Result<(), CohortError> {
    for name in names.iter().filter(|name| is_parquet && storage.exists(&unfinished(name))) {
        let (lines, parquet) = (unfinished(name), unfinished(&parquet_name(name)));
        let content = storage.open_lines(&lines)?;
        storage.stage_with(&parquet, |out| write_parquet(content, out)).map_err(|error| match error {
            CohortError::Io { cause, .. } if cause.kind() == ErrorKind::InvalidData => {
                CohortError::dataset(&storage.path(&lines), format!("{cause}; restore the file"))
            }
            error => error,
        })?;
        storage.publish(&parquet)?;
    }
    Ok(())
}

/// Returns the final name of a complete file. If its lines of JSON are missing, an interrupted run has already converted it.
fn final_name(storage: &Storage, name: &str, is_parquet: bool) -> String {
    if is_parquet || !storage.exists(&unfinished(name)) { parquet_name(name) } else { name.to_owned() }
}

/// Gives a complete file its final name. Returns its end, because it may be moved away after that.
///
/// A Parquet file is on disk before the lines of JSON are removed, and gets its final name after that. If the program ends in between, the
/// next run writes it again, or gives it the final name. No two finished files therefore contain the same change.
fn finish_file(storage: &Storage, name: &str, is_parquet: bool) -> Result<Option<FileEnd>, CohortError> {
    let (lines, parquet) = (unfinished(name), unfinished(&parquet_name(name)));
    let final_name = final_name(storage, name, is_parquet);
    if storage.exists(&lines) {
        let others = if is_parquet { vec![lines] } else { vec![temporary(&parquet), parquet] };
        for other in others.iter().filter(|other| storage.exists(other)) {
            storage.remove(other)?;
        }
    }
    let end = FileEnd::read(storage, &unfinished(&final_name))?;
    storage.rename_new(&unfinished(&final_name), &final_name)?;
    Ok(end)
}

fn parquet_name(name: &str) -> String {
    format!("{}{PARQUET}", name.trim_end_matches(LINES))
}

/// Returns the name of a file of changes with the suffix [`LINES`]. `None` for other files.
fn lines_name(name: &str) -> Option<String> {
    let lines = name.strip_suffix(PARQUET).map_or_else(|| name.to_owned(), |stem| format!("{stem}{LINES}"));
    Some(lines).filter(|name| is_change_file(name))
}

fn unfinished(name: &str) -> String {
    format!("{name}{UNFINISHED}")
}

/// Checks that the file of an interrupted run has all changes that the states contain: its length, and the end of each user's changes.
fn check_complete(storage: &Storage, name: &str, positions: Vec<(LostState, Position)>) -> Result<(), CohortError> {
    let unfinished = unfinished(name);
    let mut lost = Vec::new();
    for (state, position) in positions.into_iter().filter(|(_, position)| position.file == name) {
        let mut is_there = false;
        for file in [&*unfinished, name] {
            is_there |= storage.checksum_before(file, position.length)?.is_some_and(|sha256| sha256 == position.sha256);
        }
        if !is_there {
            lost.push(state);
        }
    }
    if lost.is_empty() { Ok(()) } else { Err(CohortError::LostChanges { path: storage.path(&unfinished), states: lost }) }
}

fn read_text(storage: &Storage, name: &str) -> Result<Option<String>, CohortError> {
    Ok(storage.read(name, MAX_NAME_BYTES)?.map(|content| String::from_utf8_lossy(&content).into_owned()))
}

/// Removes the lines of users without a state from an unfinished file. If the program ends right after, the next run reports lost changes.
fn keep_users(storage: &Storage, name: &str, has_state: impl Fn(&str) -> bool) -> Result<(), CohortError> {
    let is_kept = |line: &str| {
        let value = serde_json::from_str::<Value>(line).ok();
        value.as_ref().and_then(|line| line["user"].as_str()).is_none_or(&has_state)
    };
    let copy = |to: &mut dyn io::Write| -> io::Result<bool> {
        let mut keeps_all = true;
        for line in storage.open_lines(name).map_err(io::Error::other)?.lines() {
            let line = line?;
            match is_kept(&line) {
                true => writeln!(to, "{line}")?,
                false => keeps_all = false,
            }
        }
        Ok(keeps_all)
    };
    if copy(&mut io::sink()).map_err(CohortError::io(&storage.path(name)))? {
        return Ok(());
    }
    storage.stage_with(name, |file| copy(file).map(drop))?;
    storage.publish(name)
}

/// Returns the name of a new file. Files must be read in the order of their names, so it follows that of the last file, even if the clock went
/// back. The time has microseconds, so that the name is new even if earlier files were moved away.
fn next_name(now: Timestamp, last: Option<&str>) -> String {
    let text = now.to_string();
    let (seconds, fraction) = text.trim_end_matches('Z').split_once('.').unwrap_or((text.trim_end_matches('Z'), ""));
    let seconds: String = seconds.chars().filter(char::is_ascii_alphanumeric).collect();
    let first = format!("changes-{seconds}{fraction:0<6.6}Z-0000.jsonl");
    let Some(last) = last.filter(|last| **last >= *first) else { return first };
    let stem = last.trim_end_matches(".jsonl");
    let numbered = stem.rsplit_once('-').filter(|(_, number)| number.len() == 4);
    match numbered.and_then(|(start, number)| Some((start, number.parse::<u32>().ok()?))) {
        Some((start, number)) if number < 9_999 => format!("{start}-{:04}.jsonl", number + 1),
        // A longer name follows.
        _ => format!("{stem}0.jsonl"),
    }
}

/// Returns whether a sync has given a file this name.
pub(super) fn is_change_file(name: &str) -> bool {
    let parts = || {
        let (time, number) = name.strip_prefix("changes-")?.strip_suffix(".jsonl")?.split_once("Z-")?;
        let (day, time) = time.split_once('T')?;
        Some([(day, 8..=8), (time, 12..=12), (number, 4..=20)])
    };
    parts().is_some_and(|parts| {
        parts.into_iter().all(|(text, length)| length.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

fn json_line(user: &str, part: &SyncPart, change: &Change) -> Value {
    let mut line = json!({ "user": user, "kind": change.kind.as_str(), "change": change.change_type.as_str() });
    let fields = [
        ("id", change.id.clone()),
        ("day", change.day.map(|day| day.to_string())),
        ("before", change.before.map(|key| key.to_string())),
        ("after", change.after.map(|key| key.to_string())),
    ];
    if let Some(object) = line.as_object_mut() {
        object.extend(fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.into()))));
        let rows = part.json_rows(change);
        if !rows.is_empty() {
            object.insert("rows".to_owned(), rows.into());
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use arrow_array::RecordBatch;
    use arrow_array::cast::AsArray as _;
    use bytes::Bytes;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    use super::*;

    #[test]
    fn each_file_follows_the_last_one() {
        let now: Timestamp = "2025-11-21T12:00:00.5Z".parse().unwrap();
        assert_eq!(next_name(now, None), "changes-20251121T120000500000Z-0000.jsonl");
        assert_eq!(next_name(now, Some("changes-20251121T120000400000Z-0003.jsonl")), "changes-20251121T120000500000Z-0000.jsonl");
        assert_eq!(next_name(now, Some("changes-20251121T120000500000Z-0000.jsonl")), "changes-20251121T120000500000Z-0001.jsonl");
        // The clock went back.
        assert_eq!(next_name(now, Some("changes-20261121T120000000000Z-0007.jsonl")), "changes-20261121T120000000000Z-0008.jsonl");
        let mut last = "changes-20251121T120000500000Z-9998.jsonl".to_owned();
        for _ in 0..3 {
            let next = next_name(now, Some(&last));
            assert!(next > last && is_change_file(&next), "{next}");
            last = next;
        }
        let whole: Timestamp = "2025-11-21T12:00:00Z".parse().unwrap();
        assert_eq!(next_name(whole, None), "changes-20251121T120000000000Z-0000.jsonl");
    }

    #[test]
    fn files_of_others_are_no_files_of_changes() {
        for name in ["changes-mine.jsonl", "changes-zzzz.jsonl", "changes-20251121T120000Z-0000.jsonl", "changes-.jsonl", "notes.jsonl"] {
            assert!(!is_change_file(name), "{name}");
        }
        assert!(is_change_file("changes-20251121T120000500000Z-0000.jsonl"));
    }
    fn storage(folder: &tempfile::TempDir, name: &str) -> Storage {
        Storage::new(&folder.path().join(name))
    }

    fn line(user: &str) -> String {
        json!({ "user": user, "kind": "daily", "change": "day_removed" }).to_string()
    }

    /// Returns the users of a file of changes.
    fn users(name: &str, content: Vec<u8>) -> Vec<String> {
        if name.ends_with(LINES) {
            let user = |line: &str| serde_json::from_str::<Value>(line).unwrap()["user"].as_str().unwrap().to_owned();
            return String::from_utf8(content).unwrap().lines().map(user).collect();
        }
        let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(content)).unwrap().build().unwrap();
        let texts = |batch: RecordBatch| batch.column(1).as_string::<i32>().iter().map(|user| user.unwrap().to_owned()).collect::<Vec<_>>();
        reader.flat_map(|batch| texts(batch.unwrap())).collect()
    }

    /// Runs a sync with one change. Returns the position after the change, and whether the run ended.
    fn run(
        out: Storage,
        states: &Storage,
        before: &[Position],
        user: &str,
        is_parquet: bool,
    ) -> (Option<Position>, Result<(), CohortError>) {
        let mut position = None;
        let run = || {
            let file = ChangeFile::open(out, states, is_parquet, |_| true, || Ok(lost_states(before)))?;
            position = Some(file.append_lines(&line(user))?);
            file.finish().map(|_| ())
        };
        let ended = run();
        (position, ended)
    }

    fn write_current(states: &Storage, name: &str, is_complete: bool) {
        let current = Some(CurrentFile { name: name.to_owned(), is_complete });
        Progress { finished: None, current }.write(states).unwrap();
    }

    fn lost_states(positions: &[Position]) -> Vec<(LostState, Position)> {
        positions.iter().map(|position| (LostState { user: None, path: PathBuf::new() }, position.clone())).collect()
    }

    /// Moves the finished files away, as a consumer does.
    fn consume(folder: &tempfile::TempDir, consumed: &mut Vec<String>) {
        let out = storage(folder, "out");
        let mut files: Vec<String> = out.entries("").unwrap().into_iter().filter(|name| lines_name(name).is_some()).collect();
        files.sort();
        for file in files {
            consumed.extend(users(&file, out.read(&file, 1 << 20).unwrap().unwrap()));
            out.remove(&file).unwrap();
        }
    }

    #[test]
    fn a_crash_before_any_step_loses_no_change_and_the_next_run_continues() {
        // The formats of the run that crashes, and of the next one.
        for (is_parquet, is_next_parquet, steps) in [(false, false, 5), (false, true, 5), (true, true, 10), (true, false, 10)] {
            let mut crashes = 0;
            for crashing in ["out", "states"] {
                for operations in 1.. {
                    let folder = tempfile::tempdir().unwrap();
                    let mut consumed = Vec::new();
                    let (mut expected, mut positions) = (vec!["first"], Vec::new());
                    run(storage(&folder, "out"), &storage(&folder, "states"), &[], "first", is_parquet).1.unwrap();
                    let (out, states) = (storage(&folder, "out"), storage(&folder, "states"));
                    let crashed = if crashing == "out" { &out } else { &states };
                    crashed.crash.after(operations);
                    consume(&folder, &mut consumed);
                    let (position, ended) = run(out, &states, &[], "second", is_parquet);
                    // The state is written after the change.
                    if let Some(position) = position {
                        expected.push("second");
                        positions.push(position);
                    }
                    consume(&folder, &mut consumed);
                    expected.push("third");
                    run(storage(&folder, "out"), &storage(&folder, "states"), &positions, "third", is_next_parquet).1.unwrap();
                    consume(&folder, &mut consumed);
                    assert_eq!(consumed, expected, "{crashing}, {operations}, {is_parquet}, {is_next_parquet}");
                    if ended.is_ok() {
                        break;
                    }
                    crashes += 1;
                }
            }
            // Writes have 4 steps: two of `LAST_FILE` and a rename, and three of `PROGRESS_FILE`. A Parquet file is a write, and the lines are
            // removed.
            assert_eq!(crashes, steps + 3 * 4);
        }
    }

    #[test]
    fn a_file_that_is_removed_after_a_crash_is_missed_unless_it_was_converted() {
        let (mut missed, mut converted) = (0, 0);
        for operations in 1.. {
            let folder = tempfile::tempdir().unwrap();
            let (out, states) = (storage(&folder, "out"), storage(&folder, "states"));
            out.crash.after(operations);
            let (position, ended) = run(out, &states, &[], "first", true);
            if ended.is_ok() {
                break;
            }
            let Some(position) = position else { continue };
            let out = storage(&folder, "out");
            if out.exists(&unfinished(&position.file)) {
                out.remove(&unfinished(&position.file)).unwrap();
            }
            match ChangeFile::open(out, &states, true, |_| true, || Ok(lost_states(&[position]))) {
                Err(CohortError::LostChanges { .. }) => missed += 1,
                opened => {
                    assert_eq!(opened.unwrap().recovered.len(), 1, "{operations}");
                    let mut consumed = Vec::new();
                    consume(&folder, &mut consumed);
                    assert_eq!(consumed, ["first"], "{operations}");
                    converted += 1;
                }
            }
        }
        assert!(missed > 0 && converted > 0, "{missed}, {converted}");
    }

    #[test]
    fn changes_of_a_user_whose_state_was_removed_are_left_out() {
        for is_parquet in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let states = storage(&folder, "states");
            let file = ChangeFile::open(storage(&folder, "out"), &states, is_parquet, |_| true, || Ok(Vec::new())).unwrap();
            let positions = ["left", "stays"].map(|user| file.append_lines(&line(user)).unwrap());
            drop(file);
            let has_state = |user: &str| user == "stays";
            let next = ChangeFile::open(storage(&folder, "out"), &states, is_parquet, has_state, || Ok(lost_states(&positions[1..])));
            assert_eq!(next.unwrap().recovered.len(), 1);
            let mut consumed = Vec::new();
            consume(&folder, &mut consumed);
            assert_eq!(consumed, ["stays"]);
        }
    }

    #[test]
    fn a_file_that_cannot_be_converted_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (out, states) = (|| storage(&folder, "out"), storage(&folder, "states"));
        let file = ChangeFile::open(out(), &states, true, |_| true, || Ok(Vec::new())).unwrap();
        let position = file.append_lines("{}").unwrap();
        let error = file.finish().unwrap_err().to_string();
        assert!(error.contains(".jsonl.part: each line must be the JSON of a change; restore the file"), "{error}");
        // The next run writes lines of JSON.
        ChangeFile::open(out(), &states, false, |_| true, || Ok(lost_states(std::slice::from_ref(&position)))).map(drop).unwrap();
        assert_eq!(out().read(&position.file, 9).unwrap().unwrap(), b"{}\n");
        assert!(!out().entries("").unwrap().iter().any(|name| name.contains("parquet")));
    }

    #[test]
    fn the_end_of_a_run_needs_no_space_in_the_folder_of_changes() {
        let folder = tempfile::tempdir().unwrap();
        let states = storage(&folder, "states");
        let file = ChangeFile::open(storage(&folder, "out"), &states, false, |_| true, || Ok(Vec::new())).unwrap();
        let position = file.append_lines("{}").unwrap();
        drop(file);
        let out = storage(&folder, "out");
        // Only the entries change.
        out.crash.after(3);
        finish_files(&out, &states, None, &position.file, BTreeSet::from([position.file.clone()]), false).unwrap();
        assert_eq!(read_text(&out, LAST_FILE).unwrap().unwrap(), position.file);
        assert!(out.exists(&position.file) && !out.exists(&unfinished(&position.file)));
    }

    #[test]
    fn a_missing_unfinished_file_is_an_error_unless_the_folder_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let states = storage(&folder, "states");
        let open = |positions: &[Position]| {
            ChangeFile::open(storage(&folder, "out"), &states, false, |_| true, || Ok(lost_states(positions))).map(drop)
        };
        open(&[]).unwrap();
        let name = "changes-20251121T120000500000Z-0000.jsonl";
        let position = Position { file: name.to_owned(), length: 7, sha256: "ab".to_owned() };
        for is_complete in [false, true] {
            write_current(&states, name, is_complete);
            assert!(matches!(open(std::slice::from_ref(&position)), Err(CohortError::LostChanges { .. })), "{is_complete}");
        }
        let out = storage(&folder, "out");
        out.write(LAST_FILE, name.as_bytes()).unwrap();
        out.write(&unfinished(name), b"{}\n").unwrap();
        assert!(matches!(open(std::slice::from_ref(&position)), Err(CohortError::LostChanges { .. })), "the file is shorter");
        // States from the middle of the run are older than the file.
        write_current(&states, name, false);
        let error = open(std::slice::from_ref(&position)).unwrap_err().to_string();
        assert!(error.contains(OLDER_STATES), "{error}");
        write_current(&states, name, true);
        out.remove(&unfinished(name)).unwrap();
        open(&[position]).unwrap();
    }
}
