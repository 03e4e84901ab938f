//! A range that is read to its end in one go.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use vitalwire::range::{AnyRange, Gathering, Step};
use vitalwire::table::TableId;
use vitalwire::{Client as Core, Error};

use super::Object;
use super::merged::{self, Given};
use super::part::stopped;
use super::progress::Reporter;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::runtime::Style;
use crate::table::Table;

/// What is made of the parts.
#[derive(Clone, Copy)]
pub(super) enum What {
    /// One answer.
    Answer,
    /// One table.
    Table(TableId),
}

/// What is done with the `Merged` that was made.
pub(super) type Then = Box<dyn FnOnce(Python<'_>, Py<PyAny>) -> PyResult<Py<PyAny>> + Send>;

fn begin(range: &AnyRange<Object>, what: What, core: &Core) -> Gathering<Object> {
    match what {
        What::Answer => range.collect(core.engine()),
        What::Table(id) => range.table(core.engine(), id.spec()).map(|table| {
            let object: Object = Box::new(move |py| Ok(Py::new(py, Table::shared(table, Arc::default()))?.into_any()));
            object
        }),
    }
}

/// Reads a range, and gives what `then` makes of it; a coroutine, with an asynchronous client.
pub(super) fn run(
    py: Python<'_>,
    caller: &Caller,
    range: AnyRange<Object>,
    what: What,
    reporter: Option<Reporter>,
    then: Then,
) -> PyResult<Py<PyAny>> {
    let Some(reporter) = reporter else {
        return caller.run(
            py,
            move |core| async move { begin(&range, what, &core).await.map_err(stopped) },
            |py, given: Given| {
                let merged = merged::object(py, given)?;
                then(py, merged)
            },
        );
    };
    let stages = Stages {
        caller: caller.share(py),
        range,
        what,
        stage: Arc::default(),
        reporter: Arc::new(reporter),
        then: Arc::new(Mutex::new(Some(then))),
    };
    if caller.style() == Style::Async {
        // A coroutine that awaits the stages one after the other.
        let stages = Py::new(py, stages)?;
        return Ok(py.import("vitalwire._progress")?.call_method1("drive", (stages,))?.unbind());
    }
    let ended = stages.all(py);
    stages.close(py)?;
    ended
}

/// A run that stops at each report of progress, so that this is told on the caller's own thread.
#[pyclass(frozen, module = "vitalwire", name = "_Stages")]
struct Stages {
    caller: Caller,
    range: AnyRange<Object>,
    what: What,
    stage: Arc<Mutex<Stage>>,
    reporter: Arc<Reporter>,
    then: Arc<Mutex<Option<Then>>>,
}

/// Where a run is.
#[derive(Default)]
enum Stage {
    #[default]
    New,
    Going(Gathering<Object>),
    /// On its way to the next report, or over: what runs ends with the future that has it.
    Away,
}

impl Stages {
    /// One stage after the other, on this thread.
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
    /// Goes on to the next report, which it tells, and gives `None`; at the end it gives a tuple of the result.
    fn __call__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let (range, what, stage) = (self.range.clone(), self.what, Arc::clone(&self.stage));
        let work = move |core: Core| async move {
            let mut going = match swap(&stage, Stage::Away) {
                Stage::New => begin(&range, what, &core),
                Stage::Going(going) => going,
                Stage::Away => return Err(Error::internal("a range is read twice at once").into()),
            };
            let step = going.step().await.map_err(stopped)?;
            if matches!(step, Step::Progress(_)) {
                swap(&stage, Stage::Going(going));
            }
            Ok::<_, Failure>(step)
        };
        let (stage, reporter, then) = (Arc::clone(&self.stage), Arc::clone(&self.reporter), Arc::clone(&self.then));
        let finish = move |py: Python<'_>, step| match step {
            Step::Progress(progress) => {
                // What runs ends where nobody wants to hear of it any more.
                reporter.report(py, progress).inspect_err(|_| drop(swap(&stage, Stage::Away)))?;
                Ok(py.None())
            }
            Step::Ended(given) => {
                let then = then.lock().unwrap_or_else(PoisonError::into_inner).take();
                let merged = merged::object(py, given)?;
                let ended = then.map_or_else(|| Ok(py.None()), |then| then(py, merged))?;
                Ok((ended,).into_pyobject(py)?.into_any().unbind())
            }
        };
        self.caller.run(py, work, finish)
    }

    /// Ends what is shown.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.reporter.close(py)
    }
}

fn swap(stage: &Mutex<Stage>, with: Stage) -> Stage {
    mem::replace(&mut *stage.lock().unwrap_or_else(PoisonError::into_inner), with)
}
