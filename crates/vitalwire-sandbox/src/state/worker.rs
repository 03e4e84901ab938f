//! The thread that owns the connection. What waits in its queue is done in one transaction and answered after the commit, so that many
//! writers share the time the disk takes.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::Kind;
use super::document::{self, Document};
use super::error::Failed;

/// Most jobs of a transaction.
const TOGETHER: usize = 256;
/// How many documents of a kind are added before the bound is looked at again: finding the oldest takes a walk.
const SLACK: u32 = 128;

/// Done on the thread; what it gives back is called with the outcome of the commit.
type Job = Box<dyn FnOnce(&Database) -> Answer + Send>;
type Answer = Box<dyn FnOnce(Result<(), Failed>)>;

/// The connection and what is known about what is in it.
pub(super) struct Database {
    connection: Connection,
    /// Most documents of a kind.
    most: Option<i64>,
    added: [Cell<u32>; Kind::ALL.len()],
}

impl Database {
    pub(super) fn new(connection: Connection, most: Option<i64>) -> Self {
        Self { connection, most, added: Default::default() }
    }

    /// Statements already prepared are found again.
    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Adds or replaces documents of kinds whose bound nobody has to be told about.
    pub(super) fn put_all(&self, documents: &[Document]) -> Result<(), Failed> {
        for document in documents {
            document::put(&self.connection, document)?;
            self.bound(document.kind)?;
        }
        Ok(())
    }

    /// To be called after documents were added: forgets the oldest where there is a bound.
    pub(super) fn bound(&self, kind: Kind) -> Result<Vec<(String, String)>, Failed> {
        let (Some(most), added) = (self.most, &self.added[kind as usize]) else { return Ok(Vec::new()) };
        added.set(added.get() + 1);
        if added.get() < SLACK {
            return Ok(Vec::new());
        }
        added.set(0);
        document::forget(&self.connection, kind, most)
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
        work: impl FnOnce(&Database) -> Result<T, Failed> + Send + 'static,
    ) -> Result<T, Failed> {
        self.call_then(work, |value| value).await
    }

    /// The same; `then` runs on the thread after the commit, in the order of the commits.
    pub(super) async fn call_then<T: Send + 'static, R: Send + 'static>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, Failed> + Send + 'static,
        then: impl FnOnce(T) -> R + Send + 'static,
    ) -> Result<R, Failed> {
        let (answer, outcome) = oneshot::channel();
        self.send(work, move |result: Result<T, Failed>| {
            // A caller who went away does not ask any more.
            let _ = answer.send(result.map(then));
        })?;
        outcome.await.map_err(|_| gone())?
    }

    /// Does something on the thread and holds the caller's thread up meanwhile.
    pub(super) fn call_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, Failed> + Send + 'static,
    ) -> Result<T, Failed> {
        let (answer, outcome) = channel();
        self.send(work, move |result| {
            let _ = answer.send(result);
        })?;
        outcome.recv().map_err(|_| gone())?
    }

    fn send<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, Failed> + Send + 'static,
        answer: impl FnOnce(Result<T, Failed>) + Send + 'static,
    ) -> Result<(), Failed> {
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

fn gone() -> Failed {
    Failed::new("its thread has ended")
}

fn run(database: &Database, queue: &Receiver<Job>) {
    let connection = database.connection();
    while let Ok(first) = queue.recv() {
        let begun = connection.execute_batch("BEGIN");
        let mut answers = Vec::new();
        let more = std::iter::from_fn(|| queue.try_recv().ok());
        for job in std::iter::once(first).chain(more).take(TOGETHER) {
            // A job that panics is answered by the end of its channel.
            if let Ok(answer) = catch_unwind(AssertUnwindSafe(|| job(database))) {
                answers.push(answer);
            }
        }
        let committed = begun.map_err(Failed::from).and_then(|()| commit(connection));
        for answer in answers {
            let _ = catch_unwind(AssertUnwindSafe(|| answer(committed.clone())));
        }
    }
}

fn commit(connection: &Connection) -> Result<(), Failed> {
    if connection.is_autocommit() {
        // SQLite gives some transactions up by itself, as when the disk is full.
        return Err(Failed::new("the transaction was given up"));
    }
    connection.execute_batch("COMMIT").map_err(|error| {
        // Nothing more can be done if that fails too: the next BEGIN will tell.
        let _ = connection.execute_batch("ROLLBACK");
        Failed::from(error)
    })
}
