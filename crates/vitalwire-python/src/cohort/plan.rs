//! Plans, schemas and request budgets.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use vitalwire::Error;
use vitalwire::cohort::{Budget, CohortTable, Plan, USER, WorkItem};
use vitalwire::range::DateRange;
use vitalwire::value::Date;

use crate::errors;
use crate::table::Table;

/// Parses the JSON of a work item.
pub(super) fn parse_item(json: &str) -> PyResult<WorkItem> {
    // The text of serde's error can contain parts of the JSON.
    serde_json::from_str(json).map_err(|_| PyValueError::new_err("must be the JSON of a work item"))
}

/// Parses names of tables.
pub(super) fn parse_tables(names: &[String]) -> Result<Vec<CohortTable>, Error> {
    names.iter().map(|name| name.parse()).collect()
}

/// Parses the first and the last day, in ISO 8601.
pub(super) fn parse_days(first: &str, last: &str) -> Result<DateRange, Error> {
    let day =
        |argument, text: &str| text.parse::<Date>().map_err(|_| Error::invalid_argument(argument, "must be a date, such as 2025-01-31"));
    Ok(DateRange::from((day("first", first)?, day("last", last)?)))
}

/// Returns the work items of a cohort as a JSON list.
#[pyfunction]
#[pyo3(signature = (users, tables, first, last, users_per_item, months_per_item))]
pub(super) fn _cohort_plan(
    py: Python<'_>,
    users: Vec<String>,
    tables: Vec<String>,
    first: &str,
    last: &str,
    users_per_item: Option<usize>,
    months_per_item: Option<u32>,
) -> PyResult<String> {
    let plan = || {
        let plan = Plan::with_item_size(users, parse_tables(&tables)?, parse_days(first, last)?, users_per_item, months_per_item)?;
        serde_json::to_string(plan.items()).map_err(|_| Error::internal("a plan cannot be serialized"))
    };
    py.detach(plan).map_err(|error| errors::raise(py, error))
}

/// Returns the estimated number of requests of a work item.
#[pyfunction]
pub(super) fn _cohort_requests(item: &str) -> PyResult<u64> {
    Ok(parse_item(item)?.requests())
}

/// Returns a table with all columns and no rows, and the names of its statistics.
#[pyfunction]
pub(super) fn _cohort_schema(py: Python<'_>, table: &str) -> PyResult<(Table, Vec<&'static str>)> {
    let table: CohortTable = table.parse().map_err(|error: Error| errors::raise(py, error.with_argument("table")))?;
    let empty = table.empty().and_then(|empty| empty.with_key(USER, "")).map_err(|error| errors::raise(py, error))?;
    Ok((Table::new(empty), table.statistics()))
}

/// Creates a budget.
pub(super) fn create_budget(per_second: Option<f64>, in_flight: usize) -> Result<Budget, Error> {
    let budget = Budget::new().in_flight(in_flight)?;
    per_second.map_or(Ok(budget), |rate| budget.per_second(rate))
}

/// Returns the share of a budget for one of `tasks` concurrent tasks.
#[pyfunction]
pub(super) fn _cohort_share(py: Python<'_>, per_second: Option<f64>, in_flight: usize, tasks: usize) -> PyResult<(Option<f64>, usize)> {
    let share = create_budget(per_second, in_flight).map_err(|error| errors::raise(py, error))?.share(tasks);
    Ok((share.requests_per_second(), share.requests_in_flight()))
}
