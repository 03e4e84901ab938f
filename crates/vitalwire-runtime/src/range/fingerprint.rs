//! Fingerprints of calls: a hash of their parameters, in 16 bytes.

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::transport::CallOptions;

/// Length of a fingerprint, in bytes. Half of a SHA-256 is enough to distinguish calls.
pub(crate) const FINGERPRINT_BYTES: usize = 16;

/// Hashes the names and values of parameters.
#[doc(hidden)]
pub struct Fingerprint(Sha256);

impl Fingerprint {
    /// Creates an empty fingerprint.
    #[expect(clippy::new_without_default, reason = "for generated code")]
    #[must_use]
    pub fn new() -> Self {
        Self(Sha256::new())
    }

    /// Adds one parameter.
    pub fn add(&mut self, name: &str, value: &impl Serialize) {
        // A value that cannot be written as JSON cannot be sent either.
        let value = serde_json::to_vec(value).unwrap_or_default();
        for bytes in [name.as_bytes(), &value] {
            self.0.update((bytes.len() as u64).to_be_bytes());
            self.0.update(bytes);
        }
    }

    /// Adds the options that affect the response.
    pub fn add_options(&mut self, options: &CallOptions) {
        self.add("", &options.query);
    }

    /// Returns the fingerprint.
    #[must_use]
    pub fn finish(self) -> [u8; FINGERPRINT_BYTES] {
        let mut half = [0; FINGERPRINT_BYTES];
        half.copy_from_slice(&self.0.finalize()[..FINGERPRINT_BYTES]);
        half
    }
}
