//! Synchronization states.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyType;
use vitalwire_cohort::{DaySet, SyncState, SyncStates as Core};

use super::arguments;
use crate::errors;
use crate::generated::docs;

#[doc = docs!(SyncStates)]
#[pyclass(frozen, module = "vitalwire.cohort")]
pub(crate) struct SyncStates(Mutex<Core>);

impl SyncStates {
    /// Returns a copy.
    pub(super) fn core(&self) -> Core {
        self.lock().clone()
    }

    pub(super) fn replace(&self, core: Core) {
        *self.lock() = core;
    }

    fn lock(&self) -> MutexGuard<'_, Core> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl SyncStates {
    #[new]
    fn new() -> Self {
        Self(Mutex::default())
    }

    #[doc = docs!(SyncStates.from_json)]
    #[classmethod]
    fn from_json(cls: &Bound<'_, PyType>, text: &str) -> PyResult<Self> {
        let core = Core::from_json(text).map_err(|error| errors::raise(cls.py(), error))?;
        Ok(Self(Mutex::new(core)))
    }

    #[doc = docs!(SyncStates._from_requested)]
    #[classmethod]
    fn _from_requested(cls: &Bound<'_, PyType>, users: &Bound<'_, PyAny>, table: &str, days: &str) -> PyResult<Self> {
        let py = cls.py();
        let days: DaySet = days.parse().map_err(|reason| super::invalid(py, "offset", reason))?;
        let (table, mut core) = (arguments::table(py, "table", table)?, Core::new());
        for user in arguments::users(users)? {
            core.insert(user, table, SyncState::with_requested(days.clone()));
        }
        Ok(Self(Mutex::new(core)))
    }

    #[doc = docs!(SyncStates.to_json)]
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        self.lock().to_json().map_err(|error| errors::raise(py, error))
    }

    /// Whether any user has a state.
    fn __bool__(&self) -> bool {
        !self.lock().is_empty()
    }

    fn __repr__(&self) -> &'static str {
        "<vitalwire.cohort.SyncStates>"
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().getattr("from_json")?, (self.to_json(py)?,)))
    }
}
