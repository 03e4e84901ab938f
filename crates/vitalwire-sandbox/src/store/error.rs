//! Database errors.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;

/// Reason why a database file cannot be used. The file is left unchanged.
#[derive(Debug)]
#[non_exhaustive]
pub struct DatabaseError {
    path: PathBuf,
    reason: Reason,
}

#[derive(Debug)]
pub(crate) enum Reason {
    /// Another program, most likely a sandbox, has the file open.
    InUse,
    /// The file is not a database, or belongs to another program.
    Foreign,
    /// Created by a later version of this crate.
    Newer,
    /// Created with another seed, so it belongs to other people.
    OtherSeed { stored: u64, requested: u64 },
    /// The stored clock is past noon of the requested date.
    LaterDay { stored: Timestamp, requested: Date },
    /// Readable but not writable.
    ReadOnly,
    /// SQLite reports it as damaged.
    Damaged,
    /// A file system error.
    File(std::io::Error),
    /// Any other SQLite error.
    Sqlite(rusqlite::Error),
}

impl DatabaseError {
    pub(crate) fn new(path: PathBuf, reason: Reason) -> Self {
        Self { path, reason }
    }
}

impl From<rusqlite::Error> for Reason {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::InUse,
            Some(ErrorCode::NotADatabase) => Self::Foreign,
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged,
            Some(ErrorCode::ReadOnly) => Self::ReadOnly,
            _ => Self::Sqlite(error),
        }
    }
}

impl fmt::Display for DatabaseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: ", self.path.display())?;
        match &self.reason {
            Reason::InUse => formatter.write_str("another program has this database open"),
            Reason::Foreign => formatter.write_str("not a database of a sandbox"),
            Reason::Newer => formatter.write_str("this database was created by a later version"),
            Reason::OtherSeed { stored, requested } => {
                write!(formatter, "this database was created with seed {stored}, not with seed {requested}")
            }
            Reason::LaterDay { stored, requested } => {
                let stored = stored.strftime("%Y-%m-%d %H:%M:%S UTC");
                write!(formatter, "the clock of this database shows {stored} and never goes back: it cannot stop at noon of {requested}")
            }
            Reason::ReadOnly => formatter.write_str("this database is not writable"),
            Reason::Damaged => formatter.write_str("this database is damaged"),
            Reason::File(error) => write!(formatter, "{error}"),
            Reason::Sqlite(error) => write!(formatter, "{error}"),
        }
    }
}

impl std::error::Error for DatabaseError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.reason {
            Reason::File(error) => Some(error),
            Reason::Sqlite(error) => Some(error),
            _ => None,
        }
    }
}

/// Failure of a database operation in a running sandbox, for example because the disk is full. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreError(Arc<str>);

impl StoreError {
    pub(crate) fn new(why: impl fmt::Display) -> Self {
        Self(why.to_string().into())
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the sandbox's database failed: {}", self.0)
    }
}

impl std::error::Error for StoreError {}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::new(error)
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        // The text of the JSON error could contain a stored value.
        Self::new(format_args!("a stored value has another format ({:?})", error.classify()))
    }
}
