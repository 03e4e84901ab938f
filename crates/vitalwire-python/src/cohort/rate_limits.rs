//! Rate limits.

use std::hash::{Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::PyType;
use vitalwire_cohort::RateLimits as Core;

use crate::arguments::numbers;
use crate::errors;
use crate::generated::docs;

#[doc = docs!(RateLimits)]
#[pyclass(frozen, eq, hash, from_py_object, module = "vitalwire.cohort")]
#[derive(Clone, Copy, Default)]
pub(crate) struct RateLimits(pub(super) Core);

impl PartialEq for RateLimits {
    fn eq(&self, other: &Self) -> bool {
        (self.per_second(), self.in_flight()) == (other.per_second(), other.in_flight())
    }
}

impl Hash for RateLimits {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.per_second().map(f64::to_bits), self.in_flight()).hash(state);
    }
}

#[pymethods]
impl RateLimits {
    #[new]
    #[pyo3(signature = (per_second=None, in_flight=None))]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = numbers::per_second)] per_second: Option<f64>,
        #[pyo3(from_py_with = numbers::in_flight)] in_flight: Option<usize>,
    ) -> PyResult<Self> {
        let limits = || {
            let limits = in_flight.map_or(Ok(Core::new()), |requests| Core::new().in_flight(requests))?;
            per_second.map_or(Ok(limits), |rate| limits.per_second(rate))
        };
        limits().map(Self).map_err(|error| errors::raise(py, error))
    }

    #[doc = docs!(RateLimits.per_second)]
    #[getter]
    fn per_second(&self) -> Option<f64> {
        self.0.requests_per_second()
    }

    #[doc = docs!(RateLimits.in_flight)]
    #[getter]
    fn in_flight(&self) -> usize {
        self.0.requests_in_flight()
    }

    #[doc = docs!(RateLimits.share)]
    fn share(&self, #[pyo3(from_py_with = numbers::tasks)] tasks: usize) -> Self {
        Self(self.0.share(tasks))
    }

    #[doc = docs!(RateLimits.max_tasks)]
    fn max_tasks(&self, #[pyo3(from_py_with = numbers::tasks)] tasks: usize) -> usize {
        self.0.max_tasks(tasks)
    }

    #[doc = docs!(RateLimits._task_delay)]
    #[getter]
    fn _task_delay(&self) -> f64 {
        self.0.task_delay().as_secs_f64()
    }

    fn __repr__(&self) -> String {
        match self.per_second() {
            Some(rate) => format!("RateLimits(per_second={rate}, in_flight={})", self.in_flight()),
            None => format!("RateLimits(in_flight={})", self.in_flight()),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (Option<f64>, usize)) {
        (py.get_type::<Self>(), (self.per_second(), self.in_flight()))
    }
}
