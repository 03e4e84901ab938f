//! Parquet files: encoding, decoding, and checks against the manifest.

use std::collections::BTreeMap;

use arrow_array::{Array as _, RecordBatch};
use arrow_schema::Schema;
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::properties::WriterProperties;
use vitalwire::table::{Column, ColumnData, Table};

use super::manifest::FileManifest;
use super::names::{NO_MONTH, month_of, part_name};
use crate::CohortTable;
use crate::USER;
use crate::error::CohortError;
use crate::pseudonym::PseudonymRule;
use crate::storage::{Storage, checksum};
use vitalwire_sync::internal::RecordColumns;
use vitalwire_sync::internal::date_of;

/// Maximum number of rows of a row group. Rows are sorted by user, so that readers can skip groups.
const ROW_GROUP: usize = 65_536;

/// Number of rows that are decoded at a time, and the maximum size of all decoded rows. A small hostile file can have large columns.
const DECODED_ROWS: usize = 8_192;
const MAX_DECODED_BYTES: usize = 1 << 30;

/// Minimum number of rows of a compressed file.
const COMPRESSED_ROWS: u64 = 2_048;

/// Remedy for a file that differs from the manifest.
pub(super) const REPAIR: &str = "repair the dataset to request its days again";

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Compares a file with the manifest. Returns the difference.
pub(super) fn difference(content: Option<&[u8]>, file: &FileManifest) -> Option<&'static str> {
    match content {
        None => Some("the file is missing"),
        Some(content) if content.len() as u64 != file.bytes => Some("the size of the file differs from the manifest"),
        Some(content) if checksum(content) != file.sha256 => Some("the checksum of the file differs from the manifest"),
        Some(_) => None,
    }
}

/// Reads a part file, after comparing it with the manifest.
pub(super) fn read(storage: &Storage, table: CohortTable, month: &str, block: u32, file: &FileManifest) -> Result<Table, CohortError> {
    let name = part_name(table, month, block);
    let path = storage.path(&name);
    let content = storage.read(&name, file.bytes)?;
    if let Some(reason) = difference(content.as_deref(), file) {
        return Err(CohortError::dataset(&path, format!("{reason}; {REPAIR}")));
    }
    decode(table, content.unwrap_or_default(), file.rows)
        .map_err(|_| CohortError::dataset(&path, format!("the Parquet file is damaged; {REPAIR}")))
}

fn decode(table: CohortTable, content: Vec<u8>, rows: u64) -> Result<Table, BoxError> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(content))?;
    if u64::try_from(reader.metadata().file_metadata().num_rows()) != Ok(rows) {
        return Err("the number of rows differs from the manifest".into());
    }
    // The reader panics on negative numbers.
    let is_negative = |column: &ColumnChunkMetaData| {
        [column.data_page_offset(), column.dictionary_page_offset().unwrap_or_default(), column.compressed_size()].iter().any(|n| *n < 0)
    };
    if reader.metadata().row_groups().iter().flat_map(|group| group.columns()).any(is_negative) {
        return Err("the offset or size of a column is negative".into());
    }
    let (mut all, mut bytes): (Option<Table>, usize) = (None, 0);
    for batch in reader.with_batch_size(DECODED_ROWS).build()? {
        let batch = batch?;
        bytes = bytes.saturating_add(batch.get_array_memory_size());
        if bytes > MAX_DECODED_BYTES {
            return Err("the rows exceed the memory limit".into());
        }
        let rows = Table::from_record_batch(table.id(), &batch)?;
        match &mut all {
            Some(all) => all.append(rows)?,
            None => all = Some(rows),
        }
    }
    Ok(all.map_or_else(|| table.empty(), Ok)?)
}

/// A part file that was encoded.
pub(super) struct Encoded {
    pub(super) content: Vec<u8>,
    pub(super) file: FileManifest,
    /// The rows, in the order of the file.
    pub(super) rows: RecordBatch,
}

/// Encodes rows, sorted by user and time. Leaves out the columns of a rule, which rows of an earlier file have again.
pub(super) fn encode(table: CohortTable, rows: Table, rule: PseudonymRule) -> Result<Encoded, BoxError> {
    let count = rows.len() as u64;
    let batch = with_stable_schema(table, sorted(table, rule.without_details(rows))?.into_record_batch()?)?;
    // The library creates a compressor for each column, which takes longer than writing a small file.
    let compression = if count < COMPRESSED_ROWS { Compression::UNCOMPRESSED } else { Compression::ZSTD(ZstdLevel::default()) };
    let properties = WriterProperties::builder().set_compression(compression).set_max_row_group_row_count(Some(ROW_GROUP)).build();
    let mut content = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut content, batch.schema(), Some(properties))?;
    writer.write(&batch)?;
    writer.close()?;
    let file = FileManifest { rows: count, bytes: content.len() as u64, sha256: checksum(&content) };
    Ok(Encoded { content, file, rows: batch })
}

/// Makes `user` the first column, as in new rows. Declares the same columns as nullable in each file of a table: those that the specification
/// does, and undeclared ones.
fn with_stable_schema(table: CohortTable, batch: RecordBatch) -> Result<RecordBatch, BoxError> {
    let mut order: Vec<usize> = (0..batch.num_columns()).collect();
    order.sort_by_key(|at| batch.schema().field(*at).name() != USER);
    let batch = batch.project(&order)?;
    let schema = batch.schema();
    let required = |name: &str| name == USER || table.id().spec().fields().iter().any(|field| field.name == name && !field.nullable);
    let fields: Vec<_> = schema
        .fields()
        .iter()
        .zip(batch.columns())
        .map(|(field, column)| {
            let is_nullable = !required(field.name()) || column.null_count() > 0;
            field.as_ref().clone().with_nullable(is_nullable)
        })
        .collect();
    Ok(RecordBatch::try_new(Schema::new_with_metadata(fields, schema.metadata().clone()).into(), batch.columns().to_vec())?)
}

/// Sorts rows by user, time and id.
fn sorted(table: CohortTable, rows: Table) -> Result<Table, BoxError> {
    let columns = RecordColumns::new(table, &rows);
    let (users, key) = (rows.column(USER), rows.column(table.key()));
    // The id makes the order independent of the order of writes.
    let sort_key = |row: &usize| (text(users, *row), columns.time(*row), text(key, *row));
    let mut order: Vec<usize> = (0..rows.len()).collect();
    if order.is_sorted_by_key(sort_key) {
        return Ok(rows);
    }
    order.sort_by(|one, other| sort_key(one).cmp(&sort_key(other)));
    Ok(rows.take(&order)?)
}

/// Returns the indexes of rows by month, such as `2025-01`.
pub(super) fn rows_by_month(columns: &RecordColumns<'_>, rows: impl IntoIterator<Item = usize>) -> BTreeMap<String, Vec<usize>> {
    let mut months: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut last: Option<(Option<i32>, String)> = None;
    for row in rows {
        let day = columns.day(row);
        let month = match last.take() {
            Some((before, month)) if before == day => month,
            _ => day.and_then(date_of).map_or_else(|| NO_MONTH.to_owned(), month_of),
        };
        match months.get_mut(&month) {
            Some(rows) => rows.push(row),
            None => drop(months.insert(month.clone(), vec![row])),
        }
        last = Some((day, month));
    }
    months
}

/// Returns a text of a column. Empty if the row has none.
pub(super) fn text(column: Option<&Column>, row: usize) -> &str {
    match column.map(|column| (column.data(), column.is_missing(row))) {
        Some((ColumnData::Text(texts), false)) => texts.get(row),
        _ => "",
    }
}
