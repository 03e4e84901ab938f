//! Calls that run in the background, and the shutdown of the threads that drive them.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt as _;
use tokio::runtime::{Handle, Runtime};
use tokio::task::yield_now;

use super::driver::{self, BackgroundGuard};
use super::{take_worker_runtime, worker_runtime};
use crate::auth::ProviderContext;
use crate::error::Error;
use crate::per_process::PerProcessStatic;
use crate::transport::CancelToken;

/// Background calls of a process.
struct BackgroundCalls {
    calls: Mutex<CallTable>,
    /// Notified when a call ends during a shutdown.
    call_ended: Condvar,
}

/// State of the background calls.
struct CallTable {
    /// Cancellation tokens of the calls in flight, by number.
    in_flight: BTreeMap<u64, CancelToken>,
    /// Whether a shutdown is in progress, which rejects new calls.
    shutting_down: bool,
}

impl BackgroundCalls {
    const fn new() -> Self {
        Self { calls: Mutex::new(CallTable { in_flight: BTreeMap::new(), shutting_down: false }), call_ended: Condvar::new() }
    }

    fn current() -> &'static Self {
        static ALL: PerProcessStatic<BackgroundCalls> = PerProcessStatic::new(BackgroundCalls::new());
        ALL.get(Self::new)
    }

    fn lock(&self) -> MutexGuard<'_, CallTable> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A background call in flight. [`shutdown`] waits until it is dropped.
#[derive(Debug)]
pub struct BackgroundCall {
    /// Number of the call. Not reused in forked children.
    number: u64,
    /// `None` while this is being dropped.
    guard: Option<BackgroundGuard>,
}

/// A registered call that has not started.
pub struct RegisteredCall {
    call: BackgroundCall,
    runtime: Arc<Runtime>,
}

impl RegisteredCall {
    /// Registers a call that `token` cancels, and makes sure that a runtime can drive it.
    ///
    /// # Errors
    /// `closed` during [`shutdown`]; `internal` if no thread can be started.
    pub fn new(token: &CancelToken) -> Result<Self, Error> {
        Ok(Self { call: BackgroundCall::register(token)?, runtime: worker_runtime()? })
    }

    /// Spawns the call on the worker threads, and then `then` with its result.
    pub fn start<T, N>(self, call: impl Future<Output = T> + Send + 'static, then: impl FnOnce(T, BackgroundCall) -> N + Send + 'static)
    where
        N: Future<Output = ()> + Send + 'static,
    {
        let Self { call: background, runtime } = self;
        let then = move |result| then(result, background);
        match ProviderContext::current() {
            Some(context) => runtime.spawn(context.run_async(Box::pin(call)).then(then)),
            // An async block would store the call twice, and both copies would move to the heap.
            None => runtime.spawn(call.then(then)),
        };
    }
}

impl BackgroundCall {
    fn register(token: &CancelToken) -> Result<Self, Error> {
        static NEXT_NUMBER: AtomicU64 = AtomicU64::new(0);
        let process = BackgroundCalls::current();
        let mut calls = process.lock();
        if calls.shutting_down {
            return Err(Error::closed());
        }
        let guard = BackgroundGuard::new()?;
        let number = NEXT_NUMBER.fetch_add(1, Ordering::Relaxed);
        calls.in_flight.insert(number, token.clone());
        Ok(Self { number, guard: Some(guard) })
    }
}

impl Drop for BackgroundCall {
    fn drop(&mut self) {
        // Release the guard first: `shutdown` ends the runtime as soon as the call is deregistered.
        self.guard = None;
        let process = BackgroundCalls::current();
        let mut calls = process.lock();
        // A child that was forked since does not have the entry.
        let token = calls.in_flight.remove(&self.number);
        let shutting_down = calls.shutting_down;
        drop(calls);
        drop(token);
        // Skip the system call if nobody waits.
        if shutting_down {
            process.call_ended.notify_all();
        }
    }
}

/// Yields to other ready tasks of this worker thread.
pub async fn yield_to_ready_tasks() {
    yield_now().await;
}

/// Runs a closure on a thread that may block and make calls.
///
/// # Errors
/// `internal` if no thread can be started.
pub fn spawn_blocking(work: impl FnOnce() + Send + 'static) -> Result<(), Error> {
    match Handle::try_current() {
        Ok(here) => drop(here.spawn_blocking(work)),
        Err(_) => drop(worker_runtime()?.spawn_blocking(work)),
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
        return Err(Error::configuration("must not be called on a thread of the library"));
    }
    let process = BackgroundCalls::current();
    let mut calls = process.lock();
    if driver::calls_in_flight() > calls.in_flight.len() {
        return Err(Error::configuration("must not be called while a thread waits for a call; cancel the call first"));
    }
    calls.shutting_down = true;
    let tokens: Vec<_> = calls.in_flight.values().cloned().collect();
    drop(calls);
    for token in tokens {
        token.cancel();
    }
    let mut calls = process.lock();
    while !calls.in_flight.is_empty() {
        calls = process.call_ended.wait(calls).unwrap_or_else(PoisonError::into_inner);
    }
    drop(calls);
    // End the worker threads first: the other runtime may own connections that they use.
    drop(take_worker_runtime().and_then(Arc::into_inner));
    drop(driver::take_runtime().and_then(Arc::into_inner));
    let mut calls = process.lock();
    calls.shutting_down = false;
    // An empty map keeps its memory, which would leak if the library is unloaded after the shutdown.
    calls.in_flight = BTreeMap::new();
    Ok(())
}
