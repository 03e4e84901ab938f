//! Failures to read a body.

use std::io;

/// A body that could not be read.
pub(super) enum UnreadableBody {
    TooLarge,
    /// The connection broke.
    Broken(reqwest::Error),
    /// It cannot be decompressed, or the connection broke meanwhile.
    Packed(io::Error),
    /// It has a content encoding that was not requested.
    UnknownCoding,
}
