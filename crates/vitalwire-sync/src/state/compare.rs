//! Comparison of records with those of an earlier response.

use std::collections::HashMap;
use std::hash::Hash;

use serde::{Deserialize, Serialize};

/// Numbers of rows that were added, changed or removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes {
    /// Rows of new records.
    pub added: u64,
    /// Rows of records whose content has changed.
    pub changed: u64,
    /// Rows of records that the service no longer returns.
    pub removed: u64,
}

impl Changes {
    /// Adds the numbers of another update.
    pub fn add(&mut self, other: Self) {
        self.added += other.added;
        self.changed += other.changed;
        self.removed += other.removed;
    }

    /// Returns whether all numbers are 0.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }
}

/// A record of an earlier response, or of the current one. Days are numbers since 1970-01-01.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownRecord<K> {
    /// Key of the record.
    pub key: K,
    /// Digest of the content.
    pub content: u64,
    /// First day on which a request can return the record.
    pub first_day: i32,
    /// Last day on which a request can return the record.
    pub last_day: i32,
    /// Number of rows.
    pub rows: u64,
}

/// Difference between the known records of a user and the records of a response.
#[derive(Clone, Debug)]
pub struct Comparison<K> {
    pub changes: Changes,
    /// Keys of records that the service no longer returns.
    pub removed: Vec<K>,
    /// All records after the response, without order.
    pub records: Vec<KnownRecord<K>>,
}

/// Compares the records of a successful response with the known records of the same user and table.
///
/// A known record is removed if the response does not contain it and `can_remove` returns true. A record that is not known counts as added
/// if `is_new` returns true.
pub fn compare<K: Clone + Eq + Hash>(
    known: Vec<KnownRecord<K>>,
    response: impl IntoIterator<Item = KnownRecord<K>>,
    can_remove: impl Fn(&KnownRecord<K>) -> bool,
    is_new: impl Fn(&KnownRecord<K>) -> bool,
) -> Comparison<K> {
    let mut known: HashMap<K, KnownRecord<K>> = known.into_iter().map(|record| (record.key.clone(), record)).collect();
    let mut comparison = Comparison { changes: Changes::default(), removed: Vec::new(), records: Vec::new() };
    for record in response {
        match known.remove(&record.key) {
            Some(before) if before.content != record.content => comparison.changes.changed += record.rows,
            Some(_) => {}
            None if is_new(&record) => comparison.changes.added += record.rows,
            None => {}
        }
        comparison.records.push(record);
    }
    for record in known.into_values() {
        if can_remove(&record) {
            comparison.changes.removed += record.rows;
            comparison.removed.push(record.key);
        } else {
            comparison.records.push(record);
        }
    }
    comparison
}
