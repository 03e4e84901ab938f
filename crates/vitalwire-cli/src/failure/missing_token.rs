//! The reason for a missing token.

use std::fmt;

use vitalwire::Error;

/// The reason for a missing token: a fixed text, without the content that was read.
#[derive(Clone, Debug)]
pub(crate) enum MissingToken {
    /// The token file cannot be read.
    File(String),
    /// The token command cannot be started.
    Command(String),
    /// The file or the command returned no token.
    Other(String),
    /// The token belongs to another service: a description and the remedy.
    OtherOrigin(String, String),
}

impl fmt::Display for MissingToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::File(text) | Self::Command(text) | Self::Other(text) | Self::OtherOrigin(text, _)) = self;
        f.write_str(text)
    }
}

impl std::error::Error for MissingToken {}

impl MissingToken {
    /// Returns the reason from the causes of a call's error.
    pub(super) fn find_in(error: &Error) -> Option<&Self> {
        let first = std::error::Error::source(error);
        std::iter::successors(first, |cause| cause.source()).find_map(|cause| cause.downcast_ref())
    }
}
