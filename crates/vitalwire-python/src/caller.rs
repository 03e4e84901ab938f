//! How calls are made: at once on the caller's thread, or as coroutines.

use std::future::Future;
use std::sync::Arc;

use pyo3::prelude::*;
use vitalwire::client::{Operation, ResponseMeta};
use vitalwire::{Client as Core, Error};

use crate::coroutine::Coroutine;
use crate::deferred::{Columnar, Deferred};
use crate::options::Options;
use crate::{errors, runtime};

/// Why a call has no result.
pub(crate) enum Failure {
    /// The core's error, which becomes the exception of its kind.
    Core(Error),
    /// An error that knows more than the core's, such as the last known record of a wait.
    Own(Box<dyn Raise>),
    /// An exception that is there already, such as one of a callback.
    Raised(PyErr),
}

/// An error that makes its own exception.
pub(crate) trait Raise: Send + 'static {
    /// The exception.
    fn raise(self: Box<Self>, py: Python<'_>) -> PyErr;
}

impl Failure {
    /// Of an error that makes its own exception.
    #[allow(dead_code, reason = "waits and ranges are in modules of their own")]
    pub(crate) fn own(error: impl Raise) -> Self {
        Self::Own(Box::new(error))
    }

    /// The exception.
    pub(crate) fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Core(error) => errors::raise(py, error),
            Self::Own(error) => error.raise(py),
            Self::Raised(exception) => exception,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Core(error)
    }
}

impl From<PyErr> for Failure {
    fn from(exception: PyErr) -> Self {
        Self::Raised(exception)
    }
}

/// Who waits for a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// The calling thread.
    Sync,
    /// A task of an event loop, by a coroutine.
    Async,
}

/// The core's client, and how its calls are waited for. The resources of a client share it.
#[derive(Clone)]
pub(crate) struct Caller {
    core: Core,
    style: Style,
    process: u32,
}

impl Caller {
    /// Of a client that was made in this process.
    pub(crate) fn new(core: Core, style: Style) -> Self {
        Self { core, style, process: std::process::id() }
    }

    /// How calls are waited for.
    #[allow(dead_code, reason = "ranges and waits ask, in modules of their own")]
    pub(crate) fn style(&self) -> Style {
        self.style
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
        match self.style {
            Style::Sync => {
                let core = self.core().map_err(|error| errors::raise(py, error))?;
                let value = runtime::wait(py, work(core))?;
                finish(py, value).map(Into::into)
            }
            Style::Async => {
                let caller = self.clone();
                let begin = move || caller.core().map(work);
                Ok(Py::new(py, Coroutine::new(begin, |py, value| finish(py, value).map(Into::into)))?.into_any())
            }
        }
    }

    /// Carries out an operation.
    pub(crate) fn call<O, F, R>(&self, py: Python<'_>, parameters: O, options: &Options<'_>, finish: F) -> PyResult<Py<PyAny>>
    where
        O: Operation,
        F: FnOnce(Python<'_>, O::Output, Arc<ResponseMeta>) -> PyResult<R> + Send + 'static,
        R: Into<Py<PyAny>>,
    {
        let options = options.to_core().map_err(|error| errors::raise(py, error))?;
        let work = |core: Core| async move { core.execute(parameters, &options).await.map_err(Failure::from) };
        self.run(py, work, |py, answer| {
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
        let options = options.to_core().map_err(|error| errors::raise(py, error))?;
        let work = |core: Core| async move { Deferred::read(core.call(parameters).options(options).raw().await?, V::TABLE) };
        self.run(py, work, |py, answer| Py::new(py, V::deferred(answer)))
    }

    /// The core's client. A forked child must not use its parent's: the two would read each other's answers.
    fn core(&self) -> Result<Core, Error> {
        if self.process == std::process::id() {
            return Ok(self.core.clone());
        }
        Err(Error::configuration("this client was made before a fork: make one in each process"))
    }
}
