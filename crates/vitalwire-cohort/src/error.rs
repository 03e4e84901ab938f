//! The error type of cohorts.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use vitalwire::error::Error;

use crate::failure::FailureReason;

/// Maximum number of state files in a message.
const LISTED_STATES: usize = 10;

/// An error that ends work on the whole cohort. A failure of one user does not; it is a [`Failure`](crate::Failure).
///
/// Messages can contain paths, but no token, key, user id or health data.
#[derive(Debug)]
#[non_exhaustive]
pub enum CohortError {
    /// A call failed, or an argument is invalid.
    Client(Error),
    /// The file of users is invalid, or a key that it names cannot be read.
    Users {
        /// Path of the file. `None` for credentials that are not from a file.
        path: Option<PathBuf>,
        /// Line of the file, counted from 1. `None` if the error concerns the whole file.
        line: Option<u64>,
        /// The broken rule. Contains no token and no key.
        reason: String,
    },
    /// No user could be read.
    NobodyRead {
        /// Reasons of the failures, the most frequent first.
        reasons: Vec<FailureReason>,
    },
    /// A folder or file of a dataset has unexpected content, or is in use.
    Dataset {
        /// The folder or file.
        path: PathBuf,
        /// The broken rule, and the remedy.
        reason: String,
    },
    /// The file of an interrupted sync is missing, or lacks changes that states contain. Nothing was requested.
    ///
    /// Restore the file, or start the users of these states again: remove their records from the copy, and their states.
    LostChanges {
        /// The file of changes.
        path: PathBuf,
        /// The states whose changes are lost.
        states: Vec<LostState>,
    },
    /// A folder or file cannot be read or written.
    Io {
        /// The folder or file.
        path: PathBuf,
        /// The cause.
        cause: io::Error,
    },
}

/// A state whose changes are lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostState {
    /// Id of the user. `None` for a user who is not part of the sync.
    pub user: Option<String>,
    /// The state file.
    pub path: PathBuf,
}

impl CohortError {
    #[cfg(feature = "dataset")]
    pub(crate) fn dataset(path: &Path, reason: impl Into<String>) -> Self {
        Self::Dataset { path: path.to_owned(), reason: reason.into() }
    }

    /// Returns a function that adds the path to an I/O error, for `map_err`.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |cause| Self::Io { path, cause }
    }
}

impl From<Error> for CohortError {
    fn from(error: Error) -> Self {
        Self::Client(error)
    }
}

impl fmt::Display for CohortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Client(error) => error.fmt(f),
            Self::Users { path, line, reason } => {
                match path {
                    Some(path) => write!(f, "{}", path.display())?,
                    None => f.write_str("the users")?,
                }
                match line {
                    Some(line) => write!(f, ", line {line}: {reason}"),
                    None => write!(f, ": {reason}"),
                }
            }
            Self::NobodyRead { reasons } => {
                f.write_str("the data of no user could be read: ")?;
                match &**reasons {
                    [] => f.write_str("the reason is unknown"),
                    [first, rest @ ..] => {
                        write!(f, "{} ({} tables of users", first.message, first.count)?;
                        if rest.is_empty() { f.write_str(")") } else { write!(f, ", and {} other reasons)", rest.len()) }
                    }
                }
            }
            Self::LostChanges { path, states } => {
                let rule = "the file must have all changes that the states contain";
                let remedy =
                    "restore it (if your consumer has moved this file, put it back once), or start the users of these states again";
                write!(f, "{}: {rule}; {remedy}: remove their records from the copy, and the states:", path.display())?;
                for state in states.iter().take(LISTED_STATES) {
                    write!(f, " {}", state.path.display())?;
                }
                match states.len().saturating_sub(LISTED_STATES) {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
            Self::Dataset { path, reason } => write!(f, "{}: {reason}", path.display()),
            Self::Io { path, cause } => write!(f, "{}: {cause}", path.display()),
        }
    }
}

impl std::error::Error for CohortError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Client(error) => Some(error),
            Self::Io { cause, .. } => Some(cause),
            Self::Users { .. } | Self::NobodyRead { .. } | Self::Dataset { .. } | Self::LostChanges { .. } => None,
        }
    }
}
