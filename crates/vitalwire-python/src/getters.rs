//! Macro for simple getters.

/// Defines getters of a class by name, type and value. Docstrings are generated.
macro_rules! getters {
    ($class:ident, $this:ident { $($name:ident: $ty:ty = $value:expr),* $(,)? }) => {
        #[pyo3::pymethods]
        impl $class {
            $(
                #[doc = docs!($class.$name)]
                #[getter]
                fn $name(&$this) -> $ty {
                    $value
                }
            )*
        }
    };
}
pub(crate) use getters;
