//! The parts of a range with erased types: one reading at a time has them.

use std::fmt;
use std::mem;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use futures_util::future::{self, Either};
use futures_util::stream::{Stream, StreamExt};
use tokio::sync::Notify;

use super::super::RangeOperation;
use super::super::bounds::RangeBounds;
use super::super::error::{PartFailure, RangeError};
use super::super::parts::RangeParts;
use super::super::run::Progress;
use super::super::token::ResumeToken;
use crate::error::{Error, ErrorKind};
use crate::value::Date;

/// A part of a range, or a record that a search found.
#[derive(Debug)]
pub struct AnyPart<A> {
    /// Index among the parts of the whole range, from 0; `None` in a search.
    pub index: Option<u32>,
    /// Range of the part; `None` in a search, and if the range is open.
    pub range: Option<RangeBounds>,
    /// Days of the record that a search found, or that failed.
    pub days: Vec<Date>,
    /// Number of items that were left out because the previous part had them.
    pub duplicates: usize,
    /// The response.
    pub response: Result<A, RangeError>,
}

impl<A> AnyPart<A> {
    /// Creates a part that failed.
    #[doc(hidden)]
    pub fn failed(failure: PartFailure) -> Self {
        let (index, range) = (Some(failure.index()), failure.range());
        Self { index, range, days: Vec::new(), duplicates: 0, response: Err(failure.into()) }
    }
}

/// A stream over the parts of a range.
pub trait RangeStream: Stream + Unpin + Send {
    /// The progress so far.
    fn progress(&self) -> Progress;

    /// Returns a token for what was not returned yet.
    fn resume_token(&self) -> Option<ResumeToken>;
}

impl<O: RangeOperation> RangeStream for RangeParts<O> {
    fn progress(&self) -> Progress {
        Self::progress(self)
    }

    fn resume_token(&self) -> Option<ResumeToken> {
        Self::resume_token(self)
    }
}

/// A stream whose items are converted.
struct Converted<S, F>(S, F);

impl<S, F> Unpin for Converted<S, F> {}

impl<A, S: RangeStream, F: FnMut(S::Item) -> AnyPart<A>> Stream for Converted<S, F> {
    type Item = AnyPart<A>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<AnyPart<A>>> {
        let next = self.0.poll_next_unpin(context);
        next.map(|part| part.map(&mut self.1))
    }
}

impl<A, S: RangeStream, F: FnMut(S::Item) -> AnyPart<A> + Send> RangeStream for Converted<S, F> {
    fn progress(&self) -> Progress {
        self.0.progress()
    }

    fn resume_token(&self) -> Option<ResumeToken> {
        self.0.resume_token()
    }
}

type Parts<A> = Box<dyn RangeStream<Item = AnyPart<A>>>;

/// The parts of a range. Dropping it ends running parts.
pub struct AnyParts<A> {
    shared: Arc<Mutex<Shared<A>>>,
    /// The process that began them: running parts exist in that process alone.
    process: u32,
}

struct Shared<A> {
    state: State<A>,
    /// As of the last part that was returned.
    progress: Progress,
    resume: Option<ResumeToken>,
}

enum State<A> {
    Idle(Parts<A>),
    /// A reading has the parts, and ends when it is notified.
    Reading(Arc<Notify>),
    /// A reading was dropped, and the parts with it.
    Dropped,
    /// The parts were read, stopped by a failure, or closed.
    Ended,
}

impl<A> Shared<A> {
    /// Ends a reading.
    fn end_reading(&mut self, state: State<A>, parts: &Parts<A>) {
        (self.progress, self.resume) = (parts.progress(), parts.resume_token());
        self.state = state;
    }
}

fn lock<A>(shared: &Mutex<Shared<A>>) -> MutexGuard<'_, Shared<A>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<A: Send + 'static> AnyParts<A> {
    /// Shares a stream that this process began. `convert` makes of its items what a binding has.
    #[doc(hidden)]
    pub fn new<S: RangeStream + 'static>(stream: S, convert: impl FnMut(S::Item) -> AnyPart<A> + Send + 'static) -> Self {
        let (progress, resume) = (stream.progress(), stream.resume_token());
        let state = State::Idle(Box::new(Converted(stream, convert)) as Parts<A>);
        Self { shared: Arc::new(Mutex::new(Shared { state, progress, resume })), process: std::process::id() }
    }

    /// Reads the next part, once this is awaited; `None` after the last part, the error that stopped the call, or [`close`](Self::close).
    /// Dropping the future ends the parts: running parts are lost, and [`resume_token`](Self::resume_token) has them.
    ///
    /// A part that failed is an [`AnyPart`] whose response is an error.
    ///
    /// # Errors
    /// `configuration` while another reading has the parts, and in a process that did not begin them; `cancelled` if the parts are closed
    /// meanwhile, and after a reading was dropped.
    pub fn next(&self) -> impl Future<Output = Result<Option<AnyPart<A>>, RangeError>> + Send + 'static {
        // Before anything is locked: in a forked child, nobody may be there to unlock it.
        let shared = self.check_process().map(|()| Arc::clone(&self.shared));
        async move {
            match Reading::begin(&shared?)? {
                Some(reading) => reading.next().await,
                None => Ok(None),
            }
        }
    }

    /// Like [`AnyParts::next`], blocking this thread.
    ///
    /// # Errors
    /// Those of [`AnyParts::next`]; a configuration error inside an async runtime, whose thread must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn next_blocking(&self) -> Result<Option<AnyPart<A>>, RangeError> {
        crate::blocking::block_on_several(self.next())?
    }

    /// Rejects another process than the one that began the parts.
    ///
    /// # Errors
    /// `configuration` in a forked process.
    pub fn check_process(&self) -> Result<(), Error> {
        if self.is_here() {
            return Ok(());
        }
        Err(Error::configuration("these parts were begun before a fork: begin again, or resume, in each process"))
    }

    /// The progress so far, as of the last part that was returned.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.read(|shared| shared.progress).unwrap_or(Progress { done: 0, total: 0, items: 0 })
    }

    /// Returns a token for all parts that have failed or were not returned, in every state: before, between and during readings, and
    /// after the end; `None` if nothing is left.
    #[must_use]
    pub fn resume_token(&self) -> Option<ResumeToken> {
        self.read(|shared| shared.resume.clone()).flatten()
    }

    /// Ends running parts, and a reading.
    pub fn close(&self) {
        if !self.is_here() {
            return;
        }
        let mut shared = lock(&self.shared);
        let before = match &shared.state {
            State::Reading(closed) => return closed.notify_one(),
            State::Dropped | State::Ended => return,
            State::Idle(_) => mem::replace(&mut shared.state, State::Ended),
        };
        // Unlocked first: ending running parts may take a moment.
        drop(shared);
        drop(before);
    }

    /// Returns `None` if a forked process copied a locked state.
    fn read<T>(&self, read: impl FnOnce(&Shared<A>) -> T) -> Option<T> {
        if self.is_here() {
            return Some(read(&lock(&self.shared)));
        }
        self.shared.try_lock().ok().map(|shared| read(&shared))
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
            mem::forget(Arc::clone(&self.shared));
        }
    }
}

/// A reading that has the parts.
struct Reading<A: Send + 'static> {
    shared: Arc<Mutex<Shared<A>>>,
    parts: Option<Parts<A>>,
    closed: Arc<Notify>,
}

impl<A: Send + 'static> Reading<A> {
    fn begin(shared: &Arc<Mutex<Shared<A>>>) -> Result<Option<Self>, RangeError> {
        let mut slot = lock(shared);
        match &slot.state {
            State::Idle(_) => {}
            State::Reading(_) => {
                return Err(Error::configuration("these parts are being read already: one reading at a time").into());
            }
            State::Dropped => return Err(cancelled("the reading of a part was cancelled", slot.resume.clone())),
            State::Ended => return Ok(None),
        }
        let closed = Arc::new(Notify::new());
        let State::Idle(parts) = mem::replace(&mut slot.state, State::Reading(Arc::clone(&closed))) else { return Ok(None) };
        Ok(Some(Self { shared: Arc::clone(shared), parts: Some(parts), closed }))
    }

    async fn next(mut self) -> Result<Option<AnyPart<A>>, RangeError> {
        let closed = Arc::clone(&self.closed);
        let Some(parts) = &mut self.parts else { return Ok(None) };
        let read = match future::select(pin!(closed.notified()), parts.next()).await {
            Either::Left(_) => None,
            Either::Right((part, _)) => Some(part),
        };
        let Some(parts) = self.parts.take() else { return Ok(None) };
        let mut shared = lock(&self.shared);
        shared.end_reading(State::Ended, &parts);
        let Some(part) = read else {
            return Err(cancelled("the parts were closed while one was being read", shared.resume.clone()));
        };
        if part.is_some() {
            shared.state = State::Idle(parts);
        }
        Ok(part)
    }
}

impl<A: Send + 'static> Drop for Reading<A> {
    fn drop(&mut self) {
        if let Some(parts) = self.parts.take() {
            lock(&self.shared).end_reading(State::Dropped, &parts);
        }
    }
}

fn cancelled(reason: &'static str, resume: Option<ResumeToken>) -> RangeError {
    RangeError::new(Error::with_reason(ErrorKind::Cancelled, reason), None, resume)
}

impl<A: Send + 'static> fmt::Debug for AnyParts<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyParts").field("progress", &self.progress()).finish_non_exhaustive()
    }
}
