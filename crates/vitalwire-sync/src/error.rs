//! Errors of a sync.

use std::fmt;

use vitalwire::error::Error;

/// An error of a sync.
#[derive(Debug)]
#[non_exhaustive]
pub enum SyncError {
    /// A call failed, or an argument is invalid. Parts that were returned before the error stay valid.
    Client(Error),
    /// The state cannot be used. No records were requested.
    State(StateError),
}

/// Reason why a state cannot be used. The remedy is always the same: use the right state, or start again without a state, from the first
/// day of the copy. A first sync returns no removed records, so remove the user's records from the copy first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StateError {
    /// The bytes are not a state, or were changed.
    Damaged,
    /// The state has the layout of another version of this crate.
    UnsupportedVersion,
    /// The state was made with another secret.
    OtherKey,
    /// The state was made with another base URL or service name, or with another data set of a sandbox.
    OtherService,
    /// The state belongs to another user than the call or its token, or to an account that was deleted and created again.
    OtherUser,
}

impl StateError {
    /// Returns the name: `damaged`, `unsupported_version`, `other_key`, `other_service` or `other_user`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Damaged => "damaged",
            Self::UnsupportedVersion => "unsupported_version",
            Self::OtherKey => "other_key",
            Self::OtherService => "other_service",
            Self::OtherUser => "other_user",
        }
    }
}

/// Appends the remedy to a rule.
macro_rules! with_remedy {
    ($rule:literal) => {
        concat!($rule, "; use the right state, or remove the user's records from the copy and start again without a state")
    };
}

impl StateError {
    /// Returns the broken rule and the remedy.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Damaged => with_remedy!("the state is damaged"),
            Self::UnsupportedVersion => with_remedy!("the state has the layout of another version"),
            Self::OtherKey => with_remedy!("the state must be used with the secret that it was made with"),
            Self::OtherService => with_remedy!(
                "the state must be used with the base URL or service name that it was made with, and with the same data set of a sandbox"
            ),
            // A copy must not get records of another user, so starting again is the remedy for a new account only.
            Self::OtherUser => {
                "the state was made for another user or account; use the token of its user, or, if the account was deleted and created again, \
                 remove the user's records from the copy and start again without a state"
            }
        }
    }
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl std::error::Error for StateError {}

/// An `invalid_argument` error about the argument `state`.
impl From<StateError> for Error {
    fn from(error: StateError) -> Self {
        Self::invalid_argument("state", error.reason())
    }
}

/// The error of the call, or an `invalid_argument` error about the argument `state`.
impl From<SyncError> for Error {
    fn from(error: SyncError) -> Self {
        match error {
            SyncError::Client(error) => error,
            SyncError::State(error) => error.into(),
        }
    }
}

impl From<Error> for SyncError {
    fn from(error: Error) -> Self {
        Self::Client(error)
    }
}

impl From<StateError> for SyncError {
    fn from(error: StateError) -> Self {
        Self::State(error)
    }
}

impl fmt::Display for SyncError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Client(error) => error.fmt(f),
            Self::State(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SyncError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Client(error) => Some(error),
            Self::State(error) => Some(error),
        }
    }
}
