//! Plans and their work items.

use pyo3::prelude::*;
use pyo3::types::{PyDate, PyTuple, PyType};
use vitalwire::Error;
use vitalwire_cohort::{CohortTable, Plan as CorePlan, SyncStates as CoreStates, USER, WorkItem as CoreItem};

use super::arguments::{self, Selected};
use super::credentials::UserCredentials;
use super::rate_limits::RateLimits;
use super::states::SyncStates;
use crate::arguments::{extract, numbers};
use crate::table::Table;
use crate::{convert, errors};

/// One table of a group of users for a span of days. Contains no secret.
///
/// table: Name of the table.
///
/// users: Ids of the users.
///
/// first, last: First and last day.
///
/// statistics: Names of the statistics to request. Tables other than `daily` and `hourly` have none. Defaults to all.
#[pyclass(frozen, eq, hash, from_py_object, module = "vitalwire.cohort")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct WorkItem(pub(super) CoreItem);

#[pymethods]
impl WorkItem {
    #[new]
    #[pyo3(signature = (table, users, first, last, statistics=None))]
    fn new(
        py: Python<'_>,
        table: &str,
        users: &Bound<'_, PyAny>,
        first: &Bound<'_, PyAny>,
        last: &Bound<'_, PyAny>,
        statistics: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (first, last) = (convert::to_date("first", first)?, convert::to_date("last", last)?);
        let statistics = statistics.map_or(Ok(Vec::new()), |names| arguments::texts("statistics", names))?;
        let item =
            CoreItem { table: arguments::table(py, "table", table)?, users: arguments::texts("users", users)?, first, last, statistics };
        check(&item).map_err(|error| errors::raise(py, error))?;
        Ok(Self(item))
    }

    /// Name of the table.
    #[getter]
    fn table(&self) -> &'static str {
        self.0.table.as_str()
    }

    /// Ids of the users.
    #[getter]
    fn users<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.users)
    }

    /// First day.
    #[getter]
    fn first<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDate>> {
        convert::date(py, self.0.first)
    }

    /// Last day.
    #[getter]
    fn last<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDate>> {
        convert::date(py, self.0.last)
    }

    /// Names of the statistics to request. Empty for all.
    #[getter]
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.statistics)
    }

    /// Estimated number of requests, without retries and token exchanges.
    #[getter]
    fn requests(&self) -> u64 {
        self.0.requests()
    }

    fn __repr__(&self) -> String {
        let CoreItem { table, users, first, last, .. } = &self.0;
        format!("<vitalwire.cohort.WorkItem: {table}, {} users, {first} to {last}>", users.len())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
        let fields = (self.table(), self.users(py)?, self.first(py)?, self.last(py)?, self.statistics(py)?);
        Ok((py.get_type::<Self>(), fields.into_pyobject(py)?))
    }
}

/// Checks an item that a program has created.
fn check(item: &CoreItem) -> Result<(), Error> {
    let mut users: Vec<&String> = item.users.iter().collect();
    users.sort_unstable();
    users.dedup();
    if users.is_empty() || users.len() < item.users.len() {
        return Err(Error::invalid_argument("users", "must have at least one user and no duplicate users"));
    }
    if item.last < item.first {
        return Err(Error::invalid_argument("last", "must not be before the first day"));
    }
    if item.statistics.iter().any(|name| !item.table.statistics().contains(&&**name)) {
        return Err(Error::invalid_argument("statistics", "must be statistics of the table"));
    }
    Ok(())
}

/// Work items of a cohort, in the order of users, tables and days. Contains no secret, and can be pickled or stored as JSON.
///
/// Readers, exports and engines execute exactly these items.
#[pyclass(frozen, eq, hash, from_py_object, module = "vitalwire.cohort")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Plan(pub(super) CorePlan);

#[pymethods]
impl Plan {
    #[new]
    fn new(items: &Bound<'_, PyAny>) -> PyResult<Self> {
        let items = items.try_iter()?.map(|item| Ok(extract::<WorkItem>(&item?, "items")?.0));
        Ok(Self(CorePlan::from(items.collect::<PyResult<Vec<_>>>()?)))
    }

    /// The work items.
    #[getter]
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let items = self.0.items().iter().map(|item| Py::new(py, WorkItem(item.clone())));
        PyTuple::new(py, items.collect::<PyResult<Vec<_>>>()?)
    }

    /// Estimated number of requests, without retries and token exchanges.
    #[getter]
    fn requests(&self) -> u64 {
        self.0.requests()
    }

    /// Names of the tables, in the order of their first items.
    #[getter]
    fn tables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.tables().into_iter().map(|table| table.as_str()).collect::<Vec<_>>())
    }

    /// Ids of the users, in the order of their first items.
    #[getter]
    fn users<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.users())
    }

    /// Returns the part of the plan with these users, days, tables and statistics. `None` selects all.
    ///
    /// Items of tables without any of the statistics request all of theirs.
    #[pyo3(signature = (*, users=None, first=None, last=None, tables=None, statistics=None))]
    fn only(
        &self,
        users: Option<&Bound<'_, PyAny>>,
        first: Option<&Bound<'_, PyAny>>,
        last: Option<&Bound<'_, PyAny>>,
        tables: Option<&Bound<'_, PyAny>>,
        statistics: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut plan = self.0.only_days(arguments::day("first", first)?, arguments::day("last", last)?);
        if let Some(users) = users {
            let users = arguments::text_or_texts("users", users)?;
            plan = plan.only_users(users.iter().map(String::as_str));
        }
        if let Some(tables) = tables {
            plan = plan.only_tables(arguments::tables(tables)?);
        }
        if let Some(names) = statistics {
            let names = arguments::text_or_texts("statistics", names)?;
            plan = plan.only_statistics(names.iter().map(String::as_str));
        }
        Ok(Self(plan))
    }

    /// Divides the plan into one plan for each of at most `tasks` tasks, with about the same number of users.
    ///
    /// There are fewer if the limits or the number of users do not allow as many. `RateLimits.share` returns the limits of each.
    #[pyo3(signature = (tasks, rate_limits=None))]
    fn divide(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = numbers::tasks)] tasks: usize,
        rate_limits: Option<RateLimits>,
    ) -> PyResult<Vec<Self>> {
        if tasks == 0 {
            return Err(errors::raise(py, Error::invalid_argument("tasks", "must be at least 1")));
        }
        Ok(self.0.divide(tasks, rate_limits.unwrap_or_default().0).into_iter().map(Self).collect())
    }

    /// Returns the number of token exchanges: one for each user of the plan without an access token.
    fn token_exchanges(&self, credentials: &UserCredentials) -> u64 {
        self.0.token_exchanges(&credentials.core)
    }

    /// Returns the Arrow schema of a table. Sends no request.
    #[pyo3(signature = (table))]
    fn schema<'py>(&self, py: Python<'py>, table: &str) -> PyResult<Bound<'py, PyAny>> {
        let table = _cohort_table(py, table, None)?;
        py.import("vitalwire._frames")?.call_method1("to_arrow", (table,))?.getattr("schema")
    }

    /// Returns the plan as JSON.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        self.0.to_json().map_err(|error| errors::raise(py, error))
    }

    /// Creates a plan from the JSON of `to_json`.
    #[classmethod]
    fn from_json(cls: &Bound<'_, PyType>, text: &str) -> PyResult<Self> {
        CorePlan::from_json(text).map(Self).map_err(|error| errors::raise(cls.py(), error))
    }

    fn __len__(&self) -> usize {
        self.0.items().len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.items(py)?.try_iter()?.into_any())
    }

    fn __repr__(&self) -> String {
        format!("<vitalwire.cohort.Plan: {} items>", self.0.items().len())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().getattr("from_json")?, (self.to_json(py)?,)))
    }
}

/// Creates a plan for the tables and days of many users. Sends no request.
///
/// users: The users with their credentials, or their ids.
///
/// tables: `daily`, `hourly`, `sleeps`, `sleep_stages`, `labs`, `nutrition`.
///
/// first, last: First and last day.
///
/// statistics: Names of the statistics to request. Defaults to all.
///
/// users_per_item: Maximum number of users in an item. Defaults to 100.
///
/// months_per_item: Maximum number of calendar months in an item. Defaults to a number from 1 to 12 that depends on the table.
///
/// states: States of an earlier run. The plan then has only the days that are due. Defaults to those of a first run.
///
/// lookback_days: Number of days before the last requested day that are due again, because providers deliver late. Defaults to 7.
///
/// refresh_from: Requests all days from this day on again. Defaults to none.
#[pyfunction]
#[pyo3(signature = (
    users, tables, first, last, *, statistics=None, users_per_item=None, months_per_item=None, states=None, lookback_days=7,
    refresh_from=None
))]
#[allow(clippy::too_many_arguments, reason = "a Python function")]
pub(super) fn plan<'py>(
    users: &Bound<'py, PyAny>,
    tables: Bound<'py, PyAny>,
    first: Bound<'py, PyAny>,
    last: Bound<'py, PyAny>,
    statistics: Option<Bound<'py, PyAny>>,
    #[pyo3(from_py_with = numbers::users_per_item)] users_per_item: Option<usize>,
    #[pyo3(from_py_with = numbers::months_per_item)] months_per_item: Option<u32>,
    states: Option<&SyncStates>,
    #[pyo3(from_py_with = numbers::lookback_days)] lookback_days: u32,
    refresh_from: Option<Bound<'py, PyAny>>,
) -> PyResult<Plan> {
    let (py, users) = (users.py(), arguments::users(users)?);
    let selected = Selected { tables, first, last, statistics, lookback_days, refresh_from, users_per_item, months_per_item };
    let (selection, states) = (selected.selection(users)?, states.map_or_else(CoreStates::new, SyncStates::core));
    Ok(Plan(py.detach(|| CorePlan::due(&selection, &states, None))))
}

/// Returns a table without rows, with `user` and these columns, in the table's order. `None` selects all.
#[pyfunction]
#[pyo3(signature = (table, columns=None))]
pub(super) fn _cohort_table(py: Python<'_>, table: &str, columns: Option<Vec<String>>) -> PyResult<Table> {
    let table = arguments::table(py, "table", table)?;
    let raise = |error| errors::raise(py, error);
    let empty = table.empty().map_err(raise)?;
    let Some(columns) = columns else { return Ok(Table::new(empty)) };
    let names = column_names(py, table, &columns)?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    empty.only_columns(&names).map(Table::new).map_err(raise)
}

/// Returns `user` and these columns, in the table's order.
pub(super) fn column_names(py: Python<'_>, table: CohortTable, columns: &[String]) -> PyResult<Vec<String>> {
    let empty = table.empty().map_err(|error| errors::raise(py, error))?;
    let names: Vec<String> = empty.exported().map(|column| column.field().name.to_string()).collect();
    if let Some(unknown) = columns.iter().find(|name| !names.contains(name)) {
        return Err(super::invalid(py, "columns", &format!("must be columns of the table {table}; {unknown} is not")));
    }
    Ok(names.into_iter().filter(|name| *name == USER || columns.contains(name)).collect())
}

/// Statistics, key, whether a record can have several rows, and the column and margin for filters on days.
type Facts = (Vec<&'static str>, &'static str, bool, Option<&'static str>, u32);

/// Returns the facts of a table that the specification states.
#[pyfunction]
pub(super) fn _cohort_facts(py: Python<'_>, table: &str) -> PyResult<Facts> {
    let table = arguments::table(py, "table", table)?;
    Ok((table.statistics().to_vec(), table.key(), table.has_several_rows(), table.filter_column(), table.filter_margin_days()))
}
