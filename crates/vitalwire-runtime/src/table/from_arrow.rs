//! Conversion of Arrow record batches to tables.

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int64Type, TimestampMicrosecondType, TimestampNanosecondType};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, TimeUnit as ArrowUnit};
use serde::de::value::Error as ValueError;

use super::cells::{Cells, Scalar};
use super::times::Time;
use super::to_arrow::column_kind;
use super::{Column, ColumnKind, Field, Table, TableSpec, TimeUnit, out_of_memory};
use crate::error::Error;

/// Documentation of a column that is not in the specification.
const DOC: &str = "A column that this version does not know.";

impl Table {
    /// Reads a table from a record batch created by [`Table::to_record_batch`]. Values are copied.
    ///
    /// Columns that are not in the batch have no values. Number columns keep the order of the batch, even without a value, and the table
    /// takes over its unit of time. A batch does not contain the count of skipped values ([`Table::skipped`]).
    ///
    /// # Errors
    /// `invalid_argument` if a column has an unexpected or unsupported type, or lacks a required value; `decode` if the strings of a
    /// column exceed 2 GiB.
    pub fn from_record_batch(table: impl Into<&'static TableSpec>, batch: &RecordBatch) -> Result<Self, Error> {
        Self::convert_batch(table.into(), batch)?.require_values()
    }

    /// Converts a batch to a table with all columns of the specification, which may lack required values.
    fn convert_batch(table: &'static TableSpec, batch: &RecordBatch) -> Result<Self, Error> {
        let mut table = Self::empty(table);
        table.rows = batch.num_rows();
        let mut next = 0;
        for (field, array) in batch.schema().fields().iter().zip(batch.columns()) {
            let known = table.columns.iter().position(|column| column.field.name == *field.name());
            let kind = match known.and_then(|at| table.columns.get(at)) {
                Some(column) => Some(column.field.kind),
                None => column_kind(field.data_type()),
            };
            let kind = kind.filter(|kind| column_kind(array.data_type()) == Some(*kind));
            let kind = kind.ok_or_else(|| Error::invalid_argument("batch", "every column must have a type that the table supports"))?;
            let at = known.unwrap_or_else(|| {
                let at = if kind == ColumnKind::LocalTime { next } else { table.columns.len() };
                let field = Field { name: field.name().clone().into(), kind, unit: None, nullable: true, doc: DOC };
                table.columns.insert(at, Column::new(field));
                at
            });
            next = at + 1;
            if matches!(array.data_type(), DataType::Timestamp(ArrowUnit::Nanosecond, _)) {
                table.time_unit = TimeUnit::Nanosecond;
            }
            if let Some(column) = table.columns.get_mut(at) {
                column.cells = read_cells(kind, array)
                    .map_err(out_of_memory)?
                    .ok_or_else(|| Error::invalid_argument("batch", "every time must be within the supported range"))?;
            }
        }
        table.finish::<ValueError>().map_err(out_of_memory)?;
        Ok(table.restore_column_order(batch.schema().fields().iter().map(|field| field.name().as_str()).collect()))
    }

    fn require_values(self) -> Result<Self, Error> {
        let lacks = |column: &Column| !column.field.nullable && (0..self.rows).any(|row| column.is_missing(row));
        if self.columns.iter().any(lacks) {
            return Err(Error::invalid_argument("batch", "a required column must have a value in every row"));
        }
        Ok(self)
    }

    /// Restores the columns of an export: number columns without a value, and a changed order.
    fn restore_column_order(mut self, names: Vec<&str>) -> Self {
        let position = |name: &&str| self.columns.iter().position(|column| column.field.name == **name);
        let positions: Vec<usize> = names.iter().filter_map(position).collect();
        if !positions.is_sorted() {
            return self.with_columns(names);
        }
        for at in positions {
            if let Some(column) = self.columns.get_mut(at) {
                column.always = true;
            }
        }
        self
    }

    /// Restores the column selection of a table exported after [`Table::only_columns`]. Removes columns that are not in the batch, and
    /// restores the column order.
    #[cfg(feature = "arrow-ipc")]
    fn restore_selection(mut self, batch: &RecordBatch) -> Self {
        let schema = batch.schema();
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        if self.exported().map(|column| &*column.field.name).eq(names.iter().copied()) {
            return self;
        }
        self.columns.retain(|column| names.contains(&&*column.field.name));
        self.columns.sort_by_cached_key(|column| names.iter().position(|name| column.field.name == **name));
        self.columns.iter_mut().for_each(|column| column.always = true);
        self
    }

    /// Reads a table from an Arrow IPC stream written by [`Table::write_arrow_stream`]. The bytes may be untrusted. If the stream was
    /// written from a table of selected columns, the result has only these columns.
    ///
    /// # Errors
    /// `invalid_argument` if the bytes are not such a stream, a column has an unexpected type, or a column lacks a required value.
    #[cfg(feature = "arrow-ipc")]
    pub fn read_arrow_stream(table: impl Into<&'static TableSpec>, stream: &[u8]) -> Result<Self, Error> {
        let table = table.into();
        let batch = super::arrow_reader::read_batch(stream);
        let invalid = || Error::invalid_argument("stream", "must be an Arrow stream of this table");
        let read = |batch: RecordBatch| Self::convert_batch(table, &batch)?.restore_selection(&batch).require_values();
        batch.and_then(|batch| read(batch).ok()).ok_or_else(invalid)
    }
}

/// Converts an array to cells. Returns `None` if the table cannot represent one of its times.
fn read_cells(kind: ColumnKind, array: &dyn Array) -> Result<Option<Cells>, ValueError> {
    let mut cells = Cells::new(kind);
    cells.expected_rows = array.len();
    for row in (0..array.len()).filter(|row| array.is_valid(*row)) {
        let value = match kind {
            ColumnKind::Number => Scalar::Number(array.as_primitive::<Float64Type>().value(row)),
            ColumnKind::Integer => Scalar::Integer(array.as_primitive::<Int64Type>().value(row)),
            ColumnKind::Boolean => Scalar::Boolean(array.as_boolean().value(row)),
            ColumnKind::Text => Scalar::Text(array.as_string::<i32>().value(row)),
            ColumnKind::Date => Scalar::Date(array.as_primitive::<Date32Type>().value(row)),
            ColumnKind::Instant | ColumnKind::LocalTime => match read_time(array, row) {
                Some(time) => Scalar::Time(time),
                None => return Ok(None),
            },
            ColumnKind::TextList => {
                let items = array.as_list::<i32>().value(row);
                cells.make_room(row)?;
                items.as_string::<i32>().iter().flatten().try_for_each(|item| cells.push_item(item))?;
                cells.end_list()?;
                continue;
            }
        };
        cells.put::<ValueError>(row, value)?;
    }
    Ok(Some(cells))
}

fn read_time(array: &dyn Array, row: usize) -> Option<Time> {
    match array.as_primitive_opt::<TimestampMicrosecondType>() {
        Some(microseconds) => Time::from_microseconds(microseconds.value(row)),
        None => Time::from_nanoseconds(array.as_primitive_opt::<TimestampNanosecondType>()?.value(row)),
    }
}
