//! The secret of the digests in states.

use uuid::Uuid;
use zeroize::Zeroizing;

use crate::error::CohortError;
use crate::storage::Storage;

/// File with the secret of the states, in their folder.
pub(super) const SECRET_FILE: &str = "secret";

/// Minimum and maximum length of a secret.
pub(super) const SECRET_BYTES: std::ops::RangeInclusive<usize> = 16..=4_096;

pub(super) fn read_secret(storage: &Storage) -> Result<Option<Zeroizing<Vec<u8>>>, CohortError> {
    let limit = *SECRET_BYTES.end() as u64;
    match storage.read(SECRET_FILE, limit)?.map(Zeroizing::new) {
        Some(secret) if !SECRET_BYTES.contains(&secret.len()) => {
            Err(CohortError::dataset(&storage.path(SECRET_FILE), "must be 16 to 4,096 bytes long; remove the states to start again"))
        }
        secret => Ok(secret),
    }
}

/// Returns a random secret of 32 bytes.
pub(super) fn new_secret() -> Zeroizing<Vec<u8>> {
    Zeroizing::new([Uuid::new_v4(), Uuid::new_v4()].iter().flat_map(|uuid| *uuid.as_bytes()).collect())
}
