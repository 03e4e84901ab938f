//! Pseudonyms of user ids.

use std::fmt;
use std::path::Path;

use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use vitalwire::error::Error;
use zeroize::Zeroizing;

use crate::credentials::KeySource;

/// Minimum length of a key.
const MIN_KEY_BYTES: usize = 16;

/// Length of a pseudonym. Among a million users, the probability that any two have the same pseudonym is about 10⁻²⁷.
const PSEUDONYM_BYTES: usize = 16;

/// A key that replaces user ids with pseudonyms.
///
/// The same key always returns the same pseudonym for a user. Without the key, a pseudonym cannot be linked to a user id.
#[derive(Clone)]
pub struct PseudonymKey(Zeroizing<Vec<u8>>);

impl PseudonymKey {
    /// Creates a key. A byte order mark and surrounding white space are removed.
    ///
    /// # Errors
    /// `invalid_argument` if the key is shorter than 16 bytes.
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        let key = key.strip_prefix(b"\xef\xbb\xbf").unwrap_or(key).trim_ascii();
        if key.len() < MIN_KEY_BYTES {
            return Err(Error::invalid_argument("pseudonym_key", "must be at least 16 bytes long"));
        }
        Ok(Self(Zeroizing::new(key.to_vec())))
    }

    /// Reads a key from a file.
    ///
    /// # Errors
    /// `invalid_argument` if the file cannot be read or is larger than 64 KiB, or if the key is shorter than 16 bytes.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::new(&KeySource::File(path.as_ref().to_owned()).read().map_err(|error| error.with_argument("pseudonym_key"))?)
    }

    /// Returns the pseudonym of a user: the first 16 bytes of the HMAC-SHA256 of the id, as lower-case hex.
    #[must_use]
    pub fn pseudonym(&self, user: &str) -> String {
        // A key of any length is valid, so an error is impossible.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return String::new() };
        mac.update(user.as_bytes());
        HEXLOWER.encode(&mac.finalize().into_bytes()[..PSEUDONYM_BYTES])
    }
}

/// Does not show the key.
impl fmt::Debug for PseudonymKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PseudonymKey(..)")
    }
}
