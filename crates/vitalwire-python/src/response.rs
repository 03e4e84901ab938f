//! What is known of an answer besides its record.

use std::sync::Arc;

use pyo3::prelude::*;
use vitalwire::client::ResponseMeta;
use vitalwire::operation::Provenance;

use crate::generated::docs;

#[doc = docs!(ResponseInfo)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct ResponseInfo(ResponseMeta);

impl ResponseInfo {
    /// Of an answer that is one response.
    pub(crate) fn of(answer: Option<&Arc<Provenance>>) -> Option<Self> {
        answer?.response().cloned().map(Self)
    }
}

#[pymethods]
impl ResponseInfo {
    #[doc = docs!(ResponseInfo.status)]
    #[getter]
    fn status(&self) -> u16 {
        self.0.status
    }

    #[doc = docs!(ResponseInfo.request_id)]
    #[getter]
    fn request_id(&self) -> Option<&str> {
        self.0.request_id.as_deref()
    }

    #[doc = docs!(ResponseInfo.attempts)]
    #[getter]
    fn attempts(&self) -> u32 {
        self.0.attempts
    }

    #[doc = docs!(ResponseInfo.elapsed)]
    #[getter]
    fn elapsed(&self) -> f64 {
        self.0.elapsed.as_secs_f64()
    }

    fn __repr__(&self) -> String {
        format!("ResponseInfo(status={}, attempts={})", self.0.status, self.0.attempts)
    }
}
