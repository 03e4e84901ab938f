//! Bodies of the last webhooks, for redelivery.
//!
//! They have a table of their own: removed bodies free whole pages for new ones, and delivery documents stay small.

use rusqlite::{Connection, OptionalExtension, params};

use super::error::StoreError;

/// Maximum number of bodies. The oldest are removed first.
pub(crate) const MAX_BODIES: i64 = 500;

/// Created if missing, because files of earlier versions do not have this table.
pub(super) const TABLE: &str = "
CREATE TABLE IF NOT EXISTS sent (number INTEGER PRIMARY KEY, delivery TEXT NOT NULL UNIQUE, body TEXT NOT NULL) STRICT;
";

/// Stores the body of a delivery, and removes the oldest body beyond the limit.
pub(super) fn put(connection: &Connection, delivery: &str, body: &str) -> Result<(), StoreError> {
    connection.prepare_cached("INSERT OR REPLACE INTO sent (delivery, body) VALUES (?1, ?2)")?.execute([delivery, body])?;
    let oldest = connection.last_insert_rowid() - MAX_BODIES;
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
