//! The two clients: the same settings and resources, waited for in two ways.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::{PyTraverseError, PyVisit};

use crate::caller::{Caller, Style};
use crate::coroutine::Coroutine;
use crate::errors;
use crate::generated::docs;
use crate::given::{Certificates, Count, Seconds, settings};
use crate::settings::{Recipe, Settings};
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
            #[pyo3(signature = (base_url=None, *, care_base_url=None, token=None, care_token=None, timeout=None, max_retries=None,
                        proxy=None, ca_certificate=None, allow_plain_http=false, array_style=None, user_agent=None,
                        max_response_bytes=None, gzip=None, local_checks=None, _retry_delay_scale=None))]
            #[allow(clippy::too_many_arguments, reason = "keyword arguments in Python")]
            fn new(
                py: Python<'_>,
                #[pyo3(from_py_with = settings::base_url)] base_url: Option<String>,
                #[pyo3(from_py_with = settings::care_base_url)] care_base_url: Option<String>,
                #[pyo3(from_py_with = settings::token)] token: Option<Source>,
                #[pyo3(from_py_with = settings::care_token)] care_token: Option<Source>,
                #[pyo3(from_py_with = settings::timeout)] timeout: Option<Seconds>,
                #[pyo3(from_py_with = settings::max_retries)] max_retries: Option<Count>,
                #[pyo3(from_py_with = settings::proxy)] proxy: Option<String>,
                #[pyo3(from_py_with = settings::ca_certificate)] ca_certificate: Option<Certificates>,
                #[pyo3(from_py_with = settings::allow_plain_http)] allow_plain_http: bool,
                #[pyo3(from_py_with = settings::array_style)] array_style: Option<String>,
                #[pyo3(from_py_with = settings::user_agent)] user_agent: Option<String>,
                #[pyo3(from_py_with = settings::max_response_bytes)] max_response_bytes: Option<Count>,
                #[pyo3(from_py_with = settings::gzip)] gzip: Option<bool>,
                #[pyo3(from_py_with = settings::local_checks)] local_checks: Option<bool>,
                _retry_delay_scale: Option<f64>,
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
                    max_response_bytes,
                    gzip,
                    local_checks,
                    retry_delay_scale: _retry_delay_scale,
                };
                Ok(Self { caller: Caller::new(py, Recipe::Settings(Box::new(settings)), $style)? })
            }

            #[doc = docs!($name.from_env)]
            #[staticmethod]
            fn from_env(py: Python<'_>) -> PyResult<Self> {
                Ok(Self { caller: Caller::new(py, Recipe::environment(), $style)? })
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
