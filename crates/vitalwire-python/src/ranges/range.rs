//! Range calls and night searches of both clients.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::inner::Inner;
use super::reader::{AsyncRangeParts, RangeParts};
use super::run::CollectTarget;
use crate::arguments::{Texts, methods};
use crate::generated::docs;
use crate::hints;

/// Returns the keyword arguments that are set.
fn keyword_arguments<'py>(py: Python<'py>, settings: &[(&str, Option<Bound<'py, PyAny>>)]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in settings {
        if let Some(value) = value {
            dict.set_item(name, value)?;
        }
    }
    Ok(dict)
}

#[doc = docs!(RangeCall)]
#[pyclass(frozen, generic, module = "vitalwire")]
pub(crate) struct RangeCall(pub(super) Inner);

#[doc = docs!(AsyncRangeCall)]
#[pyclass(frozen, generic, module = "vitalwire")]
pub(crate) struct AsyncRangeCall(pub(super) Inner);

#[doc = docs!(NightSearch)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct NightSearch(pub(super) Inner);

#[doc = docs!(AsyncNightSearch)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct AsyncNightSearch(pub(super) Inner);

/// Defines the members of all range classes. `missing` is an argument of those whose tables can have rows for days without a sleep.
macro_rules! common_methods {
    ($name:ident $(, $missing:ident)?) => {
        #[pymethods]
        impl $name {
            #[doc = docs!($name.collect)]
            fn collect(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                self.0.collect_merged(py, CollectTarget::Response)
            }

            #[doc = docs!($name.collect_table)]
            #[pyo3(signature = (table=None, *, columns=None $(, $missing=None)?))]
            fn collect_table(
                &self,
                py: Python<'_>,
                #[pyo3(from_py_with = methods::table)] table: Option<&str>,
                #[pyo3(from_py_with = methods::columns)] columns: Option<Texts>,
                $(#[pyo3(from_py_with = methods::missing)] $missing: Option<&str>,)?
            ) -> PyResult<Py<PyAny>> {
                let own = self.0.with_options(py, columns, Option::<&str>::None$(.or($missing))?)?;
                let (target, _) = own.table_target(py, "table", table)?;
                own.collect_merged(py, target)
            }

            #[doc = docs!($name.table)]
            #[pyo3(signature = (name=None, *, columns=None $(, $missing=None)?))]
            fn table(
                &self,
                py: Python<'_>,
                #[pyo3(from_py_with = methods::name)] name: Option<&str>,
                #[pyo3(from_py_with = methods::columns)] columns: Option<Texts>,
                $(#[pyo3(from_py_with = methods::missing)] $missing: Option<&str>,)?
            ) -> PyResult<Py<PyAny>> {
                let own = self.0.with_options(py, columns, Option::<&str>::None$(.or($missing))?)?;
                own.table(py, "name", name)
            }

            #[doc = docs!($name.to_arrow)]
            #[pyo3(signature = (table=None, *, columns=None, tz=None, time_unit=None $(, $missing=None)?))]
            fn to_arrow<'py>(
                &self,
                py: Python<'py>,
                #[pyo3(from_py_with = methods::table)] table: Option<&str>,
                #[pyo3(from_py_with = methods::columns)] columns: Option<Texts>,
                tz: Option<Bound<'py, PyAny>>,
                time_unit: Option<Bound<'py, PyAny>>,
                $(#[pyo3(from_py_with = methods::missing)] $missing: Option<&str>,)?
            ) -> PyResult<Py<PyAny>> {
                let own = self.0.with_options(py, columns, Option::<&str>::None$(.or($missing))?)?;
                own.call_table_method(py, table, "to_arrow", &keyword_arguments(py, &[("tz", tz), ("time_unit", time_unit)])?)
            }

            #[allow(clippy::too_many_arguments, reason = "keyword arguments in Python")]
            #[doc = docs!($name.to_polars)]
            #[pyo3(signature = (table=None, *, columns=None, tz=None, time_unit=None, durations=None $(, $missing=None)?))]
            fn to_polars<'py>(
                &self,
                py: Python<'py>,
                #[pyo3(from_py_with = methods::table)] table: Option<&str>,
                #[pyo3(from_py_with = methods::columns)] columns: Option<Texts>,
                tz: Option<Bound<'py, PyAny>>,
                time_unit: Option<Bound<'py, PyAny>>,
                durations: Option<Bound<'py, PyAny>>,
                $(#[pyo3(from_py_with = methods::missing)] $missing: Option<&str>,)?
            ) -> PyResult<Py<PyAny>> {
                let own = self.0.with_options(py, columns, Option::<&str>::None$(.or($missing))?)?;
                let settings = keyword_arguments(py, &[("tz", tz), ("time_unit", time_unit), ("durations", durations)])?;
                own.call_table_method(py, table, "to_polars", &settings)
            }

            #[allow(clippy::too_many_arguments, reason = "keyword arguments in Python")]
            #[doc = docs!($name.to_pandas)]
            #[pyo3(signature = (table=None, *, columns=None, dtype_backend=None, tz=None, time_unit=None, lists=None, durations=None $(, $missing=None)?))]
            fn to_pandas<'py>(
                &self,
                py: Python<'py>,
                #[pyo3(from_py_with = methods::table)] table: Option<&str>,
                #[pyo3(from_py_with = methods::columns)] columns: Option<Texts>,
                dtype_backend: Option<Bound<'py, PyAny>>,
                tz: Option<Bound<'py, PyAny>>,
                time_unit: Option<Bound<'py, PyAny>>,
                lists: Option<Bound<'py, PyAny>>,
                durations: Option<Bound<'py, PyAny>>,
                $(#[pyo3(from_py_with = methods::missing)] $missing: Option<&str>,)?
            ) -> PyResult<Py<PyAny>> {
                let own = self.0.with_options(py, columns, Option::<&str>::None$(.or($missing))?)?;
                let given = [("dtype_backend", dtype_backend), ("tz", tz), ("time_unit", time_unit), ("lists", lists), ("durations", durations)];
                let settings = keyword_arguments(py, &given)?;
                own.call_table_method(py, table, "to_pandas", &settings)
            }

            #[doc = docs!($name.to_dict)]
            #[pyo3(signature = (table=None, *, tz=None $(, $missing=None)?))]
            fn to_dict<'py>(
                &self,
                py: Python<'py>,
                #[pyo3(from_py_with = methods::table)] table: Option<&str>,
                tz: Option<Bound<'py, PyAny>>,
                $(#[pyo3(from_py_with = methods::missing)] $missing: Option<&str>,)?
            ) -> PyResult<Py<PyAny>> {
                let own = self.0.with_options(py, None, Option::<&str>::None$(.or($missing))?)?;
                own.call_table_method(py, table, "to_dict", &keyword_arguments(py, &[("tz", tz)])?)
            }

            #[doc = docs!($name.to_parquet)]
            #[pyo3(signature = (path, table=None, *, tz=None, time_unit=None $(, $missing=None)?))]
            fn to_parquet<'py>(
                &self,
                py: Python<'py>,
                path: Bound<'py, PyAny>,
                #[pyo3(from_py_with = methods::table)] table: Option<&str>,
                tz: Option<Bound<'py, PyAny>>,
                time_unit: Option<Bound<'py, PyAny>>,
                $(#[pyo3(from_py_with = methods::missing)] $missing: Option<&str>,)?
            ) -> PyResult<Py<PyAny>> {
                let own = self.0.with_options(py, None, Option::<&str>::None$(.or($missing))?)?;
                let settings = keyword_arguments(py, &[("path", Some(path)), ("tz", tz), ("time_unit", time_unit)])?;
                own.call_table_method(py, table, "to_parquet", &settings)
            }

            #[allow(clippy::too_many_arguments, reason = "keyword arguments in Python")]
            #[doc = docs!($name.to_csv)]
            #[pyo3(signature = (path, table=None, *, tz=None, units=false, encoding="utf-8", escape_formulas=false $(, $missing=None)?))]
            fn to_csv<'py>(
                &self,
                py: Python<'py>,
                path: Bound<'py, PyAny>,
                #[pyo3(from_py_with = methods::table)] table: Option<&str>,
                tz: Option<Bound<'py, PyAny>>,
                #[pyo3(from_py_with = methods::units)] units: bool,
                #[pyo3(from_py_with = methods::encoding)] encoding: &str,
                #[pyo3(from_py_with = methods::escape_formulas)] escape_formulas: bool,
                $(#[pyo3(from_py_with = methods::missing)] $missing: Option<&str>,)?
            ) -> PyResult<Py<PyAny>> {
                let own = self.0.with_options(py, None, Option::<&str>::None$(.or($missing))?)?;
                let settings = keyword_arguments(py, &[("path", Some(path)), ("tz", tz)])?;
                settings.set_item("units", units)?;
                settings.set_item("encoding", encoding)?;
                settings.set_item("escape_formulas", escape_formulas)?;
                own.call_table_method(py, table, "to_csv", &settings)
            }

            /// Returns the user's time zone. For `vitalwire._tables`.
            fn _time_zone(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                self.0.time_zone(py)
            }

            /// Returns a text with the operation, but without the bounds.
            fn __repr__(&self) -> String {
                format!(concat!(stringify!($name), "({})"), self.0.range.name())
            }

            fn __traverse__(&self, visit: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
                self.0.visit(&visit)
            }
        }
    };
}

/// Defines iteration with `for`.
macro_rules! sync_methods {
    ($name:ident $(, $missing:ident)?) => {
        common_methods!($name $(, $missing)?);

        #[pymethods]
        impl $name {
            fn __iter__(&self, py: Python<'_>) -> PyResult<RangeParts> {
                let (parts, reporter) = self.0.start(py)?;
                Ok(RangeParts::new(self.0.caller.share(py), self.0.range.on_error(), reporter, parts))
            }

            #[doc = docs!($name.__array__)]
            #[pyo3(signature = (dtype=None, copy=None))]
            #[allow(unused_variables, reason = "arguments of numpy")]
            fn __array__(&self, dtype: Option<Py<PyAny>>, copy: Option<Py<PyAny>>) -> PyResult<Py<PyAny>> {
                Err(PyTypeError::new_err("a range has no array of rows; use to_pandas() or table()"))
            }

            #[doc = docs!($name.__arrow_c_stream__)]
            #[pyo3(signature = (requested_schema=None))]
            fn __arrow_c_stream__(&self, py: Python<'_>, requested_schema: Option<Py<PyAny>>) -> PyResult<Py<PyAny>> {
                let table = self.0.table(py, "name", None)?;
                table.call_method1(py, "__arrow_c_stream__", PyTuple::new(py, requested_schema)?)
            }
        }
    };
}

/// Defines iteration with `async for`.
macro_rules! async_methods {
    ($name:ident $(, $missing:ident)?) => {
        common_methods!($name $(, $missing)?);

        #[pymethods]
        impl $name {
            fn __aiter__(&self, py: Python<'_>) -> PyResult<AsyncRangeParts> {
                let (parts, reporter) = self.0.start(py)?;
                Ok(AsyncRangeParts::new(self.0.caller.share(py), self.0.range.on_error(), reporter, parts))
            }

            /// Raises an error that states the remedy.
            fn __iter__(&self) -> PyResult<Py<PyAny>> {
                Err(hints::needs_async_for(stringify!($name)))
            }
        }
    };
}

sync_methods!(RangeCall);
sync_methods!(NightSearch, missing);
async_methods!(AsyncRangeCall);
async_methods!(AsyncNightSearch, missing);
