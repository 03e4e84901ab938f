//! The bodies of the webhooks that were sent last, to be sent again. In a table of their own: what is forgotten leaves whole pages for what
//! comes next, and a delivery's facts stay small.

use rusqlite::{Connection, OptionalExtension, params};

use super::error::StoreError;

/// How many are kept.
pub(crate) const KEPT: i64 = 500;

/// A file of an earlier version has none.
pub(super) const TABLE: &str = "
CREATE TABLE IF NOT EXISTS sent (number INTEGER PRIMARY KEY, delivery TEXT NOT NULL UNIQUE, body TEXT NOT NULL) STRICT;
";

/// Keeps the body of a delivery, and forgets the one that is too many.
pub(super) fn keep(connection: &Connection, delivery: &str, body: &str) -> Result<(), StoreError> {
    connection.prepare_cached("INSERT OR REPLACE INTO sent (delivery, body) VALUES (?1, ?2)")?.execute([delivery, body])?;
    let oldest = connection.last_insert_rowid() - KEPT;
    connection.prepare_cached("DELETE FROM sent WHERE number <= ?1")?.execute(params![oldest])?;
    Ok(())
}

pub(super) fn get(connection: &Connection, delivery: &str) -> Result<Option<String>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT body FROM sent WHERE delivery = ?1")?;
    Ok(statement.query_row([delivery], |row| row.get(0)).optional()?)
}

pub(super) fn remove_all(connection: &Connection) -> Result<(), StoreError> {
    connection.execute("DELETE FROM sent", [])?;
    Ok(())
}
