//! Files with changes.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};
use vitalwire::value::Timestamp;
use vitalwire_sync::{Change, SyncPart};

use crate::error::CohortError;
use crate::storage::Storage;

/// File that a running sync locks. Another sync would take its unfinished file for that of an interrupted run.
const LOCK_FILE: &str = ".vitalwire-lock";

/// Suffix of the file that a running sync writes.
const UNFINISHED: &str = ".part";

/// The file with the changes of a run. It gets its final name when the run ends.
pub(super) struct ChangeFile {
    storage: Storage,
    name: String,
    has_lines: Mutex<bool>,
    _lock: std::fs::File,
}

impl ChangeFile {
    /// Opens a new file. Completes files of interrupted runs, whose changes may already be part of the states.
    pub(super) fn open(folder: &Path) -> Result<Self, CohortError> {
        let storage = Storage::new(folder);
        let lock = storage.lock(LOCK_FILE)?;
        for entry in storage.entries("").unwrap_or_default() {
            if let Some(name) = entry.strip_suffix(UNFINISHED).filter(|name| is_change_file(name)) {
                storage.cut_incomplete_line(&entry)?;
                storage.rename_new(&entry, name)?;
            }
        }
        let now = Timestamp::try_from(std::time::SystemTime::now()).unwrap_or_default();
        let time: String = now.to_string().chars().take_while(|character| *character != '.').filter(char::is_ascii_alphanumeric).collect();
        let time = time.trim_end_matches('Z');
        let name = (0_u32..).map(|number| if number == 0 { String::new() } else { format!("-{number}") });
        let name = name.map(|number| format!("changes-{time}Z{number}.jsonl")).find(|name| !storage.exists(name)).unwrap_or_default();
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

fn is_change_file(name: &str) -> bool {
    name.starts_with("changes-") && name.ends_with(".jsonl")
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
