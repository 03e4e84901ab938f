//! Tables: responses as columns, read directly from JSON.
//!
//! The specification defines rows, columns, units, and which values may be missing ([`TableSpec`]). A missing value is never read as 0.
//!
//! Tables can be exported as Arrow record batches (feature `arrow`), Arrow streams and files (`arrow-ipc`) and CSV (`csv`). The crate
//! `parquet` writes record batches as Parquet files; see the example of `Table::to_record_batch`.

#[cfg(feature = "arrow-ipc")]
mod arrow_files;
#[cfg(feature = "arrow-ipc")]
mod arrow_reader;
mod cells;
mod column_data;
#[cfg(feature = "csv")]
mod csv;
mod data_loss;
pub(crate) mod decode;
mod exported_columns;
#[cfg(feature = "arrow")]
mod from_arrow;
mod growth;
#[cfg(feature = "time-zones")]
mod local_time;
#[doc(hidden)]
pub mod read_plan;
mod requested_columns;
mod rows;
mod selection;
mod spec;
mod texts;
mod time_unit;
mod times;
#[cfg(feature = "arrow")]
mod to_arrow;
mod validity;

use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::de::value::Error as ValueError;

#[cfg(feature = "csv")]
pub use self::csv::CsvOptions;
pub(crate) use self::data_loss::SkipCounts;
pub use self::data_loss::Skipped;
pub(crate) use self::rows::RowKeyValue;
pub(crate) use self::selection::ColumnSelection;
pub use self::spec::{ColumnKind, Field, TableSpec, UnknownTable};
pub use self::texts::{TextLists, Texts};
pub use self::times::{TimeUnit, Times};
#[cfg(feature = "arrow")]
pub use self::to_arrow::UNIT;
use crate::error::{Error, ErrorKind};
use crate::value::NumberBasis;
use cells::Cells;

/// Rows of one kind, stored as columns.
#[derive(Clone)]
pub struct Table {
    spec: &'static TableSpec,
    columns: Vec<Column>,
    rows: usize,
    skipped: SkipCounts,
    time_unit: TimeUnit,
    /// Whether exports include number columns without a value.
    empty_columns: bool,
}

/// A column of a [`Table`].
#[derive(Clone)]
pub struct Column {
    field: Field,
    cells: Cells,
    /// Whether exports include the column even if no row has a value.
    always: bool,
}

/// Values of a column, one per row. A missing value ([`Column::is_missing`]) is stored as an empty one. If no row has a value, there are
/// no values at all.
#[derive(Clone)]
#[non_exhaustive]
pub enum ColumnData {
    /// Doubles.
    Number(Vec<f64>),
    /// Integers.
    Integer(Vec<i64>),
    /// True or false.
    Boolean(Vec<bool>),
    /// Texts.
    Text(Texts),
    /// Days since 1970-01-01.
    Date(Vec<i32>),
    /// Instants, since 1970-01-01T00:00:00Z.
    Instant(Times),
    /// Wall-clock times, since 1970-01-01T00:00:00 on the same clock.
    LocalTime(Times),
    /// Lists of texts.
    TextList(TextLists),
}

impl ColumnData {
    /// Number of values: the number of rows, or 0.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Number(values) => values.len(),
            Self::Integer(values) => values.len(),
            Self::Instant(times) | Self::LocalTime(times) => times.len(),
            Self::Boolean(values) => values.len(),
            Self::Text(texts) => texts.len(),
            Self::Date(values) => values.len(),
            Self::TextList(lists) => lists.len(),
        }
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Column {
    fn new(field: Field) -> Self {
        Self { cells: Cells::new(field.kind), field, always: false }
    }

    /// Name, kind, unit and documentation.
    #[must_use]
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// The values.
    #[must_use]
    pub fn data(&self) -> &ColumnData {
        &self.cells.data
    }

    /// Whether the value of a row is missing.
    #[must_use]
    pub fn is_missing(&self, row: usize) -> bool {
        self.cells.is_missing(row)
    }

    /// Whether no row has a value. Such a column uses no memory.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.rows() == 0
    }
}

impl Table {
    /// Reads a table from the body of a response. `operation` is the id of the operation that returned it.
    ///
    /// # Errors
    /// `invalid_argument` if the operation's response does not have the table; `decode`, with the path, if the body does not match the
    /// specification.
    pub fn read(table: impl Into<&'static TableSpec>, operation: &str, body: &[u8]) -> Result<Self, Error> {
        let spec = table.into();
        let source = find_source(spec, operation)?;
        read_table(spec, source, source.basis, body)
    }

    /// Like [`Table::read`], for a single record whose basis of numbers is known.
    ///
    /// # Errors
    /// The errors of [`Table::read`].
    pub fn read_as(table: impl Into<&'static TableSpec>, operation: &str, basis: NumberBasis, body: &[u8]) -> Result<Self, Error> {
        let spec = table.into();
        let source = find_source(spec, operation)?;
        read_table(spec, source, Some(basis.as_str()), body)
    }

    /// Creates a table without rows.
    #[must_use]
    pub fn empty(table: impl Into<&'static TableSpec>) -> Self {
        let spec = table.into();
        let columns = spec.fields.iter().map(|field| Column::new(field.clone())).collect();
        Self { spec, columns, rows: 0, skipped: SkipCounts::default(), time_unit: TimeUnit::default(), empty_columns: false }
    }

    /// Appends the rows of another table of the same kind. Values of columns that only one table has are missing in the rows of the other.
    ///
    /// # Errors
    /// `invalid_argument` for a table of another kind; `decode` if the strings of a column would exceed 2 GiB. This table is then
    /// unchanged.
    pub fn append(&mut self, other: Self) -> Result<(), Error> {
        if other.spec != self.spec {
            return Err(Error::invalid_argument("table", "must be a table of the same kind"));
        }
        let mut positions: HashMap<String, usize> =
            self.columns.iter().enumerate().map(|(at, column)| (column.field.name.clone().into_owned(), at)).collect();
        let before = (self.rows, self.columns.len());
        let names: HashSet<String> = other.columns.iter().map(|column| column.field.name.clone().into_owned()).collect();
        let is_nullable = |column: &Column| column.field.nullable || (other.rows > 0 && !names.contains(&*column.field.name));
        self.columns.iter_mut().for_each(|column| column.field.nullable = is_nullable(column));
        for mut column in other.columns {
            column.field.nullable |= before.0 > 0 && !positions.contains_key(&*column.field.name);
            let at = *positions.entry(column.field.name.clone().into_owned()).or_insert_with(|| {
                self.columns.push(Column::new(column.field.clone()));
                self.columns.len() - 1
            });
            let Some(target) = self.columns.get_mut(at) else { continue };
            target.always |= column.always;
            target.field.nullable |= column.field.nullable;
            if let Err(error) = target.cells.append::<ValueError>(self.rows, column.cells) {
                self.columns.truncate(before.1);
                self.columns.iter_mut().for_each(|column| column.cells.truncate(before.0));
                self.finish::<ValueError>().map_err(out_of_memory)?;
                return Err(out_of_memory(error));
            }
        }
        self.rows += other.rows;
        self.skipped.add(&other.skipped);
        self.finish::<ValueError>().map_err(out_of_memory)?;
        self.drop_unrepresentable_times()
    }

    /// Extends all columns that have a value to the number of rows, with missing values.
    fn finish<E: serde::de::Error>(&mut self) -> Result<(), E> {
        self.columns.iter_mut().try_for_each(|column| column.cells.finish(self.rows))
    }

    /// Description of the table.
    #[must_use]
    pub fn spec(&self) -> &'static TableSpec {
        self.spec
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Returns the columns: first those of the specification, then numbers with undeclared names. Derived local times follow their
    /// instants. [`Table::with_columns`] changes the order of numbers.
    pub fn columns(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter()
    }

    /// Returns the column with this name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.field.name == name)
    }

    /// Makes exports include all number columns of the specification, even if no row has a value. By default they are excluded, because a
    /// number map has dozens of declared names, of which a record uses few.
    #[must_use]
    pub fn with_empty_columns(mut self) -> Self {
        self.empty_columns = true;
        self
    }
}

/// Creates the error for strings that exceed 2 GiB.
fn out_of_memory(_: ValueError) -> Error {
    Error::with_reason(ErrorKind::Decode, "must not exceed the memory limit")
}

fn read_table(
    spec: &'static TableSpec,
    source: &'static read_plan::TableSource,
    basis: Option<&'static str>,
    body: &[u8],
) -> Result<Table, Error> {
    decode::read_table(spec, source, basis, body, false, None).map(|read| read.value).map_err(Error::from_decode_failure)
}

/// Reads a table with the general decoder only, to compare the fast one with it.
///
/// # Errors
/// Same as [`Table::read`].
#[cfg(feature = "__fuzzing")]
#[doc(hidden)]
pub fn read_table_by_serde(spec: &'static TableSpec, operation: &str, body: &[u8]) -> Result<Table, Error> {
    let source = find_source(spec, operation)?;
    decode::read_table_by_serde(spec, source, body).map(|read| read.value).map_err(Error::from_decode_failure)
}

/// Returns the plan for reading the response of an operation into a table.
#[doc(hidden)]
pub fn find_source(spec: &'static TableSpec, operation: &str) -> Result<&'static read_plan::TableSource, Error> {
    let source = spec.sources.iter().find(|source| source.operation == operation);
    source.ok_or_else(|| Error::invalid_argument("table", "must be a table of the operation's response"))
}

/// Redacted: shows the name of the table and its size.
impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("name", &self.spec.name)
            .field("rows", &self.rows)
            .field("skipped", &self.skipped())
            .finish_non_exhaustive()
    }
}

/// Redacted: shows the name of the column and its size.
impl fmt::Debug for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Column").field("kind", &self.field.kind).field("values", &self.cells.data.len()).finish_non_exhaustive()
    }
}
