//! How calls are made: at once on the caller's thread, or as coroutines.

use std::future::Future;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use vitalwire::client::{CloseMode, Operation, ResponseMetadata};
use vitalwire::{Client as Core, Error};

use crate::attempts;
use crate::cancel::Cancel;
use crate::coroutine::Coroutine;
use crate::deferred::{Columnar, Deferred};
use crate::errors;
use crate::failure::Failure;
use crate::options::Options;
use crate::runtime::{self, Style, Work};
use crate::settings::Recipe;

/// Refuses an operation of a client that is closed, where something else comes before its request, such as reading a file.
pub(crate) fn check_open<O: Operation>(core: &Core) -> Result<(), Error> {
    if core.is_closed() { Err(Error::closed().in_operation(O::META)) } else { Ok(()) }
}

/// What the resources of a client share: how its calls are waited for, and the core's client.
pub(crate) struct Caller {
    shared: Py<Shared>,
    style: Style,
    cancel: Cancel,
    work: Work,
}

/// What every resource and every call on its way holds one reference to: an object of Python's, so that the collector of cycles can follow
/// a client to its callables, which may well refer to the client. No call holds a callable by itself, so none loses it while it runs.
#[pyclass(frozen, module = "vitalwire", name = "_Shared")]
struct Shared {
    recipe: Recipe,
    core: Core,
}

#[pymethods]
impl Shared {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.recipe.visit(&visit)
    }
}

impl Caller {
    /// Of a client with these settings, which are checked here.
    pub(crate) fn new(py: Python<'_>, recipe: Recipe, style: Style) -> PyResult<Self> {
        let core = recipe.builder(style).and_then(|builder| builder.build()).map_err(|error| errors::raise(py, error))?;
        Ok(Self { shared: Py::new(py, Shared { recipe, core })?, style, cancel: Cancel::default(), work: Work::Single })
    }

    /// The same, for another object.
    pub(crate) fn share(&self, py: Python<'_>) -> Self {
        self.until(py, self.cancel.clone())
    }

    /// The same, whose work a token can end.
    pub(crate) fn until(&self, py: Python<'_>, cancel: Cancel) -> Self {
        Self { shared: self.shared.clone_ref(py), style: self.style, cancel, work: self.work }
    }

    /// The same, for work that starts tasks.
    pub(crate) fn with_tasks(self) -> Self {
        Self { work: Work::Tasks, ..self }
    }

    /// For the collector of cycles, by the one object that this belongs to.
    pub(crate) fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.shared)
    }

    /// How calls are waited for.
    pub(crate) fn style(&self) -> Style {
        self.style
    }

    /// Closes the client: calls that are made later are refused, those on their way go on or end, and connections that nobody uses are
    /// closed.
    pub(crate) fn close(&self, abort_calls: bool) {
        self.shared.get().core.close(if abort_calls { CloseMode::Abort } else { CloseMode::Finish });
    }

    /// Refuses a client that is closed; calls are refused by the core, whose error says which call that was.
    pub(crate) fn check_open(&self) -> Result<(), Error> {
        if self.shared.get().core.is_closed() { Err(Error::closed()) } else { Ok(()) }
    }

    /// The core's client.
    pub(crate) fn core(&self) -> Core {
        self.shared.get().core.clone()
    }

    /// Does `work` with the core's client and makes a Python object of its result with `finish`.
    ///
    /// Sync: waits on this thread, with the interpreter released and signals heard, and returns the object. Async: returns a
    /// coroutine; the work begins when that is first awaited, ends when it is cancelled, and `finish` runs on the loop's thread.
    pub(crate) fn run<T, W, F, R>(&self, py: Python<'_>, work: impl FnOnce(Core) -> W + Send + 'static, finish: F) -> PyResult<Py<PyAny>>
    where
        T: Send + 'static,
        W: Future<Output = Result<T, Failure>> + Send + 'static,
        F: FnOnce(Python<'_>, T) -> PyResult<R> + Send + 'static,
        R: Into<Py<PyAny>>,
    {
        attempts::look(py);
        let cancel = self.cancel.clone();
        let work = move |core| cancel.or(work(core));
        match self.style {
            Style::Sync => {
                let value = runtime::wait(py, self.work, work(self.core()))?;
                finish(py, value).map(Into::into)
            }
            Style::Async => {
                let (caller, kept) = (self.share(py), self.share(py));
                let begin = move || Ok(work(caller.core()));
                let finish = |py: Python<'_>, value| {
                    // Until here: the work may ask for a token.
                    let _kept = kept;
                    finish(py, value).map(Into::into)
                };
                Ok(Py::new(py, Coroutine::new(begin, finish))?.into_any())
            }
        }
    }

    /// Carries out an operation.
    pub(crate) fn call<O, F, R>(&self, py: Python<'_>, parameters: O, options: &Options<'_>, finish: F) -> PyResult<Py<PyAny>>
    where
        O: Operation,
        F: FnOnce(Python<'_>, O::Output, Arc<ResponseMetadata>) -> PyResult<R> + Send + 'static,
        R: Into<Py<PyAny>>,
    {
        let caller = self.until(py, options.cancel.clone().unwrap_or_default());
        let options = options.to_call().map_err(|error| errors::raise(py, error))?;
        let work = |core: Core| async move { core.execute(parameters, &options).await.map_err(Failure::from) };
        caller.run(py, work, |py, answer| {
            let (value, meta) = answer.into_parts();
            finish(py, value, Arc::new(meta))
        })
    }

    /// Carries out an operation whose answer is read as columns; its records are read when they are asked for.
    pub(crate) fn columns<O, V>(&self, py: Python<'_>, parameters: O, options: &Options<'_>) -> PyResult<Py<PyAny>>
    where
        O: Operation<Output = V::Core>,
        V: Columnar,
    {
        let caller = self.until(py, options.cancel.clone().unwrap_or_default());
        let options = options.to_call().map_err(|error| errors::raise(py, error))?;
        let work = |core: Core| async move { Ok(core.call(parameters).options(options).deferred(V::TABLE).await?) };
        caller.run(py, work, |py, answer| Py::new(py, V::deferred(Deferred::answered(answer))).map(Py::into_any))
    }
}
