//! Keys of digests.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use vitalwire::error::Error;
use zeroize::Zeroizing;

/// Minimum length of a secret.
const MIN_SECRET_BYTES: usize = 16;

/// Key of the digests in the states of one user.
///
/// States contain digests of values, but no values. Without the key, nobody can find the values of a digest by trying. Use the same secret
/// and user for all states of a copy.
#[derive(Clone)]
pub struct SyncKey {
    secret: Zeroizing<Vec<u8>>,
    user: String,
}

impl SyncKey {
    /// Creates the key of a user from a secret. Store the secret apart from the states. Several users can share a secret. `user` is any id
    /// that identifies the user for the caller. States contain only a digest of it.
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

    /// Returns a hash that has the key and the purpose.
    pub(crate) fn hash(&self, purpose: &str) -> Hmac<Sha256> {
        // HMAC accepts a key of any length.
        let mut hash = Hmac::<Sha256>::new_from_slice(&self.secret).unwrap_or_else(|_| Hmac::new(&Default::default()));
        add_part(&mut hash, purpose.as_bytes());
        hash
    }
}

/// Redacted: shows neither secret nor user.
impl fmt::Debug for SyncKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyncKey").finish_non_exhaustive()
    }
}

/// Adds a text to a hash, with its length, so that the bounds of texts count.
pub(crate) fn add_part(hash: &mut Hmac<Sha256>, part: &[u8]) {
    hash.update(&(part.len() as u64).to_le_bytes());
    hash.update(part);
}
