//! Why a call has no token to send.

use std::fmt;

/// Why there is no token. A text of ours, without what was read.
#[derive(Debug)]
pub(crate) struct NoToken(pub(crate) String);

impl fmt::Display for NoToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoToken {}

impl NoToken {
    /// The one among the causes of a call's error.
    pub(super) fn within(error: &vitalwire::Error) -> Option<&Self> {
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
