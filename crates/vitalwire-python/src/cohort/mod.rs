//! Classes and functions of `vitalwire.cohort`.

pub(crate) mod arguments;
mod credentials;
mod dataset;
mod export;
mod failure;
mod functions;
mod iteration;
mod plan;
mod rate_limits;
mod reader;
mod settings;
mod states;
mod summary;

use pyo3::prelude::*;
use pyo3::types::PyString;
use vitalwire_cohort::CohortError;

use crate::errors;
use crate::failure::Raise;

/// Adds the classes and functions to the module, but not to `__all__`: programs import them from `vitalwire.cohort`.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    for class in [
        py.get_type::<credentials::UserCredentials>(),
        py.get_type::<rate_limits::RateLimits>(),
        py.get_type::<settings::Settings>(),
        py.get_type::<plan::WorkItem>(),
        py.get_type::<plan::Plan>(),
        py.get_type::<states::SyncStates>(),
        py.get_type::<failure::Failure>(),
        py.get_type::<failure::FailureReason>(),
        py.get_type::<summary::Changes>(),
        py.get_type::<summary::Summary>(),
        py.get_type::<summary::ExportProgress>(),
        py.get_type::<dataset::RemovedUser>(),
        py.get_type::<reader::CohortReader>(),
        py.get_type::<iteration::PlanIteration>(),
    ] {
        module.setattr(class.name()?, class)?;
    }
    // `verify` of webhooks has the same name.
    let verify = wrap_pyfunction!(dataset::_cohort_verify, module)?;
    verify.setattr("__module__", "vitalwire.cohort")?;
    module.setattr("_cohort_verify", verify)?;
    for function in [
        wrap_pyfunction!(plan::plan, module)?,
        wrap_pyfunction!(plan::_cohort_table, module)?,
        wrap_pyfunction!(plan::_cohort_facts, module)?,
        wrap_pyfunction!(functions::read, module)?,
        wrap_pyfunction!(functions::aread, module)?,
        wrap_pyfunction!(functions::export, module)?,
        wrap_pyfunction!(functions::aexport, module)?,
        wrap_pyfunction!(functions::plan_export, module)?,
        wrap_pyfunction!(functions::aplan_export, module)?,
        wrap_pyfunction!(dataset::failures, module)?,
        wrap_pyfunction!(dataset::repair, module)?,
        wrap_pyfunction!(dataset::remove_user, module)?,
    ] {
        let name = function.getattr("__name__")?.cast_into::<PyString>()?;
        if !name.to_str()?.starts_with('_') {
            function.setattr("__module__", "vitalwire.cohort")?;
        }
        module.setattr(name, function)?;
    }
    Ok(())
}

/// Returns a function that receives reports of progress: one that a program passes, or that of a display.
fn listener<'py>(progress: &Bound<'py, PyAny>, operation: &str, unit: &str) -> PyResult<Bound<'py, PyAny>> {
    progress.py().import("vitalwire._progress")?.call_method1("Listener", (progress, operation, unit))
}

/// Converts an error to an exception. `argument` is the argument that names the file or folder.
fn raise(py: Python<'_>, argument: &str, error: CohortError) -> PyErr {
    match error {
        CohortError::Client(error) => errors::raise(py, error),
        CohortError::Io { path, cause } => std::io::Error::new(cause.kind(), format!("{}: {cause}", path.display())).into(),
        CohortError::NobodyRead { ref reasons } => {
            let (kind, status) = reasons.first().map_or(("internal", None), |reason| (&*reason.kind, reason.status));
            errors::raise_kind(py, kind, &error.to_string(), status)
        }
        error => invalid(py, argument, &error.to_string()),
    }
}

/// Returns the name of the kind of an error, or `local` for one of this machine.
fn kind_name(error: &CohortError) -> &str {
    match error {
        CohortError::Client(error) => error.kind().as_str(),
        CohortError::NobodyRead { reasons } => reasons.first().map_or("internal", |reason| &reason.kind),
        CohortError::Io { .. } => "local",
        _ => "invalid_argument",
    }
}

/// Creates the exception for an invalid argument.
fn invalid(py: Python<'_>, argument: &str, reason: &str) -> PyErr {
    let invalid = py.import("vitalwire._errors").and_then(|module| module.call_method1("invalid_value", (argument, reason)));
    invalid.map_or_else(|failure| failure, PyErr::from_value)
}

/// An error of a call, raised as a Python exception.
struct RaisedError(CohortError, &'static str);

impl Raise for RaisedError {
    fn raise(self: Box<Self>, py: Python<'_>) -> PyErr {
        raise(py, self.1, self.0)
    }
}
