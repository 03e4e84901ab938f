//! Tables of answers: which ones an answer holds, and the shortcuts to data frames.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use vitalwire::client::ResponseMeta;
use vitalwire::table::{Table as Core, TableId};
use vitalwire::value::{Basis, Model};
use vitalwire::{Error, ErrorKind};

use super::Table;
use crate::errors;

/// An operation whose answer is an object, or a list of such, with a table in it.
pub(crate) struct Source {
    /// The table.
    pub(crate) table: TableId,
    /// The operation's id.
    pub(crate) operation: &'static str,
    /// Whether its answer is a list.
    pub(crate) list: bool,
    /// What it says that numbers refer to.
    pub(crate) basis: Option<Basis>,
}

/// Which table a caller wants: the first unless a name is given, and by which argument.
#[derive(Clone, Copy, Default)]
pub(crate) struct Wanted<'a> {
    /// The argument.
    pub(crate) argument: &'static str,
    /// The table's name.
    pub(crate) name: Option<&'a str>,
}

/// An answer that tables can be read from.
pub(crate) trait Tabled {
    /// One of its tables.
    fn tabled(&self, py: Python<'_>, wanted: Wanted<'_>) -> PyResult<Table>;
}

/// Which of the tables is meant.
pub(crate) fn choose(py: Python<'_>, sources: &[Source], wanted: Wanted<'_>) -> PyResult<TableId> {
    let known = |id: TableId| sources.iter().any(|source| source.table == id);
    let chosen = match wanted.name {
        None => sources.first().map(|source| source.table),
        Some(name) => name.parse().ok().filter(|id| known(*id)),
    };
    chosen.ok_or_else(|| errors::raise(py, Error::invalid_argument(wanted.argument, "is no table of this answer")))
}

/// The table of a record. Which operation gave it counts where it is known, and then what its numbers refer to.
pub(crate) fn of_record(
    py: Python<'_>,
    sources: &[Source],
    wanted: Wanted<'_>,
    record: &impl Model,
    answer: Option<&Arc<ResponseMeta>>,
) -> PyResult<Table> {
    let id = choose(py, sources, wanted)?;
    let (operation, basis) = (answer.and_then(|answer| answer.operation()), record.basis());
    let fitting = || sources.iter().filter(|source| source.table == id);
    let source = fitting().find(|source| Some(source.operation) == operation);
    let source = source.or_else(|| fitting().find(|source| source.basis == basis)).or_else(|| fitting().next());
    let Some(source) = source else { return Err(errors::raise(py, Error::internal("a table without a source"))) };
    let core = py.detach(|| {
        let body = if source.list { serde_json::to_vec(&[record]) } else { serde_json::to_vec(record) };
        let body = body.map_err(|_| unwritable())?;
        let table = Core::read(id, source.operation, &body)?;
        match answer {
            Some(answer) => table.asked_by(answer, &body).map(|table| table.with_asked_columns(answer)),
            None => Ok(table),
        }
    });
    core.map(Table::of).map_err(|error| errors::raise(py, error))
}

/// The table of a list of records, each written as JSON.
pub(crate) fn of_list(py: Python<'_>, sources: &[Source], wanted: Wanted<'_>, records: &[Vec<u8>]) -> PyResult<Table> {
    let id = choose(py, sources, wanted)?;
    let source = sources.iter().find(|source| source.table == id);
    let Some(source) = source else { return Err(errors::raise(py, Error::internal("a table without a source"))) };
    let core = py.detach(|| {
        let body = [b"[".as_slice(), &records.join(b",".as_slice()), b"]"].concat();
        Core::read(id, source.operation, &body)
    });
    core.map(Table::of).map_err(|error| errors::raise(py, error))
}

/// What a record that cannot be written raises: none is known.
pub(crate) fn unwritable() -> Error {
    Error::with_reason(ErrorKind::Internal, "a record cannot be written")
}

/// The stream of an answer's first table.
pub(crate) fn stream<'py>(py: Python<'py>, answer: &impl Tabled) -> PyResult<Bound<'py, PyCapsule>> {
    answer.tabled(py, Wanted::default())?.__arrow_c_stream__(py, None)
}

/// What every answer with tables has.
macro_rules! tabled {
    ($class:ident) => {
        #[pyo3::pymethods]
        impl $class {
            #[doc = crate::generated::docs!(Records.table)]
            #[pyo3(signature = (name=None))]
            fn table(
                &self,
                py: pyo3::Python<'_>,
                #[pyo3(from_py_with = crate::given::methods::name)] name: Option<&str>,
            ) -> pyo3::PyResult<crate::table::Table> {
                crate::table::Tabled::tabled(self, py, crate::table::Wanted { argument: "name", name })
            }

            #[doc = crate::generated::docs!(Records.to_arrow)]
            #[pyo3(signature = (table=None, *, tz=None, time_unit=None))]
            fn to_arrow<'py>(
                &self,
                py: pyo3::Python<'py>,
                #[pyo3(from_py_with = crate::given::methods::table)] table: Option<&str>,
                tz: Option<pyo3::Bound<'py, pyo3::PyAny>>,
                #[pyo3(from_py_with = crate::given::methods::time_unit)] time_unit: Option<&str>,
            ) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                let table =
                    pyo3::Bound::new(py, crate::table::Tabled::tabled(self, py, crate::table::Wanted { argument: "table", name: table })?)?;
                crate::table::Table::to_arrow(&table, tz, time_unit)
            }

            #[doc = crate::generated::docs!(Records.to_polars)]
            #[pyo3(signature = (table=None, *, tz=None, time_unit=None))]
            fn to_polars<'py>(
                &self,
                py: pyo3::Python<'py>,
                #[pyo3(from_py_with = crate::given::methods::table)] table: Option<&str>,
                tz: Option<pyo3::Bound<'py, pyo3::PyAny>>,
                #[pyo3(from_py_with = crate::given::methods::time_unit)] time_unit: Option<&str>,
            ) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                let table =
                    pyo3::Bound::new(py, crate::table::Tabled::tabled(self, py, crate::table::Wanted { argument: "table", name: table })?)?;
                crate::table::Table::to_polars(&table, tz, time_unit)
            }

            #[doc = crate::generated::docs!(Records.to_pandas)]
            #[pyo3(signature = (table=None, *, dtype_backend=None, tz=None, time_unit=None, lists=false))]
            fn to_pandas<'py>(
                &self,
                py: pyo3::Python<'py>,
                #[pyo3(from_py_with = crate::given::methods::table)] table: Option<&str>,
                #[pyo3(from_py_with = crate::given::methods::dtype_backend)] dtype_backend: Option<&str>,
                tz: Option<pyo3::Bound<'py, pyo3::PyAny>>,
                #[pyo3(from_py_with = crate::given::methods::time_unit)] time_unit: Option<&str>,
                #[pyo3(from_py_with = crate::given::methods::lists)] lists: bool,
            ) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                let table =
                    pyo3::Bound::new(py, crate::table::Tabled::tabled(self, py, crate::table::Wanted { argument: "table", name: table })?)?;
                crate::table::Table::to_pandas(&table, dtype_backend, tz, time_unit, lists)
            }

            #[doc = crate::generated::docs!(Records.__arrow_c_stream__)]
            #[pyo3(signature = (requested_schema=None))]
            fn __arrow_c_stream__<'py>(
                &self,
                py: pyo3::Python<'py>,
                requested_schema: Option<pyo3::Bound<'py, pyo3::PyAny>>,
            ) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::types::PyCapsule>> {
                drop(requested_schema);
                crate::table::stream(py, self)
            }
        }
    };
}
pub(crate) use tabled;
