//! Keys of digests.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use vitalwire::error::Error;
use zeroize::Zeroizing;

use crate::generated::RecordKind;
use crate::state::rows::{Record, RecordColumns, RecordKey};

/// Minimum length of a secret.
const MIN_SECRET_BYTES: usize = 16;

/// Bits of a content key. The probability that a changed record keeps its content key is 4 · 10⁻¹⁵.
const CONTENT_MASK: u64 = (1 << 48) - 1;

/// Bits of the digest of a day. The probability that a changed day keeps its digest is 10⁻¹².
const DAY_MASK: u64 = (1 << 40) - 1;

/// Key of the digests in the states of one user.
///
/// States contain no health data, only digests. Without the key, nobody can find the data behind a digest by trying values. Use the same
/// secret and user for all states of a copy.
#[derive(Clone)]
pub struct SyncKey {
    secret: Zeroizing<Vec<u8>>,
    user: String,
}

impl SyncKey {
    /// Creates the key of a user, from a secret that is stored outside of the states. Several users can share a secret. `user` is any id that
    /// identifies the user for the caller; states contain only its digest.
    ///
    /// # Errors
    /// `invalid_argument` if the secret is shorter than 16 bytes, or if the user is empty.
    pub fn new(secret: &[u8], user: impl Into<String>) -> Result<Self, Error> {
        let user = user.into();
        if secret.len() < MIN_SECRET_BYTES {
            return Err(Error::invalid_argument("secret", "must be at least 16 bytes long"));
        }
        if user.is_empty() {
            return Err(Error::invalid_argument("user", "must not be empty"));
        }
        Ok(Self { secret: Zeroizing::new(secret.to_vec()), user })
    }

    /// Returns the id of the user.
    #[must_use]
    pub fn user(&self) -> &str {
        &self.user
    }

    /// Returns a digest of texts. Digests of different purposes differ.
    pub(crate) fn digest(&self, purpose: &str, parts: &[&[u8]]) -> [u8; 32] {
        let mut hash = self.hash(purpose);
        parts.iter().for_each(|part| add_part(&mut hash, part));
        hash.finalize().into_bytes().into()
    }

    fn hash(&self, purpose: &str) -> Hmac<Sha256> {
        // A key of any length is valid.
        let mut hash = Hmac::<Sha256>::new_from_slice(&self.secret).unwrap_or_else(|_| Hmac::new(&Default::default()));
        add_part(&mut hash, purpose.as_bytes());
        hash
    }

    /// Returns the digester of the user's records of a kind.
    pub(crate) fn digester(&self, kind: RecordKind) -> Digester {
        let start = |purpose: &str| {
            let mut hash = self.hash(purpose);
            add_part(&mut hash, self.user.as_bytes());
            add_part(&mut hash, kind.as_str().as_bytes());
            hash
        };
        Digester { content: start("content"), day: start("day") }
    }
}

/// Redacted: shows neither secret nor user.
impl fmt::Debug for SyncKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyncKey").finish_non_exhaustive()
    }
}

fn add_part(hash: &mut Hmac<Sha256>, part: &[u8]) {
    hash.update(&(part.len() as u64).to_le_bytes());
    hash.update(part);
}

/// Digests of a user's records of one kind.
#[derive(Clone)]
pub(crate) struct Digester {
    content: Hmac<Sha256>,
    day: Hmac<Sha256>,
}

impl Digester {
    /// Returns the content key of a record.
    pub(crate) fn content(&self, columns: &RecordColumns<'_>, record: &Record) -> u64 {
        let mut hash = self.content.clone();
        columns.add_content(&mut hash, record);
        first_bytes(hash) & CONTENT_MASK
    }

    /// Adds a record to the digest of its day. The order of records makes no difference.
    pub(crate) fn add_to_day(&self, day: u64, key: &RecordKey, content: u64) -> u64 {
        let mut hash = self.day.clone();
        match key {
            RecordKey::Time(time) => add_part(&mut hash, &time.to_le_bytes()),
            RecordKey::Id(id) => add_part(&mut hash, id.as_bytes()),
            RecordKey::Content(_) => {}
        }
        hash.update(&content.to_le_bytes());
        day.wrapping_add(first_bytes(hash)) & DAY_MASK
    }
}

fn first_bytes(hash: Hmac<Sha256>) -> u64 {
    let digest: [u8; 32] = hash.finalize().into_bytes().into();
    digest.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
