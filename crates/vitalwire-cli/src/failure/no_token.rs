//! The reason why a call has no token to send.

use std::fmt;

use vitalwire::Error;

/// The reason why there is no token. A text of ours, without what was read.
#[derive(Debug)]
pub(crate) enum NoToken {
    /// The file of the token cannot be read.
    File(String),
    /// The file or the command gives no token.
    Other(String),
}

impl fmt::Display for NoToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::File(text) | Self::Other(text)) = self;
        f.write_str(text)
    }
}

impl std::error::Error for NoToken {}

impl NoToken {
    /// The one among the causes of a call's error.
    pub(super) fn within(error: &Error) -> Option<&Self> {
        let mut cause: Option<&(dyn std::error::Error + 'static)> = std::error::Error::source(error);
        while let Some(error) = cause {
            if let Some(found) = error.downcast_ref() {
                return Some(found);
            }
            cause = error.source();
        }
        None
    }
}
