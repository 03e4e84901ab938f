//! State of a started call: pending, ended or taken.

use std::any::Any;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use vitalwire::Error;
use vitalwire::client::CancelToken;

use super::vitalwire_call;
use crate::error::vitalwire_error;
use crate::user_data::UserData;

/// Type-erased outcome of a call. `_finish` converts it to the result type of the call.
pub(crate) type CallResult = Result<Box<dyn Any + Send>, vitalwire_error>;

/// A completion callback and its user data.
pub(crate) struct Completion {
    pub(crate) function: extern "C" fn(*mut c_void, *mut vitalwire_call),
    pub(crate) user_data: UserData,
}

/// A call that was started.
pub(crate) struct PendingCall {
    /// Name of the call, such as `sleeps_get` or `sleeps_get_table`. `_finish` of another call is rejected.
    name: &'static str,
    /// Id of the process that started the call.
    process: u32,
    token: CancelToken,
    /// Handle of the caller, passed to the completion.
    handle: AtomicPtr<vitalwire_call>,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    outcome: Outcome,
    /// Whether the call is in the completion queue. Threads that wait for the call resume only then.
    queued: bool,
    completion: Option<Completion>,
    /// Thread that currently runs the completion or an observer.
    running: Option<ThreadId>,
    /// Number of threads that wait for a change of this state.
    waiting: usize,
}

enum Outcome {
    Pending,
    Ended(Box<CallResult>),
    Taken,
    /// The caller has freed the call.
    Abandoned,
}

impl PendingCall {
    pub(crate) fn new(name: &'static str, token: CancelToken, completion: Option<Completion>) -> Self {
        let state = State { outcome: Outcome::Pending, queued: false, completion, running: None, waiting: 0 };
        let handle = AtomicPtr::new(ptr::null_mut());
        Self { name, process: std::process::id(), token, handle, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Sets the handle that the completion receives.
    pub(crate) fn set_handle(&self, handle: *mut vitalwire_call) {
        self.handle.store(handle, Ordering::Release);
    }

    /// Returns whether this process started the call. A forked child has no threads of its parent and cannot rely on the locks they held.
    pub(crate) fn is_of_this_process(&self) -> bool {
        self.process == std::process::id()
    }

    /// Returns whether the call has a completion that has not run.
    pub(crate) fn has_completion(&self) -> bool {
        self.lock().completion.is_some()
    }

    /// Stores the outcome. Waiting threads resume only after [`wake_waiters`](Self::wake_waiters).
    pub(crate) fn set_outcome(&self, result: CallResult) {
        let mut state = self.lock();
        let discarded = match state.outcome {
            Outcome::Pending => {
                state.outcome = Outcome::Ended(Box::new(result));
                None
            }
            _ => Some(result),
        };
        drop(state);
        drop(discarded);
    }

    /// Wakes waiting threads, after the call was added to the completion queue.
    pub(crate) fn wake_waiters(&self) {
        self.update(|state| state.queued = true);
    }

    /// Runs the completion, unless it has already run or was discarded.
    pub(crate) fn complete(&self) {
        let mut state = self.lock();
        let Some(completion) = state.completion.take() else { return };
        state.queued = true;
        self.run(state, || {
            (completion.function)(completion.user_data.get(), self.handle.load(Ordering::Acquire));
            drop(completion);
        });
    }

    /// Discards the completion and runs its destructor.
    pub(crate) fn discard_completion(&self) {
        let completion = self.lock().completion.take();
        // Outside the lock, because the destructor may free the call.
        drop(completion);
    }

    /// Calls an observer, unless the call was abandoned.
    pub(crate) fn observe(&self, observer: &mut dyn FnMut()) {
        let state = self.lock();
        if !matches!(state.outcome, Outcome::Abandoned) {
            self.run(state, observer);
        }
    }

    /// Runs a callback that [`abandon`](Self::abandon) waits for.
    fn run(&self, mut state: MutexGuard<'_, State>, work: impl FnOnce()) {
        state.running = Some(thread::current().id());
        drop(state);
        work();
        self.update(|state| state.running = None);
    }

    /// Changes the state and notifies waiting threads. Skips the system call if none wait.
    fn update(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        let waited_for = state.waiting > 0;
        drop(state);
        if waited_for {
            self.changed.notify_all();
        }
    }

    /// Waits for a change of the state, for at most `left`.
    fn wait_for_change<'a>(&self, mut state: MutexGuard<'a, State>, left: Option<Duration>) -> MutexGuard<'a, State> {
        state.waiting += 1;
        let mut state = match left {
            None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            Some(left) => self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0,
        };
        state.waiting -= 1;
        state
    }

    /// Waits until the call has ended. Returns false after a timeout.
    pub(crate) fn wait(&self, timeout: Duration) -> bool {
        if !self.is_of_this_process() {
            return true;
        }
        // `None` if the deadline is beyond the range of the clock.
        let end = Instant::now().checked_add(timeout);
        let mut state = self.lock();
        while !state.queued {
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return false;
            }
            state = self.wait_for_change(state, left);
        }
        true
    }

    pub(crate) fn cancel(&self) {
        if self.is_of_this_process() {
            self.token.cancel();
        }
    }

    /// Takes the outcome. Fails if the call has not ended or the outcome was already taken.
    pub(crate) fn take(&self, name: &str) -> Result<CallResult, Error> {
        if !self.is_of_this_process() {
            return Err(Error::internal("a call cannot continue in a forked child"));
        }
        let reject = |reason| Err(Error::invalid_argument("call", reason));
        if self.name != name {
            return reject("must be started by the matching `_start` function");
        }
        let mut state = self.lock();
        match std::mem::replace(&mut state.outcome, Outcome::Taken) {
            Outcome::Ended(result) => Ok(*result),
            Outcome::Pending => {
                state.outcome = Outcome::Pending;
                reject("must have ended; wait for it first")
            }
            Outcome::Taken | Outcome::Abandoned => reject("the result of a call can be taken only once"),
        }
    }

    /// Cancels the call and discards its outcome. Waits until no callback of the call is running on another thread.
    pub(crate) fn abandon(&self) {
        if !self.is_of_this_process() {
            return;
        }
        let mut state = self.lock();
        let completion = state.completion.take();
        let discarded = std::mem::replace(&mut state.outcome, Outcome::Abandoned);
        drop(state);
        // Cancel after the completion was removed, because the call may end at once and would run it.
        self.token.cancel();
        let here = thread::current().id();
        let mut state = self.lock();
        while state.running.is_some_and(|running| running != here) {
            state = self.wait_for_change(state, None);
        }
        drop(state);
        // Dropping the completion and the outcome runs destructors of the caller, which must not run under the lock.
        drop((completion, discarded));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicU32;
    use std::task::{Context, Wake, Waker};

    use super::*;

    static COMPLETED: AtomicU32 = AtomicU32::new(0);
    static ENDED: AtomicU32 = AtomicU32::new(0);

    extern "C" fn count_completed(_user_data: *mut c_void, _call: *mut vitalwire_call) {
        COMPLETED.fetch_add(1, Ordering::Relaxed);
    }

    extern "C" fn count_ended(_user_data: *mut c_void) {
        ENDED.fetch_add(1, Ordering::Relaxed);
    }

    /// A waker that ends the call as soon as the call is cancelled.
    struct EndOnWake(Arc<PendingCall>);

    impl Wake for EndOnWake {
        fn wake(self: Arc<Self>) {
            self.0.set_outcome(Ok(Box::new(())));
            self.0.wake_waiters();
            self.0.complete();
        }
    }

    #[test]
    fn the_completion_of_an_abandoned_call_never_runs() {
        let token = CancelToken::new();
        let completion = Completion { function: count_completed, user_data: UserData::new(ptr::null_mut(), Some(count_ended)) };
        let call = Arc::new(PendingCall::new("user_info", token.clone(), Some(completion)));
        let mut cancelled = Box::pin(token.cancelled());
        let waker = Waker::from(Arc::new(EndOnWake(Arc::clone(&call))));
        assert!(cancelled.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        call.abandon();
        assert!(call.lock().queued, "it has ended meanwhile");
        assert_eq!((COMPLETED.load(Ordering::Relaxed), ENDED.load(Ordering::Relaxed)), (0, 1));
    }
}
