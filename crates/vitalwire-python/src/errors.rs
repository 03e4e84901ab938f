//! Exceptions: a base class and a class for each error kind, created from the generated table.

use std::ffi::CStr;
use std::fmt;
use std::sync::OnceLock;

use pyo3::exceptions::PyException;
use pyo3::exceptions::asyncio::CancelledError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};
use vitalwire::{Error, ErrorKind};

use crate::generated::docs;
use crate::generated::kinds::{KINDS, of_class};

/// Exception classes in the order of [`KINDS`], followed by the base class.
static CLASSES: PyOnceLock<Vec<Py<PyType>>> = PyOnceLock::new();

/// Sets the fields of an exception from the core's error.
pub(crate) type SetErrorFields = fn(&Bound<'_, PyAny>, Error) -> PyResult<()>;

/// Set when the module is created, to avoid a circular dependency: problem details are records, and records raise exceptions.
static SET_ERROR_FIELDS: OnceLock<SetErrorFields> = OnceLock::new();

/// Python source of `__reduce__`, which leaves out `partial_result` and `tables` because they may be huge. A native function in a class
/// would not receive `self`.
const REDUCE: &CStr =
    c"lambda self: (self.__class__, self.args, {name: value for name, value in self.__dict__.items() if name not in ('partial_result', 'tables')})";

/// Adds the exception classes to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>, set_fields: SetErrorFields) -> PyResult<()> {
    SET_ERROR_FIELDS.get_or_init(|| set_fields);
    let py = module.py();
    for class in classes(py)? {
        module.add(class.bind(py).name()?, class)?;
    }
    Ok(())
}

fn classes(py: Python<'_>) -> PyResult<&Vec<Py<PyType>>> {
    CLASSES.get_or_try_init(py, || {
        let members = PyDict::new(py);
        // Class attributes are the defaults, so that every error has every field.
        of_class(&members)?;
        // An empty namespace isolates the function from the running program.
        members.set_item("__reduce__", py.eval(REDUCE, Some(&PyDict::new(py)), None)?)?;
        // The base class needs a kind and a code too, because programs may create instances, for example in tests.
        members.set_item("kind", ErrorKind::Internal.as_str())?;
        members.set_item("code", ErrorKind::Internal.code())?;
        let base = class(py, "VitalwireError", docs!(VitalwireError), vec![py.get_type::<PyException>()], members)?;
        let mut classes = Vec::with_capacity(KINDS.len() + 1);
        for kind in &KINDS {
            let members = PyDict::new(py);
            members.set_item("kind", kind.name)?;
            members.set_item("code", kind.code)?;
            let mut bases = vec![base.bind(py).clone()];
            if let Some(builtin) = kind.builtin {
                bases.push(py.import("builtins")?.getattr(builtin)?.cast_into()?);
            }
            classes.push(class(py, kind.class, kind.doc, bases, members)?);
        }
        classes.push(base);
        Ok(classes)
    })
}

fn class(py: Python<'_>, name: &str, doc: &str, bases: Vec<Bound<'_, PyType>>, members: Bound<'_, PyDict>) -> PyResult<Py<PyType>> {
    members.set_item("__module__", "vitalwire")?;
    members.set_item("__doc__", doc)?;
    let made = py.get_type::<PyType>().call1((name, PyTuple::new(py, bases)?, members))?;
    Ok(made.cast_into()?.unbind())
}

/// Creates a class of errors of a kind, for errors that few calls have. `members` are the attributes of the class.
pub(crate) fn subclass(py: Python<'_>, kind: ErrorKind, name: &str, doc: &str, members: Bound<'_, PyDict>) -> PyResult<Py<PyType>> {
    let at = KINDS.iter().position(|known| known.code == kind.code()).unwrap_or(KINDS.len());
    class(py, name, doc, vec![classes(py)?[at].bind(py).clone()], members)
}

/// An exception of a callback, as source of an error of the core.
pub(crate) struct RaisedException(pub(crate) PyErr);

/// Leaves out the exception, whose text may contain health data.
impl fmt::Debug for RaisedException {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RaisedException")
    }
}

impl fmt::Display for RaisedException {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a callback raised an exception")
    }
}

impl std::error::Error for RaisedException {}

/// Returns the callback's exception that caused an error.
fn raised<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a PyErr> {
    std::iter::successors(error.source(), |error| error.source())
        .find_map(|error| error.downcast_ref::<RaisedException>())
        .map(|raised| &raised.0)
}

/// Whether an exception ends programs, such as `KeyboardInterrupt`, and must therefore be raised unchanged.
///
/// `CancelledError` is not one of them: a callback that awaits a cancelled task has failed, but its call was not cancelled.
pub(crate) fn is_program_exit(py: Python<'_>, raised: &PyErr) -> bool {
    !raised.is_instance_of::<PyException>(py) && !raised.is_instance_of::<CancelledError>(py)
}

/// Calls Python while an exception may be set, for example in a destructor. Saves and restores the exception, because Python code must not
/// run while it is set. Does nothing while the interpreter shuts down.
pub(crate) fn with_saved_exception(work: impl FnOnce(Python<'_>)) {
    let _ = Python::try_attach(|py| {
        let passing = PyErr::take(py);
        work(py);
        if let Some(passing) = passing {
            passing.restore(py);
        }
    });
}

/// Creates the exception for an error. The exception has the text of the core, which contains no health data.
pub(crate) fn raise(py: Python<'_>, error: Error) -> PyErr {
    exception(py, error).unwrap_or_else(|failure| failure)
}

fn exception(py: Python<'_>, error: Error) -> PyResult<PyErr> {
    let mut cause = raised(&error).map(|cause| cause.clone_ref(py));
    if let Some(cause) = cause.take_if(|cause| is_program_exit(py, cause)) {
        return Ok(cause);
    }
    let classes = classes(py)?;
    let at = KINDS.iter().position(|kind| kind.code == error.code()).unwrap_or(KINDS.len());
    let exception = classes[at].bind(py).call1((error.to_string(),))?;
    if let Some(set_fields) = SET_ERROR_FIELDS.get() {
        set_fields(&exception, error)?;
    }
    let exception = PyErr::from_value(exception);
    if cause.is_some() {
        exception.set_cause(py, cause);
    }
    Ok(exception)
}

/// Creates the exception for the kind, message and status of an error that was stored without its other fields.
pub(crate) fn raise_kind(py: Python<'_>, kind: &str, text: &str, status: Option<u16>) -> PyErr {
    let create = || {
        let at = KINDS.iter().position(|known| known.name == kind).unwrap_or(KINDS.len());
        let exception = classes(py)?[at].bind(py).call1((text,))?;
        exception.setattr("status", status)?;
        Ok(PyErr::from_value(exception))
    };
    create().unwrap_or_else(|failure| failure)
}

/// Adds a note to an exception, which tracebacks show below its text. Python 3.10 has no notes.
pub(crate) fn with_note(py: Python<'_>, exception: PyErr, note: &str) -> PyErr {
    // A note never replaces the exception.
    let _ = exception.value(py).call_method1("add_note", (note,));
    exception
}
