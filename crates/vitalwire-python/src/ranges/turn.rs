//! Who has the parts of a range: nobody yet, a reading, or nobody any more.

use std::mem;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::{self, Either};
use pyo3::exceptions::PyRuntimeError;
use tokio::sync::Notify;
use vitalwire::Error;
use vitalwire::error::ErrorKind;
use vitalwire::range::{Progress, ResumeToken as Token};

use super::part::PartError;
use super::source::{Piece, Running};
use crate::caller::Failure;

/// The parts, which one reading at a time has.
pub(super) struct Turns {
    state: Arc<Mutex<State>>,
    /// Who made them: what runs does so in that process alone.
    process: u32,
}

enum State {
    Idle(Box<dyn Running>),
    /// A reading, which ends them if it is given up, and is told here that it is to end.
    Reading(Arc<Notify>),
    /// Nobody: a reading was given up, with this left.
    Cancelled(Option<Token>),
    /// Nobody: they were read, or stopped by a failure, or closed, with this left.
    Over(Option<Token>),
}

/// A reading, on its way.
struct Turn {
    state: Arc<Mutex<State>>,
    running: Option<Box<dyn Running>>,
    closed: Arc<Notify>,
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Turns {
    /// Of what was begun by this process.
    pub(super) fn of(running: Box<dyn Running>) -> Self {
        Self { state: Arc::new(Mutex::new(State::Idle(running))), process: std::process::id() }
    }

    /// Refuses another process.
    pub(super) fn check_process(&self) -> Result<(), Error> {
        if self.is_here() {
            return Ok(());
        }
        Err(Error::configuration("these parts were begun before a fork: begin again, or resume, in each process"))
    }

    fn is_here(&self) -> bool {
        self.process == std::process::id()
    }

    /// Reads the next part, once this is awaited.
    pub(super) fn next(&self) -> impl Future<Output = Result<Option<Piece>, Failure>> + Send + 'static {
        let state = Arc::clone(&self.state);
        async move {
            match Turn::take(&state)? {
                Some(turn) => turn.next().await,
                None => Ok(None),
            }
        }
    }

    /// How far they are and what is left, unless they are being read or at their end.
    pub(super) fn progress(&self) -> Option<(Progress, Option<Token>)> {
        match &*lock(&self.state) {
            State::Idle(running) => Some((running.progress(), running.left())),
            _ => None,
        }
    }

    /// A token for what was not handed out yet.
    pub(super) fn left(&self) -> Option<Token> {
        match &*lock(&self.state) {
            State::Idle(running) => running.left(),
            State::Reading(_) => None,
            State::Cancelled(left) | State::Over(left) => left.clone(),
        }
    }

    /// Ends what is on its way, a reading too.
    pub(super) fn close(&self) {
        if !self.is_here() {
            return;
        }
        let mut state = lock(&self.state);
        let left = match &*state {
            State::Idle(running) => running.left(),
            State::Reading(closed) => return closed.notify_one(),
            State::Cancelled(_) | State::Over(_) => return,
        };
        let running = mem::replace(&mut *state, State::Over(left));
        drop(state);
        drop(running);
    }
}

impl Drop for Turns {
    fn drop(&mut self) {
        if !self.is_here() {
            // Ending tasks would wait for threads that do not exist in a forked child.
            mem::forget(Arc::clone(&self.state));
        }
    }
}

impl Turn {
    fn take(state: &Arc<Mutex<State>>) -> Result<Option<Self>, Failure> {
        let mut slot = lock(state);
        match &*slot {
            State::Idle(_) => {}
            State::Reading(_) => return Err(PyRuntimeError::new_err("the parts are being read already").into()),
            State::Cancelled(left) => return Err(given_up("the reading of a part was cancelled", left.clone())),
            State::Over(_) => return Ok(None),
        }
        let closed = Arc::new(Notify::new());
        let State::Idle(running) = mem::replace(&mut *slot, State::Reading(Arc::clone(&closed))) else { return Ok(None) };
        Ok(Some(Self { state: Arc::clone(state), running: Some(running), closed }))
    }

    async fn next(mut self) -> Result<Option<Piece>, Failure> {
        let closed = Arc::clone(&self.closed);
        let Some(running) = &mut self.running else { return Ok(None) };
        let read = match future::select(pin!(closed.notified()), running.next()).await {
            Either::Left(_) => None,
            Either::Right((piece, _)) => Some(piece),
        };
        let Some(running) = self.running.take() else { return Ok(None) };
        let (state, read) = match read {
            Some(Some(piece)) => (State::Idle(running), Ok(Some(piece))),
            Some(None) => (State::Over(running.left()), Ok(None)),
            None => {
                let left = running.left();
                drop(running);
                (State::Over(left.clone()), Err(given_up("the parts were closed while one was being read", left)))
            }
        };
        *lock(&self.state) = state;
        read
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            *lock(&self.state) = State::Cancelled(running.left());
        }
    }
}

fn given_up(reason: &'static str, left: Option<Token>) -> Failure {
    Failure::own(PartError { error: Error::with_reason(ErrorKind::Cancelled, reason), left, so_far: None })
}
