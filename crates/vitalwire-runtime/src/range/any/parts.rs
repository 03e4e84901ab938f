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
    /// A read owns the parts until its part is delivered. A notification cancels the read.
    Reading(Arc<Notify>),
    /// A read or an undelivered part was dropped, together with the parts. The next read returns an error, and the parts end.
    Dropped,
    /// All parts were read, a failure stopped the range, or the parts were closed.
    Ended,
}

impl<A> SharedParts<A> {
    /// Copies the progress and the resume token of the parts.
    fn update(&mut self, parts: &BoxedParts<A>) {
        (self.progress, self.resume) = (parts.progress(), parts.resume_token());
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
    /// closed during the read, and once after a read was dropped.
    pub fn next(&self) -> impl Future<Output = Result<Option<AnyPart<A>>, RangeError>> + Send + 'static {
        let shared = self.share();
        async move { Ok(read_part(shared).await?.map(UndeliveredPart::deliver)) }
    }

    /// Like [`AnyParts::next`], for bindings whose caller may be cancelled after the read and before it receives the part. Until then, the
    /// part counts as not returned, and other reads are rejected.
    ///
    /// # Errors
    /// The errors of [`AnyParts::next`].
    #[doc(hidden)]
    pub fn next_undelivered(&self) -> impl Future<Output = Result<Option<UndeliveredPart<A>>, RangeError>> + Send + 'static + use<A> {
        read_part(self.share())
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
        match &shared.state {
            PartsState::Idle(_) => {}
            PartsState::Reading(closed) => closed.notify_one(),
            PartsState::Dropped | PartsState::Ended => return,
        }
        let before = mem::replace(&mut shared.state, PartsState::Ended);
        // Unlock first: cancelling parts may take a moment.
        drop(shared);
        drop(before);
    }

    /// Returns the state for a read. Checks the process before the read locks the state: in a forked child, the lock may never be released.
    fn share(&self) -> Result<Arc<Mutex<SharedParts<A>>>, Error> {
        self.check_process().map(|()| Arc::clone(&self.shared))
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

/// A part that was read, but not delivered yet.
pub struct UndeliveredPart<A: Send + 'static> {
    /// The part.
    pub part: AnyPart<A>,
    /// Confirms that the caller has received the part.
    pub delivery: Delivery<A>,
}

impl<A: Send + 'static> UndeliveredPart<A> {
    fn deliver(self) -> AnyPart<A> {
        self.delivery.confirm();
        self.part
    }
}

/// The delivery of a part. Dropping it without a confirmation ends the parts, and the part counts as not returned.
#[must_use = "the part is lost unless its delivery is confirmed"]
pub struct Delivery<A: Send + 'static>(PartRead<A>);

impl<A: Send + 'static> Delivery<A> {
    /// Counts the part as returned, and allows the next read.
    pub fn confirm(mut self) {
        let Some(parts) = self.0.take_parts() else { return };
        let mut shared = lock(&self.0.shared);
        shared.update(&parts);
        // The parts may have been closed since the read.
        if matches!(shared.state, PartsState::Reading(_)) {
            shared.state = PartsState::Idle(parts);
        }
    }
}

/// Reads the next part.
async fn read_part<A: Send + 'static>(shared: Result<Arc<Mutex<SharedParts<A>>>, Error>) -> Result<Option<UndeliveredPart<A>>, RangeError> {
    match PartRead::begin(&shared?)? {
        Some(reading) => reading.next().await,
        None => Ok(None),
    }
}

/// A read that has the parts.
struct PartRead<A: Send + 'static> {
    shared: Arc<Mutex<SharedParts<A>>>,
    parts: Option<BoxedParts<A>>,
    closed: Arc<Notify>,
    /// Whether a part was read and is not delivered yet.
    has_part: bool,
    process: u32,
}

impl<A: Send + 'static> PartRead<A> {
    fn begin(shared: &Arc<Mutex<SharedParts<A>>>) -> Result<Option<Self>, RangeError> {
        let mut slot = lock(shared);
        match &slot.state {
            PartsState::Idle(_) => {}
            PartsState::Reading(_) => {
                return Err(Error::configuration("another read of these parts is in progress; wait until it has ended").into());
            }
            PartsState::Dropped => {
                slot.state = PartsState::Ended;
                return Err(cancelled("the read of a part was cancelled", slot.resume.clone()));
            }
            PartsState::Ended => return Ok(None),
        }
        let closed = Arc::new(Notify::new());
        let PartsState::Idle(parts) = mem::replace(&mut slot.state, PartsState::Reading(Arc::clone(&closed))) else { return Ok(None) };
        let (shared, process) = (Arc::clone(shared), std::process::id());
        Ok(Some(Self { shared, parts: Some(parts), closed, has_part: false, process }))
    }

    async fn next(mut self) -> Result<Option<UndeliveredPart<A>>, RangeError> {
        let closed = Arc::clone(&self.closed);
        let Some(parts) = &mut self.parts else { return Ok(None) };
        let (part, is_closed) = match future::select(pin!(closed.notified()), parts.next()).await {
            Either::Left(_) => (None, true),
            Either::Right((part, _)) => (part, false),
        };
        if let Some(part) = part {
            self.has_part = true;
            return Ok(Some(UndeliveredPart { part, delivery: Delivery(self) }));
        }
        let Some(parts) = self.take_parts() else { return Ok(None) };
        let mut shared = lock(&self.shared);
        shared.update(&parts);
        shared.state = PartsState::Ended;
        if is_closed {
            return Err(cancelled("the parts were closed during a read", shared.resume.clone()));
        }
        Ok(None)
    }

    /// Takes the parts. Returns `None` in a forked child: dropping their tasks would wait for threads that do not exist there.
    fn take_parts(&mut self) -> Option<BoxedParts<A>> {
        let parts = self.parts.take()?;
        if self.process == std::process::id() {
            return Some(parts);
        }
        mem::forget(parts);
        None
    }
}

impl<A: Send + 'static> Drop for PartRead<A> {
    fn drop(&mut self) {
        // Declared before the lock, so that the parts are dropped after it: cancelling parts may take a moment.
        let Some(parts) = self.take_parts() else { return };
        let mut shared = lock(&self.shared);
        // A search may have passed days without a night, so its progress counts. A part that was read but not delivered does not count.
        if !self.has_part {
            shared.update(&parts);
        }
        if matches!(shared.state, PartsState::Reading(_)) {
            shared.state = PartsState::Dropped;
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
