//! State files of users.

use data_encoding::HEXLOWER;
use vitalwire_sync::SyncError;

use super::secret::keyed_digest;
use crate::error::CohortError;
use crate::storage::Storage;

/// Maximum size of a state.
const MAX_STATE_BYTES: u64 = 16 << 20;

/// Suffix of the names of state files.
pub(super) const STATE_SUFFIX: &str = ".state";

/// The state file of a user. The file name is a keyed digest, so that the folder names no user.
pub(super) struct StateFile<'a> {
    storage: &'a Storage,
    name: String,
}

impl<'a> StateFile<'a> {
    pub(super) fn new(storage: &'a Storage, secret: &[u8], user: &str) -> Self {
        let digest = keyed_digest(secret, b"vitalwire sync file", user.as_bytes());
        let name = HEXLOWER.encode(digest.first_chunk::<16>().map_or(&[][..], |bytes| bytes));
        Self { storage, name: format!("{name}{STATE_SUFFIX}") }
    }

    pub(super) fn read(&self) -> Result<Option<Vec<u8>>, CohortError> {
        self.storage.read(&self.name, MAX_STATE_BYTES)
    }

    pub(super) fn write(&self, state: &[u8]) -> Result<(), CohortError> {
        self.storage.write(&self.name, state)
    }

    pub(super) fn error(&self, error: SyncError) -> CohortError {
        match error {
            SyncError::Client(error) => error.into(),
            error => CohortError::dataset(&self.storage.path(&self.name), error.to_string()),
        }
    }
}
