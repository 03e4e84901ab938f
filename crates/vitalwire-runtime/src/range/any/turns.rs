//! Who has the parts of a range: nobody yet, a reading, or nobody any more.

use std::fmt;
use std::mem;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::{self, Either};
use tokio::sync::Notify;

use super::super::state::Progress;
use super::super::token::ResumeToken;
use super::AnyReading;
use super::part::{AnyFailure, AnyPart};
use crate::error::{Error, ErrorKind};

/// The parts of a range, which one reading at a time has. Dropping it ends running parts.
pub struct AnyParts<A> {
    turns: Arc<Mutex<Turns<A>>>,
    /// Who began them: what runs does so in that process alone.
    process: u32,
}

struct Turns<A> {
    state: State<A>,
    /// As of the last part that was handed out.
    progress: Progress,
    left: Option<ResumeToken>,
}

enum State<A> {
    Idle(Box<dyn AnyReading<A>>),
    /// A reading, which ends the parts if it is dropped, and is told here that it is to end.
    Reading(Arc<Notify>),
    /// Nobody: a reading was dropped.
    Dropped,
    /// Nobody: they were read, or stopped by a failure, or closed.
    Over,
}

impl<A> Turns<A> {
    /// Ends a turn.
    fn pass(&mut self, state: State<A>, running: Option<&dyn AnyReading<A>>) {
        if let Some(running) = running {
            (self.progress, self.left) = (running.progress(), running.left());
        }
        self.state = state;
    }
}

fn lock<A>(turns: &Mutex<Turns<A>>) -> MutexGuard<'_, Turns<A>> {
    turns.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<A: Send + 'static> AnyParts<A> {
    /// Of what this process began.
    pub(super) fn new(reading: Box<dyn AnyReading<A>>) -> Self {
        let (progress, left) = (reading.progress(), reading.left());
        Self { turns: Arc::new(Mutex::new(Turns { state: State::Idle(reading), progress, left })), process: std::process::id() }
    }

    /// Reads the next part, once this is awaited; `None` after the last part, the error that stopped the call, or [`close`](Self::close).
    /// Dropping the future ends the parts: what was on its way is lost, and [`resume_token`](Self::resume_token) has it.
    ///
    /// A part that failed is an [`AnyPart`] without an answer.
    ///
    /// # Errors
    /// `configuration` while another reading has the parts, and in a process that did not begin them; `cancelled` if the parts are closed
    /// meanwhile, and after a reading was dropped.
    pub fn next(&self) -> impl Future<Output = Result<Option<AnyPart<A>>, AnyFailure>> + Send + 'static {
        // Before anything is locked: in a forked child, nobody may be there to unlock it.
        let turns = self.check_process().map(|()| Arc::clone(&self.turns));
        async move {
            match Turn::take(&turns?)? {
                Some(turn) => turn.next().await,
                None => Ok(None),
            }
        }
    }

    /// Like [`AnyParts::next`], blocking this thread.
    ///
    /// # Errors
    /// Those of [`AnyParts::next`]; a configuration error inside an async runtime, whose thread must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn next_blocking(&self) -> Result<Option<AnyPart<A>>, AnyFailure> {
        crate::blocking::block_on_several(self.next())?
    }

    /// Refuses another process than the one that began the parts.
    ///
    /// # Errors
    /// `configuration` in a forked process.
    pub fn check_process(&self) -> Result<(), Error> {
        if self.is_here() {
            return Ok(());
        }
        Err(Error::configuration("these parts were begun before a fork: begin again, or resume, in each process"))
    }

    /// The progress so far, as of the last part that was handed out.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.look(|turns| turns.progress).unwrap_or(Progress { done: 0, total: 0, items: 0 })
    }

    /// Returns a token for all parts that have failed or were not handed out, in every state: before, between and during readings, and
    /// after the end; `None` if nothing is left.
    #[must_use]
    pub fn resume_token(&self) -> Option<ResumeToken> {
        self.look(|turns| turns.left.clone()).flatten()
    }

    /// Ends what is on its way, a reading too.
    pub fn close(&self) {
        if !self.is_here() {
            return;
        }
        let mut turns = lock(&self.turns);
        let before = match &turns.state {
            State::Reading(closed) => return closed.notify_one(),
            State::Dropped | State::Over => return,
            State::Idle(_) => mem::replace(&mut turns.state, State::Over),
        };
        // Unlocked first: ending what runs may take a moment.
        drop(turns);
        drop(before);
    }

    /// `None` where it may never be unlocked again.
    fn look<T>(&self, at: impl FnOnce(&Turns<A>) -> T) -> Option<T> {
        if self.is_here() {
            return Some(at(&lock(&self.turns)));
        }
        self.turns.try_lock().ok().map(|turns| at(&turns))
    }
}

impl<A> AnyParts<A> {
    fn is_here(&self) -> bool {
        self.process == std::process::id()
    }
}

impl<A> Drop for AnyParts<A> {
    fn drop(&mut self) {
        if !self.is_here() {
            // Ending tasks would wait for threads that do not exist in a forked child.
            mem::forget(Arc::clone(&self.turns));
        }
    }
}

/// A reading, on its way.
struct Turn<A: Send + 'static> {
    turns: Arc<Mutex<Turns<A>>>,
    running: Option<Box<dyn AnyReading<A>>>,
    closed: Arc<Notify>,
}

impl<A: Send + 'static> Turn<A> {
    fn take(turns: &Arc<Mutex<Turns<A>>>) -> Result<Option<Self>, AnyFailure> {
        let mut slot = lock(turns);
        match &slot.state {
            State::Idle(_) => {}
            State::Reading(_) => {
                return Err(Error::configuration("these parts are being read already: one reading at a time").into());
            }
            State::Dropped => return Err(given_up("the reading of a part was cancelled", slot.left.clone())),
            State::Over => return Ok(None),
        }
        let closed = Arc::new(Notify::new());
        let State::Idle(running) = mem::replace(&mut slot.state, State::Reading(Arc::clone(&closed))) else { return Ok(None) };
        Ok(Some(Self { turns: Arc::clone(turns), running: Some(running), closed }))
    }

    async fn next(mut self) -> Result<Option<AnyPart<A>>, AnyFailure> {
        let closed = Arc::clone(&self.closed);
        let Some(running) = &mut self.running else { return Ok(None) };
        let read = match future::select(pin!(closed.notified()), running.next()).await {
            Either::Left(_) => None,
            Either::Right((part, _)) => Some(part),
        };
        let Some(running) = self.running.take() else { return Ok(None) };
        let Some(part) = read else {
            let left = running.left();
            lock(&self.turns).pass(State::Over, Some(&*running));
            return Err(given_up("the parts were closed while one was being read", left));
        };
        let mut turns = lock(&self.turns);
        turns.pass(State::Over, Some(&*running));
        if part.is_some() {
            turns.state = State::Idle(running);
        }
        Ok(part)
    }
}

impl<A: Send + 'static> Drop for Turn<A> {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            lock(&self.turns).pass(State::Dropped, Some(&*running));
        }
    }
}

fn given_up(reason: &'static str, left: Option<ResumeToken>) -> AnyFailure {
    AnyFailure::leaving(Error::with_reason(ErrorKind::Cancelled, reason), left)
}

impl<A: Send + 'static> fmt::Debug for AnyParts<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyParts").field("progress", &self.progress()).finish_non_exhaustive()
    }
}
