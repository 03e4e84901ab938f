//! Files with the changes of a run, as lines of JSON.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use vitalwire::value::Timestamp;
use vitalwire_sync::{Change, SyncPart};

use super::state_file::Position;
use crate::error::{CohortError, LostState};
use crate::storage::Storage;

/// File that a running sync locks. Without the lock, another sync would rename the unfinished file of the running sync.
const LOCK_FILE: &str = ".vitalwire-lock";

/// Suffix of the file that a running sync writes.
const UNFINISHED: &str = ".part";

/// File with the name of the last file of changes, in the folder of changes. It shows states that are older than the changes, even if the
/// changes were moved away.
const LAST_FILE: &str = ".vitalwire-last";

/// File in the folder of states about the last file of changes.
const PROGRESS_FILE: &str = "changes";

/// Maximum size of both files.
const MAX_NAME_BYTES: u64 = 1024;

/// Error reason if the folder of changes was used with other states.
const OLDER_STATES: &str = "the folder has changes that the states do not contain; use the states of its last sync, or remove the records \
                            from the copy and start again with new folders for states and changes";

/// The last file of changes that the states may contain. Written before the file is created.
#[derive(Debug, Serialize, Deserialize)]
struct LastFile {
    name: String,
    /// Whether the file has its final name, so that it may have been moved away.
    is_finished: bool,
}

/// The file with the changes of a run. The file gets its final name when the run ends.
pub(super) struct ChangeFile<'a> {
    storage: Storage,
    states: &'a Storage,
    name: String,
    has_lines: Mutex<bool>,
    _lock: std::fs::File,
}

impl<'a> ChangeFile<'a> {
    /// Chooses the name of a new file. Gives the files of interrupted runs their final names, because their changes may be in the states.
    ///
    /// # Errors
    /// * [`CohortError::LostChanges`] if the file of an interrupted run lacks changes that the states contain.
    /// * [`CohortError::Dataset`] if the states lack changes of the folder.
    pub(super) fn open(
        folder: &Path,
        states: &'a Storage,
        positions: impl FnOnce() -> Result<Vec<(LostState, Position)>, CohortError>,
    ) -> Result<Self, CohortError> {
        let storage = Storage::new(folder);
        let lock = storage.lock(LOCK_FILE)?;
        let entries = storage.entries("")?;
        let names = entries.iter().map(|entry| entry.strip_suffix(UNFINISHED).unwrap_or(entry));
        let written = names.map(str::to_owned).chain(read_text(&storage, LAST_FILE)?).filter(|name| is_change_file(name)).max();
        let last = read_last_file(states)?;
        if written.as_ref() > last.as_ref().map(|last| &last.name) {
            return Err(CohortError::dataset(folder, OLDER_STATES));
        }
        let last_name = last.as_ref().map(|last| last.name.clone());
        let unfinished = last.filter(|last| !last.is_finished);
        if let Some(last) = &unfinished {
            check_complete(&storage, &last.name, positions()?)?;
        }
        for entry in entries {
            if let Some(name) = entry.strip_suffix(UNFINISHED).filter(|name| is_change_file(name)) {
                storage.cut_incomplete_line(&entry)?;
                storage.rename_new(&entry, name)?;
            }
        }
        let now = Timestamp::try_from(std::time::SystemTime::now()).unwrap_or_default();
        let name = next_name(now, last_name.as_deref());
        let file = Self { storage, states, name, has_lines: Mutex::new(false), _lock: lock };
        if let Some(LastFile { name, .. }) = unfinished {
            file.record_finished(name)?;
        }
        Ok(file)
    }

    /// Appends the changes of a part, and flushes them to the disk. Returns the position after them.
    pub(super) fn append(&self, user: &str, part: &SyncPart) -> Result<Position, CohortError> {
        let mut has_lines = self.has_lines.lock().unwrap_or_else(PoisonError::into_inner);
        if !*has_lines {
            write_last_file(self.states, &LastFile { name: self.name.clone(), is_finished: false })?;
            *has_lines = true;
        }
        let lines: Vec<String> = part.changes().iter().map(|change| json_line(user, part, change).to_string()).collect();
        let unfinished = format!("{}{UNFINISHED}", self.name);
        let length = self.storage.append_line(&unfinished, &lines.join("\n"))?;
        let replaced = || CohortError::dataset(&self.storage.path(&unfinished), "must not be changed while a sync writes it");
        let sha256 = self.storage.checksum_before(&unfinished, length)?.ok_or_else(replaced)?;
        Ok(Position { file: self.name.clone(), length, sha256 })
    }

    pub(super) fn finish(self) -> Result<Option<PathBuf>, CohortError> {
        if !*self.has_lines.lock().unwrap_or_else(PoisonError::into_inner) {
            return Ok(None);
        }
        self.storage.rename_new(&format!("{}{UNFINISHED}", self.name), &self.name)?;
        self.record_finished(self.name.clone())?;
        Ok(Some(self.storage.path(&self.name)))
    }

    /// Records that a file has its final name. If the program ends before, the next run finds the file, unless it was moved away.
    fn record_finished(&self, name: String) -> Result<(), CohortError> {
        self.storage.write(LAST_FILE, name.as_bytes())?;
        write_last_file(self.states, &LastFile { name, is_finished: true })
    }
}

/// Checks that the file of an interrupted run has all changes that the states contain.
fn check_complete(storage: &Storage, name: &str, positions: Vec<(LostState, Position)>) -> Result<(), CohortError> {
    let unfinished = format!("{name}{UNFINISHED}");
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
    Ok(storage.read(name, MAX_NAME_BYTES)?.and_then(|content| String::from_utf8(content).ok()))
}

fn read_last_file(states: &Storage) -> Result<Option<LastFile>, CohortError> {
    let Some(content) = states.read(PROGRESS_FILE, MAX_NAME_BYTES)? else { return Ok(None) };
    let last: Option<LastFile> = serde_json::from_slice(&content).ok().filter(|last: &LastFile| is_change_file(&last.name));
    last.map(Some).ok_or_else(|| CohortError::dataset(&states.path(PROGRESS_FILE), "the file is damaged; restore it with the states"))
}

fn write_last_file(states: &Storage, last: &LastFile) -> Result<(), CohortError> {
    let content = serde_json::to_vec(last).map_err(|error| CohortError::io(&states.path(PROGRESS_FILE))(error.into()))?;
    states.write(PROGRESS_FILE, &content)
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
fn is_change_file(name: &str) -> bool {
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
}
