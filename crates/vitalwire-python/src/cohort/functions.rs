//! Functions that read, plan and export cohorts.

use std::path::PathBuf;

use pyo3::PyTypeInfo;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use vitalwire_cohort::dataset::AuditLog;

use super::arguments::Selected;
use super::credentials::UserCredentials;
use super::plan::Plan;
use super::rate_limits::RateLimits;
use super::reader::CohortReader;
use super::settings::Settings;
use crate::arguments::numbers;
use crate::client::{AsyncClient, Client};
use crate::generated::docs;

/// Creates a client of a class with settings. Defaults to the settings of environment variables.
fn client<'py, T: PyTypeInfo>(py: Python<'py>, settings: Option<&Bound<'py, Settings>>) -> PyResult<Bound<'py, PyAny>> {
    let class = py.get_type::<T>();
    settings.map_or_else(|| Settings::default(py).create(&class), |settings| settings.get().create(&class))
}

/// Defines functions with the same arguments, for a blocking and an async client.
macro_rules! functions {
    ($read:ident $reader:literal, $export:ident, $plan:ident, $client:ty) => {
        #[doc = docs!($read)]
        #[pyfunction]
        #[pyo3(signature = (
            plan, credentials, settings=None, *, columns=None, rate_limits=None, on_error="collect", progress=None, pseudonym_key_file=None,
            keep_places_and_text=false
        ))]
        #[allow(clippy::too_many_arguments, reason = "a Python function")]
        pub(super) fn $read<'py>(
            py: Python<'py>,
            plan: &Bound<'py, PyAny>,
            credentials: &Bound<'py, UserCredentials>,
            settings: Option<&Bound<'py, Settings>>,
            columns: Option<&Bound<'py, PyAny>>,
            rate_limits: Option<RateLimits>,
            on_error: &str,
            progress: Option<&Bound<'py, PyAny>>,
            pseudonym_key_file: Option<PathBuf>,
            keep_places_and_text: bool,
        ) -> PyResult<Bound<'py, PyAny>> {
            let keywords = PyDict::new(py);
            keywords.set_item("columns", columns)?;
            keywords.set_item("rate_limits", rate_limits)?;
            keywords.set_item("on_error", on_error)?;
            keywords.set_item("progress", progress)?;
            keywords.set_item("pseudonym_key_file", pseudonym_key_file)?;
            keywords.set_item("keep_places_and_text", keep_places_and_text)?;
            let class = py.import("vitalwire.cohort._reader")?.getattr($reader)?;
            class.call((plan, client::<$client>(py, settings)?, credentials), Some(&keywords))
        }

        #[doc = docs!($export)]
        #[pyfunction]
        #[pyo3(signature = (
            plan, credentials, out, settings=None, *, rate_limits=None, resume=false, pseudonym_key_file=None, keep_places_and_text=false,
            audit_log=None, audit_days=None, progress=None
        ))]
        #[allow(clippy::too_many_arguments, reason = "a Python function")]
        pub(super) fn $export<'py>(
            py: Python<'py>,
            plan: &Plan,
            credentials: &UserCredentials,
            out: PathBuf,
            settings: Option<&Bound<'py, Settings>>,
            rate_limits: Option<RateLimits>,
            resume: bool,
            pseudonym_key_file: Option<PathBuf>,
            keep_places_and_text: bool,
            audit_log: Option<PathBuf>,
            audit_days: Option<u32>,
            progress: Option<&Bound<'py, PyAny>>,
        ) -> PyResult<Py<PyAny>> {
            let audit = audit_log.map(|path| audit_days.into_iter().fold(AuditLog::new(path), AuditLog::keep_days));
            let progress = progress.map(|progress| super::listener(progress, "cohort export", "day")).transpose()?;
            let reader = CohortReader::new(py, &client::<$client>(py, settings)?, credentials, rate_limits, pseudonym_key_file, keep_places_and_text)?;
            reader.export(py, plan, out, resume, audit, progress.as_ref())
        }

        #[doc = docs!($plan)]
        #[pyfunction]
        #[pyo3(signature = (
            credentials, tables, first, last, out, settings=None, *, statistics=None, lookback_days=7, refresh_from=None,
            find_new_providers=true, rate_limits=None, pseudonym_key_file=None, keep_places_and_text=false
        ))]
        #[allow(clippy::too_many_arguments, reason = "a Python function")]
        pub(super) fn $plan<'py>(
            py: Python<'py>,
            credentials: &UserCredentials,
            tables: Bound<'py, PyAny>,
            first: Bound<'py, PyAny>,
            last: Bound<'py, PyAny>,
            out: PathBuf,
            settings: Option<&Bound<'py, Settings>>,
            statistics: Option<Bound<'py, PyAny>>,
            #[pyo3(from_py_with = numbers::lookback_days)] lookback_days: u32,
            refresh_from: Option<Bound<'py, PyAny>>,
            find_new_providers: bool,
            rate_limits: Option<RateLimits>,
            pseudonym_key_file: Option<PathBuf>,
            keep_places_and_text: bool,
        ) -> PyResult<Py<PyAny>> {
            let reader = CohortReader::new(py, &client::<$client>(py, settings)?, credentials, rate_limits, pseudonym_key_file, keep_places_and_text)?;
            let selected =
                Selected { tables, first, last, statistics, lookback_days, refresh_from, users_per_item: None, months_per_item: None };
            reader.plan_export(py, &selected, out, find_new_providers)
        }
    };
}

functions! { read "Reader", export, plan_export, Client }
functions! { aread "AsyncReader", aexport, aplan_export, AsyncClient }
