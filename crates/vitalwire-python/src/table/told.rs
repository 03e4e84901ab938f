//! What a table does not give, told once: values that were left out, and digits that its export cuts.

use std::ffi::CString;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use vitalwire::table::Table;

/// What was told of a table, and of those made of it: another zone or unit is no reason to tell it again.
#[derive(Default)]
pub(crate) struct Told {
    /// Of how many values that were left out.
    skipped: AtomicU64,
    cut: AtomicBool,
}

impl Told {
    /// Warns of values that were left out.
    pub(super) fn of_skipped(&self, py: Python<'_>, table: &Table) -> PyResult<()> {
        let Some(note) = table.skipped_note().filter(|_| table.skipped() > self.skipped.load(Ordering::Relaxed)) else { return Ok(()) };
        warn(py, note)?;
        self.skipped.store(table.skipped(), Ordering::Relaxed);
        Ok(())
    }

    /// Warns of digits that an export cuts.
    pub(super) fn of_cut(&self, py: Python<'_>, table: &Table) -> PyResult<()> {
        let Some(note) = table.cut_note().filter(|_| !self.cut.load(Ordering::Relaxed)) else { return Ok(()) };
        warn(py, note + "; time_unit=\"ns\" keeps every digit")?;
        self.cut.store(true, Ordering::Relaxed);
        Ok(())
    }
}

/// At the line that called. Where warnings are errors, it is raised each time.
fn warn(py: Python<'_>, note: String) -> PyResult<()> {
    PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &CString::new(note)?, 1)
}
