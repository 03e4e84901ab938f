//! Chooses who drives a blocking call: its own thread while it is the only call, otherwise the worker threads of the runtime.
//!
//! A call that its own thread drives needs no thread switch, which is most of the cost of a small call and of a body in many pieces. Between
//! such calls, a background thread polls the runtime, so that connections are closed and idle connections are monitored.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::task::Poll;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::resettable_lazy::ResettableLazy;
use super::{start_error, worker_runtime};
use crate::error::Error;
use crate::sigpipe::{self, SigpipeBlocker};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Notify;
use tokio::task::yield_now;

/// Idle time after which the background thread polls the runtime. While calls follow one another, the thread wakes up at this interval.
const IDLE_INTERVAL: Duration = Duration::from_millis(2);

/// The structure of a call, which determines who drives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallShape {
    /// A single future, which its own thread can drive.
    Single,
    /// Several tasks, which worker threads run concurrently.
    Tasks,
}

static INLINE_RUNTIME: ResettableLazy<InlineRuntime> = ResettableLazy::new();

/// Returns the number of calls in flight, both blocking and started.
pub(super) fn calls_in_flight() -> usize {
    INLINE_RUNTIME.current().map_or(0, |inline| inline.calls.load(SeqCst))
}

/// Removes the single-threaded runtime. Dropping the returned handle ends its background thread.
pub(super) fn take_runtime() -> Option<Arc<InlineRuntime>> {
    INLINE_RUNTIME.take()
}

/// The driver of a call. Dropping it ends the call.
#[derive(Debug)]
pub struct CallDriver {
    inline: Arc<InlineRuntime>,
    thread: DriverThread,
    /// Id of the process in which the call began.
    process: u32,
}

#[derive(Debug)]
enum DriverThread {
    /// The caller's thread.
    Caller,
    /// The worker threads of the runtime.
    Workers(Arc<Runtime>),
}

impl CallDriver {
    /// Registers a new call and chooses its driver.
    ///
    /// # Errors
    /// `internal` if no thread can be started.
    pub fn new(shape: CallShape) -> Result<Self, Error> {
        let inline = INLINE_RUNTIME.get(InlineRuntime::start)?;
        let process = std::process::id();
        let earlier_calls = inline.calls.fetch_add(1, SeqCst);
        if shape == CallShape::Single && earlier_calls == 0 {
            return Ok(Self { inline, thread: DriverThread::Caller, process });
        }
        let runtime = worker_runtime().inspect_err(|_| inline.deregister(false))?;
        Ok(Self { inline, thread: DriverThread::Workers(runtime), process })
    }

    /// Whether this process began the call. False in a process that was forked since.
    #[must_use]
    pub fn is_in_this_process(&self) -> bool {
        self.process == std::process::id()
    }

    /// Drives a call until the future completes.
    pub fn block_on<F: Future>(&mut self, call: F) -> F::Output {
        let mut call = pin!(call);
        let _blocked = self.inline.shared.sigpipe.block();
        if let DriverThread::Caller = self.thread {
            self.inline.shared.take_over();
            let driven = self.inline.shared.runtime.block_on(async {
                // Let the runtime process connection events first, so that a closed connection is not reused.
                yield_now().await;
                poll_until_decoding(&self.inline.calls, call.as_mut()).await
            });
            if let Some(output) = driven {
                return output;
            }
            // If the worker threads cannot be started, the call continues on this thread.
            if let Ok(runtime) = worker_runtime() {
                self.thread = DriverThread::Workers(runtime);
                self.inline.wake_background_thread();
            }
        }
        match &self.thread {
            DriverThread::Workers(runtime) => runtime.block_on(call),
            DriverThread::Caller => self.inline.shared.runtime.block_on(call),
        }
    }
}

thread_local! {
    /// State of the call that this thread drives and polls.
    static POLLED_CALL: Cell<PolledCall> = const { Cell::new(PolledCall::None) };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PolledCall {
    None,
    Polled,
    /// The next poll decodes a large body.
    DecodesNext,
}

/// Prepares for decoding a large body. Calls in flight on other threads may use connections of the runtime that this thread drives. They
/// must not wait until the body is decoded, so the background thread takes over.
pub(crate) async fn prepare_decoding() {
    if POLLED_CALL.get() == PolledCall::Polled {
        POLLED_CALL.set(PolledCall::DecodesNext);
        yield_now().await;
    }
}

/// Polls a call until it completes. Returns `None` before the call decodes a large body, if other calls are in flight.
async fn poll_until_decoding<F: Future>(calls: &AtomicUsize, mut call: Pin<&mut F>) -> Option<F::Output> {
    poll_fn(|context| {
        POLLED_CALL.set(PolledCall::Polled);
        let polled = call.as_mut().poll(context);
        match (polled, POLLED_CALL.replace(PolledCall::None)) {
            (Poll::Ready(output), _) => Poll::Ready(Some(output)),
            (Poll::Pending, PolledCall::DecodesNext) if calls.load(SeqCst) > 1 => Poll::Ready(None),
            (Poll::Pending, _) => Poll::Pending,
        }
    })
    .await
}

impl Drop for CallDriver {
    fn drop(&mut self) {
        if self.is_in_this_process() {
            self.inline.deregister(matches!(self.thread, DriverThread::Caller));
        }
    }
}

/// Registers a call that worker threads drive in the background. While it exists, no other call is driven by its own thread.
#[derive(Debug)]
pub(super) struct BackgroundGuard(Arc<InlineRuntime>);

impl BackgroundGuard {
    /// Registers a call.
    ///
    /// # Errors
    /// `internal` if no thread can be started.
    pub(super) fn new() -> Result<Self, Error> {
        let inline = INLINE_RUNTIME.get(InlineRuntime::start)?;
        inline.calls.fetch_add(1, SeqCst);
        // The call may use connections that belong to the single-threaded runtime.
        inline.wake_background_thread();
        Ok(Self(inline))
    }
}

impl Drop for BackgroundGuard {
    fn drop(&mut self) {
        self.0.deregister(false);
    }
}

/// The single-threaded runtime for calls that their own thread drives.
#[derive(Debug)]
pub(super) struct InlineRuntime {
    shared: Arc<InlineState>,
    /// Number of calls in flight, whoever drives them.
    calls: AtomicUsize,
    /// Wakes the background thread to poll the runtime at once.
    wake_sender: SyncSender<()>,
    /// The background thread; `None` while this is being dropped.
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct InlineState {
    runtime: Runtime,
    /// Whether the background thread should exit.
    exiting: AtomicBool,
    /// Number of calls so far that their own thread drove.
    inline_calls: AtomicU64,
    /// Whether the background thread polls the runtime.
    is_polling: AtomicBool,
    /// Wakes the background thread so that a call can drive the runtime.
    interrupt: Notify,
    /// Blocks a signal on the threads of calls.
    sigpipe: SigpipeBlocker,
}

impl InlineRuntime {
    fn start() -> Result<Self, Error> {
        let runtime =
            Builder::new_current_thread().on_thread_start(sigpipe::block_on_this_thread).enable_all().build().map_err(start_error)?;
        let shared = InlineState {
            runtime,
            exiting: AtomicBool::new(false),
            inline_calls: AtomicU64::new(0),
            is_polling: AtomicBool::new(false),
            interrupt: Notify::new(),
            sigpipe: SigpipeBlocker::new().map_err(start_error)?,
        };
        let (shared, (wake_sender, wake_receiver)) = (Arc::new(shared), mpsc::sync_channel(1));
        let background = Arc::clone(&shared);
        let thread = thread::Builder::new().name("vitalwire".into()).spawn(move || background.run(&wake_receiver)).map_err(start_error)?;
        Ok(Self { shared, calls: AtomicUsize::new(0), wake_sender, thread: Some(thread) })
    }

    /// Records the end of a call. If it drove the runtime, other calls may need its connections.
    fn deregister(&self, drove: bool) {
        if self.calls.fetch_sub(1, SeqCst) > 1 && drove {
            self.wake_background_thread();
        }
    }

    fn wake_background_thread(&self) {
        // If the channel is full, the thread is about to wake up anyway.
        let _ = self.wake_sender.try_send(());
    }
}

impl Drop for InlineRuntime {
    fn drop(&mut self) {
        self.shared.exiting.store(true, SeqCst);
        self.wake_background_thread();
        // The permit is stored if the thread does not wait yet.
        self.shared.interrupt.notify_one();
        if let Some(thread) = self.thread.take() {
            // The panic hook has already reported a panic of the thread.
            let _ = thread.join();
        }
    }
}

impl InlineState {
    /// Interrupts the background thread when a call begins to drive the runtime.
    fn take_over(&self) {
        self.inline_calls.fetch_add(1, SeqCst);
        if self.is_polling.swap(false, SeqCst) {
            self.interrupt.notify_one();
        }
    }

    /// Polls the runtime whenever it was idle for a while or a wake-up arrived, until the next call begins.
    fn run(&self, wake_receiver: &Receiver<()>) {
        sigpipe::block_on_this_thread();
        loop {
            let before = self.inline_calls.load(SeqCst);
            match wake_receiver.recv_timeout(IDLE_INTERVAL) {
                Ok(()) => {}
                Err(RecvTimeoutError::Timeout) if self.inline_calls.load(SeqCst) == before => {}
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if self.exiting.load(SeqCst) {
                return;
            }
            self.is_polling.store(true, SeqCst);
            self.runtime.block_on(self.interrupt.notified());
            self.is_polling.store(false, SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Polls a call that is pending many times and then decodes a large body.
    fn poll_call(calls: usize) -> Option<()> {
        let call = async {
            for _ in 0..99 {
                yield_now().await;
            }
            prepare_decoding().await;
        };
        let runtime = Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(poll_until_decoding(&AtomicUsize::new(calls), pin!(call)))
    }

    #[test]
    fn the_only_call_stays_on_its_thread() {
        assert_eq!(poll_call(1), Some(()));
    }

    #[test]
    fn a_call_leaves_its_thread_before_decoding_if_others_are_in_flight() {
        assert_eq!(poll_call(2), None);
    }
}
