//! A range that is read to its end in one go.

use std::mem;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::{self, Either};
use pyo3::prelude::*;
use tokio::sync::mpsc::{self, UnboundedReceiver};
use vitalwire::client::BoxFuture;
use vitalwire::range::Progress;
use vitalwire::table::TableId;
use vitalwire::{Client as Core, Error};

use super::progress::Reporter;
use super::source::{Object, Report, Source};
use crate::caller::{Caller, Failure, Style};

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

fn begin(source: &dyn Source, what: What, core: &Core, report: Option<Report>) -> BoxFuture<'static, Result<Object, Failure>> {
    match what {
        What::Answer => source.collect(core, report),
        What::Table(id) => source.table(core, id, report),
    }
}

/// Reads a range, and gives what `then` makes of it; a coroutine, with an asynchronous client.
pub(super) fn run(
    py: Python<'_>,
    caller: &Caller,
    source: Arc<dyn Source>,
    what: What,
    reporter: Option<Reporter>,
    then: Then,
) -> PyResult<Py<PyAny>> {
    let Some(reporter) = reporter else {
        return caller.run(
            py,
            move |core| begin(&*source, what, &core, None),
            |py, object| {
                let merged = object(py)?;
                then(py, merged)
            },
        );
    };
    let stages = Stages {
        caller: caller.share(py),
        source,
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
    source: Arc<dyn Source>,
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
    Going(Going),
    /// On its way to the next report, or over: what runs ends with the future that has it.
    Away,
}

struct Going {
    future: BoxFuture<'static, Result<Object, Failure>>,
    reports: UnboundedReceiver<Progress>,
    /// What came of the future, while there are reports yet to tell.
    ended: Option<Result<Object, Failure>>,
}

enum Event {
    Progress(Progress),
    Ended(Object),
}

impl Going {
    fn begin(source: &dyn Source, what: What, core: &Core) -> Self {
        let (report, reports) = mpsc::unbounded_channel();
        Self { future: begin(source, what, core, Some(report)), reports, ended: None }
    }

    async fn next(&mut self) -> Result<Event, Failure> {
        if self.ended.is_none() {
            self.ended = Some(match future::select(pin!(self.reports.recv()), &mut self.future).await {
                Either::Left((Some(progress), _)) => return Ok(Event::Progress(progress)),
                // No more is reported, so the end is near.
                Either::Left((None, _)) => (&mut self.future).await,
                Either::Right((ended, _)) => ended,
            });
        }
        match (self.reports.try_recv(), self.ended.take()) {
            (Ok(progress), ended) => {
                self.ended = ended;
                Ok(Event::Progress(progress))
            }
            (Err(_), Some(ended)) => ended.map(Event::Ended),
            (Err(_), None) => Err(Error::internal("a range ended without a result").into()),
        }
    }
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
        let (source, what, stage) = (Arc::clone(&self.source), self.what, Arc::clone(&self.stage));
        let work = move |core: Core| async move {
            let taken = swap(&stage, Stage::Away);
            let mut going = match taken {
                Stage::New => Going::begin(&*source, what, &core),
                Stage::Going(going) => going,
                Stage::Away => return Err(Error::internal("a range is read twice at once").into()),
            };
            let event = going.next().await?;
            if matches!(event, Event::Progress(_)) {
                swap(&stage, Stage::Going(going));
            }
            Ok(event)
        };
        let (stage, reporter, then) = (Arc::clone(&self.stage), Arc::clone(&self.reporter), Arc::clone(&self.then));
        let finish = move |py: Python<'_>, event| match event {
            Event::Progress(progress) => {
                // What runs ends where nobody wants to hear of it any more.
                reporter.report(py, progress).inspect_err(|_| drop(swap(&stage, Stage::Away)))?;
                Ok(py.None())
            }
            Event::Ended(object) => {
                let then = then.lock().unwrap_or_else(PoisonError::into_inner).take();
                let merged = object(py)?;
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
