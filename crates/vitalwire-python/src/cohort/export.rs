//! Exports to datasets.

use std::path::PathBuf;

use pyo3::prelude::*;
use vitalwire::Error;
use vitalwire::client::CancelToken;
use vitalwire::cohort::CohortError;
use vitalwire::cohort::dataset::{Export, Progress as CoreProgress};

use super::plan;
use super::reader::Reader;
use crate::errors;
use crate::failure::{Failure, Raise};
use crate::progress::ProgressCallback;

/// Progress of an export.
#[pyclass(frozen, module = "vitalwire.cohort", name = "ExportProgress")]
struct Progress {
    #[pyo3(get)]
    done: u64,
    #[pyo3(get)]
    total: u64,
    #[pyo3(get)]
    rows: u64,
    #[pyo3(get)]
    failures: u64,
}

impl From<CoreProgress> for Progress {
    fn from(CoreProgress { done, total, rows, failures }: CoreProgress) -> Self {
        Self { done, total, rows, failures }
    }
}

/// An error of an export, raised as a Python exception.
struct ExportError(CohortError);

impl Raise for ExportError {
    fn raise(self: Box<Self>, py: Python<'_>) -> PyErr {
        super::raise(py, "out", self.0)
    }
}

#[pymethods]
impl Reader {
    /// Exports tables to a folder. Returns the summary as JSON, or a coroutine of it with an async client.
    #[allow(clippy::too_many_arguments, reason = "called by `vitalwire.cohort` only")]
    fn export(
        &self,
        py: Python<'_>,
        tables: Vec<String>,
        first: &str,
        last: &str,
        out: PathBuf,
        resume: bool,
        late_days: Option<u32>,
        on_progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let raise = |error| errors::raise(py, error);
        let export = Export::new(plan::parse_tables(&tables).map_err(raise)?, plan::parse_days(first, last).map_err(raise)?).resume(resume);
        let export = if let Some(days) = late_days { export.late_days(days) } else { export };
        let stop = CancelToken::new();
        let callback = on_progress.map(|function| ProgressCallback::new(function, self.caller.style(), stop.clone())).transpose()?;
        let reader = self.core.clone();
        let work = move || {
            let callback = callback.map(ProgressCallback::begin).transpose();
            async move {
                let callback = callback?;
                let report = |progress: CoreProgress| {
                    if let Some(callback) = &callback {
                        callback.report(Progress::from(progress));
                    }
                };
                let ended = stop.unless_cancelled(export.run(&reader, &out, report)).await;
                if let Some(callback) = &callback
                    && let Some(raised) = callback.finish().await
                {
                    return Err(Failure::RaisedException(raised));
                }
                let summary = ended.unwrap_or_else(|| Err(Error::cancelled().into()));
                let summary = summary.map_err(|error| Failure::custom(ExportError(error)))?;
                serde_json::to_string(&summary).map_err(|_| Error::internal("a summary cannot be serialized").into())
            }
        };
        self.caller.run(py, |_| work(), |py, summary: String| Ok(summary.into_pyobject(py)?.into_any().unbind()))
    }
}
