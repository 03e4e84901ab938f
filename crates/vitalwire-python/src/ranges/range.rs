//! Range calls and night searches of both clients.

use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use vitalwire::range::{AnyParts, AnyRange};
use vitalwire::table::{Table as Core, TableId};
use vitalwire::{Client, Error};

use super::ObjectFactory;
use super::arguments::rename_argument;
use super::merged::MergedRange;
use super::progress::{Reporter, Reporting};
use super::reader::{AsyncRangeParts, RangeParts};
use super::run::{CollectTarget, ConvertMerged, run};
use crate::arguments::methods;
use crate::caller::Caller;
use crate::errors;
use crate::generated::docs;
use crate::hints;
use crate::table::Table;

/// A range call of either client.
pub(super) struct Inner {
    caller: Caller,
    range: AnyRange<ObjectFactory>,
    reporting: Reporting,
}

impl Inner {
    /// Creates a range. Rejects invalid arguments. Sends nothing until the parts are read.
    pub(super) fn new(caller: Caller, core: &Client, range: AnyRange<ObjectFactory>, reporting: Reporting) -> Result<Self, Error> {
        drop(range.parts(core.engine())?);
        Ok(Self { caller, range, reporting })
    }

    /// Starts the range. Returns the parts and the receiver of progress.
    fn start(&self, py: Python<'_>) -> PyResult<(AnyParts<ObjectFactory>, Option<Reporter>)> {
        let parts = self.range.parts(self.caller.core().engine()).map_err(|error| errors::raise(py, rename_argument(error)))?;
        let reporter = self.reporting.start(py, self.range.name(), parts.progress().total)?;
        Ok((parts, reporter))
    }

    fn collect(&self, py: Python<'_>, target: CollectTarget, then: ConvertMerged) -> PyResult<Py<PyAny>> {
        let (_, reporter) = self.start(py)?;
        run(py, &self.caller, self.range.clone(), target, reporter, then)
    }

    fn collect_merged(&self, py: Python<'_>, target: CollectTarget) -> PyResult<Py<PyAny>> {
        self.collect(py, target, Box::new(|_, merged| Ok(merged)))
    }

    /// Returns the table with this name. Defaults to the first table of the response.
    fn table_id(&self, py: Python<'_>, argument: &'static str, table: Option<&str>) -> PyResult<TableId> {
        let mut tables = TableId::of_operation(self.range.operation());
        let default = self.range.default_table();
        let found = match (table, default) {
            (Some(name), _) => tables.find(|id| id.spec().name() == name),
            (None, Some(default)) => tables.find(|id| id.spec() == default),
            (None, None) => tables.next(),
        };
        found.ok_or_else(|| {
            let error = errors::raise(py, Error::invalid_argument(argument, "the response has no table with this name"));
            let names: Vec<&str> = TableId::of_operation(self.range.operation()).map(TableId::as_str).collect();
            errors::with_note(py, error, &hints::unknown_table(table.unwrap_or_default(), &names))
        })
    }

    /// Returns the range with rows for days without a sleep if `missing` is `"row"`.
    fn with_missing(&self, py: Python<'_>, missing: Option<&str>) -> PyResult<Option<Self>> {
        let range = match missing {
            None => return Ok(None),
            Some("row") => self.range.with_missing_rows(),
            Some(_) => None,
        };
        let range = range.ok_or_else(|| errors::raise(py, Error::invalid_argument("missing", "must be None or 'row'")))?;
        Ok(Some(Self { caller: self.caller.share(py), range, reporting: self.reporting.share(py) }))
    }

    fn table(&self, py: Python<'_>, argument: &'static str, table: Option<&str>) -> PyResult<Py<PyAny>> {
        let id = self.table_id(py, argument, table)?;
        self.collect(py, CollectTarget::Table(id), Box::new(create_merged_table))
    }

    /// Calls a method of the merged table.
    fn call_table_method(
        &self,
        py: Python<'_>,
        table: Option<&str>,
        method: &'static str,
        settings: &Bound<'_, PyDict>,
    ) -> PyResult<Py<PyAny>> {
        let id = self.table_id(py, "table", table)?;
        // Detects invalid arguments and missing packages with an empty table, before any request is sent.
        Bound::new(py, Table::new(Core::empty(id)))?.call_method(method, (), Some(settings))?;
        let settings = settings.clone().unbind();
        let then = move |py: Python<'_>, merged| create_merged_table(py, merged)?.call_method(py, method, (), Some(settings.bind(py)));
        self.collect(py, CollectTarget::Table(id), Box::new(then))
    }

    fn visit(&self, visit: &pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
        self.caller.visit(visit)?;
        match &self.reporting {
            Reporting::Callback(function) => visit.call(function),
            Reporting::Shown | Reporting::Silent => Ok(()),
        }
    }
}

/// Returns the table of a `MergedRange`. Emits a warning if parts are missing, which the table does not show.
fn create_merged_table(py: Python<'_>, merged: Py<PyAny>) -> PyResult<Py<PyAny>> {
    let merged = merged.bind(py).cast::<MergedRange>()?.get();
    let failed = merged.failures.bind(py).len();
    if failed > 0 {
        let parts = if failed == 1 { "1 part" } else { &format!("{failed} parts") };
        let text = std::ffi::CString::new(format!("{parts} of the range failed; collect_table() returns failures"))?;
        PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, 1)?;
    }
    Ok(merged.response.clone_ref(py))
}

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
            #[pyo3(signature = (table=None $(, *, $missing=None)?))]
            fn collect_table(
                &self,
                py: Python<'_>,
                #[pyo3(from_py_with = methods::table)] table: Option<&str>,
                $(#[pyo3(from_py_with = methods::missing)] $missing: Option<&str>,)?
            ) -> PyResult<Py<PyAny>> {
                let own = self.0.with_missing(py, Option::<&str>::None$(.or($missing))?)?;
                let own = own.as_ref().unwrap_or(&self.0);
                let id = own.table_id(py, "table", table)?;
                own.collect_merged(py, CollectTarget::Table(id))
            }

            #[doc = docs!($name.table)]
            #[pyo3(signature = (name=None $(, *, $missing=None)?))]
            fn table(
                &self,
                py: Python<'_>,
                #[pyo3(from_py_with = methods::name)] name: Option<&str>,
                $(#[pyo3(from_py_with = methods::missing)] $missing: Option<&str>,)?
            ) -> PyResult<Py<PyAny>> {
                let own = self.0.with_missing(py, Option::<&str>::None$(.or($missing))?)?;
                let own = own.as_ref().unwrap_or(&self.0);
                own.table(py, "name", name)
            }

            #[doc = docs!($name.to_arrow)]
            #[pyo3(signature = (table=None, *, tz=None, time_unit=None $(, $missing=None)?))]
            fn to_arrow<'py>(
                &self,
                py: Python<'py>,
                #[pyo3(from_py_with = methods::table)] table: Option<&str>,
                tz: Option<Bound<'py, PyAny>>,
                time_unit: Option<Bound<'py, PyAny>>,
                $(#[pyo3(from_py_with = methods::missing)] $missing: Option<&str>,)?
            ) -> PyResult<Py<PyAny>> {
                let own = self.0.with_missing(py, Option::<&str>::None$(.or($missing))?)?;
                let own = own.as_ref().unwrap_or(&self.0);
                own.call_table_method(py, table, "to_arrow", &keyword_arguments(py, &[("tz", tz), ("time_unit", time_unit)])?)
            }

            #[doc = docs!($name.to_polars)]
            #[pyo3(signature = (table=None, *, tz=None, time_unit=None, durations=None $(, $missing=None)?))]
            fn to_polars<'py>(
                &self,
                py: Python<'py>,
                #[pyo3(from_py_with = methods::table)] table: Option<&str>,
                tz: Option<Bound<'py, PyAny>>,
                time_unit: Option<Bound<'py, PyAny>>,
                durations: Option<Bound<'py, PyAny>>,
                $(#[pyo3(from_py_with = methods::missing)] $missing: Option<&str>,)?
            ) -> PyResult<Py<PyAny>> {
                let own = self.0.with_missing(py, Option::<&str>::None$(.or($missing))?)?;
                let own = own.as_ref().unwrap_or(&self.0);
                let settings = keyword_arguments(py, &[("tz", tz), ("time_unit", time_unit), ("durations", durations)])?;
                own.call_table_method(py, table, "to_polars", &settings)
            }

            #[allow(clippy::too_many_arguments, reason = "keyword arguments in Python")]
            #[doc = docs!($name.to_pandas)]
            #[pyo3(signature = (table=None, *, dtype_backend=None, tz=None, time_unit=None, lists=None, durations=None $(, $missing=None)?))]
            fn to_pandas<'py>(
                &self,
                py: Python<'py>,
                #[pyo3(from_py_with = methods::table)] table: Option<&str>,
                dtype_backend: Option<Bound<'py, PyAny>>,
                tz: Option<Bound<'py, PyAny>>,
                time_unit: Option<Bound<'py, PyAny>>,
                lists: Option<Bound<'py, PyAny>>,
                durations: Option<Bound<'py, PyAny>>,
                $(#[pyo3(from_py_with = methods::missing)] $missing: Option<&str>,)?
            ) -> PyResult<Py<PyAny>> {
                let own = self.0.with_missing(py, Option::<&str>::None$(.or($missing))?)?;
                let own = own.as_ref().unwrap_or(&self.0);
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
                let own = self.0.with_missing(py, Option::<&str>::None$(.or($missing))?)?;
                let own = own.as_ref().unwrap_or(&self.0);
                own.call_table_method(py, table, "to_dict", &keyword_arguments(py, &[("tz", tz)])?)
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
        }
    };
}

sync_methods!(RangeCall);
sync_methods!(NightSearch, missing);
async_methods!(AsyncRangeCall);
async_methods!(AsyncNightSearch, missing);
