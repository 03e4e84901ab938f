//! Settings of the requests.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};
use pyo3::{PyTraverseError, PyVisit};

use crate::client::{AsyncClient, Client};
use crate::generated::docs;

/// Environment variable with the default base URL.
const BASE_URL: &str = "VITALWIRE_BASE_URL";

/// Client settings that may be secret, do not apply to cohorts, or cannot be pickled.
const REJECTED: [&str; 6] = ["token", "care_token", "care_base_url", "max_connections", "mock_responses", "on_attempt"];

#[doc = docs!(Settings)]
#[pyclass(frozen, module = "vitalwire.cohort")]
pub(crate) struct Settings {
    #[doc = docs!(Settings.base_url)]
    #[pyo3(get)]
    base_url: Option<String>,
    settings: Py<PyDict>,
}

#[pymethods]
impl Settings {
    #[new]
    #[pyo3(signature = (base_url=None, **settings))]
    fn new(py: Python<'_>, base_url: Option<String>, settings: Option<Bound<'_, PyDict>>) -> PyResult<Self> {
        let settings = settings.unwrap_or_else(|| PyDict::new(py));
        for name in REJECTED {
            if settings.contains(name)? {
                let rule = "must not be set for a cohort; pass credentials in UserCredentials and limits in RateLimits";
                return Err(PyTypeError::new_err(format!("argument '{name}': {rule}")));
            }
        }
        if let Some(proxy) = settings.get_item("proxy")?
            && proxy.str()?.to_string_lossy().contains('@')
        {
            return Err(super::invalid(py, "proxy", "must not contain a password; set the proxy in an environment variable"));
        }
        // Rejects invalid settings here, and not only in a worker.
        py.get_type::<Client>().call((&base_url,), Some(&settings))?;
        Ok(Self { base_url, settings: settings.unbind() })
    }

    #[doc = docs!(Settings._restore)]
    #[classmethod]
    fn _restore(cls: &Bound<'_, PyType>, base_url: Option<String>, settings: Bound<'_, PyDict>) -> PyResult<Self> {
        Self::new(cls.py(), base_url, Some(settings))
    }

    #[doc = docs!(Settings.client)]
    fn client<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.create(&py.get_type::<Client>())
    }

    #[doc = docs!(Settings.async_client)]
    fn async_client<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.create(&py.get_type::<AsyncClient>())
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Self>() else { return Ok(false) };
        Ok(self.base_url == other.get().base_url && self.settings.bind(py).eq(&other.get().settings)?)
    }

    fn __hash__(&self) -> u64 {
        crate::hash::of(&self.base_url)
    }

    fn __repr__(&self) -> &'static str {
        "<vitalwire.cohort.Settings>"
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((py.get_type::<Self>().getattr("_restore")?, (self.base_url.as_deref(), self.settings.bind(py)).into_pyobject(py)?))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.settings)
    }
}

impl Settings {
    /// Creates settings from the environment.
    pub(super) fn default(py: Python<'_>) -> Self {
        Self { base_url: None, settings: PyDict::new(py).unbind() }
    }

    /// Creates a client of a class.
    pub(super) fn create<'py>(&self, class: &Bound<'py, PyType>) -> PyResult<Bound<'py, PyAny>> {
        let py = class.py();
        let base_url = match &self.base_url {
            Some(url) => PyString::new(py, url).into_any(),
            None => py.import("os")?.getattr("environ")?.call_method1("get", (BASE_URL,))?,
        };
        class.call((base_url,), Some(self.settings.bind(py)))
    }
}
