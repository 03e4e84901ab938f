//! Tables as Arrow, read with the readers of the Arrow crates.

mod memory;
mod records;
mod statistics;
mod unit;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{DataType, TimeUnit};
use vitalwire::open_sets::{MetricName, NutrientName, StatisticName};
use vitalwire::table::Table;
use vitalwire::value::OpenSet;

/// Returns the record batches of all kinds of export, each with the name of the kind.
fn exports(table: &Table) -> Vec<(&'static str, RecordBatch)> {
    let (mut stream, mut file) = (Vec::new(), Vec::new());
    table.write_arrow_stream(&mut stream).unwrap();
    table.write_arrow_file(&mut file).unwrap();
    vec![
        ("copied", table.to_record_batch().unwrap()),
        ("moved", table.clone().into_record_batch().unwrap()),
        ("stream", StreamReader::try_new(&stream[..], None).unwrap().next().unwrap().unwrap()),
        ("file", FileReader::try_new(std::io::Cursor::new(file), None).unwrap().next().unwrap().unwrap()),
    ]
}

/// Returns the cells of some columns as one text per row, with `-` for null.
fn rows(batch: &RecordBatch, names: &[&str]) -> Vec<String> {
    (0..batch.num_rows()).map(|row| names.iter().map(|name| cell(batch, row, name)).collect::<Vec<_>>().join(" ")).collect()
}

fn cell(batch: &RecordBatch, row: usize, name: &str) -> String {
    let column = batch.column_by_name(name).unwrap_or_else(|| panic!("no column {name}"));
    if column.is_null(row) {
        return "-".to_owned();
    }
    match column.data_type() {
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).to_string(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::Boolean => column.as_boolean().value(row).to_string(),
        DataType::Utf8 => column.as_string::<i32>().value(row).to_owned(),
        DataType::Date32 => column.as_primitive::<Date32Type>().value(row).to_string(),
        DataType::Timestamp(TimeUnit::Microsecond, _) => column.as_primitive::<TimestampMicrosecondType>().value(row).to_string(),
        DataType::List(_) => {
            let items = column.as_list::<i32>().value(row);
            items.as_string::<i32>().iter().map(|item| item.unwrap_or("-").to_owned()).collect::<Vec<_>>().join("+")
        }
        other => panic!("unexpected {other}"),
    }
}

/// Returns the name, type, `?` if nullable, and unit of each column.
fn columns(batch: &RecordBatch) -> Vec<String> {
    let shown = |field: &arrow_schema::FieldRef| {
        let kind = match field.data_type() {
            DataType::Timestamp(TimeUnit::Microsecond, Some(zone)) => format!("Instant[{zone}]"),
            DataType::Timestamp(TimeUnit::Microsecond, None) => "Local".to_owned(),
            DataType::List(item) => format!("List<{}>", item.data_type()),
            other => other.to_string(),
        };
        let metadata = field.metadata();
        assert!(metadata.keys().all(|key| key == "unit"), "{metadata:?}");
        let unit = metadata.get("unit").map_or_else(String::new, |unit| format!(" {unit}"));
        format!("{} {kind}{}{unit}", field.name(), if field.is_nullable() { "?" } else { "" })
    };
    batch.schema().fields().iter().map(shown).collect()
}

/// Whether a column may belong to a field added to the specifications later: not a number, and without values.
fn is_added_field(batch: &RecordBatch, column: &str) -> bool {
    let name = column.split(' ').next().unwrap();
    let numbers = [StatisticName::index_of(name), MetricName::index_of(name), NutrientName::index_of(name)];
    let cells = batch.column_by_name(name).unwrap();
    numbers.iter().all(Option::is_none) && cells.null_count() == cells.len()
}

/// Checks the columns, except for added fields, and the cells of some columns, in every kind of export.
fn check(table: &Table, all: &[&str], names: &[&str], cells: &[String]) {
    for (form, batch) in exports(table) {
        let mut found = columns(&batch);
        found.retain(|column| all.contains(&column.as_str()) || !is_added_field(&batch, column));
        assert_eq!(found, all, "{form}");
        assert_eq!(rows(&batch, names), cells, "{form}");
    }
}
