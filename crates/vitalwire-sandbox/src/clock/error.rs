//! [`ClockError`]: failures of clock changes.

use std::fmt;

use crate::store::StoreError;

/// Reason why the sandbox's clock was not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClockError {
    /// The instant is before the clock's current time, which callers have already seen.
    Backwards,
    /// The speed is not a number from 0 to 1,000,000.
    Scale,
    /// The change could not be stored, so a restart would undo it.
    NotStored(StoreError),
}

impl fmt::Display for ClockError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Backwards => formatter.write_str("the sandbox's clock never goes back"),
            Self::Scale => formatter.write_str("the speed of the sandbox's clock must be a number from 0 to 1000000"),
            Self::NotStored(error) => write!(formatter, "{error}"),
        }
    }
}

impl std::error::Error for ClockError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NotStored(error) => Some(error),
            Self::Backwards | Self::Scale => None,
        }
    }
}
