//! Conversion of arguments.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use vitalwire::Error;
use vitalwire::range::DateRange;
use vitalwire::value::Date;
use vitalwire_cohort::{CohortTable, Selection};

use super::credentials::UserCredentials;
use crate::{arguments, convert, errors};

/// Converts a list of texts.
pub(super) fn texts(argument: &'static str, object: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if object.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(format!("argument '{argument}': must be a list of str, not a str")));
    }
    object.try_iter()?.map(|text| arguments::extract(&text?, argument)).collect()
}

/// Converts a list of texts, or one text.
pub(super) fn text_or_texts(argument: &'static str, object: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if object.is_instance_of::<PyString>() { Ok(vec![arguments::extract(object, argument)?]) } else { texts(argument, object) }
}

/// Converts the name of a table.
pub(crate) fn table(py: Python<'_>, argument: &'static str, name: &str) -> PyResult<CohortTable> {
    name.parse().map_err(|error: Error| errors::raise(py, error.with_argument(argument)))
}

/// Converts a name, or a list of names, of tables.
pub(crate) fn tables(argument: &'static str, object: &Bound<'_, PyAny>) -> PyResult<Vec<CohortTable>> {
    text_or_texts(argument, object)?.iter().map(|name| table(object.py(), argument, name)).collect()
}

/// Converts an optional day.
pub(crate) fn day(argument: &'static str, object: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Date>> {
    object.filter(|object| !object.is_none()).map(|object| convert::to_date(argument, object)).transpose()
}

/// Converts users: credentials, or ids.
pub(super) fn users(object: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    match object.cast::<UserCredentials>() {
        Ok(credentials) => Ok(credentials.get().core.ids().map(str::to_owned).collect()),
        Err(_) => texts("users", object),
    }
}

/// Arguments that select the users, tables and days of a plan.
pub(super) struct Selected<'py> {
    pub(super) tables: Bound<'py, PyAny>,
    pub(super) first: Bound<'py, PyAny>,
    pub(super) last: Bound<'py, PyAny>,
    pub(super) statistics: Option<Bound<'py, PyAny>>,
    pub(super) lookback_days: u32,
    pub(super) refresh_from: Option<Bound<'py, PyAny>>,
    pub(super) users_per_item: Option<usize>,
    pub(super) months_per_item: Option<u32>,
}

impl Selected<'_> {
    /// Creates the selection for these users.
    pub(super) fn selection(&self, users: Vec<String>) -> PyResult<Selection> {
        let py = self.tables.py();
        let days = DateRange::from((convert::to_date("first", &self.first)?, convert::to_date("last", &self.last)?));
        let tables = tables("tables", &self.tables)?;
        let statistics = self.statistics.as_ref().map(|names| text_or_texts("statistics", names)).transpose()?;
        let refresh_from = day("refresh_from", self.refresh_from.as_ref())?;
        let select = || {
            let mut selection = Selection::new(users, tables, days)?.lookback_days(self.lookback_days)?;
            if let Some(names) = statistics {
                selection = selection.statistics(names)?;
            }
            if let Some(day) = refresh_from {
                selection = selection.refresh_from(day);
            }
            if let Some(users) = self.users_per_item {
                selection = selection.users_per_item(users)?;
            }
            if let Some(months) = self.months_per_item {
                selection = selection.months_per_item(months)?;
            }
            Ok(selection)
        };
        select().map_err(|error| errors::raise(py, error))
    }
}
