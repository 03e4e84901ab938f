//! Chooses who drives a blocking call: its own thread while it is the only call, otherwise the worker threads of the runtime.
//!
//! A call that its own thread drives needs no thread switch, which is most of the cost of a small call. Between such calls, a background
//! thread polls the runtime, so that connections are closed and idle connections are monitored.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::task::Poll;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::renewed::Renewed;
use super::{threads, unstarted};
use crate::error::Error;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Notify;
use tokio::task::yield_now;

/// Idle time after which the background thread polls the runtime. While calls follow one another, the thread wakes up at this interval.
const QUIET: Duration = Duration::from_millis(2);

/// Maximum number of polls on the caller's thread. A small call takes two polls, or four with a new connection. More polls indicate a
/// large or late response. The worker threads then take over, because nothing else on this runtime progresses while the response is read.
const LOOKS: u32 = 4;

/// The structure of a call, which determines who drives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// A single future, which its own thread can drive.
    Single,
    /// Several tasks, which worker threads run concurrently.
    Tasks,
}

static ALONE: Renewed<Alone> = Renewed::new();

/// Returns the number of calls in flight, both blocking and started.
pub(super) fn count() -> usize {
    ALONE.current().map_or(0, |alone| alone.calls.load(SeqCst))
}

/// Removes the single-threaded runtime. Dropping the returned handle ends its background thread.
pub(super) fn end() -> Option<Arc<Alone>> {
    ALONE.take()
}

/// The driver of a call. Dropping it ends the call.
#[derive(Debug)]
pub struct Place {
    alone: Arc<Alone>,
    driver: Driver,
    /// Id of the process in which the call began.
    process: u32,
}

#[derive(Debug)]
enum Driver {
    /// The caller's thread, with the number of polls left.
    Itself(u32),
    /// The worker threads of the runtime.
    Threads(Arc<Runtime>),
}

impl Place {
    /// Registers a new call and chooses its driver.
    ///
    /// # Errors
    /// `internal` if no thread can be started.
    pub fn enter(work: Work) -> Result<Self, Error> {
        let alone = ALONE.get(Alone::start)?;
        let process = std::process::id();
        let others = alone.calls.fetch_add(1, SeqCst);
        if work == Work::Single && others == 0 {
            alone.shared.relieve();
            return Ok(Self { alone, driver: Driver::Itself(LOOKS), process });
        }
        let runtime = threads().inspect_err(|_| alone.leave(false))?;
        Ok(Self { alone, driver: Driver::Threads(runtime), process })
    }

    /// Whether this process began the call. False in a process that was forked since.
    #[must_use]
    pub fn is_here(&self) -> bool {
        self.process == std::process::id()
    }

    /// Drives a call until the future completes.
    pub fn block_on<F: Future>(&mut self, step: F) -> F::Output {
        let mut step = pin!(step);
        if let Driver::Itself(looks) = &mut self.driver {
            let driven = self.alone.shared.runtime.block_on(async {
                // Let the runtime process connection events first, so that a closed connection is not reused.
                yield_now().await;
                look(looks, step.as_mut()).await
            });
            if let Some(output) = driven {
                return output;
            }
            // If the worker threads cannot be started, the call continues on this thread.
            if let Ok(runtime) = threads() {
                self.driver = Driver::Threads(runtime);
                self.alone.ring();
            }
        }
        match &self.driver {
            Driver::Threads(runtime) => runtime.block_on(step),
            Driver::Itself(_) => self.alone.shared.runtime.block_on(step),
        }
    }
}

/// Polls a call until it completes or `looks` polls are used up. Returns `None` if it is still pending.
async fn look<F: Future>(looks: &mut u32, mut step: Pin<&mut F>) -> Option<F::Output> {
    poll_fn(|context| match (step.as_mut().poll(context), *looks) {
        (Poll::Ready(output), _) => Poll::Ready(Some(output)),
        (Poll::Pending, 0) => Poll::Ready(None),
        (Poll::Pending, _) => {
            *looks -= 1;
            Poll::Pending
        }
    })
    .await
}

impl Drop for Place {
    fn drop(&mut self) {
        if self.is_here() {
            self.alone.leave(matches!(self.driver, Driver::Itself(_)));
        }
    }
}

/// Registers a call that worker threads drive in the background. While it exists, no other call is driven by its own thread.
#[derive(Debug)]
pub(super) struct Beside(Arc<Alone>);

impl Beside {
    /// Registers a call.
    ///
    /// # Errors
    /// `internal` if no thread can be started.
    pub(super) fn enter() -> Result<Self, Error> {
        let alone = ALONE.get(Alone::start)?;
        alone.calls.fetch_add(1, SeqCst);
        // The call may use connections that belong to the single-threaded runtime.
        alone.ring();
        Ok(Self(alone))
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        self.0.leave(false);
    }
}

/// The single-threaded runtime for calls that their own thread drives.
#[derive(Debug)]
pub(super) struct Alone {
    shared: Arc<Shared>,
    /// Number of calls in flight, whoever drives them.
    calls: AtomicUsize,
    /// Wakes the background thread to poll the runtime at once.
    bell: SyncSender<()>,
    /// The background thread; `None` while this is being dropped.
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    runtime: Runtime,
    /// Whether the background thread should exit.
    over: AtomicBool,
    /// Number of calls so far that their own thread drove.
    entered: AtomicU64,
    /// Whether the background thread polls the runtime.
    standing_in: AtomicBool,
    /// Wakes the background thread so that a call can drive the runtime.
    relief: Notify,
}

impl Alone {
    fn start() -> Result<Self, Error> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(unstarted)?;
        let shared = Shared {
            runtime,
            over: AtomicBool::new(false),
            entered: AtomicU64::new(0),
            standing_in: AtomicBool::new(false),
            relief: Notify::new(),
        };
        let (shared, (bell, rung)) = (Arc::new(shared), mpsc::sync_channel(1));
        let stand_in = Arc::clone(&shared);
        let thread = thread::Builder::new().name("vitalwire".into()).spawn(move || stand_in.watch(&rung)).map_err(unstarted)?;
        Ok(Self { shared, calls: AtomicUsize::new(0), bell, thread: Some(thread) })
    }

    /// Records the end of a call. If it drove the runtime, other calls may need its connections.
    fn leave(&self, drove: bool) {
        if self.calls.fetch_sub(1, SeqCst) > 1 && drove {
            self.ring();
        }
    }

    /// Wakes the background thread.
    fn ring(&self) {
        // If the channel is full, the thread is about to wake up anyway.
        let _ = self.bell.try_send(());
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        self.shared.over.store(true, SeqCst);
        self.ring();
        // The permit is stored if the thread does not wait yet.
        self.shared.relief.notify_one();
        if let Some(thread) = self.thread.take() {
            // The panic hook has already reported a panic of the thread.
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// Interrupts the background thread when a call begins to drive the runtime.
    fn relieve(&self) {
        self.entered.fetch_add(1, SeqCst);
        if self.standing_in.swap(false, SeqCst) {
            self.relief.notify_one();
        }
    }

    /// Polls the runtime whenever it was idle for a while or a wake-up arrived, until the next call begins.
    fn watch(&self, rung: &Receiver<()>) {
        loop {
            let before = self.entered.load(SeqCst);
            match rung.recv_timeout(QUIET) {
                Ok(()) => {}
                Err(RecvTimeoutError::Timeout) if self.entered.load(SeqCst) == before => {}
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if self.over.load(SeqCst) {
                return;
            }
            self.standing_in.store(true, SeqCst);
            self.runtime.block_on(self.relief.notified());
            self.standing_in.store(false, SeqCst);
        }
    }
}
