//! Calls that wait for an analysis.

use std::future::Future;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use vitalwire::client::Response;
use vitalwire::wait::{WaitError, WaitOperation, WaitProgress as CoreProgress};
use vitalwire::{Client as Core, Error};

use crate::arguments::Seconds;
use crate::caller::{Caller, check_open};
use crate::failure::{Failure, Raise};
use crate::generated::docs;
pub(crate) use crate::generated::options::Waiting;
use crate::options::Options;
use crate::progress::ProgressCallback;
use crate::view::{self, Record};
use crate::{convert, errors};

#[doc = docs!(WaitProgress)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct WaitProgress {
    #[doc = docs!(WaitProgress.polls)]
    #[pyo3(get)]
    polls: u32,
    #[doc = docs!(WaitProgress.status)]
    #[pyo3(get)]
    status: String,
    #[doc = docs!(WaitProgress.elapsed)]
    #[pyo3(get)]
    elapsed: f64,
    #[doc = docs!(WaitProgress.record_id)]
    #[pyo3(get)]
    record_id: Option<String>,
}

impl WaitProgress {
    fn new(progress: &CoreProgress<'_>) -> Self {
        Self {
            polls: progress.polls,
            status: progress.status.to_owned(),
            elapsed: progress.elapsed.as_secs_f64(),
            record_id: progress.record_id.map(str::to_owned),
        }
    }
}

#[pymethods]
impl WaitProgress {
    fn __repr__(&self) -> String {
        format!("WaitProgress(polls={}, elapsed={:.3})", self.polls, self.elapsed)
    }
}

/// Makes a call and waits until its analysis has ended.
pub(crate) fn wait<O, V>(
    caller: &Caller,
    py: Python<'_>,
    parameters: impl Future<Output = Result<O, Failure>> + Send + 'static,
    waiting: &Waiting<'_>,
    options: &Options<'_>,
) -> PyResult<Py<PyAny>>
where
    O: WaitOperation,
    V: Record<Core = O::Record>,
{
    let cancel = options.cancel.clone().unwrap_or_default();
    // The caller's token and a failed callback cancel the wait through this token, so that its error has the last record.
    let stop = cancel.child();
    let options = options.to_core().map_err(|error| errors::raise(py, error))?.cancel_token(&stop);
    let timeout = waiting.wait_timeout.map(|seconds| convert::to_duration("wait_timeout", seconds.0)).transpose();
    let timeout = timeout.map_err(|error| errors::raise(py, error))?;
    let interval = waiting.interval.as_ref().map(wait_intervals).transpose()?;
    let callback = waiting.on_progress.as_ref().map(|function| ProgressCallback::new(function, caller.mode(), stop.clone())).transpose()?;
    let uploaded: Arc<OnceLock<String>> = Arc::default();
    let known = Arc::clone(&uploaded);
    let work = move |core: Core| {
        // The callback runs on the caller's thread, or in the caller's event loop, which `begin` detects here.
        let callback = callback.map(ProgressCallback::begin).transpose();
        async move {
            check_open::<O>(&core)?;
            let callback = callback?;
            let (parameters, options) = cancel.run(core.prepare::<O, _, _>(parameters, options)).await?;
            let mut wait = core.call(parameters).options(options).and_wait();
            if let Some(timeout) = timeout {
                wait = wait.timeout(timeout);
            }
            if let Some((floor, ceiling)) = interval {
                wait = wait.interval(floor, ceiling);
            }
            let keep = move |progress: &CoreProgress<'_>| {
                if let Some(id) = progress.record_id {
                    known.get_or_init(|| id.to_owned());
                }
            };
            let Some(callback) = callback else {
                return wait.on_progress(keep).send().await.map_err(|error| Failure::custom(WaitFailure::<V>::new(error)));
            };
            let reporter = Arc::clone(&callback);
            wait = wait.on_progress(move |progress| {
                keep(progress);
                reporter.report(WaitProgress::new(progress));
            });
            let result = wait.send().await;
            match (result, callback.finish().await) {
                (Ok(response), None) => Ok(response),
                (Ok(last), Some(cause)) => {
                    Err(Failure::custom(WaitFailure::<V> { error: Error::cancelled(), last: Some(last), cause: Some(cause) }))
                }
                (Err(error), cause) => Err(Failure::custom(WaitFailure::<V> { cause, ..WaitFailure::new(error) })),
            }
        }
    };
    let result = caller.run(py, work, |py, response| {
        let (record, meta) = response.into_parts();
        view::record::<V>(py, record, Arc::new(meta)).map(Py::into_any)
    });
    // Ctrl-C ends the wait but not the analysis, so the exception gets the record id.
    result.inspect_err(|raised| {
        if let Some(id) = uploaded.get().filter(|_| errors::is_program_exit(py, raised)) {
            // Best effort: some exceptions do not accept attributes.
            let _ = raised.value(py).setattr("record_id", id);
        }
    })
}

/// Converts the first and the longest interval between two reads.
fn wait_intervals(interval: &Bound<'_, PyAny>) -> PyResult<(Duration, Duration)> {
    let seconds = interval.extract::<(Seconds, Seconds)>().or_else(|_| interval.extract().map(|seconds: Seconds| (seconds, seconds)));
    let (floor, ceiling) = seconds.map_err(|_| {
        PyTypeError::new_err("argument 'interval': must be seconds, or a pair of the first and the longest interval in seconds")
    })?;
    let duration = |seconds: Seconds| convert::to_duration("interval", seconds.0).map_err(|error| errors::raise(interval.py(), error));
    Ok((duration(floor)?, duration(ceiling)?))
}

/// Failure of a wait, with the last state of the record.
struct WaitFailure<V: Record>
where
    V::Core: Sized,
{
    error: Error,
    last: Option<Response<V::Core>>,
    /// Exception of the callback.
    cause: Option<PyErr>,
}

impl<V: Record> WaitFailure<V>
where
    V::Core: Sized + Send,
{
    fn new(error: WaitError<V::Core>) -> Self {
        let (error, last) = error.into_parts();
        Self { error, last, cause: None }
    }

    fn exception(self, py: Python<'_>) -> PyResult<PyErr> {
        let exception = errors::raise(py, self.error);
        if let Some(last) = self.last {
            let (record, meta) = last.into_parts();
            exception.value(py).setattr("last", view::record::<V>(py, record, Arc::new(meta))?)?;
        }
        exception.set_cause(py, self.cause);
        Ok(exception)
    }
}

impl<V: Record> Raise for WaitFailure<V>
where
    V::Core: Sized + Send,
{
    fn raise(self: Box<Self>, py: Python<'_>) -> PyErr {
        match self.cause {
            // Exceptions that end programs are raised unchanged.
            Some(cause) if errors::is_program_exit(py, &cause) => cause,
            _ => self.exception(py).unwrap_or_else(|failure| failure),
        }
    }
}
