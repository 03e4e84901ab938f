//! The error type of cohorts.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use crate::error::Error;

/// An error that ends work on the whole cohort. A failure of one user does not; it is a [`UserFailure`](super::UserFailure).
///
/// Messages can contain paths, but no token, key, user id or health data.
#[derive(Debug)]
#[non_exhaustive]
pub enum CohortError {
    /// A call failed, or an argument is invalid.
    Client(Error),
    /// The file of users is invalid.
    People {
        /// Line of the file, counted from 1. `None` if the error concerns the whole file.
        line: Option<u64>,
        /// The broken rule.
        reason: &'static str,
    },
    /// A folder or file of a dataset has unexpected content, or is in use.
    Dataset {
        /// The folder or file.
        path: PathBuf,
        /// The broken rule, and the remedy.
        reason: &'static str,
    },
    /// A folder or file cannot be read or written.
    Io {
        /// The folder or file.
        path: PathBuf,
        /// The cause.
        cause: io::Error,
    },
}

impl CohortError {
    #[cfg(feature = "cohort-dataset")]
    pub(super) fn dataset(path: &Path, reason: &'static str) -> Self {
        Self::Dataset { path: path.to_owned(), reason }
    }

    /// Returns a function that adds the path to an I/O error, for `map_err`.
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
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
            Self::People { line: Some(line), reason } => write!(f, "the file of users, line {line}: {reason}"),
            Self::People { line: None, reason } => write!(f, "the file of users: {reason}"),
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
            Self::People { .. } | Self::Dataset { .. } => None,
        }
    }
}
