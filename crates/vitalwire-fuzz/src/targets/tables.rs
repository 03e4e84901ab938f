//! Target for tables: a table must contain the same data as the models decoded from the response.

use std::ops::Deref;

use vitalwire::fuzzing::{decode, decode_list, read_table_by_serde};
use vitalwire::models::{DailyStatistics, IntervalStatistics, LabReport, NutritionRecord, SleepRecord};
use vitalwire::table::{Column, ColumnData, Table, TableId};
use vitalwire::value::decode::FromBody;
use vitalwire::value::{NumberMap, OpenSet};
use vitalwire::{Error, ErrorKind};

use crate::oracle::{memory, text};

/// Reads a table.
pub type ReadTable<'a> = &'a dyn Fn(TableId, &str, &[u8]) -> Result<Table, Error>;

/// Reads the body as the response of each operation that has a table.
pub fn run(body: &[u8]) {
    check(body, &Table::read);
    for (table, operation) in TABLES {
        compare_decoders(table, operation, body);
    }
}

/// Tables, each with an operation whose response has it.
const TABLES: [(TableId, &str); 8] = [
    (TableId::DailyStatistics, "daily_statistics"),
    (TableId::IntervalStatistics, "interval_statistics"),
    (TableId::SleepStages, "get_sleep"),
    (TableId::SleepSamples, "get_sleep"),
    (TableId::Sleeps, "get_sleep"),
    (TableId::NutritionRecords, "list_nutrition_records"),
    (TableId::NutritionIngredients, "list_nutrition_records"),
    (TableId::LabResults, "list_lab_reports"),
];

/// Checks that the fast decoder and the general one return the same table or the same error.
fn compare_decoders(table: TableId, operation: &str, body: &[u8]) {
    let contents = |table: &Table| {
        let mut bytes = Vec::new();
        table.write_arrow_stream(&mut bytes).expect("a table can be written");
        let skipped: Vec<_> =
            table.skipped_by_column().map(|skipped| (skipped.column().to_owned(), skipped.reason(), skipped.count())).collect();
        (bytes, skipped)
    };
    let fault = |error: &Error| (error.kind(), error.to_string(), error.json_path().map(str::to_owned));
    let fast = Table::read(table, operation, body);
    let general = read_table_by_serde(table.spec(), operation, body);
    assert_eq!(fast.as_ref().map(contents).map_err(fault), general.as_ref().map(contents).map_err(fault), "{table:?}");
    if let Ok(whole) = fast {
        let names = table.spec().fields().iter().map(|field| field.name.to_string()).collect::<Vec<_>>();
        let (first, last) = (body.first().copied().unwrap_or(0), body.last().copied().unwrap_or(0));
        let at = |byte: u8| names[usize::from(byte) * 7 % names.len()].as_str();
        let columns = [at(first), at(last.wrapping_mul(3)), at(u8::try_from(body.len() % 256).unwrap_or(0))];
        let some = Table::read_columns(table, operation, &columns, body).expect("the whole table can be read");
        let whole = whole.only_columns(&columns).expect("all names are declared");
        // Skipped values of fields without a column are counted only if they are read.
        assert_eq!(contents(&some).0, contents(&whole).0, "{columns:?} of {table:?}");
    }
}

/// Checks a reader of tables.
pub fn check(body: &[u8], read: ReadTable<'_>) {
    let one = |table, operation| memory::check_memory(body, |body| read(table, operation, body));
    let daily = model::<DailyStatistics>(body);
    check_table(
        body,
        one(TableId::DailyStatistics, "daily_statistics"),
        daily.as_ref().map(|response| response.statistics.len()),
        true,
        |table| {
            let Some(response) = &daily else { return };
            numbers(table, response.statistics.iter().map(|bucket| bucket.values.as_deref()));
            days(table, response);
        },
    );
    let interval = model::<IntervalStatistics>(body);
    check_table(
        body,
        one(TableId::IntervalStatistics, "interval_statistics"),
        interval.as_ref().map(|response| response.statistics.len()),
        true,
        |table| {
            let Some(response) = &interval else { return };
            numbers(table, response.statistics.iter().map(|bucket| bucket.values.as_deref()));
        },
    );
    let night = model::<SleepRecord>(body);
    // A table reads only its own part of a night, so errors in other parts do not affect it.
    let stages = night.as_ref().map(|night| night.stages.as_slice().len());
    check_table(body, one(TableId::SleepStages, "get_sleep"), stages, false, |_| {});
    if let Err(error) = one(TableId::SleepSamples, "get_sleep") {
        text::check_error(&error, body.len());
    }
    check_table(body, one(TableId::Sleeps, "get_sleep"), night.as_ref().map(|_| 1), false, |table| {
        let Some(night) = &night else { return };
        numbers(table, std::iter::once(night.metrics.as_deref()));
    });
    let meals = decode_list::<NutritionRecord>(body).ok();
    let rows = meals.as_ref().map(Vec::len);
    check_table(body, one(TableId::NutritionRecords, "list_nutrition_records"), rows, false, |table| {
        let Some(meals) = &meals else { return };
        numbers(table, meals.iter().map(|meal| meal.nutritional_fields.as_deref().map(Deref::deref)));
    });
    let rows = meals.as_ref().map(|meals| meals.iter().map(|meal| meal.ingredients.as_slice().len()).sum());
    check_table(body, one(TableId::NutritionIngredients, "list_nutrition_records"), rows, false, |table| {
        let Some(meals) = &meals else { return };
        numbers(
            table,
            meals.iter().flat_map(|meal| &meal.ingredients).map(|ingredient| ingredient.nutritional_fields.as_deref().map(Deref::deref)),
        );
    });
    let reports = decode_list::<LabReport>(body).ok();
    let results = |report: &LabReport| report.sections.iter().map(|section| section.results.as_slice().len()).sum::<usize>();
    let rows = reports.as_ref().map(|reports| reports.iter().map(results).sum());
    check_table(body, one(TableId::LabResults, "list_lab_reports"), rows, false, |_| {});
}

fn model<T: FromBody>(body: &[u8]) -> Option<T> {
    decode(body).ok()
}

/// Checks that a table accepts what the models accept, with the same number of rows. `whole` means that the table reads everything that
/// the models can reject.
fn check_table(body: &[u8], read: Result<Table, Error>, rows: Option<usize>, whole: bool, compare: impl FnOnce(&Table)) {
    match read {
        Err(error) => {
            assert!(rows.is_none(), "the models accept a body that a table rejects");
            assert_eq!(error.kind(), ErrorKind::Decode);
            text::check_error(&error, body.len());
        }
        Ok(table) => {
            assert!(rows.is_some() || !whole, "a table accepts a body that the models reject");
            if let Some(rows) = rows {
                assert_eq!(table.len(), rows, "rows of {}", table.spec().name());
            }
            for column in table.columns() {
                assert!(column.is_empty() || column.data().len() == table.len(), "a column of another length");
            }
            compare(&table);
        }
    }
}

/// Checks that each number is in the column of its name and in its row, and that there are no others.
fn numbers<'a, K: OpenSet>(table: &Table, rows: impl Iterator<Item = Option<&'a NumberMap<K>>>) {
    for (row, values) in rows.enumerate() {
        for (name, value) in values.into_iter().flat_map(NumberMap::iter) {
            let column = table.column(name);
            // An undeclared name may be the name of another column.
            if column.is_some_and(is_number) {
                assert_eq!(column.and_then(|column| number(column, row)).map(f64::to_bits), Some(value.to_bits()), "a number of row {row}");
            }
        }
        for column in table.columns().filter(|column| K::index_of(&column.field().name).is_some()) {
            let is_present = values.is_some_and(|values| values.get_text(&column.field().name).is_some());
            assert_eq!(!column.is_missing(row), is_present, "a gap of row {row}");
        }
    }
}

fn is_number(column: &Column) -> bool {
    matches!(column.data(), ColumnData::Number(_))
}

fn number(column: &Column, row: usize) -> Option<f64> {
    match column.data() {
        ColumnData::Number(values) if !column.is_missing(row) => values.get(row).copied(),
        _ => None,
    }
}

fn days(table: &Table, response: &DailyStatistics) {
    let Some(column) = table.column("date") else { return };
    for (row, bucket) in response.statistics.iter().enumerate() {
        let days = match column.data() {
            ColumnData::Date(days) if !column.is_missing(row) => days.get(row).copied(),
            _ => None,
        };
        let epoch = vitalwire::value::Date::new(1970, 1, 1).expect("a date");
        assert_eq!(days, bucket.date.map(|date| epoch.days_until(date)), "a day of row {row}");
    }
}
