//! The thread that owns the connection. What waits in its queue is done in one transaction and answered after the commit, so that many
//! writers share the time the disk takes.

use std::cell::{Cell, OnceCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rusqlite::Connection;
use tokio::sync::{oneshot, watch};

use super::Kind;
use super::document::{self, Document};
use super::error::StoreError;
use super::sent;

/// Jobs of one transaction.
const MAX_JOBS: usize = 256;
/// How many documents of a kind are added before the bound is looked at again: finding the oldest takes a walk.
const SLACK: u32 = 128;
/// Under this name the instant is kept that the sandbox's clock has not shown anything beyond.
pub(crate) const SEEN: &str = "seen";
/// How often that is looked at, and half of how far it is kept ahead: after a sudden end nothing is shown twice, though the machine's
/// clock is set back meanwhile.
const LOOK: Duration = Duration::from_secs(5);

/// Done on the thread; what it gives back is called with the outcome of the commit.
type Job = Box<dyn FnOnce(&Database) -> Answer + Send>;
type Answer = Box<dyn FnOnce(Result<(), StoreError>)>;

/// The latest instant that callers will have seen so long from now.
type Seen = Box<dyn Fn(Duration) -> Timestamp + Send>;

/// The connection and what is known about what is in it.
pub(super) struct Database {
    connection: Connection,
    /// Documents of a kind.
    max: Option<i64>,
    added: [Cell<u32>; Kind::ALL.len()],
    /// Number of documents of callers that are forgotten.
    forgotten: watch::Sender<u64>,
    /// The latest instant that callers will have seen.
    seen: OnceCell<Seen>,
    /// What is stored of it.
    stored: Cell<Timestamp>,
}

impl Database {
    pub(super) fn new(connection: Connection, max: Option<i64>, forgotten: watch::Sender<u64>) -> Self {
        Self { connection, max, added: Default::default(), forgotten, seen: OnceCell::new(), stored: Cell::new(Timestamp::MIN) }
    }

    /// Stores from now on what instants callers see. Only the first call counts.
    pub(super) fn follow(&self, seen: Seen) {
        let _ = self.seen.set(seen);
    }

    /// What is to be stored, where callers may see more than is stored before the next look.
    fn unkept(&self) -> Option<Timestamp> {
        let seen = self.seen.get()?;
        (seen(LOOK) > self.stored.get()).then(|| seen(2 * LOOK))
    }

    /// Ends a transaction that began after `changed_before` changes. What was written is never of a later time than the clock's that is
    /// kept with it.
    fn commit(&self, changed_before: u64) -> Result<(), StoreError> {
        let connection = &self.connection;
        if connection.is_autocommit() {
            // SQLite gives some transactions up by itself, as when the disk is full.
            return Err(StoreError::new("the transaction was given up"));
        }
        let seen = self.unkept().filter(|_| connection.total_changes() > changed_before);
        let kept = seen.map_or(Ok(()), |seen| document::set(connection, SEEN, &serde_json::to_string(&seen)?));
        let done = kept.and_then(|()| Ok(connection.execute_batch("COMMIT")?));
        match &done {
            Ok(()) => seen.iter().for_each(|seen| self.stored.set(*seen)),
            Err(_) => {
                // Nothing more can be done if that fails too: the next BEGIN fails then.
                let _ = connection.execute_batch("ROLLBACK");
            }
        }
        done
    }

    /// Keeps an instant of the clock.
    fn keep(&self, seen: Timestamp) {
        // On a disk that is full the next commit says so.
        if serde_json::to_string(&seen).is_ok_and(|text| document::set(&self.connection, SEEN, &text).is_ok()) {
            self.stored.set(seen);
        }
    }

    /// Statements already prepared are found again.
    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Adds or replaces documents of kinds whose forgotten ones need no notice.
    pub(super) fn put_all(&self, documents: &[Document]) -> Result<(), StoreError> {
        for document in documents {
            document::put(&self.connection, document)?;
            self.bound(document.kind)?;
        }
        Ok(())
    }

    /// Forgets all documents.
    pub(super) fn forget_all(&self) -> Result<(), StoreError> {
        document::remove_all(&self.connection)?;
        sent::remove_all(&self.connection)?;
        self.added.iter().for_each(|added| added.set(0));
        self.forgotten.send_replace(0);
        Ok(())
    }

    /// To be called after documents were added: forgets the oldest where there is a bound.
    pub(super) fn bound(&self, kind: Kind) -> Result<Vec<(String, String)>, StoreError> {
        let (Some(max), added) = (self.max, &self.added[kind as usize]) else { return Ok(Vec::new()) };
        added.set(added.get() + 1);
        if added.get() < SLACK {
            return Ok(Vec::new());
        }
        added.set(0);
        let forgotten = document::forget(&self.connection, kind, max)?;
        if kind.is_made_by_callers() && !forgotten.is_empty() {
            self.forgotten.send_modify(|count| *count += forgotten.len() as u64);
        }
        Ok(forgotten)
    }
}

/// A handle to the thread. The thread ends, and closes the file, when this is dropped.
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

    /// Does something on the thread and waits for it without holding the runtime up.
    pub(super) async fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.call_then(work, |value| value).await
    }

    /// The same; `then` runs on the thread after the commit, in the order of the commits.
    pub(super) async fn call_then<T: Send + 'static, R: Send + 'static>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, StoreError> + Send + 'static,
        then: impl FnOnce(T) -> R + Send + 'static,
    ) -> Result<R, StoreError> {
        let (answer, outcome) = oneshot::channel();
        self.send(work, move |result: Result<T, StoreError>| {
            // A caller who went away does not ask any more.
            let _ = answer.send(result.map(then));
        })?;
        outcome.await.map_err(|_| gone())?
    }

    /// Does something on the thread and holds the caller's thread up meanwhile.
    pub(super) fn call_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, outcome) = channel();
        self.send(work, move |result| {
            let _ = answer.send(result);
        })?;
        outcome.recv().map_err(|_| gone())?
    }

    fn send<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, StoreError> + Send + 'static,
        answer: impl FnOnce(Result<T, StoreError>) + Send + 'static,
    ) -> Result<(), StoreError> {
        let job: Job = Box::new(move |database| {
            let done = work(database);
            Box::new(move |committed| answer(committed.and(done)))
        });
        self.jobs.as_ref().ok_or_else(gone)?.send(job).map_err(|_| gone())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take() {
            // The file must be free when this returns. The thread cannot panic: jobs are caught.
            let _ = thread.join();
        }
    }
}

fn gone() -> StoreError {
    StoreError::new("its thread has ended")
}

fn run(database: &Database, queue: &Receiver<Job>) {
    let connection = database.connection();
    let mut looked = Instant::now();
    loop {
        let first = match queue.recv_timeout(LOOK) {
            Ok(first) => Some(first),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        if let Some(first) = first {
            let (begun, changed) = (connection.execute_batch("BEGIN"), connection.total_changes());
            let mut answers = Vec::new();
            let more = std::iter::from_fn(|| queue.try_recv().ok());
            for job in std::iter::once(first).chain(more).take(MAX_JOBS) {
                // A job that panics is answered by the end of its channel.
                if let Ok(answer) = catch_unwind(AssertUnwindSafe(|| job(database))) {
                    answers.push(answer);
                }
            }
            let committed = begun.map_err(StoreError::from).and_then(|()| database.commit(changed));
            for answer in answers {
                let _ = catch_unwind(AssertUnwindSafe(|| answer(committed.clone())));
            }
        }
        if looked.elapsed() >= LOOK {
            database.unkept().into_iter().for_each(|seen| database.keep(seen));
            looked = Instant::now();
        }
    }
    // From here on nothing more is shown.
    database.seen.get().into_iter().for_each(|seen| database.keep(seen(Duration::ZERO)));
}
