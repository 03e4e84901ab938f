//! Calls that go on while nobody waits for them, and the end of the threads that drive them.

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use futures_util::future::{Either, select};
use tokio::runtime::{Handle, Runtime};

use super::place::{self, Beside};
use super::{end_threads, threads};
use crate::error::Error;
use crate::per_process::PerProcessStatic;
use crate::transport::CancelToken;

/// What a process has started.
struct Process {
    calls: Mutex<Calls>,
    /// Rung when a call has ended.
    fewer: Condvar,
}

struct Calls {
    count: usize,
    /// Ends them; made with the first.
    end: Option<CancelToken>,
    /// Whether the threads are being ended: nothing may be started.
    ending: bool,
}

impl Process {
    const fn new() -> Self {
        Self { calls: Mutex::new(Calls { count: 0, end: None, ending: false }), fewer: Condvar::new() }
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
    /// `None` while this is being dropped.
    beside: Option<Beside>,
}

/// A call that may be started.
pub struct Starting {
    started: Started,
    runtime: Arc<Runtime>,
    end: CancelToken,
}

impl Starting {
    /// Makes sure that there is who drives it.
    ///
    /// # Errors
    /// `closed` during [`shutdown`]; internal, where no thread can be started.
    pub fn new() -> Result<Self, Error> {
        let (started, end) = Started::begin()?;
        Ok(Self { started, runtime: threads()?, end })
    }

    /// Has the runtime's threads carry out the call, of which `token` is the own one. Its result goes to `then`, on one of them.
    pub fn start<T: Send>(
        self,
        token: CancelToken,
        call: impl Future<Output = T> + Send + 'static,
        then: impl FnOnce(T, Started) + Send + 'static,
    ) {
        let Self { started, runtime, end } = self;
        runtime.spawn(async move {
            let result = match select(pin!(call), pin!(end.cancelled())).await {
                Either::Left((result, _)) => result,
                Either::Right(((), call)) => {
                    token.cancel();
                    call.await
                }
            };
            then(result, started);
        });
    }
}

impl Started {
    fn begin() -> Result<(Self, CancelToken), Error> {
        let process = Process::here();
        let mut calls = process.lock();
        if calls.ending {
            return Err(Error::closed());
        }
        let beside = Beside::enter()?;
        calls.count += 1;
        Ok((Self { beside: Some(beside) }, calls.end.get_or_insert_default().clone()))
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // First: what `shutdown` takes apart must not be held here any more.
        self.beside = None;
        let process = Process::here();
        let mut calls = process.lock();
        // In a child that was forked meanwhile it counts nowhere.
        calls.count = calls.count.saturating_sub(1);
        drop(calls);
        process.fewer.notify_all();
    }
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
    if place::count() > calls.count {
        return Err(Error::configuration("a thread waits for a call: cancel it first"));
    }
    calls.ending = true;
    if let Some(end) = calls.end.take() {
        end.cancel();
    }
    while calls.count > 0 {
        calls = process.fewer.wait(calls).unwrap_or_else(PoisonError::into_inner);
    }
    drop(calls);
    // The threads for tasks first: the other one stands in for connections that they may use.
    drop(end_threads().and_then(Arc::into_inner));
    drop(place::end().and_then(Arc::into_inner));
    process.lock().ending = false;
    Ok(())
}
