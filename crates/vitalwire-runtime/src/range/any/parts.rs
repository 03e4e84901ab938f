//! Type-erased parts of a range. Only one read at a time can use them.

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
use super::super::range_run::Progress;
use super::super::resume_token::ResumeToken;
use crate::error::{Error, ErrorKind};
use crate::value::Date;

/// A part of a range, or a record found by a search.
#[derive(Debug)]
pub struct AnyPart<A> {
    /// Index among the parts of the whole range, from 0; `None` in a search.
    pub index: Option<u32>,
    /// Range of the part; `None` in a search, and if the range is open.
    pub range: Option<RangeBounds>,
    /// Days of the record that a search found or failed to read.
    pub days: Vec<Date>,
    /// Number of items omitted because the previous part had them.
    pub duplicates: usize,
    /// The response.
    pub response: Result<A, RangeError>,
}

impl<A> AnyPart<A> {
    /// Creates a failed part.
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

    /// Returns a resume token for the parts that were not returned yet.
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

/// A stream with converted items.
struct ConvertedStream<S, F>(S, F);

impl<S, F> Unpin for ConvertedStream<S, F> {}

impl<A, S: RangeStream, F: FnMut(S::Item) -> AnyPart<A>> Stream for ConvertedStream<S, F> {
    type Item = AnyPart<A>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<AnyPart<A>>> {
        let next = self.0.poll_next_unpin(context);
        next.map(|part| part.map(&mut self.1))
    }
}

impl<A, S: RangeStream, F: FnMut(S::Item) -> AnyPart<A> + Send> RangeStream for ConvertedStream<S, F> {
    fn progress(&self) -> Progress {
        self.0.progress()
    }

    fn resume_token(&self) -> Option<ResumeToken> {
        self.0.resume_token()
    }
}

type BoxedParts<A> = Box<dyn RangeStream<Item = AnyPart<A>>>;

/// The parts of a range. Dropping it cancels the parts in flight.
pub struct AnyParts<A> {
    shared: Arc<Mutex<SharedParts<A>>>,
    /// Id of the process that started the parts. Tasks in flight exist only there.
    process: u32,
}

struct SharedParts<A> {
    state: PartsState<A>,
    /// Progress as of the last part that was returned.
    progress: Progress,
    resume: Option<ResumeToken>,
}

enum PartsState<A> {
    Idle(BoxedParts<A>),
    /// A read has the parts. Notifying it cancels the read.
    Reading(Arc<Notify>),
    /// A read was dropped, together with the parts.
    Dropped,
    /// All parts were read, a failure stopped the range, or the parts were closed.
    Ended,
}

impl<A> SharedParts<A> {
    fn finish_read(&mut self, state: PartsState<A>, parts: &BoxedParts<A>) {
        (self.progress, self.resume) = (parts.progress(), parts.resume_token());
        self.state = state;
    }
}

fn lock<A>(shared: &Mutex<SharedParts<A>>) -> MutexGuard<'_, SharedParts<A>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<A: Send + 'static> AnyParts<A> {
    /// Creates the parts from a stream that this process started. `convert` converts its items to the binding's type.
    #[doc(hidden)]
    pub fn new<S: RangeStream + 'static>(stream: S, convert: impl FnMut(S::Item) -> AnyPart<A> + Send + 'static) -> Self {
        let (progress, resume) = (stream.progress(), stream.resume_token());
        let state = PartsState::Idle(Box::new(ConvertedStream(stream, convert)) as BoxedParts<A>);
        Self { shared: Arc::new(Mutex::new(SharedParts { state, progress, resume })), process: std::process::id() }
    }

    /// Reads the next part when the future is awaited. Returns `None` after the last part or after the error that stopped the call.
    ///
    /// Dropping the future ends the parts: parts in flight are lost, but [`resume_token`](Self::resume_token) includes them. A failed
    /// part is an [`AnyPart`] whose response is an error.
    ///
    /// # Errors
    /// `configuration` while another read is in progress, and in a process that did not start the parts. `cancelled` if the parts are
    /// closed during the read, and after a read was dropped.
    pub fn next(&self) -> impl Future<Output = Result<Option<AnyPart<A>>, RangeError>> + Send + 'static {
        // Check the process before locking: in a forked child, the lock may never be released.
        let shared = self.check_process().map(|()| Arc::clone(&self.shared));
        async move {
            match PartRead::begin(&shared?)? {
                Some(reading) => reading.next().await,
                None => Ok(None),
            }
        }
    }

    /// Like [`AnyParts::next`], but blocks this thread.
    ///
    /// # Errors
    /// The errors of [`AnyParts::next`]; a configuration error inside an async runtime, whose threads must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn next_blocking(&self) -> Result<Option<AnyPart<A>>, RangeError> {
        crate::blocking::block_on_several(self.next())?
    }

    /// Checks that this process started the parts.
    ///
    /// # Errors
    /// `configuration` in a forked process.
    pub fn check_process(&self) -> Result<(), Error> {
        if self.is_own_process() {
            return Ok(());
        }
        Err(Error::configuration("these parts belong to the process before the fork; start or resume them in each process"))
    }

    /// Progress as of the last part that was returned.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.read(|shared| shared.progress).unwrap_or_default()
    }

    /// Returns a resume token for all parts that failed or were not returned. It is available before, between, during and after reads.
    /// Returns `None` if nothing is left.
    #[must_use]
    pub fn resume_token(&self) -> Option<ResumeToken> {
        self.read(|shared| shared.resume.clone()).flatten()
    }

    /// Cancels the parts in flight and a read in progress.
    pub fn close(&self) {
        if !self.is_own_process() {
            return;
        }
        let mut shared = lock(&self.shared);
        let before = match &shared.state {
            PartsState::Reading(closed) => return closed.notify_one(),
            PartsState::Dropped | PartsState::Ended => return,
            PartsState::Idle(_) => mem::replace(&mut shared.state, PartsState::Ended),
        };
        // Unlock first: cancelling parts may take a moment.
        drop(shared);
        drop(before);
    }

    /// Reads the state. Returns `None` in a forked process, which may have copied a locked mutex.
    fn read<T>(&self, read: impl FnOnce(&SharedParts<A>) -> T) -> Option<T> {
        if self.is_own_process() {
            return Some(read(&lock(&self.shared)));
        }
        self.shared.try_lock().ok().map(|shared| read(&shared))
    }
}

impl<A> AnyParts<A> {
    fn is_own_process(&self) -> bool {
        self.process == std::process::id()
    }
}

impl<A> Drop for AnyParts<A> {
    fn drop(&mut self) {
        if !self.is_own_process() {
            // Dropping the tasks would wait for threads that do not exist in a forked child.
            mem::forget(Arc::clone(&self.shared));
        }
    }
}

/// A read that has the parts.
struct PartRead<A: Send + 'static> {
    shared: Arc<Mutex<SharedParts<A>>>,
    parts: Option<BoxedParts<A>>,
    closed: Arc<Notify>,
}

impl<A: Send + 'static> PartRead<A> {
    fn begin(shared: &Arc<Mutex<SharedParts<A>>>) -> Result<Option<Self>, RangeError> {
        let mut slot = lock(shared);
        match &slot.state {
            PartsState::Idle(_) => {}
            PartsState::Reading(_) => {
                return Err(Error::configuration("another read of these parts is in progress; wait until it has ended").into());
            }
            PartsState::Dropped => return Err(cancelled("the read of a part was cancelled", slot.resume.clone())),
            PartsState::Ended => return Ok(None),
        }
        let closed = Arc::new(Notify::new());
        let PartsState::Idle(parts) = mem::replace(&mut slot.state, PartsState::Reading(Arc::clone(&closed))) else { return Ok(None) };
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
        shared.finish_read(PartsState::Ended, &parts);
        let Some(part) = read else {
            return Err(cancelled("the parts were closed during a read", shared.resume.clone()));
        };
        if part.is_some() {
            shared.state = PartsState::Idle(parts);
        }
        Ok(part)
    }
}

impl<A: Send + 'static> Drop for PartRead<A> {
    fn drop(&mut self) {
        if let Some(parts) = self.parts.take() {
            lock(&self.shared).finish_read(PartsState::Dropped, &parts);
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
