//! Calls that end when an analysis has.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use vitalwire::Client;
use vitalwire::wait::{WaitError, WaitOperation, WaitProgress as CoreProgress};

use crate::call::{CancelToken, ResponseMetadata, guarded_call, provider_context, within};
use crate::error::ApiError;
use crate::generated::{CallOptions, WaitedRecord};

/// Interval between two polls: `floor_ms` at first, growing by half each time up to `ceiling_ms`, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct WaitInterval {
    /// First interval. Must be greater than 0.
    pub floor_ms: u64,
    /// Longest interval.
    pub ceiling_ms: u64,
}

/// Options of a wait.
#[derive(Clone, Debug, Default, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct WaitOptions {
    /// Maximum time for the whole wait, including an upload. In milliseconds. Defaults to 300 seconds.
    #[uniffi(default = None)]
    pub timeout_ms: Option<u64>,
    /// Interval between two polls. Defaults to 1 second, growing to 5 seconds.
    #[uniffi(default = None)]
    pub interval: Option<WaitInterval>,
}

/// How far a wait is.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct WaitProgress {
    /// How often the record was read; 0 when an upload has just been answered.
    pub polls: u32,
    /// The status as on the wire; it may be one that this version does not know.
    pub status: String,
    /// Time since the wait began, an upload included, in milliseconds.
    pub elapsed_ms: u64,
    /// After an upload, the id of its record: it can be waited for again, whatever becomes of this wait.
    pub record_id: Option<String>,
}

/// Shows neither status nor id.
impl fmt::Debug for WaitProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WaitProgress(polls {}, {} ms)", self.polls, self.elapsed_ms)
    }
}

impl From<&CoreProgress<'_>> for WaitProgress {
    fn from(core: &CoreProgress<'_>) -> Self {
        Self {
            polls: core.polls,
            status: core.status.to_owned(),
            elapsed_ms: u64::try_from(core.elapsed.as_millis()).unwrap_or(u64::MAX),
            record_id: core.record_id.map(str::to_owned),
        }
    }
}

/// Is told how far a wait is; implemented by the application. It is called by the thread that drives the wait: it returns at once.
#[uniffi::export(foreign)]
pub trait WaitObserver: Send + Sync {
    /// Called after every answer. The first call after an upload has the record's id before anything is waited for.
    fn progressed(&self, progress: WaitProgress) -> Result<(), ApiError>;
}

/// Carries out an operation and waits until its analysis has ended, as [`call`](crate::call::call) does without waiting.
pub(crate) async fn wait<O: WaitOperation, T>(
    client: &Client,
    parameters: impl Future<Output = Result<O, ApiError>>,
    wait: WaitOptions,
    options: CallOptions,
    cancel: Option<Arc<CancelToken>>,
    observer: Option<Arc<dyn WaitObserver>>,
    answer: impl FnOnce(O::Record, ResponseMetadata) -> T,
) -> Result<T, ApiError>
where
    WaitedRecord: From<O::Record>,
{
    let work = async {
        let context = provider_context(cancel.as_deref());
        let (parameters, options) = client.prepare(parameters, options.into_core(cancel.as_deref())).await?;
        let mut pending = client.call(parameters).options(options).and_wait();
        if let Some(timeout) = wait.timeout_ms {
            pending = pending.timeout(Duration::from_millis(timeout));
        }
        if let Some(interval) = wait.interval {
            pending = pending.interval(Duration::from_millis(interval.floor_ms), Duration::from_millis(interval.ceiling_ms));
        }
        if let Some(observer) = observer {
            pending = pending.on_progress(move |progress| {
                // An observer that fails ends nothing: the façades tell their callers.
                let _ = observer.progressed(progress.into());
            });
        }
        let response = within(context, pending.send()).await.map_err(ended)?;
        let meta = response.metadata().into();
        Ok(answer(response.into_inner(), meta))
    };
    guarded_call(work).await
}

/// The error keeps what was known of the record by then: it can be waited for again.
fn ended<T>(error: WaitError<T>) -> ApiError
where
    WaitedRecord: From<T>,
{
    let (error, last) = error.into_parts();
    let ApiError::Failed { mut info } = error.into();
    info.last = last.map(|response| response.into_inner().into());
    ApiError::Failed { info }
}
