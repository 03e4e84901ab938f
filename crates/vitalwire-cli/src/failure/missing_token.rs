//! The reason for a missing token.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use vitalwire::Error;

/// The reason for a missing token: a fixed text, without the content that was read.
#[derive(Debug)]
pub(crate) enum MissingToken {
    /// The token file cannot be read.
    File(String),
    /// The file or the command returned no token.
    Other(String),
}

impl fmt::Display for MissingToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::File(text) | Self::Other(text)) = self;
        f.write_str(text)
    }
}

impl std::error::Error for MissingToken {}

impl MissingToken {
    /// Returns the reason from the causes of a call's error.
    pub(super) fn find_in(error: &Error) -> Option<&Self> {
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

/// The running token command, for a call that ends at its deadline.
static RUNNING: Mutex<Option<String>> = Mutex::new(None);

/// Returns the token command that a call is waiting for, if there is one.
pub(super) fn running_command() -> Option<String> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Records that a token command has started, or with `None` that it has ended.
pub(crate) fn set_running_command(program: Option<&str>) {
    *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = program.map(str::to_owned);
}
