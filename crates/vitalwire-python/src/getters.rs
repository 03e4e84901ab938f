//! Getters that read a fact of what an object holds.

/// The getters of a class: name, type and value of each. Their documentation is generated.
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
