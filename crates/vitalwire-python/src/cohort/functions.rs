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

/// Creates a client of a class with settings. Defaults to the settings of environment variables.
fn client<'py, T: PyTypeInfo>(py: Python<'py>, settings: Option<&Bound<'py, Settings>>) -> PyResult<Bound<'py, PyAny>> {
    let class = py.get_type::<T>();
    settings.map_or_else(|| Settings::default(py).create(&class), |settings| settings.get().create(&class))
}

/// Defines functions with the same arguments, for a blocking and an async client.
macro_rules! functions {
    ($(#[doc = $read_doc:expr])* read $read:ident $reader:literal, $(#[doc = $export_doc:expr])* export $export:ident,
     $(#[doc = $plan_doc:expr])* plan $plan:ident, $client:ty) => {
        $(#[doc = $read_doc])*
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

        $(#[doc = $export_doc])*
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

        $(#[doc = $plan_doc])*
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

functions! {
    /// Creates a reader of a plan or a work item. It sends no request before its first table is requested.
    ///
    /// columns: Names of the columns to read, besides `user`. Other statistics are not requested, so days and hours without a value of
    /// these statistics have no row. Defaults to all.
    ///
    /// rate_limits: Limits on all requests. Defaults to 16 requests in flight.
    ///
    /// on_error: `collect` adds failures of users to `failures`. `raise` raises the first one as an exception. Defaults to `collect`.
    ///
    /// progress: `True` shows a progress bar, with tqdm if it is installed. A function is called with an `ExportProgress` after each item.
    ///
    /// pseudonym_key_file: File with a key of at least 16 bytes. Pseudonyms then replace the ids of users and records in rows
    /// and failures. Places and free text are missing.
    ///
    /// keep_places_and_text: Whether rows with pseudonyms have places and free text. Defaults to false.
    read read "Reader",
    /// Exports exactly the items of a plan as Parquet files. `plan_export` makes plans of what is due.
    ///
    /// Days that are not over at the service's time are left out. If the export is interrupted, rows that were already written are kept.
    /// Run it again with `resume=True`. If every user fails, it raises the error of the most frequent reason.
    ///
    /// credentials: Credentials of the users of the plan.
    ///
    /// out: Folder of the dataset. It is created if it does not exist. Without `resume`, it must be empty.
    ///
    /// rate_limits: Limits on all requests. Defaults to 16 requests in flight.
    ///
    /// resume: Whether to complete an interrupted run, or to add new and changed rows to a complete one.
    ///
    /// pseudonym_key_file: File with a key of at least 16 bytes. Pseudonyms then replace ids, and places and free text are left out.
    ///
    /// keep_places_and_text: Whether a dataset with pseudonyms has places and free text. Defaults to false.
    ///
    /// audit_log: File that gets a line of JSON at the start and the end: who exported which users, tables and days. Defaults to none.
    ///
    /// audit_days: Removes lines of the audit log that are older than this number of days. Defaults to keeping all.
    ///
    /// progress: `True` shows a progress bar, with tqdm if it is installed. A function is called with an `ExportProgress` after each user.
    export export,
    /// Plans what is due for the dataset in `out`, or everything if there is none. Asks the service for its time.
    ///
    /// A day is due if no request for it succeeded, if it is one of the last requested days, or if its rows were lost.
    ///
    /// lookback_days: Number of days before the last requested day that are due again, because providers deliver late. Defaults to 7.
    ///
    /// refresh_from: Requests all days from this day on again. Defaults to none.
    ///
    /// find_new_providers: Whether to ask the service which users have connected a provider since the last run. All days of these users
    /// are then due. Defaults to true.
    plan plan_export,
    Client
}

functions! {
    /// Creates a reader for asyncio: `async for table in aread(plan, credentials)`. The arguments are those of `read`.
    read aread "AsyncReader",
    /// Exports a plan with asyncio. The arguments are those of `export`.
    export aexport,
    /// Plans an export with asyncio. The arguments are those of `plan_export`.
    plan aplan_export,
    AsyncClient
}
