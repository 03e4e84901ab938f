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
use crate::generated::docs;
use crate::table::Table;
use crate::{convert, errors};

#[doc = docs!(WorkItem)]
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

    #[doc = docs!(WorkItem.table)]
    #[getter]
    fn table(&self) -> &'static str {
        self.0.table.as_str()
    }

    #[doc = docs!(WorkItem.users)]
    #[getter]
    fn users<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.users)
    }

    #[doc = docs!(WorkItem.first)]
    #[getter]
    fn first<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDate>> {
        convert::date(py, self.0.first)
    }

    #[doc = docs!(WorkItem.last)]
    #[getter]
    fn last<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDate>> {
        convert::date(py, self.0.last)
    }

    #[doc = docs!(WorkItem.statistics)]
    #[getter]
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.statistics)
    }

    #[doc = docs!(WorkItem.requests)]
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

#[doc = docs!(Plan)]
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

    #[doc = docs!(Plan.items)]
    #[getter]
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let items = self.0.items().iter().map(|item| Py::new(py, WorkItem(item.clone())));
        PyTuple::new(py, items.collect::<PyResult<Vec<_>>>()?)
    }

    #[doc = docs!(Plan.requests)]
    #[getter]
    fn requests(&self) -> u64 {
        self.0.requests()
    }

    #[doc = docs!(Plan.tables)]
    #[getter]
    fn tables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.tables().into_iter().map(|table| table.as_str()).collect::<Vec<_>>())
    }

    #[doc = docs!(Plan.users)]
    #[getter]
    fn users<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.users())
    }

    #[doc = docs!(Plan.only)]
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
            plan = plan.only_tables(arguments::tables("tables", tables)?);
        }
        if let Some(names) = statistics {
            let names = arguments::text_or_texts("statistics", names)?;
            plan = plan.only_statistics(names.iter().map(String::as_str));
        }
        Ok(Self(plan))
    }

    #[doc = docs!(Plan.divide)]
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

    #[doc = docs!(Plan.token_exchanges)]
    fn token_exchanges(&self, credentials: &UserCredentials) -> u64 {
        self.0.token_exchanges(&credentials.core)
    }

    #[doc = docs!(Plan.schema)]
    #[pyo3(signature = (table))]
    fn schema<'py>(&self, py: Python<'py>, table: &str) -> PyResult<Bound<'py, PyAny>> {
        let table = _cohort_table(py, table, None)?;
        py.import("vitalwire._frames")?.call_method1("to_arrow", (table,))?.getattr("schema")
    }

    #[doc = docs!(Plan.to_json)]
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        self.0.to_json().map_err(|error| errors::raise(py, error))
    }

    #[doc = docs!(Plan.from_json)]
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

#[doc = docs!(plan)]
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

#[doc = docs!(_cohort_table)]
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

#[doc = docs!(_cohort_facts)]
#[pyfunction]
pub(super) fn _cohort_facts(py: Python<'_>, table: &str) -> PyResult<Facts> {
    let table = arguments::table(py, "table", table)?;
    Ok((table.statistics().to_vec(), table.key(), table.has_several_rows(), table.filter_column(), table.filter_margin_days()))
}
