//! Options for times in exports: unit and local time.

use std::sync::Arc;

use pyo3::prelude::*;
use vitalwire::Error;
use vitalwire::table::{Table as Core, TimeUnit};

use super::{Table, zone};
use crate::errors;

/// Units of times with their numpy names.
const UNITS: [(&str, TimeUnit); 2] = [("us", TimeUnit::Microsecond), ("ns", TimeUnit::Nanosecond)];

/// Returns the unit with a name.
pub(super) fn unit(name: &str) -> Option<TimeUnit> {
    UNITS.into_iter().find(|(known, _)| *known == name).map(|(_, unit)| unit)
}

pub(super) fn unit_name(unit: TimeUnit) -> &'static str {
    UNITS.into_iter().find(|(_, known)| *known == unit).map_or("", |(name, _)| name)
}

/// Whether an export has durations instead of numbers.
pub(super) fn has_durations(py: Python<'_>, durations: Option<&str>) -> PyResult<bool> {
    match durations {
        None => Ok(false),
        Some("timedelta") => Ok(true),
        Some(_) => Err(errors::raise(py, Error::invalid_argument("durations", "must be None or 'timedelta'"))),
    }
}

/// Options for times in an export.
pub(super) struct Times<'a, 'py> {
    pub(super) tz: Option<&'a Bound<'py, PyAny>>,
    pub(super) unit: Option<&'a str>,
}

impl<'py> Times<'_, 'py> {
    /// Returns a table with these options.
    pub(super) fn apply(&self, table: &Bound<'py, Table>) -> PyResult<Bound<'py, Table>> {
        let py = table.py();
        let table = self.tz.map_or_else(|| Ok(table.clone()), |zone| Bound::new(py, table.get().in_local_time("tz", zone)?))?;
        self.unit.map_or_else(|| Ok(table.clone()), |unit| Bound::new(py, table.get().in_unit(py, "time_unit", unit)?))
    }
}

impl Table {
    /// Returns a table with local times. `argument` names the time zone in errors.
    pub(super) fn in_local_time(&self, argument: &'static str, zone: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, zone) = (zone.py(), zone::zone_name(argument, zone)?);
        let made = py.detach(|| Core::clone(&self.core).with_local_time(&zone));
        let made = made.map(|core| Self::shared(Arc::new(core), Arc::clone(&self.warnings)));
        made.map_err(|error| errors::raise(py, if error.argument().is_some() { error.with_argument(argument) } else { error }))
    }

    /// Returns a table with times in a unit. `argument` names the unit in errors.
    pub(super) fn in_unit(&self, py: Python<'_>, argument: &'static str, name: &str) -> PyResult<Self> {
        let Some(unit) = unit(name) else {
            return Err(errors::raise(py, Error::invalid_argument(argument, "must be 'us' or 'ns'")));
        };
        let made = py.detach(|| Core::clone(&self.core).with_time_unit(unit));
        let made = made.map(|core| Self::shared(Arc::new(core), Arc::clone(&self.warnings)));
        made.map_err(|error| errors::raise(py, error))
    }
}
