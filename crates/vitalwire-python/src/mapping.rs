//! Methods that both read-only mappings share.

use pyo3::PyTypeInfo;
use pyo3::prelude::*;

/// Registers a class as a mapping, for `isinstance` and `match` statements.
pub(crate) fn register<T: PyTypeInfo>(py: Python<'_>) -> PyResult<()> {
    // Python imports this module when it starts. `collections.abc`, its public name, imports all of `collections`.
    py.import("_collections_abc")?.getattr("Mapping")?.call_method1("register", (py.get_type::<T>(),)).map(drop)
}

/// Creates a dictionary view of a mapping, with a class of `collections.abc`.
pub(crate) fn abstract_view<'py>(mapping: &Bound<'py, PyAny>, class: &str) -> PyResult<Bound<'py, PyAny>> {
    mapping.py().import("collections.abc")?.getattr(class)?.call1((mapping,))
}

/// Defines the methods of a mapping. Its `view` has `pairs`, `count` and `extra_fields`. `read` returns the value of a key, and `has`
/// checks whether a key exists.
macro_rules! mapping {
    ($class:ident) => {
        #[pyo3::pymethods]
        impl $class {
            fn __len__(&self) -> usize {
                self.view.get().count()
            }

            fn __getitem__<'py>(&self, name: &pyo3::Bound<'py, pyo3::PyAny>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                self.read(name)?.ok_or_else(|| pyo3::exceptions::PyKeyError::new_err(name.clone().unbind()))
            }

            fn __contains__(&self, name: &pyo3::Bound<'_, pyo3::PyAny>) -> bool {
                crate::arguments::lookup_key(name).is_ok_and(|name| name.is_some_and(|name| self.has(name)))
            }

            fn __iter__<'py>(&self, py: pyo3::Python<'py>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::types::PyIterator>> {
                pyo3::types::PyTuple::new(py, self._ipython_key_completions_())?.try_iter()
            }

            #[doc = docs!($class._ipython_key_completions_)]
            fn _ipython_key_completions_(&self) -> Vec<&str> {
                self.view.get().pairs().into_iter().map(|(name, _)| name).collect()
            }

            #[doc = docs!($class.get)]
            #[pyo3(signature = (name, default=None, /))]
            fn get<'py>(
                &self,
                name: &pyo3::Bound<'py, pyo3::PyAny>,
                default: Option<pyo3::Bound<'py, pyo3::PyAny>>,
            ) -> pyo3::PyResult<Option<pyo3::Bound<'py, pyo3::PyAny>>> {
                Ok(self.read(name)?.or(default))
            }

            #[doc = docs!($class.keys)]
            fn keys<'py>(slf: pyo3::Bound<'py, Self>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                crate::mapping::abstract_view(slf.as_any(), "KeysView")
            }

            #[doc = docs!($class.values)]
            fn values<'py>(slf: pyo3::Bound<'py, Self>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                crate::mapping::abstract_view(slf.as_any(), "ValuesView")
            }

            #[doc = docs!($class.items)]
            fn items<'py>(slf: pyo3::Bound<'py, Self>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                crate::mapping::abstract_view(slf.as_any(), "ItemsView")
            }

            #[doc = docs!($class.extra)]
            #[getter]
            fn extra<'py>(&self, py: pyo3::Python<'py>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::types::PyDict>> {
                crate::convert::extra(py, self.view.get().extra_fields())
            }

            fn __hash__(&self) -> u64 {
                crate::hash::hash_record::<Self>(self.view.get())
            }

            fn __copy__(slf: pyo3::Py<Self>) -> pyo3::Py<Self> {
                slf
            }

            fn __deepcopy__(slf: pyo3::Py<Self>, _memo: &pyo3::Bound<'_, pyo3::PyAny>) -> pyo3::Py<Self> {
                slf
            }

            fn __repr__(&self) -> String {
                Self::shape(self.view.get())
            }

            #[doc = docs!($class._repr_html_)]
            fn _repr_html_(&self) -> String {
                Self::card(self.view.get())
            }
        }
    };
}
pub(crate) use mapping;
