//! Exports to datasets.

use std::path::PathBuf;

use pyo3::prelude::*;
use vitalwire::Error;
use vitalwire::client::CancelToken;
use vitalwire_cohort::dataset::{AuditLog, AuditScope, Export, NextRun, Progress, Summary as CoreSummary};

use super::arguments::Selected;
use super::kind_name;
use super::plan::Plan;
use super::reader::{CohortReader, fail};
use super::summary::{ExportProgress, Summary};
use crate::failure::Failure;
use crate::progress::ProgressCallback;

impl CohortReader {
    /// Plans what is due for the dataset in a folder. Returns a coroutine with an async client.
    pub(super) fn plan_export(
        &self,
        py: Python<'_>,
        selected: &Selected<'_>,
        out: PathBuf,
        find_new_providers: bool,
    ) -> PyResult<Py<PyAny>> {
        let users: Vec<String> = self.core.credentials().ids().map(str::to_owned).collect();
        let (selection, reader) = (selected.selection(users)?, self.core.clone());
        let work = async move { Ok(NextRun::plan(&reader, &out, selection, find_new_providers).await.map_err(fail("out"))?.plan) };
        self.caller.run(py, |_| work, |py, plan| Ok(Py::new(py, Plan(plan))?.into_any()))
    }

    /// Exports the items of a plan to a folder. Returns the summary, or a coroutine of it with an async client.
    pub(super) fn export(
        &self,
        py: Python<'_>,
        plan: &Plan,
        out: PathBuf,
        resume: bool,
        audit: Option<AuditLog>,
        on_progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let export = Export::new(plan.0.clone()).resume(resume);
        let stop = CancelToken::new();
        let callback = on_progress.map(|function| ProgressCallback::new(function, self.caller.mode(), stop.clone())).transpose()?;
        let reader = self.core.clone();
        let scope = AuditScope {
            users: plan.0.users().into_iter().map(|user| reader.shown_id(user)).collect(),
            tables: plan.0.tables(),
            days: plan.0.items().iter().map(|item| item.first).min().zip(plan.0.items().iter().map(|item| item.last).max()),
        };
        let work = move || {
            let callback = callback.map(ProgressCallback::begin).transpose();
            async move {
                let callback = callback?;
                let audit = audit.map(|log| log.begin(&reader, &out, &scope)).transpose().map_err(fail("audit_log"))?;
                let export = audit.iter().fold(export, Export::audit);
                let report = |progress: Progress| {
                    if let Some(callback) = &callback {
                        callback.report(ExportProgress::from(progress));
                    }
                };
                // Boxed, because each caller of an unoptimized build has a copy of the future on its stack.
                let ended = stop.unless_cancelled(Box::pin(export.run(&reader, &out, report))).await;
                if let Some(callback) = &callback
                    && let Some(raised) = callback.finish().await
                {
                    return Err(Failure::RaisedException(raised));
                }
                let ended = ended.unwrap_or_else(|| Err(Error::cancelled().into()));
                if let Some(audit) = audit {
                    match &ended {
                        Ok(summary) => audit.end(summary),
                        Err(error) => audit.fail(kind_name(error)),
                    }
                    .map_err(fail("audit_log"))?;
                }
                ended.map_err(fail("out"))
            }
        };
        let convert = |py: Python<'_>, summary: CoreSummary| Ok(Py::new(py, Summary::from_core(py, summary)?)?.into_any());
        self.caller.run(py, |_| work(), convert)
    }
}
