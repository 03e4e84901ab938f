//! Failures to read a body.

use std::io;

use tokio::task::JoinError;

/// Failure to read a response body.
pub(super) enum UnreadableBody {
    TooLarge,
    /// The connection failed.
    Connection(reqwest::Error),
    /// The runtime ended while its task read the body.
    EndedRuntime(JoinError),
    /// The body cannot be decompressed, or the connection failed meanwhile.
    Decompression(io::Error),
    /// The body has a content coding that was not requested.
    UnknownCoding,
}
