//! What can go wrong with the database.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;

/// Why a database file is not used. What is kept in it stays as it is.
#[derive(Debug)]
#[non_exhaustive]
pub struct DatabaseError {
    path: PathBuf,
    reason: Reason,
}

/// What is wrong with it.
#[derive(Debug)]
pub(crate) enum Reason {
    /// Another program, most likely a sandbox, has it open.
    InUse,
    /// Not a database, or one of another program.
    Foreign,
    /// Made by a later version of this program.
    Newer,
    /// Its people follow from another seed.
    OtherSeed { its: u64, asked: u64 },
    /// Its clock shows a later instant than the noon of the day asked for.
    LaterDay { its: Timestamp, asked: Date },
    /// It can be read but not written.
    ReadOnly,
    /// SQLite finds it damaged.
    Damaged,
    /// The file system refuses.
    File(std::io::Error),
    /// SQLite fails otherwise.
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
            Reason::Newer => formatter.write_str("this database was made by a later version"),
            Reason::OtherSeed { its, asked } => {
                write!(formatter, "this database belongs to the people of seed {its}, not of seed {asked}")
            }
            Reason::LaterDay { its, asked } => {
                let its = its.strftime("%Y-%m-%d %H:%M:%S UTC");
                write!(formatter, "the clock of this database shows {its} and never goes back: it cannot stop at noon of {asked}")
            }
            Reason::ReadOnly => formatter.write_str("this database cannot be written"),
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

/// A running sandbox's database could not do what it was asked: the disk is full or gone. Nothing was acknowledged, and nothing has changed.
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
        // Its text could repeat a value.
        Self::new(format_args!("a stored value does not fit ({:?})", error.classify()))
    }
}
