//! Who drives the calls that threads wait for, with what they start: their own thread while a call is alone, else the runtime's threads.
//!
//! A call that drives itself has its answer without a change of threads, which is most of what a small call costs. Between such calls
//! a thread stands in for them, so that connections are closed and idle ones watched.

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

/// After so long without a call the thread stands in. It looks this often while calls come one after the other, and then sleeps.
const QUIET: Duration = Duration::from_millis(2);

/// A call that is looked at more often than this is no small one (those take two looks, four with a new connection): its answer is large
/// or late. While a call that drives itself reads a large answer nothing else moves, so the runtime's threads take over before.
const LOOKS: u32 = 4;

/// What a call is made of, which decides who drives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Itself: its thread drives it and its connection.
    Single,
    /// Tasks, which the runtime's threads work on side by side.
    Tasks,
}

static ALONE: Renewed<Alone> = Renewed::new();

/// How many calls threads wait for, or were started.
pub(super) fn count() -> usize {
    ALONE.current().map_or(0, |alone| alone.calls.load(SeqCst))
}

/// Takes away what calls drive themselves with. Its thread ends when it is dropped.
pub(super) fn end() -> Option<Arc<Alone>> {
    ALONE.take()
}

/// Where a call is driven, until this is dropped.
#[derive(Debug)]
pub struct Place {
    alone: Arc<Alone>,
    driver: Driver,
    /// The process that the call began in.
    process: u32,
}

#[derive(Debug)]
enum Driver {
    /// The call's own thread, which may look at it so often.
    Itself(u32),
    /// The runtime's threads.
    Threads(Arc<Runtime>),
}

impl Place {
    /// The place of a call that begins.
    ///
    /// # Errors
    /// Internal, where no thread can be started.
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

    /// Whether this is the process that the call began in, and not a child that was forked meanwhile.
    #[must_use]
    pub fn is_here(&self) -> bool {
        self.process == std::process::id()
    }

    /// Goes on with a call.
    pub fn block_on<F: Future>(&mut self, step: F) -> F::Output {
        let mut step = pin!(step);
        if let Driver::Itself(looks) = &mut self.driver {
            let driven = self.alone.shared.runtime.block_on(async {
                // What happened to connections since the last call is seen first: one that was closed is not used.
                yield_now().await;
                look(looks, step.as_mut()).await
            });
            if let Some(output) = driven {
                return output;
            }
            // Where they cannot be started it goes on by itself.
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

/// Looks at a call so many times at most; `None` where it is still on its way then.
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

/// Stands for a call that the runtime's threads drive while nobody waits for it, until this is dropped: no other call is alone meanwhile.
#[derive(Debug)]
pub(super) struct Beside(Arc<Alone>);

impl Beside {
    /// A call begins.
    ///
    /// # Errors
    /// Internal, where no thread can be started.
    pub(super) fn enter() -> Result<Self, Error> {
        let alone = ALONE.get(Alone::start)?;
        alone.calls.fetch_add(1, SeqCst);
        // It may use connections that a call which drove itself has left.
        alone.ring();
        Ok(Self(alone))
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        self.0.leave(false);
    }
}

/// The runtime of calls that drive themselves.
#[derive(Debug)]
pub(super) struct Alone {
    shared: Arc<Shared>,
    /// Calls that threads wait for, wherever they are driven.
    calls: AtomicUsize,
    /// Has the thread stand in at once.
    bell: SyncSender<()>,
    /// The thread that stands in; `None` while this is being dropped.
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    runtime: Runtime,
    /// Whether the thread is to end.
    over: AtomicBool,
    /// Calls that drove themselves, so far.
    entered: AtomicU64,
    /// Whether the thread stands in.
    standing_in: AtomicBool,
    /// Relieves it.
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

    /// A call has ended. Others may use connections that it drove.
    fn leave(&self, drove: bool) {
        if self.calls.fetch_sub(1, SeqCst) > 1 && drove {
            self.ring();
        }
    }

    /// Has the thread stand in.
    fn ring(&self) {
        // Where it is full the thread will stand in anyway.
        let _ = self.bell.try_send(());
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        self.shared.over.store(true, SeqCst);
        self.ring();
        // Kept for the thread where it is about to stand in.
        self.shared.relief.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic of it was shown when it happened.
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// A call begins to drive.
    fn relieve(&self) {
        self.entered.fetch_add(1, SeqCst);
        if self.standing_in.swap(false, SeqCst) {
            self.relief.notify_one();
        }
    }

    /// Stands in whenever no call came for a while, or at the bell, until one comes.
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
