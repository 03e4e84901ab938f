//! File in the folder of states about the last files of changes.

use serde::{Deserialize, Serialize};

use super::change_file::is_change_file;
use crate::error::CohortError;
use crate::storage::Storage;

/// Name of the file.
pub(super) const PROGRESS_FILE: &str = "changes";

/// Maximum size of the file.
const MAX_BYTES: u64 = 1024;

/// Files of changes that the states may contain. Written before each step that changes the files.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Progress {
    /// The last file with a final name. It may have been moved away.
    pub(super) finished: Option<FinishedFile>,
    /// The file of an interrupted or running sync.
    pub(super) current: Option<CurrentFile>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct FinishedFile {
    pub(super) name: String,
    /// `None` if the file was moved away before its end was read.
    pub(super) end: Option<FileEnd>,
}

/// End of a file, which shows whether the file was changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileEnd {
    length: u64,
    /// Checksum of the last bytes.
    sha256: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct CurrentFile {
    pub(super) name: String,
    /// Whether the file has all changes. Then its name is written to the folder of changes next, and after it the file gets its final name.
    pub(super) is_complete: bool,
}

impl Progress {
    /// Reads the file. Returns `None` if there is none.
    pub(super) fn read(states: &Storage) -> Result<Option<Self>, CohortError> {
        let Some(content) = states.read(PROGRESS_FILE, MAX_BYTES)? else { return Ok(None) };
        let is_valid = |progress: &Self| {
            let current = progress.current.as_ref().map(|current| &current.name);
            current.into_iter().chain(progress.finished.as_ref().map(|finished| &finished.name)).all(|name| is_change_file(name))
        };
        let progress: Option<Self> = serde_json::from_slice(&content).ok().filter(is_valid);
        progress
            .map(Some)
            .ok_or_else(|| CohortError::dataset(&states.path(PROGRESS_FILE), "the file is damaged; restore it with the states"))
    }

    pub(super) fn write(&self, states: &Storage) -> Result<(), CohortError> {
        let content = serde_json::to_vec(self);
        states.write(PROGRESS_FILE, &content.map_err(|error| CohortError::io(&states.path(PROGRESS_FILE))(error.into()))?)
    }
}

impl FileEnd {
    /// Reads the end of a file. Returns `None` if there is no such file.
    pub(super) fn read(storage: &Storage, name: &str) -> Result<Option<Self>, CohortError> {
        let Some(length) = storage.length(name)? else { return Ok(None) };
        Ok(storage.checksum_before(name, length)?.map(|sha256| Self { length, sha256 }))
    }
}
