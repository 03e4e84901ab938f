//! Tables as Arrow record batches. Values and validity bitmaps move into the batch as they are; only booleans are packed anew.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, make_array, new_null_array};
use arrow_data::{ArrayData, ArrayDataBuilder};
use arrow_schema::{ArrowError, DataType, Field as ArrowField, Schema, SchemaRef, TimeUnit};

use super::{Column, ColumnData, ColumnKind, Field, Table, Texts};
use crate::error::Error;

/// Where a field's unit is in its metadata.
pub const UNIT: &str = "unit";

/// The time zone of instants.
const UTC: &str = "UTC";

impl Table {
    /// The schema of the record batch that [`Table::to_record_batch`] gives.
    ///
    /// Numbers are `Float64` and `Int64`, instants `Timestamp(Nanosecond, "UTC")`, local times `Timestamp(Nanosecond)` without a
    /// zone, dates `Date32`, lists `List<Utf8>`. A unit is in the field's metadata under [`UNIT`]. Nullable is what the specification
    /// lets be missing.
    #[must_use]
    pub fn arrow_schema(&self) -> SchemaRef {
        Arc::new(Schema::new(self.exported().map(|column| arrow_field(&column.field)).collect::<Vec<_>>()))
    }

    /// The table as an Arrow record batch, its values copied; see [`Table::arrow_schema`] and [`Table::with_empty_columns`].
    ///
    /// # Errors
    /// Internal, if a column does not fit its type: a defect.
    pub fn to_record_batch(&self) -> Result<RecordBatch, Error> {
        let arrays = self.exported().map(|column| array(column.clone(), self.rows)).collect();
        batch(self.arrow_schema(), arrays, self.rows)
    }

    /// The table as an Arrow record batch that takes over the table's memory. Booleans alone are copied: Arrow has eight in a byte.
    ///
    /// # Errors
    /// As [`Table::to_record_batch`].
    pub fn into_record_batch(self) -> Result<RecordBatch, Error> {
        let (schema, rows) = (self.arrow_schema(), self.rows);
        let arrays = self.into_exported().map(|column| array(column, rows)).collect();
        batch(schema, arrays, rows)
    }
}

fn batch(schema: SchemaRef, arrays: Result<Vec<ArrayRef>, ArrowError>, rows: usize) -> Result<RecordBatch, Error> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    let batch = arrays.and_then(|arrays| RecordBatch::try_new_with_options(schema, arrays, &options));
    // Arrow's text may hold a value, so it is no cause.
    batch.map_err(|_| Error::internal("a column does not fit its type"))
}

fn arrow_field(field: &Field) -> ArrowField {
    let metadata: HashMap<String, String> = field.unit.map(|unit| (UNIT.to_owned(), unit.to_owned())).into_iter().collect();
    ArrowField::new(field.name.as_ref(), data_type(field.kind), field.nullable).with_metadata(metadata)
}

fn data_type(kind: ColumnKind) -> DataType {
    match kind {
        ColumnKind::Number => DataType::Float64,
        ColumnKind::Integer => DataType::Int64,
        ColumnKind::Boolean => DataType::Boolean,
        ColumnKind::Text => DataType::Utf8,
        ColumnKind::Date => DataType::Date32,
        ColumnKind::Instant => DataType::Timestamp(TimeUnit::Nanosecond, Some(UTC.into())),
        ColumnKind::LocalTime => DataType::Timestamp(TimeUnit::Nanosecond, None),
        ColumnKind::TextList => DataType::List(Arc::new(ArrowField::new("item", DataType::Utf8, false))),
    }
}

fn array(column: Column, rows: usize) -> Result<ArrayRef, ArrowError> {
    let kind = data_type(column.field.kind);
    if column.is_empty() && rows > 0 {
        return Ok(new_null_array(&kind, rows));
    }
    let (data, present) = column.cells.into_parts();
    let array = ArrayData::builder(kind).len(rows).null_bit_buffer(present.map(Into::into));
    let array = match data {
        ColumnData::Number(values) => array.add_buffer(values.into()),
        ColumnData::Integer(values) | ColumnData::Instant(values) | ColumnData::LocalTime(values) => array.add_buffer(values.into()),
        ColumnData::Date(values) => array.add_buffer(values.into()),
        ColumnData::Boolean(values) => array.add_buffer(packed(&values).into()),
        ColumnData::Text(texts) => strings(array, texts),
        ColumnData::TextList(lists) => {
            let items = ArrayData::builder(DataType::Utf8).len(lists.items.len());
            array.add_buffer(offsets(lists.offsets).into()).add_child_data(strings(items, lists.items).build()?)
        }
    };
    Ok(make_array(array.build()?))
}

fn strings(array: ArrayDataBuilder, texts: Texts) -> ArrayDataBuilder {
    array.add_buffer(offsets(texts.offsets).into()).add_buffer(texts.text.into_bytes().into())
}

/// Offsets begin with 0, also where there is nothing.
fn offsets(mut values: Vec<i32>) -> Vec<i32> {
    if values.is_empty() {
        values.push(0);
    }
    values
}

/// Eight in a byte, the first in its lowest bit.
fn packed(values: &[bool]) -> Vec<u8> {
    values.chunks(8).map(|eight| eight.iter().rev().fold(0, |byte, value| byte << 1 | u8::from(*value))).collect()
}
