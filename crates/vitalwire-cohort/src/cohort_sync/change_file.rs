//! Files with the changes of a run, as lines of JSON.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};
use vitalwire::value::Timestamp;
use vitalwire_sync::{Change, SyncPart};

use crate::error::CohortError;
use crate::storage::Storage;

/// File that a running sync locks. Without the lock, another sync would rename the unfinished file of the running sync.
const LOCK_FILE: &str = ".vitalwire-lock";

/// Suffix of the file that a running sync writes.
const UNFINISHED: &str = ".part";

/// The file with the changes of a run. The file gets its final name when the run ends.
pub(super) struct ChangeFile {
    storage: Storage,
    name: String,
    has_lines: Mutex<bool>,
    _lock: std::fs::File,
}

impl ChangeFile {
    /// Chooses the name of a new file. Gives the files of interrupted runs their final names, because their changes may be in the states.
    pub(super) fn open(folder: &Path) -> Result<Self, CohortError> {
        let storage = Storage::new(folder);
        let lock = storage.lock(LOCK_FILE)?;
        let mut names = Vec::new();
        for entry in storage.entries("")? {
            let name = entry.strip_suffix(UNFINISHED).unwrap_or(&entry);
            if !is_change_file(name) {
                continue;
            }
            if name.len() < entry.len() {
                storage.cut_incomplete_line(&entry)?;
                storage.rename_new(&entry, name)?;
            }
            names.push(name.to_owned());
        }
        let now = Timestamp::try_from(std::time::SystemTime::now()).unwrap_or_default();
        let name = next_name(now, names.iter().map(String::as_str).max());
        Ok(Self { storage, name, has_lines: Mutex::new(false), _lock: lock })
    }

    /// Appends the changes of a part, and flushes them to the disk.
    pub(super) fn append(&self, user: &str, part: &SyncPart) -> Result<(), CohortError> {
        let lines: Vec<String> = part.changes().iter().map(|change| json_line(user, part, change).to_string()).collect();
        self.storage.append_line(&format!("{}{UNFINISHED}", self.name), &lines.join("\n"))?;
        *self.has_lines.lock().unwrap_or_else(PoisonError::into_inner) = true;
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Option<PathBuf>, CohortError> {
        if !self.has_lines.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Ok(None);
        }
        self.storage.rename_new(&format!("{}{UNFINISHED}", self.name), &self.name)?;
        Ok(Some(self.storage.path(&self.name)))
    }
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
