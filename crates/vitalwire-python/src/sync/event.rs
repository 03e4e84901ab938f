//! Events: spans of days that a webhook names.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use vitalwire::range::DateRange;
use vitalwire_sync::SyncEvent as Core;

use crate::arguments::sync as texts;
use crate::cohort::arguments::tables;
use crate::generated::docs;
use crate::generated::models::{LabReportWebhook, NutritionWebhook, WebhookEvent};
use crate::{convert, errors, hash};

#[doc = docs!(SyncEvent)]
#[pyclass(frozen, eq, module = "vitalwire")]
#[derive(PartialEq)]
pub(crate) struct SyncEvent(Core);

impl SyncEvent {
    pub(super) fn core(&self) -> &Core {
        &self.0
    }
}

#[pymethods]
impl SyncEvent {
    #[new]
    #[pyo3(signature = (kinds, first, last, *, user=None))]
    fn new(
        py: Python<'_>,
        kinds: &Bound<'_, PyAny>,
        first: &Bound<'_, PyAny>,
        last: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = texts::user)] user: Option<String>,
    ) -> PyResult<Self> {
        let kinds = tables("kinds", kinds)?;
        let days = DateRange::new(convert::to_date("first", first)?, convert::to_date("last", last)?);
        let event = Core::new(kinds, days.map_err(|error| errors::raise(py, error.with_argument("last")))?);
        Ok(Self(match user {
            Some(id) => event.of_user(id),
            None => event,
        }))
    }

    #[doc = docs!(SyncEvent.from_webhook)]
    #[staticmethod]
    fn from_webhook(webhook: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let event = if let Ok(event) = webhook.cast::<WebhookEvent>() {
            Core::from_webhook(event.get().view.get())
        } else if let Ok(record) = webhook.cast::<NutritionWebhook>() {
            Core::from_nutrition(record.get().view.get())
        } else if let Ok(report) = webhook.cast::<LabReportWebhook>() {
            Core::from_lab_report(report.get().view.get())
        } else {
            return Err(PyTypeError::new_err("argument 'webhook': must be a WebhookEvent, a NutritionWebhook or a LabReportWebhook"));
        };
        Ok(event.map(Self))
    }

    #[doc = docs!(SyncEvent.user)]
    #[getter]
    fn user(&self) -> Option<&str> {
        self.0.user()
    }

    #[doc = docs!(SyncEvent.kinds)]
    #[getter]
    fn kinds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.kinds().iter().map(|kind| kind.as_str()))
    }

    #[doc = docs!(SyncEvent.days)]
    #[getter]
    fn days<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        super::bounds(py, self.0.days())
    }

    /// Returns a text without user and days.
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("SyncEvent(kinds={})", self.kinds(py)?.repr()?))
    }

    fn __hash__(&self) -> u64 {
        hash::of(&(self.0.user(), self.0.kinds(), self.0.days().first(), self.0.days().days()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (days, kinds) = (self.0.days(), self.kinds(py)?);
        let fields = (kinds, convert::date(py, days.first())?, convert::date(py, days.last())?, self.0.user());
        Ok((py.get_type::<Self>().getattr("_restore")?, fields.into_pyobject(py)?))
    }

    #[doc = docs!(SyncEvent._restore)]
    #[classmethod]
    fn _restore(
        cls: &Bound<'_, PyType>,
        kinds: &Bound<'_, PyAny>,
        first: &Bound<'_, PyAny>,
        last: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = texts::user)] user: Option<String>,
    ) -> PyResult<Self> {
        Self::new(cls.py(), kinds, first, last, user)
    }
}
