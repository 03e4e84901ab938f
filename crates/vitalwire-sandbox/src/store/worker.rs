//! Thread that owns the database connection. All queued jobs run in one transaction and complete after its commit, so that
//! concurrent writers share one disk sync.

use std::cell::{Cell, OnceCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rusqlite::Connection;
use tokio::sync::{oneshot, watch};

use super::DocumentKind;
use super::document::{self, Document};
use super::error::StoreError;
use super::sent_bodies;

/// Maximum number of jobs of one transaction.
const MAX_JOBS: usize = 256;
/// Number of added documents after which the limit is applied, because finding the oldest is slow.
const LIMIT_INTERVAL: u32 = 128;
/// Name of the setting with an upper limit of the instants that the sandbox's clock has shown.
pub(crate) const SEEN: &str = "seen";
/// Interval at which the stored limit is updated. It is stored two intervals ahead, so that after a crash no instant is shown twice, even
/// if the machine's clock was set back.
const CLOCK_INTERVAL: Duration = Duration::from_secs(5);

/// Job of the thread. The returned callback receives the outcome of the commit.
type Job = Box<dyn FnOnce(&Database) -> CommitCallback + Send>;
type CommitCallback = Box<dyn FnOnce(Result<(), StoreError>)>;

/// Function that returns the latest instant that callers will have seen after a duration.
type ClockLimit = Box<dyn Fn(Duration) -> Timestamp + Send>;

/// Connection, document counts and clock limit.
pub(super) struct Database {
    connection: Connection,
    /// Maximum number of documents of a kind.
    max: Option<i64>,
    added: [Cell<u32>; DocumentKind::ALL.len()],
    /// Number of callers' documents that were removed.
    forgotten: watch::Sender<u64>,
    /// Source of the latest instant that callers will have seen.
    seen: OnceCell<ClockLimit>,
    /// Stored upper limit of that instant.
    stored: Cell<Timestamp>,
}

impl Database {
    pub(super) fn new(connection: Connection, max: Option<i64>, forgotten: watch::Sender<u64>) -> Self {
        Self { connection, max, added: Default::default(), forgotten, seen: OnceCell::new(), stored: Cell::new(Timestamp::MIN) }
    }

    /// Starts storing the instants that callers see. Only the first call has an effect.
    pub(super) fn track_clock(&self, seen: ClockLimit) {
        let _ = self.seen.set(seen);
    }

    /// Returns the new limit to store if callers may see a later instant than the stored one before the next update.
    fn next_clock_limit(&self) -> Option<Timestamp> {
        let seen = self.seen.get()?;
        (seen(CLOCK_INTERVAL) > self.stored.get()).then(|| seen(2 * CLOCK_INTERVAL))
    }

    /// Ends a transaction that began after `changed_before` changes. Stores the clock limit with it, so that no data is later than the
    /// clock.
    fn commit(&self, changed_before: u64) -> Result<(), StoreError> {
        let connection = &self.connection;
        if connection.is_autocommit() {
            // SQLite rolls back some transactions itself, for example if the disk is full.
            return Err(StoreError::new("the transaction was rolled back"));
        }
        let seen = self.next_clock_limit().filter(|_| connection.total_changes() > changed_before);
        let stored = seen.map_or(Ok(()), |seen| document::set_setting(connection, SEEN, &serde_json::to_string(&seen)?));
        let done = stored.and_then(|()| Ok(connection.execute_batch("COMMIT")?));
        match &done {
            Ok(()) => seen.iter().for_each(|seen| self.stored.set(*seen)),
            Err(_) => {
                // If the rollback fails too, the next BEGIN fails.
                let _ = connection.execute_batch("ROLLBACK");
            }
        }
        done
    }

    fn store_clock_limit(&self, seen: Timestamp) {
        // If the disk is full, the next commit reports it.
        if serde_json::to_string(&seen).is_ok_and(|text| document::set_setting(&self.connection, SEEN, &text).is_ok()) {
            self.stored.set(seen);
        }
    }

    /// Runs a job. If it fails, its changes are undone, and those of other jobs in the transaction are kept.
    fn run_job<T>(&self, work: impl FnOnce(&Self) -> Result<T, StoreError>) -> Result<T, StoreError> {
        if self.connection.is_autocommit() {
            // Without a transaction, each statement would be committed at once.
            return Err(StoreError::new("the transaction was rolled back"));
        }
        self.connection.execute_batch("SAVEPOINT job")?;
        let done = work(self);
        match &done {
            Ok(_) => self.connection.execute_batch("RELEASE job")?,
            Err(_) => self.undo_job(),
        }
        done
    }

    /// Undoes the changes of the job that failed last.
    fn undo_job(&self) {
        // Fails only if SQLite has rolled back the whole transaction, which the commit reports.
        let _ = self.connection.execute_batch("ROLLBACK TO job; RELEASE job");
    }

    /// Returns the connection, which caches prepared statements.
    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Adds or replaces documents of kinds whose removal needs no further handling.
    pub(super) fn put_all(&self, documents: &[Document]) -> Result<(), StoreError> {
        for document in documents {
            document::put(&self.connection, document)?;
            self.apply_limit(document.kind)?;
        }
        Ok(())
    }

    pub(super) fn remove_all(&self) -> Result<(), StoreError> {
        document::remove_all(&self.connection)?;
        sent_bodies::remove_all(&self.connection)?;
        self.added.iter().for_each(|added| added.set(0));
        self.forgotten.send_replace(0);
        Ok(())
    }

    /// Applies the size limit after a document was added. Returns the users and ids of removed documents.
    pub(super) fn apply_limit(&self, kind: DocumentKind) -> Result<Vec<(String, String)>, StoreError> {
        let (Some(max), added) = (self.max, &self.added[kind as usize]) else { return Ok(Vec::new()) };
        added.set(added.get() + 1);
        if added.get() < LIMIT_INTERVAL {
            return Ok(Vec::new());
        }
        added.set(0);
        let forgotten = document::remove_oldest(&self.connection, kind, max)?;
        if kind.is_made_by_callers() && !forgotten.is_empty() {
            self.forgotten.send_modify(|count| *count += forgotten.len() as u64);
        }
        Ok(forgotten)
    }
}

/// Handle of the thread. Dropping it ends the thread and closes the file.
pub(super) struct Worker {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    pub(super) fn start(database: Database) -> std::io::Result<Self> {
        let (jobs, queue) = channel();
        let thread = std::thread::Builder::new().name("sandbox store".to_owned()).spawn(move || run(&database, &queue))?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Runs a job on the thread and waits for it without blocking the runtime.
    pub(super) async fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.call_then(work, |value| value).await
    }

    /// Runs a job like [`Self::call`]. Calls `then` on the thread after the commit, in commit order.
    pub(super) async fn call_then<T: Send + 'static, R: Send + 'static>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, StoreError> + Send + 'static,
        then: impl FnOnce(T) -> R + Send + 'static,
    ) -> Result<R, StoreError> {
        let (callback, outcome) = oneshot::channel();
        self.send(work, move |result: Result<T, StoreError>| {
            // Fails only if the caller was dropped.
            let _ = callback.send(result.map(then));
        })?;
        outcome.await.map_err(|_| thread_ended())?
    }

    /// Runs a job on the thread and blocks until it is done.
    pub(super) fn call_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (callback, outcome) = channel();
        self.send(work, move |result| {
            let _ = callback.send(result);
        })?;
        outcome.recv().map_err(|_| thread_ended())?
    }

    fn send<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, StoreError> + Send + 'static,
        callback: impl FnOnce(Result<T, StoreError>) + Send + 'static,
    ) -> Result<(), StoreError> {
        let job: Job = Box::new(move |database| {
            let done = database.run_job(work);
            Box::new(move |committed| callback(committed.and(done)))
        });
        self.jobs.as_ref().ok_or_else(thread_ended)?.send(job).map_err(|_| thread_ended())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take() {
            // The file must be closed when this returns. The thread cannot panic because jobs are caught.
            let _ = thread.join();
        }
    }
}

fn thread_ended() -> StoreError {
    StoreError::new("the database thread has ended")
}

fn run(database: &Database, queue: &Receiver<Job>) {
    let connection = database.connection();
    let mut last_check = Instant::now();
    loop {
        let first = match queue.recv_timeout(CLOCK_INTERVAL) {
            Ok(first) => Some(first),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        if let Some(first) = first {
            let (begin, changed) = (connection.execute_batch("BEGIN"), connection.total_changes());
            let mut callbacks = Vec::new();
            let more = std::iter::from_fn(|| queue.try_recv().ok());
            for job in std::iter::once(first).chain(more).take(MAX_JOBS) {
                match catch_unwind(AssertUnwindSafe(|| job(database))) {
                    Ok(callback) => callbacks.push(callback),
                    // A job that panics closes its channel, which its caller sees as an error.
                    Err(_) => database.undo_job(),
                }
            }
            let committed = begin.map_err(StoreError::from).and_then(|()| database.commit(changed));
            for callback in callbacks {
                let _ = catch_unwind(AssertUnwindSafe(|| callback(committed.clone())));
            }
        }
        if last_check.elapsed() >= CLOCK_INTERVAL {
            database.next_clock_limit().into_iter().for_each(|seen| database.store_clock_limit(seen));
            last_check = Instant::now();
        }
    }
    // No later instant is shown after this.
    database.seen.get().into_iter().for_each(|seen| database.store_clock_limit(seen(Duration::ZERO)));
}
