//! The classes `Client` and `AsyncClient`.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyo3::{PyTraverseError, PyVisit};

use crate::caller::Caller;
use crate::coroutine::Coroutine;
use crate::errors;
use crate::generated::docs;
use crate::generated::options::Settings;
use crate::runtime::CallMode;
use crate::settings::{self, SettingsSource};

/// Pickled state: the restoring function and its arguments.
type ClientPickle<'py> = (Bound<'py, PyAny>, (&'static str, Option<Bound<'py, PyDict>>));

/// Defines a client class. Its constructor and its resources are generated.
macro_rules! client {
    ($name:ident, $mode:expr, $repr:literal) => {
        #[doc = docs!($name)]
        #[pyclass(frozen, module = "vitalwire")]
        pub(crate) struct $name {
            /// Makes the calls of the resources.
            pub(crate) caller: Caller,
        }

        impl $name {
            /// Creates a client from its settings.
            pub(crate) fn from_settings(py: Python<'_>, settings: Settings) -> PyResult<Self> {
                Ok(Self { caller: Caller::new(py, SettingsSource::from_settings(settings), $mode)? })
            }
        }

        #[pymethods]
        impl $name {
            #[doc = docs!($name.from_env)]
            #[staticmethod]
            fn from_env(py: Python<'_>) -> PyResult<Self> {
                Ok(Self { caller: Caller::new(py, SettingsSource::Environment, $mode)? })
            }

            /// Creates a client whose retry delays are multiplied by `scale`, for tests. Not in the stub. Other arguments are those of the
            /// class.
            #[staticmethod]
            #[pyo3(signature = (scale, *arguments, **keywords))]
            fn _with_retry_delay_scale<'py>(
                py: Python<'py>,
                scale: f64,
                arguments: &Bound<'py, PyTuple>,
                keywords: Option<&Bound<'py, PyDict>>,
            ) -> PyResult<Bound<'py, PyAny>> {
                settings::with_retry_delay_scale(scale, || py.get_type::<Self>().call(arguments, keywords))
            }

            /// Pickles the settings. A copy in another process has connections and a token cache of its own.
            fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<ClientPickle<'py>> {
                let restore = py.import("vitalwire._native")?.getattr("_restore_client")?;
                Ok((restore, (stringify!($name), self.caller.to_keywords(py)?)))
            }

            fn __repr__(&self) -> &'static str {
                $repr
            }

            fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
                self.caller.visit(&visit)
            }
        }
    };
}

client!(Client, CallMode::Sync, "Client(...)");
client!(AsyncClient, CallMode::Async, "AsyncClient(...)");

#[pymethods]
impl Client {
    #[doc = docs!(Client.close)]
    #[pyo3(signature = (*, abort_calls=false))]
    fn close(&self, py: Python<'_>, abort_calls: bool) {
        py.detach(|| self.caller.close(abort_calls));
    }

    fn __enter__(this: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        this.get().caller.check_open().map_err(|error| errors::raise(this.py(), error))?;
        Ok(this)
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) {
        self.close(py, false);
    }
}

#[pymethods]
impl AsyncClient {
    #[doc = docs!(AsyncClient.aclose)]
    #[pyo3(signature = (*, abort_calls=false))]
    fn aclose(&self, py: Python<'_>, abort_calls: bool) -> Coroutine {
        let caller = self.caller.share(py);
        Coroutine::ready(move |py| {
            py.detach(|| caller.close(abort_calls));
            Ok(py.None())
        })
    }

    fn __aenter__(this: Bound<'_, Self>) -> Coroutine {
        let this = this.unbind();
        Coroutine::ready(move |py| {
            this.get().caller.check_open().map_err(|error| errors::raise(py, error))?;
            Ok(this.into_any())
        })
    }

    #[pyo3(signature = (*_exception))]
    fn __aexit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) -> Coroutine {
        self.aclose(py, false)
    }
}
