//! Conversion of Python's time zones.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDelta, PyDeltaAccess, PyString, PyTzInfo};
use vitalwire::Error;

use crate::{arguments, datetime_module, errors};

const SECONDS_PER_DAY: i32 = 86_400;

/// Converts a text, a `ZoneInfo` with a key or a `datetime.timezone` to the core's name of a time zone.
pub(super) fn zone_name(argument: &'static str, zone: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = zone.py();
    let invalid = |reason| errors::raise(py, Error::invalid_argument(argument, reason));
    if zone.is_instance_of::<PyString>() {
        return arguments::extract(zone, argument);
    }
    datetime_module::import(py)?;
    if zone.is_instance_of::<PyTzInfo>() {
        if zone.is_instance(&py.import("datetime")?.getattr("timezone")?)? {
            let offset = zone.call_method1("utcoffset", (py.None(),))?.cast_into::<PyDelta>()?;
            return offset_name(&offset).ok_or_else(|| invalid("must have an offset of whole seconds"));
        }
        if let Some(key) = zone.getattr_opt("key")? {
            return if key.is_none() { Err(invalid("must be a ZoneInfo with a key")) } else { arguments::extract(&key, argument) };
        }
    }
    let rule = "must be the name of a time zone, a zoneinfo.ZoneInfo or a datetime.timezone";
    Err(PyTypeError::new_err(format!("argument '{argument}': {rule}")))
}

/// Formats an offset as `+02:00`, with seconds if it has any.
fn offset_name(offset: &Bound<'_, PyDelta>) -> Option<String> {
    let seconds = offset.get_days() * SECONDS_PER_DAY + offset.get_seconds();
    let (sign, size) = (if seconds < 0 { '-' } else { '+' }, seconds.abs());
    (offset.get_microseconds() == 0).then(|| format!("{sign}{:02}:{:02}:{:02}", size / 3600, size / 60 % 60, size % 60))
}
