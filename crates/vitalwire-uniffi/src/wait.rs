//! Calls that wait for an analysis.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use vitalwire::Client;
use vitalwire::wait::{WaitError, WaitOperation, WaitProgress as CoreProgress};

use crate::call::{CancelToken, ResponseMetadata, catch_panics_async, provider_context, run_in_context};
use crate::error::ApiError;
use crate::generated::{CallOptions, ErrorInfo, WaitedRecord};

/// Interval between two polls, in milliseconds. It starts at `floor_ms` and grows by half each time, up to `ceiling_ms`.
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
    /// Maximum time for the whole wait, including an upload, in milliseconds. Defaults to 300 seconds.
    #[uniffi(default = None)]
    pub timeout_ms: Option<u64>,
    /// Interval between two polls. Defaults to 1 second, growing to 5 seconds.
    #[uniffi(default = None)]
    pub interval: Option<WaitInterval>,
}

/// Progress of a wait.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct WaitProgress {
    /// Number of polls so far; 0 after the response to an upload.
    pub polls: u32,
    /// Status of the analysis, in the service's words. This version may not know the status.
    pub status: String,
    /// Time since the wait began, including an upload, in milliseconds.
    pub elapsed_ms: u64,
    /// Id of the uploaded record. With this id, the application can wait again if this wait fails.
    pub record_id: Option<String>,
}

/// Omits the status and id from debug output.
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

/// Callback for the progress of a wait, implemented by the application. It runs on the thread that runs the wait and must return quickly.
#[uniffi::export(foreign)]
pub trait WaitObserver: Send + Sync {
    /// Called after every response. After an upload, the first call has the id of the record.
    fn progressed(&self, progress: WaitProgress) -> Result<(), ApiError>;
}

/// Calls an operation and waits until its analysis has ended. See [`call`](crate::call::call) for calls without waiting.
pub(crate) async fn wait<O: WaitOperation, T>(
    client: &Client,
    parameters: impl Future<Output = Result<O, ApiError>>,
    wait: WaitOptions,
    options: CallOptions,
    cancel: Option<Arc<CancelToken>>,
    observer: Option<Arc<dyn WaitObserver>>,
    convert: impl FnOnce(O::Record, ResponseMetadata) -> T,
) -> Result<T, ApiError>
where
    WaitedRecord: From<O::Record>,
{
    let work = async {
        let context = provider_context(cancel.as_deref());
        let (parameters, options) = client.prepare::<O, _, _>(parameters, options.into_core(cancel.as_deref())).await?;
        let mut pending = client.call(parameters).options(options).and_wait();
        if let Some(timeout) = wait.timeout_ms {
            pending = pending.timeout(Duration::from_millis(timeout));
        }
        if let Some(interval) = wait.interval {
            pending = pending.interval(Duration::from_millis(interval.floor_ms), Duration::from_millis(interval.ceiling_ms));
        }
        if let Some(observer) = observer {
            pending = pending.on_progress(move |progress| {
                // Ignored: Kotlin cancels the wait itself if a callback throws, and Swift callbacks cannot throw.
                let _ = observer.progressed(progress.into());
            });
        }
        let response = run_in_context(context, pending.send()).await.map_err(with_last_record)?;
        let meta = response.metadata().into();
        Ok(convert(response.into_inner(), meta))
    };
    catch_panics_async(work).await
}

/// Converts the error of a wait, with the last known record.
fn with_last_record<T>(error: WaitError<T>) -> ApiError
where
    WaitedRecord: From<T>,
{
    let (error, last) = error.into_parts();
    let info = ErrorInfo { last: last.map(|response| response.into_inner().into()), ..(&error).into() };
    ApiError::Failed { info: Box::new(info) }
}
