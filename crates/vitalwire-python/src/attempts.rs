//! Attempt events, for the `on_attempt` callback and the logger `vitalwire`.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDateTime, PyDict, PyModule};
use vitalwire::client::{Attempt as CoreAttempt, ClientBuilder};
use vitalwire::error::ErrorKind;
use vitalwire::value::Timestamp;

use crate::generated::docs;
use crate::getters::getters;
use crate::{convert, errors, runtime};

/// Value of `logging.DEBUG`.
const DEBUG: u8 = 10;

#[doc = docs!(Attempt)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct Attempt(CoreAttempt);

getters!(Attempt, self {
    operation: &'static str = self.0.operation,
    http_method: &'static str = self.0.http_method,
    path_template: &'static str = self.0.path_template,
    attempt: u32 = self.0.attempt,
    status: Option<u16> = self.0.status,
    error: Option<&'static str> = self.0.error.map(ErrorKind::as_str),
    elapsed: f64 = self.0.elapsed.as_secs_f64(),
    next_delay: Option<f64> = self.0.next_delay.map(|delay| delay.as_secs_f64()),
    request_id: Option<&str> = self.0.request_id.as_deref(),
});

#[pymethods]
impl Attempt {
    #[doc = docs!(Attempt.started_at)]
    #[getter]
    fn started_at<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDateTime>> {
        let since = self.0.started_at.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let seconds = i64::try_from(since.as_secs()).unwrap_or_default();
        convert::datetime(py, Timestamp::from_unix(seconds, since.subsec_nanos()).unwrap_or_default())
    }

    fn __repr__(&self) -> String {
        format!("Attempt(operation='{}', attempt={})", self.0.operation, self.0.attempt)
    }
}

/// The `on_attempt` callback of a client.
#[derive(Clone)]
pub(crate) struct AttemptCallback(pub(crate) Arc<Py<PyAny>>);

impl FromPyObject<'_, '_> for AttemptCallback {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if !object.is_callable() {
            return Err(PyTypeError::new_err("must be a callable that takes an Attempt"));
        }
        Ok(Self(Arc::new(object.to_owned().unbind())))
    }
}

/// Registers the logger and the callback for attempts of a client.
pub(crate) fn add_listeners(builder: ClientBuilder, callback: Option<&AttemptCallback>) -> ClientBuilder {
    let queue = AttemptQueue::default();
    let builder = builder.on_attempt(move |event| {
        if LOGGER_ENABLED.load(Ordering::Relaxed) {
            queue.report(event, |py, event| log(py, &event));
        }
    });
    let Some(AttemptCallback(callable)) = callback.cloned() else { return builder };
    let queue = AttemptQueue::default();
    builder.on_attempt(move |event| {
        let callable = Arc::clone(&callable);
        queue.report(event, move |py, event| callable.call1(py, (Attempt(event),)).map(drop));
    })
}

/// Queue that keeps the order of attempts of async calls, because the threads that report attempts run in any order.
#[derive(Clone, Default)]
struct AttemptQueue(Arc<Mutex<VecDeque<CoreAttempt>>>);

impl AttemptQueue {
    /// Reports an attempt to Python, after all earlier attempts.
    fn report(&self, event: &CoreAttempt, listener: impl FnOnce(Python<'_>, CoreAttempt) -> PyResult<()> + Send + 'static) {
        let event = event.clone();
        if runtime::has_waiter() {
            return runtime::run(move |py| report_unraisable(py, listener(py, event)));
        }
        self.events().push_back(event);
        let queue = self.clone();
        runtime::run(move |py| {
            let oldest = queue.events().pop_front();
            oldest.map_or(Ok(()), |event| report_unraisable(py, listener(py, event)))
        });
    }

    fn events(&self) -> MutexGuard<'_, VecDeque<CoreAttempt>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the logger was enabled at the start of the last call. Threads that drive calls do not hold the interpreter, so they cannot ask
/// the logger.
static LOGGER_ENABLED: AtomicBool = AtomicBool::new(false);

/// Updates `LOGGER_ENABLED`. The logger is disabled if the program never imported `logging`.
pub(crate) fn check_logger(py: Python<'_>) {
    LOGGER_ENABLED.store(is_logger_enabled(py).unwrap_or(false), Ordering::Relaxed);
}

fn is_logger_enabled(py: Python<'_>) -> PyResult<bool> {
    if LOGGER.get(py).is_none() {
        static MODULES: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let modules = MODULES.get_or_try_init(py, || py.import("sys")?.getattr("modules").map(Bound::unbind))?;
        if !modules.bind(py).contains(intern!(py, "logging"))? {
            return Ok(false);
        }
    }
    logger(py)?.call_method1(intern!(py, "isEnabledFor"), (DEBUG,))?.extract()
}

static LOGGER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

fn logger(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    let logger = LOGGER.get_or_try_init(py, || {
        let logging = PyModule::import(py, "logging")?;
        let logger = logging.call_method1("getLogger", ("vitalwire",))?;
        logger.call_method1("addHandler", (logging.call_method0("NullHandler")?,))?;
        PyResult::Ok(logger.unbind())
    })?;
    Ok(logger.bind(py))
}

fn log(py: Python<'_>, event: &CoreAttempt) -> PyResult<()> {
    let outcome = match (event.status, event.error) {
        (Some(status), None) => status.to_string(),
        (Some(status), Some(error)) => format!("{status} {error}"),
        (None, error) => error.map_or_else(String::new, |error| error.to_string()),
    };
    let next = event.next_delay.map(|delay| format!(", next after {:.3} s", delay.as_secs_f64())).unwrap_or_default();
    let extra = PyDict::new(py);
    extra.set_item("attempt", Attempt(event.clone()).into_pyobject(py)?)?;
    let keywords = PyDict::new(py);
    keywords.set_item("extra", extra)?;
    let text = "%s %s (%s), attempt %d: %s in %.3f s%s";
    let values = (text, event.http_method, event.path_template, event.operation, event.attempt, outcome, event.elapsed.as_secs_f64(), next);
    logger(py)?.call_method("debug", values, Some(&keywords)).map(drop)
}

/// Passes an exception of the callback to `sys.unraisablehook`. Returns exceptions that end programs, such as `KeyboardInterrupt`.
fn report_unraisable(py: Python<'_>, outcome: PyResult<()>) -> PyResult<()> {
    match outcome {
        Err(raised) if errors::is_program_exit(py, &raised) => Err(raised),
        Err(raised) => {
            raised.write_unraisable(py, None);
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}
