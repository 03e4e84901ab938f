//! Calls that run in the background, and the shutdown of the threads that drive them.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt as _;
use tokio::runtime::{Handle, Runtime};
use tokio::task::yield_now;

use super::place::{self, Beside};
use super::{end_threads, threads};
use crate::auth::ProviderContext;
use crate::error::Error;
use crate::per_process::PerProcessStatic;
use crate::transport::CancelToken;

/// Background calls of a process.
struct Process {
    calls: Mutex<Calls>,
    /// Notified when a call ends during a shutdown.
    fewer: Condvar,
}

struct Calls {
    /// Cancellation tokens of the calls in flight, by number.
    going: BTreeMap<u64, CancelToken>,
    /// Whether a shutdown is in progress, which rejects new calls.
    ending: bool,
}

impl Process {
    const fn new() -> Self {
        Self { calls: Mutex::new(Calls { going: BTreeMap::new(), ending: false }), fewer: Condvar::new() }
    }

    fn here() -> &'static Self {
        static PROCESSES: PerProcessStatic<Process> = PerProcessStatic::new(Process::new());
        PROCESSES.get(Self::new)
    }

    fn lock(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A background call in flight. [`shutdown`] waits until it is dropped.
#[derive(Debug)]
pub struct Started {
    /// Number of the call. Not reused in forked children.
    number: u64,
    /// `None` while this is being dropped.
    beside: Option<Beside>,
}

/// A registered call that has not started.
pub struct Starting {
    started: Started,
    runtime: Arc<Runtime>,
}

impl Starting {
    /// Registers a call that `token` cancels, and makes sure that a runtime can drive it.
    ///
    /// # Errors
    /// `closed` during [`shutdown`]; `internal` if no thread can be started.
    pub fn new(token: &CancelToken) -> Result<Self, Error> {
        Ok(Self { started: Started::begin(token)?, runtime: threads()? })
    }

    /// Spawns the call on the worker threads, and then `then` with its result.
    pub fn start<T, N>(self, call: impl Future<Output = T> + Send + 'static, then: impl FnOnce(T, Started) -> N + Send + 'static)
    where
        N: Future<Output = ()> + Send + 'static,
    {
        let Self { started, runtime } = self;
        let then = move |result| then(result, started);
        match ProviderContext::current() {
            Some(context) => runtime.spawn(context.carry(Box::pin(call)).then(then)),
            // An async block would store the call twice, and both copies would move to the heap.
            None => runtime.spawn(call.then(then)),
        };
    }
}

impl Started {
    fn begin(token: &CancelToken) -> Result<Self, Error> {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let process = Process::here();
        let mut calls = process.lock();
        if calls.ending {
            return Err(Error::closed());
        }
        let beside = Beside::enter()?;
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        calls.going.insert(number, token.clone());
        Ok(Self { number, beside: Some(beside) })
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // Released first, because `shutdown` takes the runtime apart once the call is deregistered.
        self.beside = None;
        let process = Process::here();
        let mut calls = process.lock();
        // A child that was forked since does not have the entry.
        let token = calls.going.remove(&self.number);
        let ending = calls.ending;
        drop(calls);
        drop(token);
        // Skip the system call if nobody waits.
        if ending {
            process.fewer.notify_all();
        }
    }
}

/// Yields to other ready tasks of this worker thread.
pub async fn after_others() {
    yield_now().await;
}

/// Runs a closure on a thread that may block and make calls.
///
/// # Errors
/// `internal` if no thread can be started.
pub fn aside(work: impl FnOnce() + Send + 'static) -> Result<(), Error> {
    match Handle::try_current() {
        Ok(here) => drop(here.spawn_blocking(work)),
        Err(_) => drop(threads()?.spawn_blocking(work)),
    }
    Ok(())
}

/// Ends all threads of the library. Cancels background calls, and waits for them and for their blocking work. The next call starts new
/// threads.
///
/// # Errors
/// `configuration` while a thread waits for a call, or on a thread of the library. Nothing is ended then.
pub fn shutdown() -> Result<(), Error> {
    if Handle::try_current().is_ok() {
        return Err(Error::configuration("the library's threads cannot be ended by one of them"));
    }
    let process = Process::here();
    let mut calls = process.lock();
    if place::count() > calls.going.len() {
        return Err(Error::configuration("a thread waits for a call: cancel it first"));
    }
    calls.ending = true;
    let tokens: Vec<_> = calls.going.values().cloned().collect();
    drop(calls);
    for token in tokens {
        token.cancel();
    }
    let mut calls = process.lock();
    while !calls.going.is_empty() {
        calls = process.fewer.wait(calls).unwrap_or_else(PoisonError::into_inner);
    }
    drop(calls);
    // End the worker threads first: the other runtime may own connections that they use.
    drop(end_threads().and_then(Arc::into_inner));
    drop(place::end().and_then(Arc::into_inner));
    let mut calls = process.lock();
    calls.ending = false;
    // An empty map keeps its memory, which would leak if the library is unloaded after the shutdown.
    calls.going = BTreeMap::new();
    Ok(())
}
