//! What is known of an answer besides its record.

use std::sync::Arc;

use pyo3::prelude::*;
use vitalwire::client::ResponseMeta;
use vitalwire::operation::Provenance;

use crate::generated::docs;
use crate::getters::getters;

#[doc = docs!(ResponseInfo)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct ResponseInfo(ResponseMeta);

impl ResponseInfo {
    /// Of an answer that is one response.
    pub(crate) fn of(answer: Option<&Arc<Provenance>>) -> Option<Self> {
        answer?.response().cloned().map(Self)
    }
}

getters!(ResponseInfo, self {
    status: u16 = self.0.status,
    request_id: Option<&str> = self.0.request_id.as_deref(),
    attempts: u32 = self.0.attempts,
    elapsed: f64 = self.0.elapsed.as_secs_f64(),
    body: Option<&[u8]> = self.0.raw().map(AsRef::as_ref),
});

#[pymethods]
impl ResponseInfo {
    fn __repr__(&self) -> String {
        format!("ResponseInfo(status={}, attempts={})", self.0.status, self.0.attempts)
    }
}
