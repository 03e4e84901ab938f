//! Waiting for an analysis: the service responds to an upload before its results are there.
//!
//! A record whose analysis failed is a result: its status says so. An unknown status does not end the wait, because the analysis may still
//! be running.

mod error;
mod interval;
mod run;

use std::fmt;
use std::future::IntoFuture;
use std::time::Duration;

pub use error::WaitError;
use interval::PollInterval;

use crate::client::{BoxFuture, Call, CallOptions, CancelToken, Client, Operation, Response};
#[cfg(feature = "blocking")]
use crate::error::Error;

/// Default timeout of a wait. Analyses typically take 4 to 30 s (nutrition) or 10 to 60 s (lab reports): this is five
/// times the slowest, enough for a busy service and an end with a stuck one. A client's `deadline_scale` multiplies it.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(300);

/// An operation whose result comes later. Implemented by generated types only.
pub trait WaitOperation: Operation {
    /// The record that is waited for.
    type Record: Send + 'static;

    /// The parameters of the operation that polls it.
    type Poll: Operation<Output = Self::Record> + Clone;

    /// The statuses that end the wait, as on the wire.
    const ENDED: &'static [&'static str];

    /// The status of a record, as on the wire.
    fn status(record: &Self::Record) -> &str;

    /// How the wait begins.
    #[doc(hidden)]
    fn plan(self) -> Plan<Self>
    where
        Self: Sized;
}

/// How a wait begins.
#[doc(hidden)]
pub enum Plan<O: WaitOperation> {
    /// With an operation whose response says what to poll.
    Start(O, fn(&O::Output) -> Follow<O::Poll>),
    /// By polling the record.
    Poll(O::Poll),
}

/// What the response to an upload says of its record.
#[doc(hidden)]
pub struct Follow<P> {
    /// The id of the record.
    pub id: String,
    /// Its status so far.
    pub status: String,
    /// The call that polls it.
    pub poll: P,
}

/// The progress of a wait.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct WaitProgress<'a> {
    /// Number of polls so far; 0 after the response to the upload.
    pub polls: u32,
    /// The status as on the wire; it may be one that this version does not know.
    pub status: &'a str,
    /// Time since the wait began, the upload included.
    pub elapsed: Duration,
    /// After an upload, the id under which the record can be waited for again.
    pub record_id: Option<&'a str>,
}

/// Shows the progress without the status.
impl fmt::Debug for WaitProgress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WaitProgress").field("polls", &self.polls).field("elapsed", &self.elapsed).finish_non_exhaustive()
    }
}

type OnProgress = Box<dyn FnMut(&WaitProgress<'_>) + Send>;

/// A call that returns when its analysis has ended: `.await` it. Nothing is sent before that; dropping it ends the wait.
#[must_use = "nothing is sent or waited for until it is awaited or sent"]
pub struct WaitCall<O> {
    client: Client,
    operation: O,
    options: CallOptions,
    timeout: Option<Duration>,
    interval: PollInterval,
    on_progress: Option<OnProgress>,
}

impl<O: WaitOperation> Call<O> {
    /// Makes the call and waits until its analysis has ended.
    ///
    /// The call's options apply to the upload and to each poll; the query pairs of the options apply to the first request only. A cancel token
    /// of the options ends the wait too; the error then has what was known of the record. An upload on its way may still be answered for two
    /// seconds after that, so that the id of its record is known.
    pub fn and_wait(self) -> WaitCall<O> {
        let (client, operation, options) = self.into_parts();
        WaitCall { client, operation, options, timeout: None, interval: PollInterval::default(), on_progress: None }
    }
}

impl<O: WaitOperation> WaitCall<O> {
    /// Maximum time for the whole wait, including an upload. Defaults to 300 seconds.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Interval between two polls: `floor` at first, growing by half each time up to `ceiling`. A `floor` of zero, or a
    /// `ceiling` below it, is an error when the call is made. Defaults to 1 second, growing to 5 seconds.
    pub fn interval(mut self, floor: Duration, ceiling: Duration) -> Self {
        self.interval = PollInterval::new(floor, ceiling);
        self
    }

    /// Ends the wait when this token is cancelled: the [`WaitError`] has the record as last polled, and its id.
    pub fn cancel_token(mut self, token: &CancelToken) -> Self {
        self.options = self.options.cancel_token(token);
        self
    }

    /// Sets a function that is called after every response, on the task that waits. It should return quickly.
    ///
    /// The first call after an upload ([`Progress::polls`] is 0) has the id of the record, in the moment in which the upload is answered:
    /// what keeps it loses nothing if the wait is dropped later.
    pub fn on_progress(mut self, notify: impl FnMut(&WaitProgress<'_>) + Send + 'static) -> Self {
        self.on_progress = Some(Box::new(notify));
        self
    }

    /// Makes the call, waits, and returns the record as last polled.
    ///
    /// # Errors
    /// Those of the calls that are made; `timeout` when the wait takes too long. The [`WaitError`] has the record as last polled, and its
    /// id.
    pub async fn send(self) -> Result<Response<O::Record>, WaitError<O::Record>> {
        run::run(self).await
    }

    /// Makes the call and waits, blocking this thread.
    ///
    /// # Errors
    /// As [`WaitCall::send`]; a configuration error inside an async runtime.
    #[cfg(feature = "blocking")]
    pub fn send_blocking(self) -> Result<Response<O::Record>, WaitError<O::Record>> {
        match crate::blocking::block_on(self.send()) {
            Ok(result) => result,
            Err(error) => Err(WaitError::from(error)),
        }
    }
}

#[cfg(feature = "blocking")]
impl<T> From<Error> for WaitError<T> {
    fn from(error: Error) -> Self {
        Self::new(error)
    }
}

impl<O: WaitOperation> IntoFuture for WaitCall<O> {
    type Output = Result<Response<O::Record>, WaitError<O::Record>>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}

impl<O: fmt::Debug> fmt::Debug for WaitCall<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WaitCall")
            .field("operation", &self.operation)
            .field("options", &self.options)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}
