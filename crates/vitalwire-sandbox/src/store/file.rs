//! Opens a database file. Checks its owner, its version and that no other program uses it.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::error::{DatabaseError, Reason};
use super::sent_bodies;

/// Application id in SQLite's header: "Vwsb".
const APPLICATION: i64 = 0x5677_7362;
/// Version of the tables below and of the JSON in `value`.
const VERSION: i64 = 1;
/// Timeout for the locks of a program that is exiting.
const LOCK_TIMEOUT: Duration = Duration::from_millis(500);

const TABLES: &str = "
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE documents (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    user TEXT NOT NULL,
    id TEXT NOT NULL,
    at INTEGER NOT NULL,
    value TEXT NOT NULL,
    UNIQUE (kind, user, id)
) STRICT;
CREATE INDEX documents_by_time ON documents (kind, user, at);
CREATE INDEX documents_by_age ON documents (kind, number);
";

/// Opens a database that lives as long as its connection.
pub(super) fn open_in_memory(seed: u64) -> Result<Connection, DatabaseError> {
    let open = || -> Result<Connection, Reason> {
        let connection = Connection::open_in_memory()?;
        prepare(&connection, seed)?;
        Ok(connection)
    };
    open().map_err(|reason| DatabaseError::new("memory".into(), reason))
}

/// Opens a database file, and creates it if it is missing. Never writes to a file of another program.
pub(super) fn open_file(path: &Path, seed: u64) -> Result<Connection, DatabaseError> {
    open(path, seed).map_err(|reason| DatabaseError::new(path.to_owned(), reason))
}

fn open(path: &Path, seed: u64) -> Result<Connection, Reason> {
    // An absolute path, because SQLite gives some names a special meaning.
    let path = std::path::absolute(path).map_err(Reason::File)?;
    create(&path).map_err(Reason::File)?;
    let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(LOCK_TIMEOUT)?;
    // Exclusive, because each program caches data in memory. Released when the connection is closed or the program ends.
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK")?;
    if connection.is_readonly("main")? {
        return Err(Reason::ReadOnly);
    }
    check(&connection)?;
    prepare(&connection, seed)?;
    restrict_permissions(&path).map_err(Reason::File)?;
    // FULL syncs the log at each commit, so that a commit is on disk when it returns.
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0))?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    Ok(connection)
}

/// Creates the file, readable only by its owner. SQLite gives its logs the same permissions.
fn create(path: &Path) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(file) => {
            file.sync_all()?;
            // Syncs the folder so that the file name survives a crash. Not every system supports that.
            if let Some(folder) = path.parent() {
                let _ = fs::File::open(folder).and_then(|folder| folder.sync_all());
            }
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn restrict_permissions(path: &Path) -> io::Result<()> {
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "files of a user are private by default")]
fn restrict_permissions(_: &Path) -> io::Result<()> {
    Ok(())
}

fn read_pragma(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

/// Checks that the file is empty or a sandbox database of a supported version, and intact.
fn check(connection: &Connection) -> Result<(), Reason> {
    let application = read_pragma(connection, "application_id")?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if application != APPLICATION {
        return if tables == 0 && application == 0 { Ok(()) } else { Err(Reason::Foreign) };
    }
    if read_pragma(connection, "user_version")? > VERSION {
        return Err(Reason::Newer);
    }
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if found == "ok" { Ok(()) } else { Err(Reason::Damaged) }
}

/// Creates missing tables after checking the seed.
fn prepare(connection: &Connection, seed: u64) -> Result<(), Reason> {
    prepare_documents(connection, seed)?;
    Ok(connection.execute_batch(sent_bodies::TABLE)?)
}

fn prepare_documents(connection: &Connection, seed: u64) -> Result<(), Reason> {
    if read_pragma(connection, "user_version")? == 0 {
        // One transaction: a file is either empty or complete.
        connection.execute_batch(&format!(
            "BEGIN IMMEDIATE; {TABLES} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};
             INSERT INTO settings VALUES ('seed', '{seed}'); COMMIT"
        ))?;
        return Ok(());
    }
    let stored: Option<String> = connection.query_row("SELECT value FROM settings WHERE name = 'seed'", [], |row| row.get(0)).optional()?;
    match stored.and_then(|text| text.parse().ok()) {
        Some(stored) if stored == seed => Ok(()),
        Some(stored) => Err(Reason::OtherSeed { stored, requested: seed }),
        None => Err(Reason::Damaged),
    }
}
