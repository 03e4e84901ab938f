//! SQL statements. A document has a kind, a user, an id and a time by which it is listed.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;

use super::DocumentKind;
use super::error::StoreError;

#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(super) kind: DocumentKind,
    pub(super) user: String,
    pub(super) id: String,
    pub(super) at: Timestamp,
    /// JSON text.
    pub(super) value: String,
}

impl Document {
    pub(crate) fn new(kind: DocumentKind, user: &str, id: &str, at: Timestamp, value: &impl Serialize) -> Result<Self, StoreError> {
        Ok(Self { kind, user: user.to_owned(), id: id.to_owned(), at, value: serde_json::to_string(value)? })
    }
}

/// Converts to nanoseconds since 1970. Exact from 1677 to 2262, which includes every instant of a sandbox.
/// Instants outside this range only sort first or last. The JSON value keeps them exactly.
fn nanoseconds(at: Timestamp) -> i64 {
    i64::try_from(at.as_nanosecond()).unwrap_or(if at < Timestamp::UNIX_EPOCH { i64::MIN } else { i64::MAX })
}

/// Adds a document, or replaces it without changing its position among documents of the same time.
pub(super) fn put(connection: &Connection, document: &Document) -> Result<(), StoreError> {
    let sql = "INSERT INTO documents (kind, user, id, at, value) VALUES (?1, ?2, ?3, ?4, ?5)
               ON CONFLICT (kind, user, id) DO UPDATE SET at = excluded.at, value = excluded.value";
    let Document { kind, user, id, at, value } = document;
    connection.prepare_cached(sql)?.execute(params![kind.name(), user, id, nanoseconds(*at), value])?;
    Ok(())
}

/// Adds a document unless it exists. Returns whether it was added.
pub(super) fn insert_once(connection: &Connection, document: &Document) -> Result<bool, StoreError> {
    let sql = "INSERT INTO documents (kind, user, id, at, value) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (kind, user, id) DO NOTHING";
    let Document { kind, user, id, at, value } = document;
    let rows = connection.prepare_cached(sql)?.execute(params![kind.name(), user, id, nanoseconds(*at), value])?;
    Ok(rows == 1)
}

pub(super) fn get(connection: &Connection, kind: DocumentKind, user: &str, id: &str) -> Result<Option<String>, StoreError> {
    let sql = "SELECT value FROM documents WHERE kind = ?1 AND user = ?2 AND id = ?3";
    Ok(connection.prepare_cached(sql)?.query_row(params![kind.name(), user, id], |row| row.get(0)).optional()?)
}

/// Lists documents by time, then in insertion order. `from` is inclusive, `to` exclusive.
pub(super) fn list(
    connection: &Connection,
    kind: DocumentKind,
    user: &str,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT value FROM documents WHERE kind = ?1 AND user = ?2 AND at >= ?3 AND (?4 IS NULL OR at < ?4) ORDER BY at, number";
    let mut statement = connection.prepare_cached(sql)?;
    let from = from.map_or(i64::MIN, nanoseconds);
    let rows = statement.query_map(params![kind.name(), user, from, to.map(nanoseconds)], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Returns the first `max` documents that are due, and the time of the next one.
pub(super) fn list_due(
    connection: &Connection,
    kind: DocumentKind,
    user: &str,
    now: Timestamp,
    max: usize,
) -> Result<(Vec<String>, Option<Timestamp>), StoreError> {
    let sql = "SELECT value FROM documents WHERE kind = ?1 AND user = ?2 AND at <= ?3 ORDER BY at, number LIMIT ?4";
    let mut statement = connection.prepare_cached(sql)?;
    let (now, max) = (nanoseconds(now), i64::try_from(max).unwrap_or(i64::MAX));
    let rows = statement.query_map(params![kind.name(), user, now, max], |row| row.get(0))?;
    let due = rows.collect::<Result<_, _>>()?;
    let sql = "SELECT min(at) FROM documents WHERE kind = ?1 AND user = ?2 AND at > ?3";
    let next: Option<i64> = connection.prepare_cached(sql)?.query_row(params![kind.name(), user, now], |row| row.get(0))?;
    // Every stored number is a valid time.
    Ok((due, next.and_then(|next| Timestamp::from_nanosecond(next.into()).ok())))
}

/// Returns the last `max` documents of a kind, newest first.
pub(super) fn list_latest(connection: &Connection, kind: DocumentKind, max: usize) -> Result<Vec<String>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT value FROM documents WHERE kind = ?1 ORDER BY number DESC LIMIT ?2")?;
    let rows = statement.query_map(params![kind.name(), i64::try_from(max).unwrap_or(i64::MAX)], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Returns all documents of a kind with their users, oldest first.
pub(super) fn list_all(connection: &Connection, kind: DocumentKind) -> Result<Vec<(String, String)>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT user, value FROM documents WHERE kind = ?1 ORDER BY number")?;
    let rows = statement.query_map([kind.name()], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Removes a document. Returns whether it existed.
pub(super) fn remove(connection: &Connection, kind: DocumentKind, user: &str, id: &str) -> Result<bool, StoreError> {
    let sql = "DELETE FROM documents WHERE kind = ?1 AND user = ?2 AND id = ?3";
    Ok(connection.prepare_cached(sql)?.execute(params![kind.name(), user, id])? == 1)
}

pub(super) fn remove_all(connection: &Connection) -> Result<(), StoreError> {
    connection.execute("DELETE FROM documents", [])?;
    Ok(())
}

/// Removes a user's documents of a kind that are older than a time.
pub(super) fn remove_before(connection: &Connection, kind: DocumentKind, user: &str, at: Timestamp) -> Result<(), StoreError> {
    let sql = "DELETE FROM documents WHERE kind = ?1 AND user = ?2 AND at < ?3";
    connection.prepare_cached(sql)?.execute(params![kind.name(), user, nanoseconds(at)])?;
    Ok(())
}

/// Removes the oldest documents of a kind beyond `max`. Returns their users and ids.
pub(super) fn remove_oldest(connection: &Connection, kind: DocumentKind, max: i64) -> Result<Vec<(String, String)>, StoreError> {
    let sql = "DELETE FROM documents WHERE kind = ?1 AND number <=
               (SELECT number FROM documents WHERE kind = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2) RETURNING user, id";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params![kind.name(), max], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(super) fn get_setting(connection: &Connection, name: &str) -> Result<Option<String>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT value FROM settings WHERE name = ?1")?;
    Ok(statement.query_row([name], |row| row.get(0)).optional()?)
}

pub(super) fn set_setting(connection: &Connection, name: &str, value: &str) -> Result<(), StoreError> {
    let sql = "INSERT INTO settings VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    connection.prepare_cached(sql)?.execute([name, value])?;
    Ok(())
}
