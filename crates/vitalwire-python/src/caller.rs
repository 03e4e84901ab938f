//! Execution of calls: blocking on the caller's thread, or as coroutines.

use std::future::Future;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::{PyTraverseError, PyVisit};
use vitalwire::client::{ClientBuilder, CloseMode, Operation, ResponseMetadata};
use vitalwire::{Client as Core, Error};

use crate::attempts;
use crate::cancel::Cancellation;
use crate::coroutine::Coroutine;
use crate::errors;
use crate::failure::Failure;
use crate::lazy_response::{Columnar, LazyResponse};
use crate::options::Options;
use crate::runtime::{self, CallMode, CallShape};
use crate::settings::SettingsSource;

/// Returns an error if the client is closed. For operations that do other work before the request, such as reading a file.
pub(crate) fn check_open<O: Operation>(core: &Core) -> Result<(), Error> {
    if core.is_closed() { Err(Error::closed().with_operation(O::META)) } else { Ok(()) }
}

/// Makes the calls of a client. All resources of a client share one client of the core.
pub(crate) struct Caller {
    shared: Py<CallerState>,
    mode: CallMode,
    cancel: Cancellation,
    shape: CallShape,
    /// Note for exceptions about responses of the service.
    note: Option<String>,
}

/// State that resources and calls in flight share. It is a Python object, so that the garbage collector can traverse the client's
/// callables, which may refer to the client. Calls keep this object alive, and thereby the callables.
#[pyclass(frozen, module = "vitalwire", name = "_Shared")]
struct CallerState {
    settings: SettingsSource,
    core: Core,
}

#[pymethods]
impl CallerState {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.settings.visit(&visit)
    }
}

impl Caller {
    /// Creates a client. Validates its settings.
    pub(crate) fn new(py: Python<'_>, settings: SettingsSource, mode: CallMode) -> PyResult<Self> {
        let core = settings.builder(mode).and_then(|builder| builder.build()).map_err(|error| errors::raise(py, error))?;
        Ok(Self {
            shared: Py::new(py, CallerState { settings, core })?,
            mode,
            cancel: Cancellation::default(),
            shape: CallShape::Single,
            note: None,
        })
    }

    /// Returns a caller of the same client, for another object.
    pub(crate) fn share(&self, py: Python<'_>) -> Self {
        self.with_cancellation(py, self.cancel.clone())
    }

    /// Returns a caller of the same client with a cancel token.
    pub(crate) fn with_cancellation(&self, py: Python<'_>, cancel: Cancellation) -> Self {
        Self { shared: self.shared.clone_ref(py), mode: self.mode, cancel, shape: self.shape, note: self.note.clone() }
    }

    /// Returns a caller for work that spawns tasks.
    pub(crate) fn with_tasks(self) -> Self {
        Self { shape: CallShape::Tasks, ..self }
    }

    /// Returns a caller whose exceptions have notes, if the service caused them.
    pub(crate) fn with_notes(&self, py: Python<'_>, notes: &[String]) -> Self {
        Self { note: (!notes.is_empty()).then(|| notes.join("\n")), ..self.share(py) }
    }

    /// Visits the shared object for the garbage collector.
    pub(crate) fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.shared)
    }

    /// Returns the keyword arguments of the client. `None` if its settings are environment variables.
    pub(crate) fn to_keywords<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.shared.get().settings.to_keywords(py)
    }

    pub(crate) fn mode(&self) -> CallMode {
        self.mode
    }

    /// Closes the client: rejects new calls, completes or aborts calls in flight, and closes idle connections.
    pub(crate) fn close(&self, abort_calls: bool) {
        self.shared.get().core.close(if abort_calls { CloseMode::Abort } else { CloseMode::Drain });
    }

    /// Returns an error if the client is closed. Calls need no such check: the core rejects them with an error that names the operation.
    pub(crate) fn check_open(&self) -> Result<(), Error> {
        if self.shared.get().core.is_closed() { Err(Error::closed()) } else { Ok(()) }
    }

    /// Returns a builder of the core with the settings of the client.
    pub(crate) fn builder(&self) -> Result<ClientBuilder, Error> {
        self.shared.get().settings.builder(self.mode)
    }

    pub(crate) fn core(&self) -> Core {
        self.shared.get().core.clone()
    }

    /// Runs `work` with the core's client and converts its result with `finish`.
    ///
    /// For a sync client, blocks this thread with the interpreter released, handles signals, and returns the object. For an async client,
    /// returns a coroutine. The work starts at the first await and ends at cancellation; `finish` runs on the thread of the event loop.
    pub(crate) fn run<T, W, F, R>(&self, py: Python<'_>, work: impl FnOnce(Core) -> W + Send + 'static, finish: F) -> PyResult<Py<PyAny>>
    where
        T: Send + 'static,
        W: Future<Output = Result<T, Failure>> + Send + 'static,
        F: FnOnce(Python<'_>, T) -> PyResult<R> + Send + 'static,
        R: Into<Py<PyAny>>,
    {
        attempts::check_logger(py);
        let (cancel, note) = (self.cancel.clone(), self.note.clone());
        let work = move |core| {
            let work = cancel.run(work(core));
            async move { work.await.map_err(|failure| failure.with_note(note)) }
        };
        match self.mode {
            CallMode::Sync => {
                let value = runtime::wait(py, self.shape, work(self.core()))?;
                finish(py, value).map(Into::into)
            }
            CallMode::Async => {
                let (caller, kept) = (self.share(py), self.share(py));
                let begin = move || Ok(work(caller.core()));
                let finish = |py: Python<'_>, value| {
                    // Keeps the token callable alive until the work has ended.
                    let _kept = kept;
                    finish(py, value).map(Into::into)
                };
                Ok(Py::new(py, Coroutine::new(begin, finish))?.into_any())
            }
        }
    }

    /// Calls an operation.
    pub(crate) fn call<O, F, R>(&self, py: Python<'_>, parameters: O, options: &Options<'_>, finish: F) -> PyResult<Py<PyAny>>
    where
        O: Operation,
        F: FnOnce(Python<'_>, O::Output, Arc<ResponseMetadata>) -> PyResult<R> + Send + 'static,
        R: Into<Py<PyAny>>,
    {
        let caller = self.with_cancellation(py, options.cancel.clone().unwrap_or_default());
        let options = options.to_call().map_err(|error| errors::raise(py, error))?;
        let work = |core: Core| async move { core.execute(parameters, &options).await.map_err(Failure::from) };
        caller.run(py, work, |py, response| {
            let (value, meta) = response.into_parts();
            finish(py, value, Arc::new(meta))
        })
    }

    /// Calls an operation whose response is read as columns. Records are decoded on first use.
    pub(crate) fn call_columns<O, V>(&self, py: Python<'_>, parameters: O, options: &Options<'_>) -> PyResult<Py<PyAny>>
    where
        O: Operation<Output = V::Core>,
        V: Columnar,
    {
        let caller = self.with_cancellation(py, options.cancel.clone().unwrap_or_default());
        let options = options.to_call().map_err(|error| errors::raise(py, error))?;
        let work = |core: Core| async move { Ok(core.call(parameters).options(options).lazy_response(V::TABLE).await?) };
        caller.run(py, work, |py, response| Py::new(py, V::from_lazy_response(LazyResponse::from_response(response))).map(Py::into_any))
    }
}
