//! Tables: answers as columns, for data frames and everything else that reads Arrow.

mod answer;
mod capsules;
mod cells;
mod html;
mod parts;
mod zone;

use std::sync::Arc;

use arrow_array::RecordBatch;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyString, PyTuple};
use vitalwire::table::{Column, ColumnKind, Table as Core, TableId};
use vitalwire::{Error, ErrorKind};

pub(crate) use self::answer::{Source, Tabled, Wanted, choose, of_list, of_record, stream, tabled, unwritable};
use crate::generated::docs;
use crate::given::methods;
use crate::{convert, errors};

/// What `pickle` keeps: how a table is made, and of what.
type Reduced<'py> = (Bound<'py, PyAny>, (&'static str, Bound<'py, PyBytes>, u64));

#[doc = docs!(Table)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct Table {
    core: Arc<Core>,
    skipped: u64,
    batch: PyOnceLock<RecordBatch>,
}

impl Table {
    /// Over a table of the core.
    pub(crate) fn of(core: Core) -> Self {
        Self::shared(Arc::new(core))
    }

    /// Over a table that others hold too.
    pub(crate) fn shared(core: Arc<Core>) -> Self {
        Self { skipped: core.skipped(), core, batch: PyOnceLock::new() }
    }

    /// As Arrow has it, sharing its memory; made once.
    fn batch(&self, py: Python<'_>) -> PyResult<&RecordBatch> {
        self.batch.get_or_try_init(py, || self.core.shared_record_batch().map_err(|error| errors::raise(py, error)))
    }

    /// With local times by the zone that an argument names.
    fn on_the_clock(&self, argument: &'static str, zone: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, zone) = (zone.py(), zone::name(argument, zone)?);
        let made = py.detach(|| Core::clone(&self.core).with_local_time(&zone));
        made.map(Self::of).map_err(|error| errors::raise(py, if error.argument().is_some() { error.of_argument(argument) } else { error }))
    }

    fn exported(&self) -> impl Iterator<Item = &Column> {
        self.core.exported()
    }

    fn facts<'py>(
        &self,
        py: Python<'py>,
        fact: impl for<'a> Fn(&'a vitalwire::table::Field) -> Option<&'a str>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let facts = PyDict::new(py);
        for column in self.exported() {
            if let Some(fact) = fact(column.field()) {
                facts.set_item(&*column.field().name, fact)?;
            }
        }
        Ok(facts)
    }

    /// Hands the table over to the part that is written in Python.
    fn framed<'py>(slf: &Bound<'py, Self>, to: &str, tz: Option<&Bound<'py, PyAny>>, lists: Option<bool>) -> PyResult<Bound<'py, PyAny>> {
        let (module, table) = (slf.py().import("vitalwire._frames")?, zoned(slf, tz)?);
        lists.map_or_else(|| module.call_method1(to, (&table,)), |lists| module.call_method1(to, (&table, lists)))
    }
}

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
        // Nobody can change them meanwhile.
        let bytes = body.as_bytes();
        py.detach(|| Core::read(id, operation, bytes)).map(Self::of).map_err(|error| errors::raise(py, error))
    }

    #[doc = docs!(Table.name)]
    #[getter]
    fn name(&self) -> &'static str {
        self.core.id().as_str()
    }

    #[doc = docs!(Table.columns)]
    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.exported().map(|column| &*column.field().name).collect::<Vec<_>>())
    }

    #[doc = docs!(Table.units)]
    #[getter]
    fn units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.facts(py, |field| field.unit)
    }

    #[doc = docs!(Table.kinds)]
    #[getter]
    fn kinds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.facts(py, |field| Some(kind(field.kind)))
    }

    #[doc = docs!(Table.docs)]
    #[getter]
    fn docs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.facts(py, |field| Some(field.doc))
    }

    #[doc = docs!(Table.skipped)]
    #[getter]
    fn skipped(&self) -> u64 {
        self.skipped
    }

    #[doc = docs!(Table.local_time)]
    fn local_time(&self, zone: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.on_the_clock("zone", zone)
    }

    #[doc = docs!(Table.to_arrow)]
    #[pyo3(signature = (*, tz=None))]
    pub(crate) fn to_arrow<'py>(slf: &Bound<'py, Self>, tz: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        Self::framed(slf, "to_arrow", tz.as_ref(), None)
    }

    #[doc = docs!(Table.to_polars)]
    #[pyo3(signature = (*, tz=None))]
    pub(crate) fn to_polars<'py>(slf: &Bound<'py, Self>, tz: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        Self::framed(slf, "to_polars", tz.as_ref(), None)
    }

    #[doc = docs!(Table.to_pandas)]
    #[pyo3(signature = (*, dtype_backend=None, tz=None, lists=false))]
    pub(crate) fn to_pandas<'py>(
        slf: &Bound<'py, Self>,
        #[pyo3(from_py_with = methods::dtype_backend)] dtype_backend: Option<&str>,
        tz: Option<Bound<'py, PyAny>>,
        #[pyo3(from_py_with = methods::lists)] lists: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let to = match dtype_backend {
            None => "to_pandas",
            Some("pyarrow") => "to_pandas_arrow",
            Some(_) => return Err(errors::raise(py, Error::invalid_argument("dtype_backend", "neither None nor pyarrow"))),
        };
        Self::framed(slf, to, tz.as_ref(), Some(lists))
    }

    #[doc = docs!(Table.to_dict)]
    #[pyo3(signature = (*, tz=None))]
    pub(crate) fn to_dict<'py>(slf: &Bound<'py, Self>, tz: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyDict>> {
        let table = zoned(slf, tz.as_ref())?;
        let table = table.get();
        let dict = PyDict::new(slf.py());
        for column in table.exported() {
            dict.set_item(&*column.field().name, cells::list(slf.py(), column, 0..table.core.len())?)?;
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
        // A producer may give its own schema whatever was asked for.
        drop(requested_schema);
        capsules::stream(py, self.batch(py)?)
    }

    #[doc = docs!(Table.__arrow_c_schema__)]
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsules::schema(py, &self.core.arrow_schema())
    }

    /// For the part that is written in Python: the numbers as one block, and the other columns.
    fn _parts<'py>(&self, py: Python<'py>, lists: bool) -> PyResult<Bound<'py, PyTuple>> {
        parts::parts(py, &self.core, lists)
    }

    fn __len__(&self) -> usize {
        self.core.len()
    }

    fn __bool__(&self) -> bool {
        !self.core.is_empty()
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        Ok(self.core.id() == other.core.id() && self.batch(py)? == other.batch(py)?)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let mut stream = Vec::new();
        let written = self.core.write_arrow_stream(&mut stream);
        written.map_err(|_| errors::raise(py, Error::internal("a table cannot be written")))?;
        let restore = py.import("vitalwire._native")?.getattr("_restore_table")?;
        Ok((restore, (self.name(), PyBytes::new(py, &stream), self.skipped)))
    }

    fn __repr__(&self) -> String {
        format!("Table({}: {} x {})", self.name(), self.core.len(), self.exported().count())
    }

    /// What a notebook shows: the first and the last rows.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        html::html(py, &self.core)
    }
}

/// What pickles of tables are read with. They may come from anywhere, and are no argument that a caller has chosen.
#[pyfunction]
pub(crate) fn _restore_table(
    py: Python<'_>,
    name: &Bound<'_, PyString>,
    #[pyo3(from_py_with = methods::stream)] stream: &[u8],
    #[pyo3(from_py_with = methods::skipped)] skipped: u64,
) -> PyResult<Table> {
    let refused = |reason| errors::raise(py, Error::with_reason(ErrorKind::Decode, reason));
    let id = name.to_str().ok().and_then(|name| name.parse().ok()).ok_or_else(|| refused("no table of this version"))?;
    let core = Core::read_arrow_stream(id, stream).map_err(|_| refused("no stream of this table"))?;
    Ok(Table { skipped, ..Table::of(core) })
}

/// A table by its name.
fn to_id(py: Python<'_>, name: &str) -> PyResult<TableId> {
    name.parse().map_err(|_| errors::raise(py, Error::invalid_argument("name", "no table has this name")))
}

fn zoned<'py>(table: &Bound<'py, Table>, tz: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, Table>> {
    tz.map_or_else(|| Ok(table.clone()), |zone| Bound::new(table.py(), table.get().on_the_clock("tz", zone)?))
}

/// A kind of column as users read it.
fn kind(kind: ColumnKind) -> &'static str {
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
