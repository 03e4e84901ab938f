//! Warnings about exports, each emitted once: skipped values and truncated times.

use std::ffi::CString;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use vitalwire::table::Table;

/// Warnings that were emitted for a table and for tables derived from it, such as a copy in another unit.
#[derive(Default)]
pub(crate) struct ExportWarnings {
    /// Number of skipped values in the last warning.
    skipped: AtomicU64,
    truncated: AtomicBool,
}

impl ExportWarnings {
    /// Warns about skipped values.
    pub(super) fn warn_skipped(&self, py: Python<'_>, table: &Table) -> PyResult<()> {
        let Some(note) = table.skipped_note().filter(|_| table.skipped() > self.skipped.load(Ordering::Relaxed)) else { return Ok(()) };
        warn(py, note)?;
        self.skipped.store(table.skipped(), Ordering::Relaxed);
        Ok(())
    }

    /// Warns about times that an export truncates.
    pub(super) fn warn_truncated(&self, py: Python<'_>, table: &Table) -> PyResult<()> {
        let Some(note) = table.cut_note().filter(|_| !self.truncated.load(Ordering::Relaxed)) else { return Ok(()) };
        warn(py, note + "; time_unit=\"ns\" keeps every digit")?;
        self.truncated.store(true, Ordering::Relaxed);
        Ok(())
    }
}

/// Emits a warning at the caller's line. If the program turns warnings into errors, it is raised each time.
fn warn(py: Python<'_>, note: String) -> PyResult<()> {
    PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &CString::new(note)?, 1)
}
