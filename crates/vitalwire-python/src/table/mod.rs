//! Tables: responses as columns, for data frames and other readers of Arrow.

mod capsules;
mod cells;
mod files;
mod html;
mod parts;
mod pickle;
mod response;
mod rows;
mod times;
mod warnings;
mod zone;

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::RecordBatch;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{IntoPyDict, PyBytes, PyCapsule, PyDict, PySlice, PyString, PyTuple};
use vitalwire::Error;
use vitalwire::table::{Column, ColumnKind, CsvOptions, Table as Core, TableId};

pub(crate) use self::pickle::_restore_table;
use self::pickle::PickleParts;
pub(crate) use self::response::{
    Source, TableRequest, TableResponse, choose, from_list, from_record, stream, table_methods, unserializable,
};
use self::times::{Times, unit_name};
pub(crate) use self::warnings::ExportWarnings;
use crate::arguments::methods;
use crate::generated::docs;
use crate::getters::getters;
use crate::{convert, errors, hints};

#[doc = docs!(Table)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct Table {
    core: Arc<Core>,
    warnings: Arc<ExportWarnings>,
    batch: PyOnceLock<RecordBatch>,
}

impl Table {
    /// Wraps a table of the core.
    pub(crate) fn new(core: Core) -> Self {
        Self::shared(Arc::new(core), Arc::default())
    }

    /// Wraps a shared table, for which warnings may already have been emitted.
    pub(crate) fn shared(core: Arc<Core>, warnings: Arc<ExportWarnings>) -> Self {
        Self { core, warnings, batch: PyOnceLock::new() }
    }

    /// Returns the cached Arrow record batch, which shares the table's memory.
    fn batch(&self, py: Python<'_>) -> PyResult<&RecordBatch> {
        self.batch.get_or_try_init(py, || self.core.shared_record_batch().map_err(|error| errors::raise(py, error)))
    }

    fn exported(&self) -> impl Iterator<Item = &Column> {
        self.core.exported()
    }

    /// Warns once about skipped values and truncated times.
    fn warn(&self, py: Python<'_>) -> PyResult<()> {
        self.warnings.warn_skipped(py, &self.core)?;
        self.warnings.warn_truncated(py, &self.core)
    }

    fn field_dict<'py>(
        &self,
        py: Python<'py>,
        value: impl for<'a> Fn(&'a vitalwire::table::Field) -> Option<&'a str>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for column in self.exported() {
            if let Some(value) = value(column.field()) {
                dict.set_item(&*column.field().name, value)?;
            }
        }
        Ok(dict)
    }

    /// Copies these rows into a new table.
    fn take(&self, py: Python<'_>, rows: &[usize]) -> PyResult<Self> {
        self.core.take(rows).map(|core| Self::shared(Arc::new(core), Arc::clone(&self.warnings))).map_err(|error| errors::raise(py, error))
    }

    /// Calls a conversion function of `vitalwire._frames`.
    fn convert_with<'py>(
        slf: &Bound<'py, Self>,
        to: &str,
        times: Times<'_, 'py>,
        arguments: impl IntoIterator<Item = Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (module, table) = (slf.py().import("vitalwire._frames")?, times.apply(slf)?);
        table.get().warn(slf.py())?;
        let arguments: Vec<_> = std::iter::once(table.into_any()).chain(arguments).collect();
        module.call_method1(to, PyTuple::new(slf.py(), arguments)?)
    }
}

getters!(Table, self {
    name: &'static str = self.core.spec().name(),
    skipped: u64 = self.core.skipped(),
    time_unit: &'static str = unit_name(self.core.time_unit()),
});

#[pymethods]
impl Table {
    #[doc = docs!(Table.read)]
    #[classmethod]
    fn read(
        _: &Bound<'_, pyo3::types::PyType>,
        py: Python<'_>,
        #[pyo3(from_py_with = methods::name)] name: &str,
        #[pyo3(from_py_with = methods::operation)] operation: &str,
        body: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let (id, body) = (to_id(py, name)?, convert::as_bytes("body", body)?);
        // `bytes` objects are immutable, so they can be read with the interpreter released.
        let bytes = body.as_bytes();
        py.detach(|| Core::read(id, operation, bytes)).map(Self::new).map_err(|error| errors::raise(py, error))
    }

    #[doc = docs!(Table.columns)]
    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.exported().map(|column| &*column.field().name).collect::<Vec<_>>())
    }

    #[doc = docs!(Table.units)]
    #[getter]
    fn units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.field_dict(py, |field| field.unit)
    }

    #[doc = docs!(Table.kinds)]
    #[getter]
    fn kinds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.field_dict(py, |field| Some(kind_name(field.kind)))
    }

    #[doc = docs!(Table.docs)]
    #[getter]
    fn docs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.field_dict(py, |field| Some(field.doc))
    }

    #[doc = docs!(Table.skipped_by_column)]
    #[getter]
    fn skipped_by_column<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for skipped in self.core.skipped_by_column() {
            let count = counts.entry(skipped.column()).or_default();
            *count = count.saturating_add(skipped.count());
        }
        counts.into_py_dict(py)
    }

    #[doc = docs!(Table.local_time)]
    fn local_time(&self, zone: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.in_local_time("zone", zone)
    }

    #[doc = docs!(Table.in_time_unit)]
    fn in_time_unit(&self, py: Python<'_>, #[pyo3(from_py_with = methods::unit)] unit: &str) -> PyResult<Self> {
        self.in_unit(py, "unit", unit)
    }

    #[doc = docs!(Table.to_arrow)]
    #[pyo3(signature = (*, tz=None, time_unit=None))]
    pub(crate) fn to_arrow<'py>(
        slf: &Bound<'py, Self>,
        tz: Option<Bound<'py, PyAny>>,
        #[pyo3(from_py_with = methods::time_unit)] time_unit: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Self::convert_with(slf, "to_arrow", Times { tz: tz.as_ref(), unit: time_unit }, [])
    }

    #[doc = docs!(Table.to_polars)]
    #[pyo3(signature = (*, tz=None, time_unit=None, durations=None))]
    pub(crate) fn to_polars<'py>(
        slf: &Bound<'py, Self>,
        tz: Option<Bound<'py, PyAny>>,
        #[pyo3(from_py_with = methods::time_unit)] time_unit: Option<&str>,
        #[pyo3(from_py_with = methods::durations)] durations: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let durations = has_durations(slf.py(), durations)?.into_pyobject(slf.py())?.to_owned().into_any();
        Self::convert_with(slf, "to_polars", Times { tz: tz.as_ref(), unit: time_unit }, [durations])
    }

    #[doc = docs!(Table.to_pandas)]
    #[pyo3(signature = (*, dtype_backend=None, tz=None, time_unit=None, lists=None, durations=None))]
    pub(crate) fn to_pandas<'py>(
        slf: &Bound<'py, Self>,
        #[pyo3(from_py_with = methods::dtype_backend)] dtype_backend: Option<&str>,
        tz: Option<Bound<'py, PyAny>>,
        #[pyo3(from_py_with = methods::time_unit)] time_unit: Option<&str>,
        #[pyo3(from_py_with = methods::lists)] lists: Option<bool>,
        #[pyo3(from_py_with = methods::durations)] durations: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let to = match dtype_backend {
            None => "to_pandas",
            Some("pyarrow") => "to_pandas_arrow",
            Some(_) => return Err(errors::raise(py, Error::invalid_argument("dtype_backend", "must be None or 'pyarrow'"))),
        };
        let durations = has_durations(py, durations)?.into_pyobject(py)?.to_owned().into_any();
        Self::convert_with(slf, to, Times { tz: tz.as_ref(), unit: time_unit }, [lists.into_pyobject(py)?.into_any(), durations])
    }

    #[doc = docs!(Table.to_dict)]
    #[pyo3(signature = (*, tz=None))]
    pub(crate) fn to_dict<'py>(slf: &Bound<'py, Self>, tz: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyDict>> {
        let table = Times { tz: tz.as_ref(), unit: None }.apply(slf)?;
        let table = table.get();
        table.warnings.warn_skipped(slf.py(), &table.core)?;
        let dict = PyDict::new(slf.py());
        for column in table.exported() {
            dict.set_item(&*column.field().name, cells::cell_list(slf.py(), column, 0..table.core.len())?)?;
        }
        Ok(dict)
    }

    #[doc = docs!(Table.to_csv)]
    #[pyo3(signature = (path, *, tz=None, units=false, encoding="utf-8", escape_formulas=false))]
    fn to_csv<'py>(
        slf: &Bound<'py, Self>,
        path: &Bound<'py, PyAny>,
        tz: Option<Bound<'py, PyAny>>,
        #[pyo3(from_py_with = methods::units)] units: bool,
        #[pyo3(from_py_with = methods::encoding)] encoding: &str,
        #[pyo3(from_py_with = methods::escape_formulas)] escape_formulas: bool,
    ) -> PyResult<()> {
        files::write_csv(slf, path, tz.as_ref(), encoding, CsvOptions::new().units(units).escape_formulas(escape_formulas))
    }

    #[doc = docs!(Table.to_parquet)]
    #[pyo3(signature = (path, *, tz=None, time_unit=None))]
    fn to_parquet<'py>(
        slf: &Bound<'py, Self>,
        path: Bound<'py, PyAny>,
        tz: Option<Bound<'py, PyAny>>,
        #[pyo3(from_py_with = methods::time_unit)] time_unit: Option<&str>,
    ) -> PyResult<()> {
        Self::convert_with(slf, "write_parquet", Times { tz: tz.as_ref(), unit: time_unit }, [path]).map(drop)
    }

    #[doc = docs!(Table.head)]
    #[pyo3(signature = (rows=5))]
    fn head(&self, py: Python<'_>, #[pyo3(from_py_with = methods::rows)] rows: usize) -> PyResult<Self> {
        self.take(py, &(0..rows.min(self.core.len())).collect::<Vec<_>>())
    }

    #[doc = docs!(Table.__arrow_c_stream__)]
    #[pyo3(signature = (requested_schema=None))]
    pub(crate) fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows a producer to ignore the requested schema.
        drop(requested_schema);
        self.warn(py)?;
        capsules::stream(py, self.batch(py)?)
    }

    #[doc = docs!(Table.__arrow_c_schema__)]
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsules::schema(py, &self.core.arrow_schema())
    }

    /// Returns the number columns as one block, and each other column separately. For `vitalwire._frames`.
    fn _parts<'py>(&self, py: Python<'py>, lists: bool) -> PyResult<Bound<'py, PyTuple>> {
        parts::parts(py, &self.core, lists)
    }

    /// Returns the units of columns with durations. For `vitalwire._frames`.
    fn _durations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.field_dict(py, |field| field.unit.filter(|_| field.is_duration()))
    }

    /// Whether a column has a value. For `vitalwire._frames`.
    fn _has_values(&self, column: &str) -> bool {
        self.core.column(column).is_some_and(|column| !column.is_empty())
    }

    /// Returns the tables as one, each with its key in a column in front. For `vitalwire._tables`.
    #[staticmethod]
    fn _concat(py: Python<'_>, tables: Vec<(String, PyRef<'_, Self>)>, #[pyo3(from_py_with = methods::key)] key: &str) -> PyResult<Self> {
        let mut whole: Option<Core> = None;
        for (value, table) in tables {
            let raise = |error| errors::raise(py, error);
            let next = Core::clone(&table.core).with_key(key, &value).map_err(raise)?;
            match &mut whole {
                Some(whole) => whole.append(next).map_err(raise)?,
                None => whole = Some(next),
            }
        }
        whole.map(Self::new).ok_or_else(|| errors::raise(py, Error::invalid_argument("tables", "must not be empty")))
    }

    fn __getitem__<'py>(&self, py: Python<'py>, at: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(name) = at.cast::<PyString>() {
            return rows::column(py, self, name);
        }
        if let Ok(slice) = at.cast::<PySlice>() {
            return Ok(Bound::new(py, self.take(py, &rows::slice(slice, self.core.len())?)?)?.into_any());
        }
        Ok(rows::row(py, self, rows::index(at, self.core.len())?)?.into_any())
    }

    /// Iterates over the rows, as dicts.
    fn __iter__(slf: Bound<'_, Self>) -> rows::Rows {
        rows::Rows::new(slf.unbind())
    }

    /// Whether the table has a column of this name.
    fn __contains__(&self, name: &Bound<'_, PyAny>) -> bool {
        name.extract::<&str>().is_ok_and(|name| self.exported().any(|column| column.field().name == name))
    }

    fn __len__(&self) -> usize {
        self.core.len()
    }

    fn __bool__(&self) -> bool {
        !self.core.is_empty()
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        Ok(self.core.spec() == other.core.spec() && self.batch(py)? == other.batch(py)?)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<PickleParts<'py>> {
        let mut stream = Vec::new();
        let written = self.with_full_precision().write_arrow_stream(&mut stream);
        written.map_err(|_| errors::raise(py, Error::internal("a table cannot be serialized")))?;
        let restore = py.import("vitalwire._native")?.getattr("_restore_table")?;
        Ok((restore, (self.name(), PyBytes::new(py, &stream), self.skipped_by_column(py)?, self.time_unit())))
    }

    fn __repr__(&self) -> String {
        format!("Table({}: {} x {})", self.name(), self.core.len(), self.exported().count())
    }

    /// Shows the first and last rows in a notebook.
    pub(crate) fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        html::html(py, &self.core)
    }
}

/// Parses the name of a table.
fn to_id(py: Python<'_>, name: &str) -> PyResult<TableId> {
    name.parse().map_err(|_| {
        let names: Vec<&str> = TableId::ALL.iter().map(|id| id.as_str()).collect();
        let error = errors::raise(py, Error::invalid_argument("name", "no table has this name"));
        errors::with_note(py, error, &hints::unknown_table(name, &names))
    })
}

/// Whether an export has durations instead of numbers.
fn has_durations(py: Python<'_>, durations: Option<&str>) -> PyResult<bool> {
    match durations {
        None => Ok(false),
        Some("timedelta") => Ok(true),
        Some(_) => Err(errors::raise(py, Error::invalid_argument("durations", "must be None or 'timedelta'"))),
    }
}

fn kind_name(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Number => "number",
        ColumnKind::Integer => "integer",
        ColumnKind::Boolean => "boolean",
        ColumnKind::Text => "text",
        ColumnKind::Date => "date",
        ColumnKind::Instant => "instant",
        ColumnKind::LocalTime => "local_time",
        ColumnKind::TextList => "text_list",
        _ => "unknown",
    }
}
