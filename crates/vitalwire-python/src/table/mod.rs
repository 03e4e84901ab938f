//! Tables: responses as columns, for data frames and other readers of Arrow.

mod capsules;
mod cells;
mod columns;
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
use pyo3::types::{IntoPyDict, PyBytes, PyCapsule, PyDict, PyTuple};
use vitalwire::Error;
use vitalwire::table::{Column, ColumnKind, Table as Core};

pub(crate) use self::pickle::_restore_table;
use self::pickle::PickleParts;
pub(crate) use self::response::{
    Source, TableRequest, TableResponse, choose, from_list, from_record, named_table, stream, table_id, table_methods, unserializable,
};
use self::times::{Times, has_durations, unit_name};
pub(crate) use self::warnings::ExportWarnings;
use crate::arguments::{Texts, methods};
use crate::errors;
use crate::generated::docs;
use crate::getters::getters;

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

    /// Wraps a table of the core that this one shares.
    pub(crate) fn share(&self) -> Self {
        Self::shared(Arc::clone(&self.core), Arc::clone(&self.warnings))
    }

    /// Returns this table if it has this name. Defaults to any.
    pub(crate) fn if_named(&self, name: Option<&str>) -> Option<Self> {
        name.is_none_or(|name| name == self.core.spec().name()).then(|| self.share())
    }

    /// Joins tables of the same kind.
    pub(crate) fn append(self, py: Python<'_>, later: &Self) -> PyResult<Self> {
        let mut core = Arc::unwrap_or_clone(self.core);
        core.append(Core::clone(&later.core)).map_err(|error| errors::raise(py, error))?;
        Ok(Self::new(core))
    }

    /// Returns the cached Arrow record batch, which shares the table's memory.
    fn batch(&self, py: Python<'_>) -> PyResult<&RecordBatch> {
        self.batch.get_or_try_init(py, || self.core.shared_record_batch().map_err(|error| errors::raise(py, error)))
    }

    /// Number of rows.
    pub(crate) fn row_count(&self) -> usize {
        self.core.len()
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

    /// Calls a conversion function of `vitalwire._frames`.
    fn convert_with<'py>(
        slf: &Bound<'py, Self>,
        to: &str,
        columns: Option<&Texts>,
        times: Times<'_, 'py>,
        arguments: impl IntoIterator<Item = Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (module, table) = (slf.py().import("vitalwire._frames")?, times.apply(&Self::with_columns(slf, columns)?)?);
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
    #[pyo3(signature = (*, columns=None, tz=None, time_unit=None))]
    pub(crate) fn to_arrow<'py>(
        slf: &Bound<'py, Self>,
        #[pyo3(from_py_with = methods::columns)] columns: Option<Texts>,
        tz: Option<Bound<'py, PyAny>>,
        #[pyo3(from_py_with = methods::time_unit)] time_unit: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Self::convert_with(slf, "to_arrow", columns.as_ref(), Times { tz: tz.as_ref(), unit: time_unit }, [])
    }

    #[doc = docs!(Table.to_polars)]
    #[pyo3(signature = (*, columns=None, tz=None, time_unit=None, durations=None))]
    pub(crate) fn to_polars<'py>(
        slf: &Bound<'py, Self>,
        #[pyo3(from_py_with = methods::columns)] columns: Option<Texts>,
        tz: Option<Bound<'py, PyAny>>,
        #[pyo3(from_py_with = methods::time_unit)] time_unit: Option<&str>,
        #[pyo3(from_py_with = methods::durations)] durations: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let durations = has_durations(slf.py(), durations)?.into_pyobject(slf.py())?.to_owned().into_any();
        Self::convert_with(slf, "to_polars", columns.as_ref(), Times { tz: tz.as_ref(), unit: time_unit }, [durations])
    }

    #[doc = docs!(Table.to_pandas)]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    #[pyo3(signature = (*, columns=None, dtype_backend=None, tz=None, time_unit=None, lists=None, durations=None))]
    pub(crate) fn to_pandas<'py>(
        slf: &Bound<'py, Self>,
        #[pyo3(from_py_with = methods::columns)] columns: Option<Texts>,
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
        let has_unit = time_unit.is_some().into_pyobject(py)?.to_owned().into_any();
        Self::convert_with(
            slf,
            to,
            columns.as_ref(),
            Times { tz: tz.as_ref(), unit: time_unit },
            [lists.into_pyobject(py)?.into_any(), durations, has_unit],
        )
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

    /// Returns the name of the column of keys, if `_concat` inserted one. For `vitalwire.plot` and `vitalwire._coverage`.
    fn _key(&self) -> Option<&str> {
        self.core.key()
    }

    /// Returns the columns that a kind of table declares. For `vitalwire.plot` and `vitalwire._coverage`.
    #[staticmethod]
    fn _declared(py: Python<'_>, #[pyo3(from_py_with = methods::name)] name: &str) -> PyResult<Vec<&'static str>> {
        Ok(table_id(py, name)?.spec().fields().iter().map(|field| &*field.name).collect())
    }

    /// Whether a column has a value. For `vitalwire._frames`.
    fn _has_values(&self, column: &str) -> bool {
        self.core.column(column).is_some_and(|column| !column.is_empty())
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
