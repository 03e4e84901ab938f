//! Native parts of `vitalwire.cohort`. The public classes are in Python. Plans and work items are passed as JSON.

mod export;
mod people;
mod plan;
mod reader;

use pyo3::prelude::*;
use vitalwire::cohort::CohortError;

use crate::errors;

/// Adds the classes and functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // Not in `__all__`: only `vitalwire.cohort` uses them.
    let py = module.py();
    module.setattr("_CohortPeople", py.get_type::<people::People>())?;
    module.setattr("_CohortReader", py.get_type::<reader::Reader>())?;
    for function in [
        wrap_pyfunction!(plan::_cohort_plan, module)?,
        wrap_pyfunction!(plan::_cohort_requests, module)?,
        wrap_pyfunction!(plan::_cohort_schema, module)?,
        wrap_pyfunction!(plan::_cohort_share, module)?,
    ] {
        module.setattr(function.getattr("__name__")?.cast_into::<pyo3::types::PyString>()?, function)?;
    }
    Ok(())
}

/// Converts an error to an exception. `argument` is the argument that names the file or folder.
fn raise(py: Python<'_>, argument: &str, error: CohortError) -> PyErr {
    match error {
        CohortError::Client(error) => errors::raise(py, error),
        CohortError::Io { path, cause } => std::io::Error::new(cause.kind(), format!("{}: {cause}", path.display())).into(),
        error => {
            let invalid =
                py.import("vitalwire._errors").and_then(|module| module.call_method1("invalid_value", (argument, error.to_string())));
            invalid.map_or_else(|failure| failure, PyErr::from_value)
        }
    }
}
