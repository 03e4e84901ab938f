//! Python's module `datetime`.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDate, PyDateTime, PyDelta, PyTzInfo};

/// Imports `datetime` on first use. pyo3 would import it too, but panics if the import fails, for example because of Ctrl-C.
pub(crate) fn import(py: Python<'_>) -> PyResult<()> {
    static IMPORTED: PyOnceLock<()> = PyOnceLock::new();
    let import = || {
        py.import("datetime")?;
        let _ = (py.get_type::<PyDateTime>(), py.get_type::<PyDate>(), py.get_type::<PyDelta>(), py.get_type::<PyTzInfo>());
        Ok(())
    };
    IMPORTED.get_or_try_init(py, import).copied()
}
