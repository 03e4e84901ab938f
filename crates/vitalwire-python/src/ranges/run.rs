//! Collection of ranges.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use vitalwire::Client as Core;
use vitalwire::client::CancelToken;
use vitalwire::range::{AnyRange, CollectStep, RangeCollect};
use vitalwire::table::TableId;

use super::Object;
use super::interrupted::{self, SharedCollect};
use super::merged::{self, CoreMerged};
use super::part::stopped;
use super::progress::Reporter;
use crate::caller::Caller;
use crate::cancel::Cancel;
use crate::runtime::Style;
use crate::table::Table;

/// Result into which parts are merged.
#[derive(Clone, Copy)]
pub(super) enum CollectInto {
    /// A response.
    Response,
    /// A table.
    Table(TableId),
}

/// Conversion of the `MergedRange`.
pub(super) type Then = Box<dyn FnOnce(Python<'_>, Py<PyAny>) -> PyResult<Py<PyAny>> + Send>;

fn begin(range: &AnyRange<Object>, what: CollectInto, core: &Core) -> RangeCollect<Object> {
    match what {
        CollectInto::Response => range.collect(core.engine()),
        CollectInto::Table(id) => range.table(core.engine(), id.spec(), |table| {
            let object: Object = Box::new(move |py| Ok(Py::new(py, Table::shared(table, Arc::default()))?.into_any()));
            object
        }),
    }
}

/// Collects a range and converts it with `then`. Returns a coroutine for an async client. An exception that interrupts it carries the parts
/// that were read and a resume token.
pub(super) fn run(
    py: Python<'_>,
    caller: &Caller,
    range: AnyRange<Object>,
    what: CollectInto,
    reporter: Option<Reporter>,
    then: Then,
) -> PyResult<Py<PyAny>> {
    let (range, token) = range.with_token();
    let stages = Stages {
        caller: caller.share(py),
        range,
        token,
        what,
        going: Arc::default(),
        reporter: reporter.map(Arc::new),
        then: Arc::new(Mutex::new(Some(then))),
        process: std::process::id(),
    };
    if caller.style() == Style::Async {
        // A Python coroutine that awaits the stages in sequence.
        let stages = Py::new(py, stages)?;
        return Ok(py.import("vitalwire._progress")?.call_method1("drive", (stages,))?.unbind());
    }
    let ended = stages.all(py).inspect_err(|raised| {
        // Best effort: a second interruption aborts this, and the first one is raised.
        let _ = stages.keep(py, raised.value(py).as_any().clone().unbind());
    });
    stages.close(py)?;
    ended
}

/// A run that pauses at each progress report, so that the report is made on the caller's thread.
#[pyclass(frozen, module = "vitalwire", name = "_Stages")]
struct Stages {
    caller: Caller,
    range: AnyRange<Object>,
    /// Cancels the parts of this run.
    token: CancelToken,
    what: CollectInto,
    /// Kept outside the stages, so that the parts that were read survive a dropped stage.
    going: Arc<SharedCollect>,
    reporter: Option<Arc<Reporter>>,
    then: Arc<Mutex<Option<Then>>>,
    process: u32,
}

impl Stages {
    /// Runs all stages on this thread.
    fn all(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        loop {
            let ended: Option<(Py<PyAny>,)> = self.__call__(py)?.extract(py)?;
            if let Some((ended,)) = ended {
                return Ok(ended);
            }
        }
    }
}

#[pymethods]
impl Stages {
    /// Continues until the next report and returns `None`. Returns a tuple of the result at the end.
    fn __call__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let (range, what, going, is_reported) = (self.range.clone(), self.what, Arc::clone(&self.going), self.reporter.is_some());
        let work = move |core: Core| async move {
            let mut slot = going.lock().await;
            let collect = slot.get_or_insert_with(|| begin(&range, what, &core));
            let step = loop {
                match collect.step().await {
                    Ok(CollectStep::Progress(_)) if !is_reported => {}
                    step => break step,
                }
            };
            if !matches!(step, Ok(CollectStep::Progress(_))) {
                *slot = None;
            }
            step.map_err(stopped)
        };
        let (reporter, then) = (self.reporter.clone(), Arc::clone(&self.then));
        let finish = move |py: Python<'_>, step: CollectStep<Object>| match step {
            CollectStep::Progress(progress) => {
                reporter.map_or(Ok(()), |reporter| reporter.report(py, progress))?;
                Ok(py.None())
            }
            CollectStep::Ended(given) => {
                let then = then.lock().unwrap_or_else(PoisonError::into_inner).take();
                let merged = merged::object(py, given)?;
                let Some(then) = then else { return Ok(py.None()) };
                let ended = then(py, merged.clone_ref(py)).inspect_err(|raised| interrupted::mark(raised.value(py), None, Some(merged)))?;
                Ok((ended,).into_pyobject(py)?.into_any().unbind())
            }
        };
        self.caller.run(py, work, finish)
    }

    /// Stops an interrupted run, and attaches its parts and a resume token to the exception. Returns a coroutine for an async client.
    fn keep(&self, py: Python<'_>, exception: Py<PyAny>) -> PyResult<Py<PyAny>> {
        self.token.cancel();
        let (going, is_here) = (Arc::clone(&self.going), std::process::id() == self.process);
        let work = move |_: Core| async move {
            // The parts belong to the parent process.
            Ok(if is_here { interrupted::rest(&going).await } else { None })
        };
        let finish = move |py: Python<'_>, rest: Option<Result<CoreMerged, _>>| {
            let exception = exception.bind(py);
            match rest {
                Some(Ok(given)) => {
                    let merged = merged::object(py, given)?;
                    interrupted::mark(exception, Some(merged.getattr(py, "resume_token")?), Some(merged));
                }
                Some(Err(failure)) => interrupted::mark_failed(py, exception, failure)?,
                None => {}
            }
            Ok(py.None())
        };
        self.caller.until(py, Cancel::default()).with_tasks().run(py, work, finish)
    }

    /// Closes the display.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.reporter.as_ref().map_or(Ok(()), |reporter| reporter.close(py))
    }
}
