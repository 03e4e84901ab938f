//! Collection of ranges.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use vitalwire::Client as Core;
use vitalwire::client::CancelToken;
use vitalwire::range::{AnyRange, CollectStep, RangeCollect};
use vitalwire::table::TableId;

use super::ObjectFactory;
use super::interrupted::{self, SharedCollect};
use super::merged::{self, CoreMerged};
use super::part::range_failure;
use super::progress::Reporter;
use crate::arguments::Texts;
use crate::caller::Caller;
use crate::cancel::Cancellation;
use crate::runtime::CallMode;
use crate::table::Table;

/// Result into which parts are merged.
#[derive(Clone)]
pub(super) enum CollectTarget {
    /// Merges the parts into a response.
    Response,
    /// Merges the parts into this table, with all columns or only these.
    Table(TableId, Option<Arc<Texts>>),
}

/// Converts the `MergedRange` to the result of the run.
pub(super) type ConvertMerged = Box<dyn FnOnce(Python<'_>, Py<PyAny>) -> PyResult<Py<PyAny>> + Send>;

fn start_collect(range: &AnyRange<ObjectFactory>, target: CollectTarget, core: &Core) -> RangeCollect<ObjectFactory> {
    match target {
        CollectTarget::Response => range.collect(core.engine()),
        CollectTarget::Table(id, columns) => range.table(core.engine(), id.spec(), move |table| {
            let columns = columns.clone();
            let object: ObjectFactory = Box::new(move |py| {
                let table = Table::shared(table, Arc::default()).only_columns(py, columns.as_deref())?;
                Ok(Py::new(py, table)?.into_any())
            });
            object
        }),
    }
}

/// Collects a range and converts it with `then`. Returns a coroutine for an async client. An exception that interrupts it carries the parts
/// that were read and a resume token.
pub(super) fn run(
    py: Python<'_>,
    caller: &Caller,
    range: AnyRange<ObjectFactory>,
    target: CollectTarget,
    reporter: Option<Reporter>,
    then: ConvertMerged,
) -> PyResult<Py<PyAny>> {
    let (range, token) = range.with_token();
    let run = CollectRun {
        caller: caller.share(py),
        range,
        token,
        target,
        shared: Arc::default(),
        reporter: reporter.map(Arc::new),
        then: Arc::new(Mutex::new(Some(then))),
        process: std::process::id(),
    };
    if caller.mode() == CallMode::Async {
        // `drive` is a Python coroutine that awaits the steps in sequence.
        let run = Py::new(py, run)?;
        return Ok(py.import("vitalwire._progress")?.call_method1("drive", (run,))?.unbind());
    }
    let ended = run.run_to_end(py).inspect_err(|raised| {
        // Best effort: if a second interruption aborts the stop, the first one is raised.
        let _ = run.stop_and_attach(py, raised.value(py).as_any().clone().unbind());
    });
    run.close(py)?;
    ended
}

/// A run that pauses at each progress report, so that the report is made on the caller's thread.
#[pyclass(frozen, module = "vitalwire", name = "_CollectRun")]
struct CollectRun {
    caller: Caller,
    range: AnyRange<ObjectFactory>,
    /// Cancels the parts of this run.
    token: CancelToken,
    target: CollectTarget,
    /// The range while it is collected. Stored outside the steps, so that a dropped step does not lose the parts read so far.
    shared: Arc<SharedCollect>,
    reporter: Option<Arc<Reporter>>,
    then: Arc<Mutex<Option<ConvertMerged>>>,
    process: u32,
}

impl CollectRun {
    /// Runs all steps on this thread.
    fn run_to_end(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        loop {
            let ended: Option<(Py<PyAny>,)> = self.__call__(py)?.extract(py)?;
            if let Some((ended,)) = ended {
                return Ok(ended);
            }
        }
    }
}

#[pymethods]
impl CollectRun {
    /// Continues until the next report and returns `None`. Returns a tuple of the result at the end.
    fn __call__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let (range, target, shared, is_reported) =
            (self.range.clone(), self.target.clone(), Arc::clone(&self.shared), self.reporter.is_some());
        let work = move |core: Core| async move {
            let mut slot = shared.lock().await;
            let collect = slot.get_or_insert_with(|| start_collect(&range, target.clone(), &core));
            let step = loop {
                match collect.step().await {
                    Ok(CollectStep::Progress(_)) if !is_reported => {}
                    step => break step,
                }
            };
            if !matches!(step, Ok(CollectStep::Progress(_))) {
                *slot = None;
            }
            step.map_err(range_failure)
        };
        let (reporter, then) = (self.reporter.clone(), Arc::clone(&self.then));
        let finish = move |py: Python<'_>, step: CollectStep<ObjectFactory>| match step {
            CollectStep::Progress(progress) => {
                reporter.map_or(Ok(()), |reporter| reporter.report(py, progress))?;
                Ok(py.None())
            }
            CollectStep::Ended(core_merged) => {
                let then = then.lock().unwrap_or_else(PoisonError::into_inner).take();
                let merged = merged::merged_object(py, core_merged)?;
                let Some(then) = then else { return Ok(py.None()) };
                let ended = then(py, merged.clone_ref(py))
                    .inspect_err(|raised| interrupted::attach_result(raised.value(py), None, Some(merged)))?;
                Ok((ended,).into_pyobject(py)?.into_any().unbind())
            }
        };
        self.caller.run(py, work, finish)
    }

    /// Stops an interrupted run, and attaches its parts and a resume token to the exception. Returns a coroutine for an async client.
    fn stop_and_attach(&self, py: Python<'_>, exception: Py<PyAny>) -> PyResult<Py<PyAny>> {
        self.token.cancel();
        let (shared, is_own_process) = (Arc::clone(&self.shared), std::process::id() == self.process);
        let work = move |_: Core| async move {
            // In a forked child, the parts belong to the parent process.
            Ok(if is_own_process { interrupted::collect_rest(&shared).await } else { None })
        };
        let finish = move |py: Python<'_>, rest: Option<Result<CoreMerged, _>>| {
            let exception = exception.bind(py);
            match rest {
                Some(Ok(core_merged)) => {
                    let merged = merged::merged_object(py, core_merged)?;
                    interrupted::attach_result(exception, Some(merged.getattr(py, "resume_token")?), Some(merged));
                }
                Some(Err(failure)) => interrupted::attach_failed_result(py, exception, failure)?,
                None => {}
            }
            Ok(py.None())
        };
        self.caller.with_cancellation(py, Cancellation::default()).with_tasks().run(py, work, finish)
    }

    /// Closes the progress display.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.reporter.as_ref().map_or(Ok(()), |reporter| reporter.close(py))
    }
}
