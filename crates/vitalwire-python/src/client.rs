//! The two clients: the same settings and resources, waited for in two ways.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyo3::{PyTraverseError, PyVisit};

use crate::caller::{Caller, Style};
use crate::coroutine::Coroutine;
use crate::errors;
use crate::generated::docs;
use crate::given::{Certificates, Count, Seconds, settings as given};
use crate::settings::{self, Recipe, Settings};
use crate::token::Source;

/// A client class; its resources are generated.
macro_rules! client {
    ($name:ident, $style:expr, $shown:literal) => {
        #[doc = docs!($name)]
        #[pyclass(frozen, module = "vitalwire")]
        pub(crate) struct $name {
            /// What the resources share.
            pub(crate) caller: Caller,
        }

        #[pymethods]
        impl $name {
            #[new]
            #[pyo3(signature = (
                        base_url=None, *, care_base_url=None, token=None, care_token=None, timeout=None, max_retries=None, proxy=None,
                        ca_certificate=None, allow_plain_http=false, array_style=None, user_agent=None, max_connections=None,
                        max_response_bytes=None, gzip=None,
                        local_checks=None,
                    ))]
            #[allow(clippy::too_many_arguments, reason = "keyword arguments in Python")]
            fn new(
                py: Python<'_>,
                #[pyo3(from_py_with = given::base_url)] base_url: Option<String>,
                #[pyo3(from_py_with = given::care_base_url)] care_base_url: Option<String>,
                #[pyo3(from_py_with = given::token)] token: Option<Source>,
                #[pyo3(from_py_with = given::care_token)] care_token: Option<Source>,
                #[pyo3(from_py_with = given::timeout)] timeout: Option<Seconds>,
                #[pyo3(from_py_with = given::max_retries)] max_retries: Option<Count>,
                #[pyo3(from_py_with = given::proxy)] proxy: Option<String>,
                #[pyo3(from_py_with = given::ca_certificate)] ca_certificate: Option<Certificates>,
                #[pyo3(from_py_with = given::allow_plain_http)] allow_plain_http: bool,
                #[pyo3(from_py_with = given::array_style)] array_style: Option<String>,
                #[pyo3(from_py_with = given::user_agent)] user_agent: Option<String>,
                #[pyo3(from_py_with = given::max_connections)] max_connections: Option<Count>,
                #[pyo3(from_py_with = given::max_response_bytes)] max_response_bytes: Option<Count>,
                #[pyo3(from_py_with = given::gzip)] gzip: Option<bool>,
                #[pyo3(from_py_with = given::local_checks)] local_checks: Option<bool>,
            ) -> PyResult<Self> {
                let settings = Settings {
                    base_url,
                    care_base_url,
                    token,
                    care_token,
                    timeout,
                    max_retries,
                    proxy,
                    ca_certificate,
                    allow_plain_http,
                    array_style,
                    user_agent,
                    max_connections,
                    max_response_bytes,
                    gzip,
                    local_checks,
                    retry_delay_scale: settings::retry_delay_scale(),
                };
                Ok(Self { caller: Caller::new(py, Recipe::Settings(Box::new(settings)), $style)? })
            }

            #[doc = docs!($name.from_env)]
            #[staticmethod]
            fn from_env(py: Python<'_>) -> PyResult<Self> {
                Ok(Self { caller: Caller::new(py, Recipe::environment(), $style)? })
            }

            /// For tests that cannot wait, and not in the stub: a client whose waits before retries are so many times as long. The rest is
            /// what the class takes.
            #[staticmethod]
            #[pyo3(signature = (scale, *arguments, **keywords))]
            fn _with_retry_delay_scale<'py>(
                py: Python<'py>,
                scale: f64,
                arguments: &Bound<'py, PyTuple>,
                keywords: Option<&Bound<'py, PyDict>>,
            ) -> PyResult<Bound<'py, PyAny>> {
                settings::scaled(scale, || py.get_type::<Self>().call(arguments, keywords))
            }

            fn __repr__(&self) -> &'static str {
                $shown
            }

            fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
                self.caller.visit(&visit)
            }
        }
    };
}

client!(Client, Style::Sync, "Client(...)");
client!(AsyncClient, Style::Async, "AsyncClient(...)");

#[pymethods]
impl Client {
    #[doc = docs!(Client.close)]
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.caller.close());
    }

    fn __enter__(this: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        this.get().caller.check_open().map_err(|error| errors::raise(this.py(), error))?;
        Ok(this)
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) {
        self.close(py);
    }
}

#[pymethods]
impl AsyncClient {
    #[doc = docs!(AsyncClient.aclose)]
    fn aclose(&self, py: Python<'_>) -> Coroutine {
        let caller = self.caller.share(py);
        Coroutine::ready(move |py| {
            py.detach(|| caller.close());
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
        self.aclose(py)
    }
}
