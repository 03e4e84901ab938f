//! Calls that go on while nobody waits for them, and the end of the threads that drive them.

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

/// What a process has started.
struct Process {
    calls: Mutex<Calls>,
    /// Rung when a call has ended while the threads are being ended.
    fewer: Condvar,
}

struct Calls {
    /// What ends each of them.
    going: BTreeMap<u64, CancelToken>,
    /// Whether the threads are being ended: nothing may be started.
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

/// A call that was started. [`shutdown`] waits until this is dropped.
#[derive(Debug)]
pub struct Started {
    /// Its number, which no call of a parent of this process has.
    number: u64,
    /// `None` while this is being dropped.
    beside: Option<Beside>,
}

/// A call that may be started.
pub struct Starting {
    started: Started,
    runtime: Arc<Runtime>,
}

impl Starting {
    /// Makes sure that there is who drives a call, of which `token` is the own one.
    ///
    /// # Errors
    /// `closed` during [`shutdown`]; internal, where no thread can be started.
    pub fn new(token: &CancelToken) -> Result<Self, Error> {
        Ok(Self { started: Started::begin(token)?, runtime: threads()? })
    }

    /// Has the runtime's threads carry out the call, and then what is to be done with its result.
    pub fn start<T, N>(self, call: impl Future<Output = T> + Send + 'static, then: impl FnOnce(T, Started) -> N + Send + 'static)
    where
        N: Future<Output = ()> + Send + 'static,
    {
        let Self { started, runtime } = self;
        let then = move |result| then(result, started);
        match ProviderContext::current() {
            Some(context) => runtime.spawn(context.carry(Box::pin(call)).then(then)),
            // An async block would have room for the call twice, and all of that is moved to where it stays.
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
        // First: what `shutdown` takes apart must not be held here any more.
        self.beside = None;
        let process = Process::here();
        let mut calls = process.lock();
        // In a child that was forked meanwhile it is not there.
        let token = calls.going.remove(&self.number);
        let ending = calls.ending;
        drop(calls);
        drop(token);
        // A call of the system, which is left out where nobody waits.
        if ending {
            process.fewer.notify_all();
        }
    }
}

/// Lets what else is ready on this thread of the library go first.
pub async fn after_others() {
    yield_now().await;
}

/// Has something done on a thread where it may block and make calls.
///
/// # Errors
/// Internal, where no thread can be started.
pub fn aside(work: impl FnOnce() + Send + 'static) -> Result<(), Error> {
    match Handle::try_current() {
        Ok(here) => drop(here.spawn_blocking(work)),
        Err(_) => drop(threads()?.spawn_blocking(work)),
    }
    Ok(())
}

/// Ends all threads of the library, after the calls that were started, which are cancelled, and what they have run aside. The next call has
/// new ones.
///
/// # Errors
/// `configuration` while a thread waits for a call, and on a thread of the library: nothing is ended then.
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
    // The threads for tasks first: the other one stands in for connections that they may use.
    drop(end_threads().and_then(Arc::into_inner));
    drop(place::end().and_then(Arc::into_inner));
    let mut calls = process.lock();
    calls.ending = false;
    // An empty map keeps memory, which is lost if the library is unloaded after this.
    calls.going = BTreeMap::new();
    Ok(())
}
