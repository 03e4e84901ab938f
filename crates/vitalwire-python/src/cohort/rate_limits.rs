//! Rate limits.

use std::hash::{Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::PyType;
use vitalwire_cohort::RateLimits as Core;

use crate::arguments::numbers;
use crate::errors;

/// Limits on the requests of a cohort. Retries and token exchanges count too.
///
/// A response with status 429 or 503 halves the rate. Later responses raise it again.
///
/// per_second: Maximum number of requests in any second. Defaults to no limit.
///
/// in_flight: Maximum number of requests in flight. At low rates it is lower, so that no request times out while it waits. Defaults to 16.
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

    /// Maximum number of requests in any second. `None` if there is no limit.
    #[getter]
    fn per_second(&self) -> Option<f64> {
        self.0.requests_per_second()
    }

    /// Maximum number of requests in flight.
    #[getter]
    fn in_flight(&self) -> usize {
        self.0.requests_in_flight()
    }

    /// Returns the share of the limits for one of `tasks` concurrent tasks.
    ///
    /// The shares of up to `max_tasks` tasks never exceed the limits together. Each of several tasks uses 90% of its share of the rate.
    fn share(&self, #[pyo3(from_py_with = numbers::tasks)] tasks: usize) -> Self {
        Self(self.0.share(tasks))
    }

    /// Returns the number of tasks that can share the limits, at most `tasks`.
    ///
    /// Each task needs at least one request per second and one request in flight.
    fn max_tasks(&self, #[pyo3(from_py_with = numbers::tasks)] tasks: usize) -> usize {
        self.0.max_tasks(tasks)
    }

    /// Seconds that a task waits before its first request. An earlier execution of the task may have just sent one.
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
