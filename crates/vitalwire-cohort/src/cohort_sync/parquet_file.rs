//! Files of changes as Parquet.

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use arrow_array::builder::{Date32Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use serde::Deserialize;
use serde_json::Value;
use vitalwire::value::Date;
use vitalwire_sync::internal::day_number;

/// Number of changes that are encoded at a time.
const BATCH: i64 = 8_192;

/// A line of JSON.
#[derive(Deserialize)]
struct Line {
    user: String,
    kind: String,
    change: String,
    id: Option<String>,
    day: Option<String>,
    before: Option<String>,
    after: Option<String>,
    rows: Option<Value>,
}

/// Columns of the changes: the fields of the lines, and `number`, the position of a change in its file.
#[derive(Default)]
struct Columns {
    numbers: Int64Builder,
    texts: [StringBuilder; 7],
    days: Date32Builder,
}

/// Writes lines of JSON as Parquet.
///
/// # Errors
/// Kind `InvalidData` if a line is not a change in JSON.
pub(super) fn write_parquet(lines: impl BufRead, out: impl Write + Send) -> io::Result<()> {
    let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default())).build();
    let schema = schema();
    let mut writer = ArrowWriter::try_new(out, SchemaRef::clone(&schema), Some(properties)).map_err(io_error)?;
    let mut columns = Columns::default();
    for (number, line) in (0..).zip(lines.lines()) {
        let line: Line = serde_json::from_str(&line?).map_err(|_| invalid())?;
        columns.append(number, line)?;
        if number % BATCH == BATCH - 1 {
            writer.write(&columns.finish(&schema)?).map_err(io_error)?;
        }
    }
    writer.write(&columns.finish(&schema)?).map_err(io_error)?;
    writer.close().map_err(io_error).map(drop)
}

fn schema() -> SchemaRef {
    let text = |name, nullable| Field::new(name, DataType::Utf8, nullable);
    let fields = [
        Field::new("number", DataType::Int64, false),
        text("user", false),
        text("kind", false),
        text("change", false),
        text("id", true),
        Field::new("day", DataType::Date32, true),
        text("before", true),
        text("after", true),
        text("rows", true),
    ];
    Arc::new(Schema::new(fields.to_vec()))
}

impl Columns {
    fn append(&mut self, number: i64, line: Line) -> io::Result<()> {
        let day = line.day.map(|day| day.parse::<Date>()).transpose().map_err(|_| invalid())?;
        let texts =
            [Some(line.user), Some(line.kind), Some(line.change), line.id, line.before, line.after, line.rows.map(|rows| rows.to_string())];
        self.numbers.append_value(number);
        self.days.append_option(day.map(day_number));
        self.texts.iter_mut().zip(texts).for_each(|(column, text)| column.append_option(text));
        Ok(())
    }

    /// Returns the rows, and removes them.
    fn finish(&mut self, schema: &SchemaRef) -> io::Result<RecordBatch> {
        let mut columns: Vec<ArrayRef> = vec![Arc::new(self.numbers.finish())];
        columns.extend(self.texts.iter_mut().map(|text| Arc::new(text.finish()) as ArrayRef));
        // After the id.
        columns.insert(5, Arc::new(self.days.finish()));
        RecordBatch::try_new(SchemaRef::clone(schema), columns).map_err(io::Error::other)
    }
}

fn invalid() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "each line must be the JSON of a change")
}

fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(cause) => cause.downcast().map_or_else(io::Error::other, |cause| *cause),
        error => io::Error::other(error),
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::Array as _;
    use arrow_array::cast::AsArray as _;
    use arrow_array::types::{Date32Type, Int64Type};
    use bytes::Bytes;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    use super::*;

    #[test]
    fn each_line_becomes_a_row() {
        let full = r#"{"user":"person-1","kind":"daily","change":"changed","id":"2025-11-20","day":"2025-11-20","before":"000000000001","after":"000000000002","rows":[{"steps":1.5}]}"#;
        let short = r#"{"user":"person-1","kind":"sleeps","change":"day_removed"}"#;
        // More than one batch.
        let lines = [full, "\n", short, "\n"].concat().repeat(8_192);
        let mut content = Vec::new();
        write_parquet(lines.as_bytes(), &mut content).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(content)).unwrap().with_batch_size(2 * 8_192).build().unwrap();
        let batches: Vec<RecordBatch> = reader.map(Result::unwrap).collect();
        let [batch] = &batches[..] else { panic!("one batch") };
        assert_eq!(batch.num_rows(), 2 * 8_192);
        assert_eq!(batch.column(0).as_primitive::<Int64Type>().values().last(), Some(&(2 * 8_192 - 1)));
        let texts = |row: usize| -> Vec<Option<String>> {
            let text = |at: &usize| batch.column(*at).as_string::<i32>();
            [1, 2, 3, 4, 6, 7, 8].iter().map(|at| text(at).is_valid(row).then(|| text(at).value(row).to_owned())).collect()
        };
        let some = |text: &str| Some(text.to_owned());
        let expected = ["person-1", "daily", "changed", "2025-11-20", "000000000001", "000000000002", r#"[{"steps":1.5}]"#];
        assert_eq!(texts(0), expected.map(some));
        assert_eq!(texts(2 * 8_192 - 1), [some("person-1"), some("sleeps"), some("day_removed"), None, None, None, None]);
        // 2025-11-20 is day 20,412 since 1970-01-01.
        let days = batch.column(5).as_primitive::<Date32Type>();
        assert_eq!((days.value(0), days.is_null(1)), (20_412, true));
    }

    #[test]
    fn a_line_of_something_else_is_an_error() {
        for line in ["7", "{", r#"{"user":"person-1"}"#, r#"{"user":"a","kind":"b","change":"c","day":"today"}"#, "\u{0}"] {
            let error = write_parquet(line.as_bytes(), Vec::new()).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{line}");
        }
    }
}
