//! Night searches, collected as the table `sleeps`.

use serde_json::{Map, Value};
use vitalwire::Client;
use vitalwire::nights::NightSearch;
use vitalwire::range::{DateRange, MergedRange, OnError};
use vitalwire::table::{Column, ColumnData, Table, TableId};
use vitalwire::value::{Date, Timestamp};

use super::arguments::CaseError;
use super::calls::{CanonicalResponse, PendingCall};
use super::canonical;
use super::mode::Mode;
use super::range::range_failure;
use crate::case;

/// Starts a search.
///
/// # Errors
/// If a day is not a date, or the days are in the wrong order.
pub fn nights(client: &Client, case: &case::NightSearch, mode: Mode) -> Result<PendingCall, CaseError> {
    let columns = case.columns.clone();
    Ok(mode.start(
        search(client, case)?,
        |search| search.table(TableId::Sleeps),
        |search| search.table_blocking(TableId::Sleeps),
        move |found| found.map(|merged| canonical_table(&merged, &columns)).map_err(range_failure),
    ))
}

fn search(client: &Client, case: &case::NightSearch) -> Result<NightSearch, CaseError> {
    let date = |text: &str| text.parse::<Date>().map_err(|_| CaseError::new("a bound of a night search must be a date"));
    let days = DateRange::new(date(&case.first)?, date(&case.last)?).map_err(|error| CaseError::new(error.to_string()))?;
    let on_error = if case.collect_errors { OnError::Collect } else { OnError::Stop };
    Ok(client.sleeps().between(days).missing_rows(case.missing_rows).on_error(on_error))
}

fn canonical_table(merged: &MergedRange<Table>, columns: &[String]) -> CanonicalResponse {
    let columns: Vec<(&String, Option<&Column>)> = columns.iter().map(|name| (name, merged.column(name))).collect();
    let cells = |row| columns.iter().filter_map(move |(name, column)| Some(((*name).clone(), cell((*column)?, row)?)));
    let value = (0..merged.len()).map(|row| Value::Object(cells(row).collect::<Map<_, _>>())).collect();
    let failed_parts = merged.failures().iter().map(|failure| (failure.index(), failure.error().kind().as_str())).collect();
    CanonicalResponse { value, failed_parts, ..CanonicalResponse::default() }.with_skipped_items(merged.skipped_items())
}

/// Returns a value of a column; `None` if it is missing.
fn cell(column: &Column, row: usize) -> Option<Value> {
    if column.is_missing(row) {
        return None;
    }
    Some(match column.data() {
        ColumnData::Text(texts) => Value::from(texts.get(row)),
        ColumnData::Number(numbers) => canonical::to_canonical(numbers.get(row)?).0,
        ColumnData::Integer(numbers) => Value::from(*numbers.get(row)?),
        ColumnData::Boolean(flags) => Value::from(*flags.get(row)?),
        ColumnData::Date(days) => canonical::to_canonical(&Date::new(1970, 1, 1)?.plus_days(*days.get(row)?)?).0,
        ColumnData::Instant(times) => canonical::to_canonical(&instant(*times.microseconds().get(row)?)?).0,
        _ => Value::from("this kind of column is not supported"),
    })
}

fn instant(microseconds: i64) -> Option<Timestamp> {
    let nanoseconds = u32::try_from(microseconds.rem_euclid(1_000_000)).ok()? * 1_000;
    Timestamp::from_unix(microseconds.div_euclid(1_000_000), nanoseconds)
}
