//! Pickles of tables, as Arrow streams.

use std::borrow::Cow;
use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use vitalwire::table::{Table as Core, TableId, TimeUnit};
use vitalwire::{Error, ErrorKind};

use super::Table;
use super::times::unit;
use crate::arguments::methods;
use crate::errors;

/// Pickled state: the restoring function and its arguments.
pub(super) type PickleParts<'py> = (Bound<'py, PyAny>, (&'static str, Bound<'py, PyBytes>, Bound<'py, PyDict>, &'static str));

impl Table {
    /// Returns the table in a time unit that keeps all digits. If the table has both nanoseconds and years outside their range, no unit
    /// does. In this case, digits are lost instead of values.
    pub(super) fn with_full_precision(&self) -> Cow<'_, Core> {
        let finer = self.core.cut().next().map(|_| Core::clone(&self.core).with_time_unit(TimeUnit::Nanosecond));
        match finer {
            Some(Ok(finer)) if finer.skipped() == self.core.skipped() => Cow::Owned(finer),
            _ => Cow::Borrowed(&self.core),
        }
    }
}

/// Restores a pickled table. Pickles are untrusted: an invalid one raises `DecodeError`, not an error about an argument.
#[pyfunction]
pub(crate) fn _restore_table(
    py: Python<'_>,
    name: &Bound<'_, PyString>,
    #[pyo3(from_py_with = methods::stream)] stream: &[u8],
    #[pyo3(from_py_with = methods::skipped)] skipped: BTreeMap<String, u64>,
    time_unit: &Bound<'_, PyString>,
) -> PyResult<Table> {
    let refused = |reason| errors::raise(py, Error::with_reason(ErrorKind::Decode, reason));
    let id = name
        .to_str()
        .ok()
        .and_then(|name| name.parse::<TableId>().ok())
        .ok_or_else(|| refused("pickled by an incompatible version: unknown table"))?;
    let core = Core::read_arrow_stream(id, stream).map_err(|_| refused("the pickle is damaged or was made by an incompatible version"))?;
    let unit = time_unit.to_str().ok().and_then(unit);
    let unit = unit.ok_or_else(|| refused("pickled by an incompatible version: unknown time unit"))?;
    let core = core.with_skipped(skipped).with_time_unit(unit);
    core.map(Table::new).map_err(|error| errors::raise(py, error))
}
