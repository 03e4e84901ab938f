//! Context of an async token provider, in a context variable that tasks inherit.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use vitalwire::client::ProviderContext;

/// Context variable. Not created before the first provider runs, so that other calls can skip the lookup.
static VARIABLE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Value of the context variable.
#[pyclass(frozen, module = "vitalwire", name = "_ProviderContext")]
struct Value(ProviderContext);

/// Sets the provider context for calls that start in the current Python context.
pub(crate) fn set(py: Python<'_>, context: ProviderContext) -> PyResult<()> {
    let make = || py.import("contextvars")?.call_method1("ContextVar", ("vitalwire_provider",)).map(Bound::unbind);
    VARIABLE.get_or_try_init(py, make)?.call_method1(py, "set", (Value(context),)).map(drop)
}

/// Returns the provider context of calls that start in the current Python context.
pub(crate) fn current(py: Python<'_>) -> Option<ProviderContext> {
    let variable = VARIABLE.get(py)?.bind(py);
    let value = variable.call_method1("get", (py.None(),)).ok()?;
    value.cast::<Value>().ok().map(|value| value.get().0.clone())
}
