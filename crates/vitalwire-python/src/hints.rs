//! Hints for usual mistakes, in notes and texts of exceptions. They contain names that the caller passed, and no values of the service.

use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use vitalwire::value::{OpenSet, similar_name};

/// Maximum number of characters of a name in a note.
const WIDTH: usize = 40;

/// Returns a note for each of these names that is not in the open set.
pub(crate) fn unknown_names<'a, S: OpenSet>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    names.into_iter().filter(|name| S::index_of(name).is_none()).map(|name| unknown_name(name, S::KNOWN)).collect()
}

/// Returns the note for an unknown name, with the most similar known name.
pub(crate) fn unknown_name(name: &str, known: &[&str]) -> String {
    let shown: String = name.chars().take(WIDTH).collect();
    let suggestion = similar_name(name, known).map(|known| format!("; did you mean {known:?}?")).unwrap_or_default();
    format!("{shown:?} is not a name that this version knows{suggestion}")
}

/// Returns a note if the bounds of a range, with their arguments, are in the wrong order.
pub(crate) fn swapped_bounds<T: PartialOrd>(from: (&str, Option<T>), to: (&str, Option<T>)) -> Option<String> {
    let (first, last) = (from.1?, to.1?);
    (first > last).then(|| format!("{} is after {}; swap them", from.0, to.0))
}

/// Returns the error for a missing attribute, with a remedy for names that users guess.
pub(crate) fn missing_attribute(object: &Bound<'_, PyAny>, name: &Bound<'_, PyString>, guesses: &[&str], remedy: &str) -> PyErr {
    let create = || {
        let (class, text) = (object.get_type().name()?, name.to_string_lossy());
        let remedy = if guesses.contains(&text.as_ref()) { format!("; {remedy}") } else { String::new() };
        let error = PyAttributeError::new_err(format!("'vitalwire.{class}' object has no attribute '{text}'{remedy}"));
        // Python suggests similar names from these attributes.
        error.value(object.py()).setattr("name", name)?;
        error.value(object.py()).setattr("obj", object)?;
        Ok(error)
    };
    create().unwrap_or_else(|error: PyErr| error)
}

/// Returns the error of a `for` loop over an object that needs `async for`.
pub(crate) fn needs_async_for(class: &str) -> PyErr {
    PyTypeError::new_err(format!("'vitalwire.{class}' object needs `async for`"))
}

/// Returns the note for an unknown table, with the tables that exist.
pub(crate) fn unknown_table(name: &str, tables: &[&str]) -> String {
    let listed = tables.iter().map(|table| format!("{table:?}")).collect::<Vec<_>>().join(", ");
    let suggestion = similar_name(name, tables).map(|known| format!("did you mean {known:?}? ")).unwrap_or_default();
    format!("{suggestion}the tables are {listed}")
}

/// Returns the note that states whose table an error is about.
pub(crate) fn table_of(key: &str) -> String {
    let shown: String = key.chars().take(WIDTH).collect();
    format!("the table of {shown:?}")
}

/// Returns the note for rows that a call did not request.
pub(crate) fn unrequested_rows(argument: &str) -> String {
    format!("read the record with {argument}=True")
}
