//! What was changed or sent: the only thing kept, as JSON documents in SQLite. Callers see methods, never tables.

mod document;
mod error;
mod file;
mod integrations;
mod sent;
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
use self::integrations::Integrations;
pub(crate) use self::integrations::StoredIntegration;
pub(crate) use self::sent::KEPT as BODIES_KEPT;
pub(crate) use self::worker::SEEN;
use self::worker::{Database, Worker};

/// Of a kind in memory; the oldest are forgotten first, so that a long run cannot fill it. Files have no such limit.
pub(crate) const MAX_DOCUMENTS: i64 = 10_000;

/// What kinds of documents there are. The name is what is stored: it must not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Uploaded and changed nutrition records.
    Meal,
    /// Uploaded lab reports.
    Report,
    /// Added and changed integrations.
    Integration,
    /// Consent pages that wait to be visited.
    Consent,
    /// When a policy was first looked up.
    Lookup,
    /// Notices to send and attempts at sending them.
    Delivery,
    /// Settings that were made over the network.
    Setting,
}

impl Kind {
    /// In the order of their numbers.
    const ALL: [Self; 7] = [Self::Meal, Self::Report, Self::Integration, Self::Consent, Self::Lookup, Self::Delivery, Self::Setting];

    /// Whether callers miss what is forgotten: it was acknowledged, and nothing else says that it is gone.
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

/// The store. What a method acknowledged is committed: on a file it outlasts the end of the program.
pub(crate) struct Store {
    worker: Worker,
    integrations: Arc<Integrations>,
    /// Whether what is kept outlasts the program.
    durable: bool,
    forgotten: watch::Receiver<u64>,
    /// The next number of [`Self::next_number`].
    counter: AtomicU64,
}

impl Store {
    /// Opens a file, or memory. Blocks.
    ///
    /// A file made with another seed is refused: everything derived would belong to other people.
    pub(crate) fn open(path: Option<&Path>, seed: u64) -> Result<Self, DatabaseError> {
        let connection = match path {
            Some(path) => file::at(path, seed)?,
            None => file::in_memory(seed)?,
        };
        let refused = |reason| DatabaseError::new(path.unwrap_or(Path::new("memory")).to_owned(), reason);
        let unreadable = |_| refused(Reason::Damaged);
        let opened: u64 =
            document::setting(&connection, "opened").map_err(unreadable)?.and_then(|text| text.parse().ok()).unwrap_or_default();
        document::set(&connection, "opened", &(opened + 1).to_string()).map_err(|_| refused(Reason::ReadOnly))?;
        let integrations = Integrations::read(&connection).map_err(unreadable)?;
        let (count, forgotten) = watch::channel(0);
        let database = Database::new(connection, path.is_none().then_some(MAX_DOCUMENTS), count);
        let worker = Worker::start(database).map_err(|error| refused(Reason::File(error)))?;
        // Each run has its own range of numbers, so that none is given out twice without a write for each.
        Ok(Self { worker, integrations: Arc::new(integrations), durable: path.is_some(), forgotten, counter: AtomicU64::new(opened << 32) })
    }

    /// Whether what is kept outlasts the program, and has no bound.
    pub(crate) fn is_durable(&self) -> bool {
        self.durable
    }

    /// Number of records and integrations of callers that are forgotten for lack of room.
    pub(crate) fn forgotten(&self) -> watch::Receiver<u64> {
        self.forgotten.clone()
    }

    /// A number that no call before got, in this run or an earlier one.
    pub(crate) fn next_number(&self) -> u64 {
        self.counter.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Adds a document, or replaces the one with that id.
    pub(crate) async fn put(&self, kind: Kind, user: &str, id: &str, at: Timestamp, value: &impl Serialize) -> Result<(), StoreError> {
        let document = write(kind, user, id, at, value)?;
        self.worker
            .call(move |database| {
                document::put(database.connection(), &document)?;
                database.bound(kind).map(drop)
            })
            .await
    }

    /// Adds documents, all or none of them.
    pub(crate) async fn put_all(&self, documents: Vec<Document>) -> Result<(), StoreError> {
        self.worker.call(move |database| database.put_all(&documents)).await
    }

    /// Adds a document unless there is one with that id; whether it was added.
    pub(crate) async fn insert_once(
        &self,
        kind: Kind,
        user: &str,
        id: &str,
        at: Timestamp,
        value: &impl Serialize,
    ) -> Result<bool, StoreError> {
        let document = write(kind, user, id, at, value)?;
        self.worker
            .call(move |database| {
                let added = document::insert_once(database.connection(), &document)?;
                if added {
                    database.bound(kind)?;
                }
                Ok(added)
            })
            .await
    }

    /// The document with that id.
    pub(crate) async fn get<T: DeserializeOwned>(&self, kind: Kind, user: &str, id: &str) -> Result<Option<T>, StoreError> {
        let (user, id) = (user.to_owned(), id.to_owned());
        let text = self.worker.call(move |database| document::get(database.connection(), kind, &user, &id)).await?;
        text.as_deref().map(read).transpose()
    }

    /// The documents of a user by their time, `from` included and `to` not; those of the same time in the order they were added.
    pub(crate) async fn list<T: DeserializeOwned>(
        &self,
        kind: Kind,
        user: &str,
        from: Option<Timestamp>,
        to: Option<Timestamp>,
    ) -> Result<Vec<T>, StoreError> {
        let user = user.to_owned();
        let texts = self.worker.call(move |database| document::list(database.connection(), kind, &user, from, to)).await?;
        texts.iter().map(|text| read(text)).collect()
    }

    /// The first documents of a user whose time has come, at most `max`, and the time of the next one after.
    pub(crate) async fn due<T: DeserializeOwned>(
        &self,
        kind: Kind,
        user: &str,
        now: Timestamp,
        max: usize,
    ) -> Result<(Vec<T>, Option<Timestamp>), StoreError> {
        let user = user.to_owned();
        let (texts, next) = self.worker.call(move |database| document::due(database.connection(), kind, &user, now, max)).await?;
        Ok((texts.iter().map(|text| read(text)).collect::<Result<_, _>>()?, next))
    }

    /// The documents of a kind that were added last, at most `max`, the latest first.
    pub(crate) async fn latest<T: DeserializeOwned>(&self, kind: Kind, max: usize) -> Result<Vec<T>, StoreError> {
        let texts = self.worker.call(move |database| document::latest(database.connection(), kind, max)).await?;
        texts.iter().map(|text| read(text)).collect()
    }

    /// Forgets a document; whether there was one. Of several callers at once, one gets true.
    pub(crate) async fn remove(&self, kind: Kind, user: &str, id: &str) -> Result<bool, StoreError> {
        let (user, id) = (user.to_owned(), id.to_owned());
        self.worker.call(move |database| document::remove(database.connection(), kind, &user, &id)).await
    }

    /// Forgets a user's documents of a kind that lie before a time.
    pub(crate) async fn remove_before(&self, kind: Kind, user: &str, at: Timestamp) -> Result<(), StoreError> {
        let user = user.to_owned();
        self.worker.call(move |database| document::remove_before(database.connection(), kind, &user, at)).await
    }

    /// Reads a document and writes what `change` makes of it, with nothing in between; without a new time and value it stays as it is.
    /// Gives what `change` says besides. `change` runs on the store's thread: it must not block.
    pub(crate) async fn update<T: Serialize + DeserializeOwned, R: Send + 'static>(
        &self,
        kind: Kind,
        user: &str,
        id: &str,
        change: impl FnOnce(Option<T>) -> (Option<(Timestamp, T)>, R) + Send + 'static,
    ) -> Result<R, StoreError> {
        let (user, id) = (user.to_owned(), id.to_owned());
        self.worker
            .call(move |database| {
                let before = document::get(database.connection(), kind, &user, &id)?.as_deref().map(read).transpose()?;
                let (after, outcome) = change(before);
                if let Some((at, value)) = after {
                    document::put(database.connection(), &write(kind, &user, &id, at, &value)?)?;
                    database.bound(kind)?;
                }
                Ok(outcome)
            })
            .await
    }

    /// Moves a document of a delivery away from `user`, to where those stand that are over, and keeps the body that was sent. Nothing is
    /// done if it is not there any more.
    pub(crate) async fn end_delivery(&self, user: &'static str, over: Document, body: Option<String>) -> Result<(), StoreError> {
        self.worker
            .call(move |database| {
                let connection = database.connection();
                if !document::remove(connection, Kind::Delivery, user, &over.id)? {
                    return Ok(());
                }
                body.map_or(Ok(()), |body| sent::keep(connection, &over.id, &body))?;
                database.put_all(&[over])
            })
            .await
    }

    /// The body of a delivery that is over, if it is among the last.
    pub(crate) async fn sent(&self, id: &str) -> Result<Option<String>, StoreError> {
        let id = id.to_owned();
        self.worker.call(move |database| sent::get(database.connection(), &id)).await
    }

    /// Forgets all documents.
    pub(crate) async fn forget_all(&self) -> Result<(), StoreError> {
        let integrations = Arc::clone(&self.integrations);
        self.worker.call_then(|database| database.forget_all(), move |()| integrations.forget_all()).await
    }

    /// From now on an instant is stored that callers see nothing beyond: with a commit or every few seconds one that lies ahead, and at
    /// the end the last one. `seen` gives the latest instant that callers will have seen so long from now. Blocks on a file, does nothing
    /// in memory.
    pub(crate) fn follow(&self, seen: impl Fn(Duration) -> Timestamp + Send + 'static) -> Result<(), StoreError> {
        if !self.durable {
            return Ok(());
        }
        self.worker.call_blocking(move |database| {
            database.follow(Box::new(seen));
            Ok(())
        })
    }

    /// A fact about the whole sandbox, kept from an earlier run. Blocks.
    pub(crate) fn recall<T: DeserializeOwned>(&self, name: &'static str) -> Option<T> {
        let text = self.worker.call_blocking(move |database| document::setting(database.connection(), name)).ok()??;
        serde_json::from_str(&text).ok()
    }

    /// Keeps a fact about the whole sandbox. Blocks on a file, does nothing in memory, where it would not outlast the program.
    pub(crate) fn remember(&self, name: &'static str, value: &impl Serialize) -> Result<(), StoreError> {
        if !self.durable {
            return Ok(());
        }
        let text = serde_json::to_string(value)?;
        self.worker.call_blocking(move |database| document::set(database.connection(), name, &text))
    }
}

fn write(kind: Kind, user: &str, id: &str, at: Timestamp, value: &impl Serialize) -> Result<Document, StoreError> {
    Ok(Document { kind, user: user.to_owned(), id: id.to_owned(), at, value: serde_json::to_string(value)? })
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    Ok(serde_json::from_str(text)?)
}

#[cfg(test)]
mod tests;
