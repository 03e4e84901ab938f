//! State files of users.

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use vitalwire_sync::SyncError;

use super::secret::keyed_digest;
use crate::error::{CohortError, LostState};
use crate::storage::Storage;

/// Maximum size of a state file.
const MAX_STATE_BYTES: u64 = 16 << 20;

/// Suffix of the names of state files.
const STATE_SUFFIX: &str = ".state";

/// The state file of a user. The file name is a keyed digest, so that the folder names no user.
pub(super) struct StateFile<'a> {
    storage: &'a Storage,
    name: String,
}

/// Content of a state file: a line of JSON with the position of the user's last changes, if there are any, and the state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StoredState {
    /// Position of the last changes that the state contains.
    pub(super) position: Option<Position>,
    pub(super) state: Vec<u8>,
}

/// End of a user's last changes in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Position {
    /// Name of the file of changes, without the suffix of an unfinished file.
    pub(super) file: String,
    /// Length of the file after the changes.
    pub(super) length: u64,
    /// Checksum of the last bytes of the changes.
    pub(super) sha256: String,
}

impl<'a> StateFile<'a> {
    pub(super) fn new(storage: &'a Storage, secret: &[u8], user: &str) -> Self {
        let digest = keyed_digest(secret, b"vitalwire sync file", user.as_bytes());
        let name = HEXLOWER.encode(digest.first_chunk::<16>().map_or(&[][..], |bytes| bytes));
        Self { storage, name: format!("{name}{STATE_SUFFIX}") }
    }

    pub(super) fn read(&self) -> Result<Option<StoredState>, CohortError> {
        Ok(self.storage.read(&self.name, MAX_STATE_BYTES)?.map(|content| StoredState::parse(&content)))
    }

    pub(super) fn write(&self, stored: &StoredState) -> Result<(), CohortError> {
        let content = stored.content().map_err(|error| CohortError::io(&self.storage.path(&self.name))(error.into()))?;
        self.storage.write(&self.name, &content)
    }

    pub(super) fn exists(&self) -> bool {
        self.storage.exists(&self.name)
    }

    pub(super) fn remove(&self) -> Result<bool, CohortError> {
        let exists = self.storage.exists(&self.name);
        self.storage.remove(&self.name).map(|()| exists)
    }

    pub(super) fn error(&self, error: SyncError) -> CohortError {
        match error {
            SyncError::Client(error) => error.into(),
            error => CohortError::dataset(&self.storage.path(&self.name), error.to_string()),
        }
    }
}

impl StoredState {
    fn content(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut content = Vec::new();
        if let Some(position) = &self.position {
            content = serde_json::to_vec(position)?;
            content.push(b'\n');
        }
        content.extend(&self.state);
        Ok(content)
    }

    /// Reads the content of a file. A damaged position stays part of the state, which is then damaged, too.
    fn parse(content: &[u8]) -> Self {
        let line = content.iter().position(|byte| *byte == b'\n').and_then(|end| content.split_at_checked(end));
        let parsed = line.and_then(|(line, rest)| Some((serde_json::from_slice(line).ok()?, rest.get(1..)?)));
        match parsed {
            Some((position, state)) => Self { position: Some(position), state: state.to_vec() },
            None => Self { position: None, state: content.to_vec() },
        }
    }
}

/// Reads the content of a state file. Returns the state, and the content that is written for it, for fuzz targets.
#[must_use]
pub fn read_state_file(content: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let stored = StoredState::parse(content);
    let written = stored.content().ok()?;
    Some((stored.state, written))
}

/// Whether a folder has states.
pub(super) fn has_states(storage: &Storage) -> Result<bool, CohortError> {
    Ok(storage.entries("")?.iter().any(|name| name.ends_with(STATE_SUFFIX)))
}

/// Returns the positions in all states of a folder, with the users whose ids are known. A state that cannot be read has none.
pub(super) fn positions<'a>(
    storage: &Storage,
    secret: &[u8],
    users: impl Iterator<Item = &'a str>,
) -> Result<Vec<(LostState, Position)>, CohortError> {
    let names: std::collections::HashMap<String, &str> = users.map(|user| (StateFile::new(storage, secret, user).name, user)).collect();
    let mut positions = Vec::new();
    for name in storage.entries("")?.into_iter().filter(|name| name.ends_with(STATE_SUFFIX)) {
        let file = StateFile { storage, name };
        if let Ok(Some(StoredState { position: Some(position), .. })) = file.read() {
            let user = names.get(&file.name).map(|user| (*user).to_owned());
            positions.push((LostState { user, path: storage.path(&file.name) }, position));
        }
    }
    positions.sort_unstable_by(|one, other| one.0.path.cmp(&other.0.path));
    Ok(positions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_file_has_the_position_before_the_state() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::new(folder.path());
        let file = StateFile::new(&storage, b"0123456789abcdef", "user-7");
        assert_eq!(file.read().unwrap(), None);
        let position = Position { file: "changes-1.jsonl".to_owned(), length: 7, sha256: "ab".to_owned() };
        for position in [None, Some(position)] {
            let stored = StoredState { position, state: b"vwsync\x01\n{}\n".to_vec() };
            file.write(&stored).unwrap();
            assert_eq!(file.read().unwrap(), Some(stored));
        }
        assert!(file.remove().unwrap() && !file.remove().unwrap());
    }
}
