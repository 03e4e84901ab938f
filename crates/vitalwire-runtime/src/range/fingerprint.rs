//! What a call asks, in 16 bytes.

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::transport::CallOptions;

/// Half of a SHA-256 is enough to tell calls apart.
pub(crate) const LENGTH: usize = 16;

/// Takes in the names and values of parameters.
#[doc(hidden)]
pub struct Fingerprint(Sha256);

impl Fingerprint {
    /// Of nothing yet.
    #[expect(clippy::new_without_default, reason = "for generated code")]
    #[must_use]
    pub fn new() -> Self {
        Self(Sha256::new())
    }

    /// Takes in one parameter.
    pub fn add(&mut self, name: &str, value: &impl Serialize) {
        // What JSON cannot write is not sent either.
        let value = serde_json::to_vec(value).unwrap_or_default();
        for bytes in [name.as_bytes(), &value] {
            self.0.update((bytes.len() as u64).to_be_bytes());
            self.0.update(bytes);
        }
    }

    /// Takes in the options that change what is answered.
    pub fn options(&mut self, options: &CallOptions) {
        self.add("", &options.query);
    }

    /// The fingerprint.
    #[must_use]
    pub fn finish(self) -> [u8; LENGTH] {
        let mut half = [0; LENGTH];
        half.copy_from_slice(&self.0.finalize()[..LENGTH]);
        half
    }
}
