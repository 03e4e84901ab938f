//! Conversion of tables to Arrow record batches. A batch shares values and validity bitmaps with its table. Only booleans, and times in
//! nanoseconds, are copied.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, make_array, new_null_array};
use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType, Field as ArrowField, Schema, SchemaRef, TimeUnit as ArrowUnit};
use bytes::Bytes;

use super::cells::Cells;
use super::{ColumnData, ColumnKind, Field, Table, TimeUnit, Times};
use crate::error::Error;

/// Metadata key of a field's unit.
pub const UNIT: &str = "unit";

/// Time zone of instants.
const UTC: &str = "UTC";

impl Table {
    /// Returns the schema of the record batch that [`Table::to_record_batch`] creates.
    ///
    /// Numbers are `Float64` and `Int64`, dates `Date32`, and lists `List<Utf8>`. Instants are `Timestamp(Microsecond, "UTC")`, and local
    /// times `Timestamp(Microsecond)` without a zone. [`Table::with_time_unit`] can change their unit to nanoseconds. The metadata of a
    /// field contains its unit under [`UNIT`]. A field is nullable if the specification allows missing values.
    #[must_use]
    pub fn arrow_schema(&self) -> SchemaRef {
        Arc::new(Schema::new(self.exported().map(|column| arrow_field(&column.field, self.time_unit)).collect::<Vec<_>>()))
    }

    /// Copies the table to an Arrow record batch; see [`Table::arrow_schema`] and [`Table::with_empty_columns`].
    ///
    /// Other Arrow libraries can use the batch directly. To write a Parquet file, use the crate `parquet` with its feature `arrow`. Its
    /// major version must be the same as that of this crate's `arrow-array`:
    ///
    /// ```ignore
    /// use parquet::arrow::ArrowWriter;
    ///
    /// let batch = table.to_record_batch()?;
    /// let mut file = ArrowWriter::try_new(std::fs::File::create("days.parquet")?, batch.schema(), None)?;
    /// file.write(&batch)?;
    /// file.close()?;
    /// ```
    ///
    /// # Errors
    /// `internal` if a column does not match its type, which is a bug.
    pub fn to_record_batch(&self) -> Result<RecordBatch, Error> {
        self.clone().into_record_batch()
    }

    /// Converts the table to an Arrow record batch that takes over the table's memory. Booleans are copied, because Arrow packs eight
    /// into a byte, and so are times in nanoseconds.
    ///
    /// # Errors
    /// The errors of [`Table::to_record_batch`].
    pub fn into_record_batch(self) -> Result<RecordBatch, Error> {
        Arc::new(self).shared_record_batch()
    }

    /// Returns an Arrow record batch that shares the table's memory and keeps it alive. Booleans and times in nanoseconds are copied.
    ///
    /// # Errors
    /// The errors of [`Table::to_record_batch`].
    pub fn shared_record_batch(self: &Arc<Self>) -> Result<RecordBatch, Error> {
        let exported = self.columns.iter().enumerate().filter(|(_, column)| self.exports(column)).map(|(at, _)| at);
        new_batch(self.arrow_schema(), exported.map(|at| column_array(self, at)).collect(), self.rows)
    }
}

fn new_batch(schema: SchemaRef, arrays: Result<Vec<ArrayRef>, ArrowError>, rows: usize) -> Result<RecordBatch, Error> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    let batch = arrays.and_then(|arrays| RecordBatch::try_new_with_options(schema, arrays, &options));
    // Arrow's error text may contain a value, so it is not kept as the cause.
    batch.map_err(|_| Error::internal("a column does not match its type"))
}

fn arrow_field(field: &Field, unit: TimeUnit) -> ArrowField {
    let metadata: HashMap<String, String> = field.unit.map(|unit| (UNIT.to_owned(), unit.to_owned())).into_iter().collect();
    ArrowField::new(field.name.as_ref(), data_type(field.kind, unit), field.nullable).with_metadata(metadata)
}

fn data_type(kind: ColumnKind, unit: TimeUnit) -> DataType {
    let unit = match unit {
        TimeUnit::Microsecond => ArrowUnit::Microsecond,
        TimeUnit::Nanosecond => ArrowUnit::Nanosecond,
    };
    match kind {
        ColumnKind::Number => DataType::Float64,
        ColumnKind::Integer => DataType::Int64,
        ColumnKind::Boolean => DataType::Boolean,
        ColumnKind::Text => DataType::Utf8,
        ColumnKind::Date => DataType::Date32,
        ColumnKind::Instant => DataType::Timestamp(unit, Some(UTC.into())),
        ColumnKind::LocalTime => DataType::Timestamp(unit, None),
        ColumnKind::TextList => DataType::List(Arc::new(ArrowField::new("item", DataType::Utf8, false))),
    }
}

/// Returns the kind of column that exports as this type, in either unit of time.
pub(super) fn column_kind(exported: &DataType) -> Option<ColumnKind> {
    let units = [TimeUnit::Microsecond, TimeUnit::Nanosecond];
    COLUMN_KINDS.into_iter().find(|kind| units.iter().any(|unit| data_type(*kind, *unit) == *exported))
}

const COLUMN_KINDS: [ColumnKind; 8] = [
    ColumnKind::Number,
    ColumnKind::Integer,
    ColumnKind::Boolean,
    ColumnKind::Text,
    ColumnKind::Date,
    ColumnKind::Instant,
    ColumnKind::LocalTime,
    ColumnKind::TextList,
];

/// Memory of a column, which keeps the whole table alive.
struct ColumnBytes {
    table: Arc<Table>,
    column: usize,
    bytes: fn(&Cells) -> &[u8],
}

impl AsRef<[u8]> for ColumnBytes {
    fn as_ref(&self) -> &[u8] {
        self.table.columns.get(self.column).map(|column| (self.bytes)(&column.cells)).unwrap_or_default()
    }
}

fn column_array(table: &Arc<Table>, at: usize) -> Result<ArrayRef, ArrowError> {
    let (Some(column), rows) = (table.columns.get(at), table.rows) else {
        return Err(ArrowError::SchemaError("the table has no column with this index".to_owned()));
    };
    let kind = data_type(column.field.kind, table.time_unit);
    if column.is_empty() && rows > 0 {
        return Ok(new_null_array(&kind, rows));
    }
    let part = |bytes: fn(&Cells) -> &[u8]| Bytes::from_owner(ColumnBytes { table: Arc::clone(table), column: at, bytes });
    let array = ArrayData::builder(kind).len(rows).null_bit_buffer(column.cells.bitmap().map(|_| part(bitmap).into()));
    let array = match column.data() {
        ColumnData::Instant(times) | ColumnData::LocalTime(times) if table.time_unit == TimeUnit::Nanosecond => {
            array.add_buffer(nanoseconds(times).into())
        }
        ColumnData::Number(_) | ColumnData::Integer(_) | ColumnData::Instant(_) | ColumnData::LocalTime(_) | ColumnData::Date(_) => {
            array.add_buffer(part(values).into())
        }
        ColumnData::Boolean(values) => array.add_buffer(pack_bits(values).into()),
        ColumnData::Text(texts) => array.add_buffer(offsets(&texts.offsets, part(values))).add_buffer(part(text).into()),
        ColumnData::TextList(lists) => {
            let items = ArrayData::builder(DataType::Utf8).len(lists.items.len());
            let items = items.add_buffer(offsets(&lists.items.offsets, part(item_offsets))).add_buffer(part(text).into());
            array.add_buffer(offsets(&lists.offsets, part(values))).add_child_data(items.build()?)
        }
    };
    Ok(make_array(array.build()?))
}

/// Returns the validity bitmap.
fn bitmap(cells: &Cells) -> &[u8] {
    cells.bitmap().unwrap_or_default()
}

/// Returns the values, or the offsets of texts and lists.
fn values(cells: &Cells) -> &[u8] {
    match &cells.data {
        ColumnData::Number(values) => bytemuck::cast_slice(values),
        ColumnData::Integer(values) => bytemuck::cast_slice(values),
        ColumnData::Instant(times) | ColumnData::LocalTime(times) => bytemuck::cast_slice(times.microseconds()),
        ColumnData::Date(values) => bytemuck::cast_slice(values),
        ColumnData::Text(texts) => bytemuck::cast_slice(&texts.offsets),
        ColumnData::TextList(lists) => bytemuck::cast_slice(&lists.offsets),
        ColumnData::Boolean(_) => &[],
    }
}

/// Returns times in nanoseconds. [`Table::with_time_unit`] has removed times that overflow.
fn nanoseconds(times: &Times) -> Vec<i64> {
    (0..times.len()).map(|at| times.nanoseconds(at).unwrap_or_default()).collect()
}

/// Returns the end offsets of list items.
fn item_offsets(cells: &Cells) -> &[u8] {
    match &cells.data {
        ColumnData::TextList(lists) => bytemuck::cast_slice(&lists.items.offsets),
        _ => &[],
    }
}

/// Returns the bytes of texts, or of list items.
fn text(cells: &Cells) -> &[u8] {
    match &cells.data {
        ColumnData::Text(texts) => texts.text.as_bytes(),
        ColumnData::TextList(lists) => lists.items.text.as_bytes(),
        _ => &[],
    }
}

/// Returns the offsets. Arrow requires a leading 0 even without values.
fn offsets(values: &[i32], shared: Bytes) -> Buffer {
    if values.is_empty() { vec![0_i32].into() } else { shared.into() }
}

/// Packs eight booleans into a byte, the first in the lowest bit.
fn pack_bits(values: &[bool]) -> Vec<u8> {
    values.chunks(8).map(|eight| eight.iter().rev().fold(0, |byte, value| byte << 1 | u8::from(*value))).collect()
}
