//! Syncs: changes of a user's records since the last sync. `Client.sync` returns a [`SyncCall`], `AsyncClient.sync` an [`AsyncSyncCall`].

mod call;
mod change;
mod event;
mod failure;
mod part;
mod parts;
mod plan;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use vitalwire::range::DateRange;

use crate::convert;

/// Adds the classes to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("StateError", failure::state_error(module.py())?)?;
    module.add_class::<call::SyncCall>()?;
    module.add_class::<call::AsyncSyncCall>()?;
    module.add_class::<parts::SyncParts>()?;
    module.add_class::<parts::AsyncSyncParts>()?;
    module.add_class::<part::SyncPart>()?;
    module.add_class::<part::SyncProgress>()?;
    module.add_class::<change::Change>()?;
    module.add_class::<event::SyncEvent>()?;
    module.add_class::<plan::SyncPlan>()?;
    module.add_class::<plan::PlannedDays>()
}

/// Converts days to their first and last day.
fn bounds(py: Python<'_>, days: DateRange) -> PyResult<Bound<'_, PyTuple>> {
    (convert::date(py, days.first())?, convert::date(py, days.last())?).into_pyobject(py)
}
