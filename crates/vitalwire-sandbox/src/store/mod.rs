//! Storage of uploads and changes as JSON documents in SQLite. Everything else is derived from the seed. SQL stays in this module.

mod document;
mod error;
mod file;
mod integrations;
mod sent_bodies;
mod worker;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::watch;

pub(crate) use self::document::Document;
pub(crate) use self::error::Reason;
pub use self::error::{DatabaseError, StoreError};
use self::integrations::IntegrationCache;
pub(crate) use self::integrations::StoredIntegration;
pub(crate) use self::sent_bodies::MAX_BODIES as MAX_SENT_BODIES;
pub(crate) use self::worker::SEEN;
use self::worker::{Database, Worker};

/// Maximum number of documents of a kind in memory. The oldest are removed first. Files have no such limit.
pub(crate) const MAX_DOCUMENTS: i64 = 10_000;

/// Kind of a document. The stored names must not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentKind {
    /// Uploaded and changed nutrition records.
    Meal,
    /// Uploaded lab reports.
    Report,
    /// Added and changed integrations.
    Integration,
    /// Consent pages not yet used.
    Consent,
    /// Times of the first lookup of each policy.
    Lookup,
    /// Webhook deliveries and their attempts.
    Delivery,
    /// Settings changed by control routes.
    Setting,
}

impl DocumentKind {
    /// All kinds, in the order of their discriminants.
    const ALL: [Self; 7] = [Self::Meal, Self::Report, Self::Integration, Self::Consent, Self::Lookup, Self::Delivery, Self::Setting];

    /// Whether removed documents are counted. Their callers got a success, and nothing else reports the loss.
    const fn is_made_by_callers(self) -> bool {
        matches!(self, Self::Meal | Self::Report | Self::Integration)
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Meal => "meal",
            Self::Report => "report",
            Self::Integration => "integration",
            Self::Consent => "consent",
            Self::Lookup => "lookup",
            Self::Delivery => "delivery",
            Self::Setting => "setting",
        }
    }
}

/// Storage of a sandbox. A change is committed when its method returns, and survives the end of the program if it is in a file.
pub(crate) struct Store {
    worker: Worker,
    integrations: Arc<IntegrationCache>,
    /// Whether the data survives the end of the program.
    durable: bool,
    forgotten: watch::Receiver<u64>,
    /// Last number returned by [`Self::next_number`].
    counter: AtomicU64,
}

impl Store {
    /// Opens a file or an in-memory database. Blocks.
    ///
    /// A file created with another seed is rejected, because all derived data would belong to other people.
    pub(crate) fn open(path: Option<&Path>, seed: u64) -> Result<Self, DatabaseError> {
        let connection = match path {
            Some(path) => file::open_file(path, seed)?,
            None => file::open_in_memory(seed)?,
        };
        let failed = |reason| DatabaseError::new(path.unwrap_or(Path::new("memory")).to_owned(), reason);
        let unreadable = |_| failed(Reason::Damaged);
        let opened: u64 =
            document::get_setting(&connection, "opened").map_err(unreadable)?.and_then(|text| text.parse().ok()).unwrap_or_default();
        document::set_setting(&connection, "opened", &(opened + 1).to_string()).map_err(|_| failed(Reason::ReadOnly))?;
        let integrations = IntegrationCache::read(&connection).map_err(unreadable)?;
        let (count, forgotten) = watch::channel(0);
        let database = Database::new(connection, path.is_none().then_some(MAX_DOCUMENTS), count);
        let worker = Worker::start(database).map_err(|error| failed(Reason::File(error)))?;
        // Each run has its own range of numbers, so that they stay unique without a write for each.
        Ok(Self { worker, integrations: Arc::new(integrations), durable: path.is_some(), forgotten, counter: AtomicU64::new(opened << 32) })
    }

    /// Whether the data survives the end of the program and has no size limit.
    pub(crate) fn is_durable(&self) -> bool {
        self.durable
    }

    /// Returns the number of callers' records and integrations that were removed for lack of space.
    pub(crate) fn forgotten(&self) -> watch::Receiver<u64> {
        self.forgotten.clone()
    }

    /// Returns a number that is unique across all runs.
    pub(crate) fn next_number(&self) -> u64 {
        self.counter.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Adds a document, or replaces the one with this id.
    pub(crate) async fn put(
        &self,
        kind: DocumentKind,
        user: &str,
        id: &str,
        at: Timestamp,
        value: &impl Serialize,
    ) -> Result<(), StoreError> {
        self.put_all(vec![Document::new(kind, user, id, at, value)?]).await
    }

    /// Adds several documents atomically.
    pub(crate) async fn put_all(&self, documents: Vec<Document>) -> Result<(), StoreError> {
        self.worker.call(move |database| database.put_all(&documents)).await
    }

    /// Adds a document unless its id exists. Returns whether it was added.
    pub(crate) async fn insert_once(
        &self,
        kind: DocumentKind,
        user: &str,
        id: &str,
        at: Timestamp,
        value: &impl Serialize,
    ) -> Result<bool, StoreError> {
        let document = Document::new(kind, user, id, at, value)?;
        self.worker
            .call(move |database| {
                let added = document::insert_once(database.connection(), &document)?;
                if added {
                    database.apply_limit(kind)?;
                }
                Ok(added)
            })
            .await
    }

    pub(crate) async fn get<T: DeserializeOwned>(&self, kind: DocumentKind, user: &str, id: &str) -> Result<Option<T>, StoreError> {
        let (user, id) = (user.to_owned(), id.to_owned());
        let text = self.worker.call(move |database| document::get(database.connection(), kind, &user, &id)).await?;
        text.as_deref().map(from_json).transpose()
    }

    /// Returns a user's documents by time, then in insertion order. `from` is inclusive, `to` exclusive.
    pub(crate) async fn list<T: DeserializeOwned>(
        &self,
        kind: DocumentKind,
        user: &str,
        from: Option<Timestamp>,
        to: Option<Timestamp>,
    ) -> Result<Vec<T>, StoreError> {
        let user = user.to_owned();
        let texts = self.worker.call(move |database| document::list(database.connection(), kind, &user, from, to)).await?;
        texts.iter().map(|text| from_json(text)).collect()
    }

    /// Returns a user's first `max` documents that are due, and the time of the next one.
    pub(crate) async fn list_due<T: DeserializeOwned>(
        &self,
        kind: DocumentKind,
        user: &str,
        now: Timestamp,
        max: usize,
    ) -> Result<(Vec<T>, Option<Timestamp>), StoreError> {
        let user = user.to_owned();
        let (texts, next) = self.worker.call(move |database| document::list_due(database.connection(), kind, &user, now, max)).await?;
        Ok((texts.iter().map(|text| from_json(text)).collect::<Result<_, _>>()?, next))
    }

    /// Returns the last `max` documents of a kind, newest first.
    pub(crate) async fn list_latest<T: DeserializeOwned>(&self, kind: DocumentKind, max: usize) -> Result<Vec<T>, StoreError> {
        let texts = self.worker.call(move |database| document::list_latest(database.connection(), kind, max)).await?;
        texts.iter().map(|text| from_json(text)).collect()
    }

    /// Removes a document. Returns true for exactly one caller if it existed.
    pub(crate) async fn remove(&self, kind: DocumentKind, user: &str, id: &str) -> Result<bool, StoreError> {
        let (user, id) = (user.to_owned(), id.to_owned());
        self.worker.call(move |database| document::remove(database.connection(), kind, &user, &id)).await
    }

    /// Removes a user's documents of a kind that are older than a time.
    pub(crate) async fn remove_before(&self, kind: DocumentKind, user: &str, at: Timestamp) -> Result<(), StoreError> {
        let user = user.to_owned();
        self.worker.call(move |database| document::remove_before(database.connection(), kind, &user, at)).await
    }

    /// Atomically replaces a document with the new time and value that `change` returns. Without them, it stays unchanged.
    ///
    /// Returns the second result of `change`, which runs on the store's thread and must not block.
    pub(crate) async fn update<T: Serialize + DeserializeOwned, R: Send + 'static>(
        &self,
        kind: DocumentKind,
        user: &str,
        id: &str,
        change: impl FnOnce(Option<T>) -> (Option<(Timestamp, T)>, R) + Send + 'static,
    ) -> Result<R, StoreError> {
        let (user, id) = (user.to_owned(), id.to_owned());
        self.worker
            .call(move |database| {
                let before = document::get(database.connection(), kind, &user, &id)?.as_deref().map(from_json).transpose()?;
                let (after, outcome) = change(before);
                if let Some((at, value)) = after {
                    document::put(database.connection(), &Document::new(kind, &user, &id, at, &value)?)?;
                    database.apply_limit(kind)?;
                }
                Ok(outcome)
            })
            .await
    }

    /// Replaces a pending delivery of `user` by its completed form, and stores the body that was sent. Does nothing if the delivery was
    /// removed.
    pub(crate) async fn end_delivery(&self, user: &'static str, completed: Document, body: Option<String>) -> Result<(), StoreError> {
        self.worker
            .call(move |database| {
                let connection = database.connection();
                if !document::remove(connection, DocumentKind::Delivery, user, &completed.id)? {
                    return Ok(());
                }
                body.map_or(Ok(()), |body| sent_bodies::put(connection, &completed.id, &body))?;
                database.put_all(&[completed])
            })
            .await
    }

    /// Returns the body of a completed delivery, unless it was removed.
    pub(crate) async fn sent_body(&self, id: &str) -> Result<Option<String>, StoreError> {
        let id = id.to_owned();
        self.worker.call(move |database| sent_bodies::get(database.connection(), &id)).await
    }

    pub(crate) async fn remove_all(&self) -> Result<(), StoreError> {
        let integrations = Arc::clone(&self.integrations);
        self.worker.call_then(|database| database.remove_all(), move |()| integrations.clear()).await
    }

    /// Stores an upper limit of the instants that callers have seen, so that the clock never goes back after a restart.
    ///
    /// A future instant is stored with commits and every few seconds, and the exact one at the end. `seen` returns the latest instant
    /// that callers will have seen after the given duration. Blocks on a file, does nothing in memory.
    pub(crate) fn track_clock(&self, seen: impl Fn(Duration) -> Timestamp + Send + 'static) -> Result<(), StoreError> {
        if !self.durable {
            return Ok(());
        }
        self.worker.call_blocking(move |database| {
            database.track_clock(Box::new(seen));
            Ok(())
        })
    }

    /// Reads a value that belongs to the whole sandbox, stored by an earlier run. Blocks.
    pub(crate) fn read_setting<T: DeserializeOwned>(&self, name: &'static str) -> Option<T> {
        let text = self.worker.call_blocking(move |database| document::get_setting(database.connection(), name)).ok()??;
        serde_json::from_str(&text).ok()
    }

    /// Stores a value that belongs to the whole sandbox. Blocks on a file, does nothing in memory.
    pub(crate) fn write_setting(&self, name: &'static str, value: &impl Serialize) -> Result<(), StoreError> {
        if !self.durable {
            return Ok(());
        }
        let text = serde_json::to_string(value)?;
        self.worker.call_blocking(move |database| document::set_setting(database.connection(), name, &text))
    }
}

fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    Ok(serde_json::from_str(text)?)
}

#[cfg(test)]
mod tests;
