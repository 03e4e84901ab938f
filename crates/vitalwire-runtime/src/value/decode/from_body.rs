//! Types that a whole body is decoded as.

use serde::de::DeserializeOwned;

use super::Decode;
use super::fast_path::{self, Cursor, FastPathError};
use super::lists::NullableList;

/// A type that the fast path decodes a whole body as. serde decodes a body that the fast path cannot decode.
pub trait FromBody: DeserializeOwned {
    /// Decodes the text of a body.
    fn from_body(text: &str) -> Result<Self, FastPathError>;
}

impl<T: Decode + DeserializeOwned> FromBody for T {
    fn from_body(text: &str) -> Result<Self, FastPathError> {
        read_whole(text, |cursor| fast_path::strict(cursor, || None))
    }
}

impl<T: Decode> FromBody for NullableList<T> {
    fn from_body(text: &str) -> Result<Self, FastPathError> {
        read_whole(text, fast_path::strict_list).map(Self)
    }
}

/// Decodes a text, which must end after the value. Without the feature `fast-decoding`, serde decodes it.
pub(crate) fn read_whole<'t, T>(text: &'t str, read: impl FnOnce(&mut Cursor<'t>) -> Result<T, FastPathError>) -> Result<T, FastPathError> {
    if !cfg!(feature = "fast-decoding") {
        return Err(FastPathError::Unsupported);
    }
    let mut cursor = Cursor::new(text);
    let value = read(&mut cursor)?;
    if cursor.is_at_end() { Ok(value) } else { Err(FastPathError::Malformed) }
}
