//! Readers of work items.

use std::path::PathBuf;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDateTime, PyList};
use pyo3::{PyTraverseError, PyVisit};
use vitalwire::value::Timestamp;
use vitalwire_cohort::{CohortReader as Core, ItemRows, Plan as CorePlan, PseudonymKey, RecordKey};

use super::RaisedError;
use super::arguments::{self, Selected};
use super::credentials::UserCredentials;
use super::failure::Failure;
use super::plan::{self, Plan};
use super::rate_limits::RateLimits;
use super::states::SyncStates;
use crate::arguments::numbers;
use crate::caller::Caller;
use crate::client::{AsyncClient, Client};
use crate::generated::docs;
use crate::table::Table;
use crate::{convert, errors, failure};

#[doc = docs!(_CohortReader)]
#[pyclass(frozen, module = "vitalwire", name = "_CohortReader")]
pub(crate) struct CohortReader {
    pub(super) caller: Caller,
    pub(super) core: Core,
}

#[pymethods]
impl CohortReader {
    #[new]
    #[pyo3(signature = (client, credentials, rate_limits=None, pseudonym_key_file=None, keep_places_and_text=false))]
    pub(super) fn new(
        py: Python<'_>,
        client: &Bound<'_, PyAny>,
        credentials: &UserCredentials,
        rate_limits: Option<RateLimits>,
        pseudonym_key_file: Option<PathBuf>,
        keep_places_and_text: bool,
    ) -> PyResult<Self> {
        let caller = match (client.cast::<Client>(), client.cast::<AsyncClient>()) {
            (Ok(client), _) => &client.get().caller,
            (_, Ok(client)) => &client.get().caller,
            _ => return Err(PyTypeError::new_err("argument 'client': must be a Client or an AsyncClient")),
        };
        let builder = caller.builder().map_err(|error| errors::raise(py, error))?;
        let core = Core::new(builder, credentials.core.clone(), rate_limits.unwrap_or_default().0);
        let core = core.map_err(|error| super::raise(py, "credentials", error))?;
        let key = pseudonym_key_file.map(PseudonymKey::from_file).transpose();
        let key = key.map_err(|error| errors::raise(py, error.with_argument("pseudonym_key_file")))?;
        let core = match key {
            Some(key) => core.with_pseudonyms(key.keep_places_and_text(keep_places_and_text)),
            None => core,
        };
        Ok(Self { caller: caller.share(py).with_tasks(), core })
    }

    #[doc = docs!(_CohortReader.read)]
    #[pyo3(signature = (plan, columns=None))]
    pub(super) fn read(&self, py: Python<'_>, plan: &Plan, columns: Option<Vec<String>>) -> PyResult<Py<PyAny>> {
        let mut plan = plan.0.clone();
        let mut names = Vec::new();
        if let Some(columns) = columns {
            plan.check_columns(&columns).map_err(|error| errors::raise(py, error))?;
            plan = plan.only_statistics(columns.iter().map(String::as_str));
            for item in plan.items() {
                names.push(plan::column_names(py, item.table, &columns)?);
            }
        }
        let reader = self.core.clone();
        let work = async move {
            let mut read = Box::pin(reader.read_all(plan.items())).await?;
            for (item, names) in read.iter_mut().zip(&names) {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                item.table = item.table.only_columns(&names)?;
            }
            Ok(read)
        };
        self.caller.run(
            py,
            |_| work,
            |py, read| {
                let rows = read.into_iter().map(|rows| convert_rows(py, rows)).collect::<PyResult<Vec<_>>>()?;
                Ok(PyList::new(py, rows)?.into_any().unbind())
            },
        )
    }

    #[doc = docs!(_CohortReader.read_changes)]
    fn read_changes(
        &self,
        py: Python<'_>,
        plan: &Plan,
        states: Py<SyncStates>,
        #[pyo3(from_py_with = numbers::lookback_days)] lookback_days: u32,
    ) -> PyResult<Py<PyAny>> {
        let (plan, reader, mut core) = (plan.0.clone(), self.core.clone(), states.get().core());
        let work = async move {
            let read = Box::pin(reader.read_changes(plan.items(), &mut core, lookback_days)).await?;
            Ok((read, core))
        };
        self.caller.run(
            py,
            |_| work,
            move |py, (read, core)| {
                states.get().replace(core);
                let changes = read.into_iter().map(|changes| {
                    let (table, failures) = convert_rows(py, changes.rows)?;
                    let removed = changes.removed.into_iter().filter_map(|(user, key)| match key {
                        RecordKey::Time(time) => Some((user, time.into_pyobject(py).ok()?.into_any())),
                        RecordKey::Id(id) => Some((user, id.into_pyobject(py).ok()?.into_any())),
                        // A row without a key has no key in the destination either.
                        RecordKey::Content(_) => None,
                    });
                    Ok((table, failures, removed.collect::<Vec<_>>()))
                });
                Ok(PyList::new(py, changes.collect::<PyResult<Vec<_>>>()?)?.into_any().unbind())
            },
        )
    }

    #[doc = docs!(_CohortReader.service_time)]
    fn service_time(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let reader = self.core.clone();
        let work = async move { Ok(reader.service_time().await?) };
        let convert =
            |py: Python<'_>, time: Timestamp| convert::datetime(py, time).map(|time: Bound<'_, PyDateTime>| time.into_any().unbind());
        self.caller.run(py, |_| work, convert)
    }

    #[doc = docs!(_CohortReader.plan)]
    #[pyo3(signature = (tables, first, last, states, *, lookback_days=7))]
    fn plan<'py>(
        &self,
        py: Python<'py>,
        tables: Bound<'py, PyAny>,
        first: Bound<'py, PyAny>,
        last: Bound<'py, PyAny>,
        states: &SyncStates,
        #[pyo3(from_py_with = numbers::lookback_days)] lookback_days: u32,
    ) -> PyResult<Py<PyAny>> {
        let users: Vec<String> = self.core.credentials().ids().map(str::to_owned).collect();
        let selected = Selected {
            tables,
            first,
            last,
            statistics: None,
            lookback_days,
            refresh_from: None,
            users_per_item: None,
            months_per_item: None,
        };
        let (selection, mut states, reader) = (selected.selection(users)?, states.core(), self.core.clone());
        let work = async move {
            let service_time = reader.service_time().await?;
            // Without items, nothing else would compare the service.
            states.bind(&reader.service_name())?;
            Ok(CorePlan::due(&selection, &states, Some(service_time)))
        };
        self.caller.run(py, |_| work, |py, plan| Ok(Py::new(py, Plan(plan))?.into_any()))
    }

    #[doc = docs!(_CohortReader.complete_days)]
    fn complete_days(&self, py: Python<'_>, table: &str, first: &Bound<'_, PyAny>, last: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let table = arguments::table(py, "table", table)?;
        let (first, last) = (convert::to_date("first", first)?, convert::to_date("last", last)?);
        let reader = self.core.clone();
        let work = async move {
            let complete = table.last_complete_day(reader.service_time().await?);
            let last = complete.map_or(last, |day| day.min(last));
            Ok(if first <= last { format!("{first}/{last}") } else { String::new() })
        };
        self.caller.run(py, |_| work, |py, days: String| Ok(days.into_pyobject(py)?.into_any().unbind()))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.caller.visit(&visit)
    }
}

/// Wraps an error of a call.
pub(super) fn fail(argument: &'static str) -> impl FnOnce(vitalwire_cohort::CohortError) -> failure::Failure {
    move |error| failure::Failure::custom(RaisedError(error, argument))
}

fn convert_rows(py: Python<'_>, rows: ItemRows) -> PyResult<(Py<Table>, Vec<Failure>)> {
    Ok((Py::new(py, Table::new(rows.table))?, rows.failures.into_iter().map(Failure).collect()))
}
