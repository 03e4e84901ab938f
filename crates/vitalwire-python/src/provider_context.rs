//! The context of a token provider that is awaited in an event loop: a context variable, which tasks and what they start inherit.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use vitalwire::client::ProviderContext;

/// Set at the first provider, so that other calls do not look for it.
static VARIABLE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// The value of the variable.
#[pyclass(frozen, module = "vitalwire", name = "_ProviderContext")]
struct Value(ProviderContext);

/// Makes a context that of what is started here from now on.
pub(crate) fn set(py: Python<'_>, context: ProviderContext) -> PyResult<()> {
    let make = || py.import("contextvars")?.call_method1("ContextVar", ("vitalwire_provider",)).map(Bound::unbind);
    VARIABLE.get_or_try_init(py, make)?.call_method1(py, "set", (Value(context),)).map(drop)
}

/// Returns the context of what is started here.
pub(crate) fn current(py: Python<'_>) -> Option<ProviderContext> {
    let variable = VARIABLE.get(py)?.bind(py);
    let value = variable.call_method1("get", (py.None(),)).ok()?;
    value.cast::<Value>().ok().map(|value| value.get().0.clone())
}
