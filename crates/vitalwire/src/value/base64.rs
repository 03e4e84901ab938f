//! Bytes that travel as base64 text.

use std::fmt;

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use serde::{Serialize, Serializer};

/// Raw bytes of an image or document; base64 text on the wire.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Base64(Vec<u8>);

impl Base64 {
    /// The bytes, not encoded.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl<T: Into<Vec<u8>>> From<T> for Base64 {
    fn from(bytes: T) -> Self {
        Self(bytes.into())
    }
}

/// Redacted: states the size only.
impl fmt::Debug for Base64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Base64({} bytes)", self.0.len())
    }
}

impl Serialize for Base64 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&Base64Display::new(&self.0, &STANDARD))
    }
}
