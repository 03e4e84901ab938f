//! Tables of responses, and the methods that convert them to data frames.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use vitalwire::operation::Provenance;
pub(crate) use vitalwire::table::RecordTable as Source;
use vitalwire::table::TableId;
use vitalwire::value::Model;
use vitalwire::{Error, ErrorKind};

use super::Table;
use crate::{errors, hints};

/// Requested table. Defaults to the first one.
#[derive(Clone, Copy, Default)]
pub(crate) struct TableRequest<'a> {
    /// Name of the argument, for errors.
    pub(crate) argument: &'static str,
    /// Name of the table.
    pub(crate) name: Option<&'a str>,
}

/// A response with tables.
pub(crate) trait TableResponse {
    fn create_table(&self, py: Python<'_>, request: TableRequest<'_>) -> PyResult<Table>;
}

/// Returns the source of the requested table.
pub(crate) fn choose(py: Python<'_>, tables: &[Source], request: TableRequest<'_>) -> PyResult<TableId> {
    Source::choose(tables, request.name).map_err(|error| {
        let mut names: Vec<&str> = tables.iter().map(|source| source.table.as_str()).collect();
        names.dedup();
        let note = hints::unknown_table(request.name.unwrap_or_default(), &names);
        errors::with_note(py, errors::raise(py, error.with_argument(request.argument)), &note)
    })
}

/// Parses the name of a table.
pub(crate) fn table_id(py: Python<'_>, name: &str) -> PyResult<TableId> {
    name.parse().map_err(|_| {
        let names: Vec<&str> = TableId::ALL.iter().map(|id| id.as_str()).collect();
        let error = errors::raise(py, Error::invalid_argument("name", "no table has this name"));
        errors::with_note(py, error, &hints::unknown_table(name, &names))
    })
}

/// Returns a table of a record.
pub(crate) fn from_record(
    py: Python<'_>,
    tables: &[Source],
    request: TableRequest<'_>,
    record: &impl Model,
    provenance: Option<&Arc<Provenance>>,
) -> PyResult<Table> {
    let id = choose(py, tables, request)?;
    let made = py.detach(|| Source::from_record(tables, id, record, provenance.map(|provenance| &**provenance)));
    made.map(Table::new).map_err(|error| {
        let note = error.argument().filter(|argument| argument.starts_with("include_")).map(hints::unrequested_rows);
        let raised = errors::raise(py, error);
        note.iter().fold(raised, |raised, note| errors::with_note(py, raised, note))
    })
}

/// Returns a table of a list of records, each serialized to JSON.
pub(crate) fn from_list(
    py: Python<'_>,
    tables: &[Source],
    request: TableRequest<'_>,
    records: &[Vec<u8>],
    provenance: Option<&Arc<Provenance>>,
) -> PyResult<Table> {
    let id = choose(py, tables, request)?;
    let made = py.detach(|| Source::from_list(tables, id, records, provenance.map(|provenance| &**provenance)));
    made.map(Table::new).map_err(|error| errors::raise(py, error))
}

/// Returns the error of a record that cannot be serialized. No such record is known.
pub(crate) fn unserializable() -> Error {
    Error::with_reason(ErrorKind::Internal, "a record cannot be serialized")
}

/// Returns the table with this name. Defaults to the first one.
pub(crate) fn named_table<'py>(py: Python<'py>, response: &impl TableResponse, name: Option<&str>) -> PyResult<Bound<'py, Table>> {
    Bound::new(py, response.create_table(py, TableRequest { argument: "table", name })?)
}

/// Exports the first table of a response as an Arrow stream.
pub(crate) fn stream<'py>(py: Python<'py>, response: &impl TableResponse) -> PyResult<Bound<'py, PyCapsule>> {
    response.create_table(py, TableRequest::default())?.__arrow_c_stream__(py, None)
}

/// Defines the methods of responses with tables.
macro_rules! table_methods {
    ($class:ident) => {
        #[pyo3::pymethods]
        impl $class {
            #[doc = crate::generated::docs!(Records.table)]
            #[pyo3(signature = (name=None, *, columns=None))]
            fn table(
                &self,
                py: pyo3::Python<'_>,
                #[pyo3(from_py_with = crate::arguments::methods::name)] name: Option<&str>,
                #[pyo3(from_py_with = crate::arguments::methods::columns)] columns: Option<crate::arguments::Texts>,
            ) -> pyo3::PyResult<crate::table::Table> {
                let table = crate::table::TableResponse::create_table(self, py, crate::table::TableRequest { argument: "name", name })?;
                table.only_columns(py, columns.as_ref())
            }

            #[doc = crate::generated::docs!(Records.to_arrow)]
            #[pyo3(signature = (table=None, *, columns=None, tz=None, time_unit=None))]
            fn to_arrow<'py>(
                &self,
                py: pyo3::Python<'py>,
                #[pyo3(from_py_with = crate::arguments::methods::table)] table: Option<&str>,
                #[pyo3(from_py_with = crate::arguments::methods::columns)] columns: Option<crate::arguments::Texts>,
                tz: Option<pyo3::Bound<'py, pyo3::PyAny>>,
                #[pyo3(from_py_with = crate::arguments::methods::time_unit)] time_unit: Option<&str>,
            ) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                let table = crate::table::named_table(py, self, table)?;
                crate::table::Table::to_arrow(&table, columns, tz, time_unit)
            }

            #[doc = crate::generated::docs!(Records.to_polars)]
            #[pyo3(signature = (table=None, *, columns=None, tz=None, time_unit=None, durations=None))]
            fn to_polars<'py>(
                &self,
                py: pyo3::Python<'py>,
                #[pyo3(from_py_with = crate::arguments::methods::table)] table: Option<&str>,
                #[pyo3(from_py_with = crate::arguments::methods::columns)] columns: Option<crate::arguments::Texts>,
                tz: Option<pyo3::Bound<'py, pyo3::PyAny>>,
                #[pyo3(from_py_with = crate::arguments::methods::time_unit)] time_unit: Option<&str>,
                #[pyo3(from_py_with = crate::arguments::methods::durations)] durations: Option<&str>,
            ) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                let table = crate::table::named_table(py, self, table)?;
                crate::table::Table::to_polars(&table, columns, tz, time_unit, durations)
            }

            #[allow(clippy::too_many_arguments, reason = "keyword arguments in Python")]
            #[doc = crate::generated::docs!(Records.to_pandas)]
            #[pyo3(signature = (table=None, *, columns=None, dtype_backend=None, tz=None, time_unit=None, lists=None, durations=None))]
            fn to_pandas<'py>(
                &self,
                py: pyo3::Python<'py>,
                #[pyo3(from_py_with = crate::arguments::methods::table)] table: Option<&str>,
                #[pyo3(from_py_with = crate::arguments::methods::columns)] columns: Option<crate::arguments::Texts>,
                #[pyo3(from_py_with = crate::arguments::methods::dtype_backend)] dtype_backend: Option<&str>,
                tz: Option<pyo3::Bound<'py, pyo3::PyAny>>,
                #[pyo3(from_py_with = crate::arguments::methods::time_unit)] time_unit: Option<&str>,
                #[pyo3(from_py_with = crate::arguments::methods::lists)] lists: Option<bool>,
                #[pyo3(from_py_with = crate::arguments::methods::durations)] durations: Option<&str>,
            ) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                let table = crate::table::named_table(py, self, table)?;
                crate::table::Table::to_pandas(&table, columns, dtype_backend, tz, time_unit, lists, durations)
            }

            #[doc = crate::generated::docs!(Records.to_parquet)]
            #[pyo3(signature = (path, table=None, *, tz=None, time_unit=None))]
            fn to_parquet<'py>(
                &self,
                py: pyo3::Python<'py>,
                path: pyo3::Bound<'py, pyo3::PyAny>,
                #[pyo3(from_py_with = crate::arguments::methods::table)] table: Option<&str>,
                tz: Option<pyo3::Bound<'py, pyo3::PyAny>>,
                #[pyo3(from_py_with = crate::arguments::methods::time_unit)] time_unit: Option<&str>,
            ) -> pyo3::PyResult<()> {
                crate::table::Table::to_parquet(&crate::table::named_table(py, self, table)?, path, tz, time_unit)
            }

            #[allow(clippy::too_many_arguments, reason = "keyword arguments in Python")]
            #[doc = crate::generated::docs!(Records.to_csv)]
            #[pyo3(signature = (path, table=None, *, tz=None, units=false, encoding="utf-8", escape_formulas=false))]
            fn to_csv<'py>(
                &self,
                py: pyo3::Python<'py>,
                path: &pyo3::Bound<'py, pyo3::PyAny>,
                #[pyo3(from_py_with = crate::arguments::methods::table)] table: Option<&str>,
                tz: Option<pyo3::Bound<'py, pyo3::PyAny>>,
                #[pyo3(from_py_with = crate::arguments::methods::units)] units: bool,
                #[pyo3(from_py_with = crate::arguments::methods::encoding)] encoding: &str,
                #[pyo3(from_py_with = crate::arguments::methods::escape_formulas)] escape_formulas: bool,
            ) -> pyo3::PyResult<()> {
                crate::table::Table::to_csv(&crate::table::named_table(py, self, table)?, path, tz, units, encoding, escape_formulas)
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
pub(crate) use table_methods;
