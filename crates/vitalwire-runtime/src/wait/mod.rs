//! Waiting for an analysis: polls an uploaded record until its analysis has ended.
//!
//! [`Call::and_wait`] turns a call into a [`WaitCall`]. A record whose analysis failed is returned normally; its status says so. An unknown
//! status does not end the wait, because the analysis may still be running.

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

/// Default timeout of a wait, multiplied by the client's `timeout_scale`.
///
/// Analyses typically take 4 to 30 s (nutrition) or 10 to 60 s (lab reports). The default is five times the slowest: enough for a busy
/// service, but not forever if it hangs.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(300);

/// An operation whose result is available after an analysis. Only generated types implement it.
pub trait WaitOperation: Operation {
    /// Type of the record to wait for.
    type Record: Send + 'static;

    /// Parameters of the operation that polls the record.
    type Poll: Operation<Output = Self::Record> + Clone;

    /// Wire names of the statuses that end the wait.
    const ENDED: &'static [&'static str];

    /// Returns the wire name of a record's status.
    fn status(record: &Self::Record) -> &str;

    /// Returns the first step of the wait.
    #[doc(hidden)]
    fn first_step(self) -> FirstStep<Self>
    where
        Self: Sized;
}

/// First step of a wait.
#[doc(hidden)]
pub enum FirstStep<O: WaitOperation> {
    /// Send an operation whose response says what to poll.
    Upload(O, fn(&O::Output) -> UploadedRecord<O::Poll>),
    /// Poll the record.
    Poll(O::Poll),
}

/// The record that the response to an upload announces.
#[doc(hidden)]
pub struct UploadedRecord<P> {
    /// Id of the record.
    pub id: String,
    /// Current status, as on the wire.
    pub status: String,
    /// Parameters of the call that polls the record.
    pub poll: P,
}

/// The progress of a wait, passed to [`WaitCall::on_progress`].
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct WaitProgress<'a> {
    /// Number of polls so far. 0 after the response to the upload.
    pub polls: u32,
    /// Wire name of the status. May be one that this version does not know.
    pub status: &'a str,
    /// Time since the start of the wait, including the upload.
    pub elapsed: Duration,
    /// Id of the uploaded record, with which you can wait for it again. `None` if the wait did not upload it.
    pub record_id: Option<&'a str>,
}

/// Redacted: does not show the status and the id.
impl fmt::Debug for WaitProgress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WaitProgress").field("polls", &self.polls).field("elapsed", &self.elapsed).finish_non_exhaustive()
    }
}

type OnProgress = Box<dyn FnMut(&WaitProgress<'_>) + Send>;

/// A call that completes when its analysis has ended; made by [`Call::and_wait`]. Nothing is sent until it is awaited. Dropping the future
/// ends the wait.
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
    /// Sends the call and waits until its analysis has ended.
    ///
    /// The call's options apply to the upload and to each poll; its extra query parameters apply to the first request only. A cancel token
    /// in the options also ends the wait, and the error then has the record as last polled.
    ///
    /// After cancellation, an upload in flight gets up to 2 more seconds for its response, so that the id of its record is known.
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

    /// Token that cancels the wait. The [`WaitError`] has the record as last polled, and its id.
    pub fn cancel_token(mut self, token: &CancelToken) -> Self {
        self.options = self.options.cancel_token(token);
        self
    }

    /// Called after every response, on the task that waits. It should return quickly.
    ///
    /// After an upload, the first call ([`WaitProgress::polls`] is 0) has the id of the record. Store it to be able to wait again if this
    /// wait is dropped.
    pub fn on_progress(mut self, notify: impl FnMut(&WaitProgress<'_>) + Send + 'static) -> Self {
        self.on_progress = Some(Box::new(notify));
        self
    }

    /// Sends the call, waits, and returns the record as last polled.
    ///
    /// # Errors
    /// * Errors of the calls.
    /// * `timeout` if the analysis does not end in time.
    ///
    /// The [`WaitError`] has the record as last polled, and its id.
    pub async fn send(self) -> Result<Response<O::Record>, WaitError<O::Record>> {
        run::run(self).await
    }

    /// Sends the call and waits, blocking this thread.
    ///
    /// # Errors
    /// * Errors of [`WaitCall::send`].
    /// * `configuration` if called inside an async runtime, whose thread must not be blocked.
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
