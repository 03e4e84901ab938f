//! Waiting for an analysis: an upload's answer comes before its results do.
//!
//! ```no_run
//! # async fn example(client: vitalwire::Client, picture: Vec<u8>) -> Result<(), vitalwire::Error> {
//! let record = client.nutrition_records().upload().body(picture).and_wait().await?;
//! println!("{}", record.status);
//! # Ok(())
//! # }
//! ```
//!
//! A record whose analysis failed is a result: its status says so. Statuses that this version does not know are waited out,
//! because they may come before the end as well as after it.

mod error;
mod pace;
mod run;

use std::fmt;
use std::future::IntoFuture;
use std::time::Duration;

pub use error::WaitError;
use pace::Pace;

use crate::client::{BoxFuture, Call, CallOptions, Client, Operation, Response};
#[cfg(feature = "blocking")]
use crate::error::Error;

/// How long is waited unless said otherwise. Analyses typically take 4 to 30 s (nutrition) or 10 to 60 s (lab reports): five
/// times the slowest, so that a busy service is waited for and a stuck one is not waited for all day.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(300);

/// An operation whose result comes later. Implemented by generated types only.
pub trait WaitOperation: Operation {
    /// What is waited for.
    type Record: Send + 'static;

    /// The parameters of the operation that reads it.
    type Poll: Operation<Output = Self::Record> + Clone;

    /// The statuses at which it has ended, as on the wire.
    const ENDED: &'static [&'static str];

    /// The status of a record, as on the wire.
    fn status(record: &Self::Record) -> &str;

    /// How it is begun.
    #[doc(hidden)]
    fn plan(self) -> Plan<Self>
    where
        Self: Sized;
}

/// How waiting is begun.
#[doc(hidden)]
pub enum Plan<O: WaitOperation> {
    /// By an operation whose answer says what to read.
    Start(O, fn(&O::Output) -> Follow<O::Poll>),
    /// By reading the record.
    Poll(O::Poll),
}

/// What an upload's answer says of its record.
#[doc(hidden)]
pub struct Follow<P> {
    /// The id of the record.
    pub id: String,
    /// Its status so far.
    pub status: String,
    /// How it is read.
    pub poll: P,
}

/// How far waiting is.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// How often the record was read so far; 0 after an upload's own answer.
    pub polls: u32,
    /// The status as on the wire; it may be one that this version does not know.
    pub status: &'a str,
    /// Since waiting began, the upload included.
    pub elapsed: Duration,
    /// After an upload, the id under which the record can be waited for again.
    pub record_id: Option<&'a str>,
}

/// Shows how far, not the status.
impl fmt::Debug for Progress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress").field("polls", &self.polls).field("elapsed", &self.elapsed).finish_non_exhaustive()
    }
}

type OnProgress = Box<dyn FnMut(&Progress<'_>) + Send>;

/// A call that has not been made yet, and that ends when its analysis has: `.await` it. Dropping it ends the waiting.
#[must_use = "nothing is sent or waited for until it is awaited or sent"]
pub struct Wait<O> {
    client: Client,
    operation: O,
    options: CallOptions,
    timeout: Duration,
    pace: Pace,
    on_progress: Option<OnProgress>,
}

impl<O: WaitOperation> Call<O> {
    /// Makes the call and waits until its analysis has ended.
    ///
    /// Each request, the upload too, keeps the call's own options; the query pairs of the options go with the first only. A cancel token of
    /// the options ends the waiting too, and what was known of the record by then is on the error.
    pub fn and_wait(self) -> Wait<O> {
        let (client, operation, options) = self.into_parts();
        Wait { client, operation, options, timeout: DEFAULT_TIMEOUT, pace: Pace::default(), on_progress: None }
    }
}

impl<O: WaitOperation> Wait<O> {
    /// How long may be waited in all, the upload included. [`DEFAULT_TIMEOUT`] unless set.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How long to wait between two readings: `floor` at first, growing by half each time up to `ceiling`. 1 s to 5 s unless set.
    /// A zero floor, or a ceiling below it, is refused when the call is made.
    pub fn interval(mut self, floor: Duration, ceiling: Duration) -> Self {
        self.pace = Pace::new(floor, ceiling);
        self
    }

    /// Is told after every answer, on the task that waits: it should return quickly.
    pub fn on_progress(mut self, tell: impl FnMut(&Progress<'_>) + Send + 'static) -> Self {
        self.on_progress = Some(Box::new(tell));
        self
    }

    /// Makes the call, waits, and gives the record as it is read at the end.
    ///
    /// # Errors
    /// As the calls that are made; `timeout` when the time is up. What was read last, and the id of the record, are on the
    /// [`WaitError`].
    pub async fn send(self) -> Result<Response<O::Record>, WaitError<O::Record>> {
        run::run(self).await
    }

    /// Waits on this thread.
    ///
    /// # Errors
    /// As [`Wait::send`]; a configuration error inside an async runtime.
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

impl<O: WaitOperation> IntoFuture for Wait<O> {
    type Output = Result<Response<O::Record>, WaitError<O::Record>>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}

impl<O: fmt::Debug> fmt::Debug for Wait<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wait")
            .field("operation", &self.operation)
            .field("options", &self.options)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}
