//! The secret of the digests in states.

use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;
use zeroize::Zeroizing;

use super::state_file::has_states;
use crate::error::CohortError;
use crate::storage::Storage;

/// File with the secret of the states, in their folder.
const SECRET_FILE: &str = "secret";

/// File with a digest that is keyed with the secret. It shows whether a secret is that of the states, whose file names depend on it.
const CHECK_FILE: &str = "secret-check";

/// Minimum and maximum length of a secret.
pub(super) const SECRET_BYTES: std::ops::RangeInclusive<usize> = 16..=4_096;

/// Returns the secret of the states: the given one, or that of the folder. Returns `None` if there is none yet.
///
/// # Errors
/// [`CohortError::Dataset`] if the folder has states of another secret.
pub(super) fn find_secret(storage: &Storage, given: Option<&Zeroizing<Vec<u8>>>) -> Result<Option<Zeroizing<Vec<u8>>>, CohortError> {
    let secret = match given {
        Some(secret) => Some(secret.clone()),
        None => read_secret(storage)?,
    };
    let check = storage.read(CHECK_FILE, 64)?;
    let is_right = match (&secret, &check) {
        (Some(secret), Some(check)) => *check == check_text(secret).as_bytes(),
        (None, Some(_)) => false,
        // A folder without the check must be new.
        (_, None) => !has_states(storage)?,
    };
    if is_right {
        return Ok(secret);
    }
    let rule = "the states must be used with the secret that they were made with; use that secret, or start again in an empty folder";
    Err(CohortError::dataset(storage.root(), rule))
}

/// Writes the check of a secret, and a secret that the folder must keep.
pub(super) fn store_secret(storage: &Storage, secret: &[u8], is_new: bool) -> Result<(), CohortError> {
    if is_new {
        storage.write(SECRET_FILE, secret)?;
    }
    if storage.exists(CHECK_FILE) { Ok(()) } else { storage.write(CHECK_FILE, check_text(secret).as_bytes()) }
}

fn check_text(secret: &[u8]) -> String {
    HEXLOWER.encode(&keyed_digest(secret, b"vitalwire sync secret", b""))
}

/// Returns a digest of a text. Digests of different purposes differ.
pub(super) fn keyed_digest(secret: &[u8], purpose: &[u8], text: &[u8]) -> [u8; 32] {
    // A key of any length is valid.
    let mut hash = Hmac::<Sha256>::new_from_slice(secret).unwrap_or_else(|_| Hmac::new(&Default::default()));
    hash.update(purpose);
    hash.update(b"\0");
    hash.update(text);
    hash.finalize().into_bytes().into()
}

fn read_secret(storage: &Storage) -> Result<Option<Zeroizing<Vec<u8>>>, CohortError> {
    let limit = *SECRET_BYTES.end() as u64;
    match storage.read(SECRET_FILE, limit)?.map(Zeroizing::new) {
        Some(secret) if !SECRET_BYTES.contains(&secret.len()) => Err(CohortError::dataset(
            &storage.path(SECRET_FILE),
            "must be 16 to 4,096 bytes long; restore it, or remove the records from the copy and start again with new folders for states and changes",
        )),
        secret => Ok(secret),
    }
}

/// Returns a random secret of 32 bytes.
pub(super) fn new_secret() -> Zeroizing<Vec<u8>> {
    Zeroizing::new([Uuid::new_v4(), Uuid::new_v4()].iter().flat_map(|uuid| *uuid.as_bytes()).collect())
}
