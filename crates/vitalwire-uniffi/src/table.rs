//! Answers as columns, for charts.

use std::collections::HashMap;
use std::fmt;

use vitalwire::table::{Column, ColumnData, ColumnKind as Core, Table, TableId};
use vitalwire::value::NumberBasis;

use crate::call::guarded;
use crate::error::ApiError;
use crate::series::Series;

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, uniffi::Enum)]
pub enum ColumnKind {
    /// Numbers.
    Number,
    /// Whole numbers.
    Integer,
    /// True or false.
    Boolean,
    /// Texts.
    Text,
    /// Calendar dates.
    Date,
    /// Instants.
    Instant,
    /// Dates and times on the user's clock.
    LocalTime,
}

/// A column: a value for each row, in one of its two lists.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct TableColumn {
    /// Name.
    pub name: String,
    /// Unit of the numbers, if known.
    pub unit: Option<String>,
    /// Documentation.
    pub about: String,
    /// What the values are.
    pub kind: ColumnKind,
    /// The values, not a number where one is missing: true is 1; dates are days, and times seconds, since 1970-01-01. Empty for texts.
    pub numbers: Series,
    /// The texts; empty for all else.
    pub texts: Vec<Option<String>>,
}

/// Shows the name, no values.
impl fmt::Debug for TableColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TableColumn({})", self.name)
    }
}

/// An answer as columns of one length.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct TableColumns {
    /// Number of rows.
    pub rows: u64,
    /// The columns that have a value. Lists of texts are left out.
    pub columns: Vec<TableColumn>,
    /// Number of values that were left out, by column, field or list.
    pub skipped: HashMap<String, u64>,
}

/// Shows how many there are, no values.
impl fmt::Debug for TableColumns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TableColumns({} rows, {} columns)", self.rows, self.columns.len())
    }
}

/// An answer whose rows are wanted.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct TableAnswer {
    /// The answer as JSON.
    pub json: String,
    /// What its numbers refer to, where the answer says so itself: `per_serving`, `per_100` or `unknown`.
    pub basis: Option<String>,
}

/// Shows no values.
impl fmt::Debug for TableAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TableAnswer(..)")
    }
}

/// Reads a table from answers, one after the other, each as the operation of this id would return it. `skipped_places` are the places of the
/// list items that decoding left out of the response of the operation `returned_by`.
///
/// # Errors
/// Kind `invalid_argument` if the operation's answer does not hold the table, `decode` if a text is no such answer.
#[uniffi::export]
pub fn table_columns(
    table: &str,
    operation: &str,
    answers: Vec<TableAnswer>,
    returned_by: &str,
    skipped_places: Vec<String>,
) -> Result<TableColumns, ApiError> {
    guarded(|| {
        let id: TableId = table.parse().map_err(vitalwire::Error::from)?;
        let mut table = Table::empty(id);
        for TableAnswer { json, basis } in answers {
            let rows = match basis {
                Some(basis) => Table::read_as(id, operation, NumberBasis::from_text(&basis).unwrap_or_default(), json.as_bytes())?,
                None => Table::read(id, operation, json.as_bytes())?,
            };
            table.append(rows)?;
        }
        let table = table.counting_skipped_at(returned_by, skipped_places.iter().map(String::as_str));
        let columns = table.exported().filter_map(|column| crossing(column, table.len())).collect();
        let mut skipped = HashMap::new();
        for values in table.skipped_by_column() {
            let count: &mut u64 = skipped.entry(values.column().to_owned()).or_default();
            *count = count.saturating_add(values.count());
        }
        Ok(TableColumns { rows: table.len() as u64, columns, skipped })
    })
}

/// A column as it crosses; none of lists.
fn crossing(column: &Column, rows: usize) -> Option<TableColumn> {
    let field = column.field();
    let kind = match field.kind {
        Core::Number => ColumnKind::Number,
        Core::Integer => ColumnKind::Integer,
        Core::Boolean => ColumnKind::Boolean,
        Core::Text => ColumnKind::Text,
        Core::Date => ColumnKind::Date,
        Core::Instant => ColumnKind::Instant,
        Core::LocalTime => ColumnKind::LocalTime,
        _ => return None,
    };
    let (numbers, texts): (Vec<f64>, Vec<Option<String>>) = match column.data() {
        ColumnData::Text(texts) => {
            let text = |row| (!column.is_missing(row)).then(|| texts.get(row).to_owned());
            (Vec::new(), (0..rows).map(text).collect())
        }
        data => {
            let at = |row| if column.is_missing(row) { f64::NAN } else { number(data, row) };
            ((0..rows).map(at).collect(), Vec::new())
        }
    };
    let unit = field.unit.map(str::to_owned);
    Some(TableColumn { name: field.name.to_string(), unit, about: field.doc.to_owned(), kind, numbers: Series(numbers), texts })
}

/// A value as a double, which has 53 bits: enough for a chart.
fn number(data: &ColumnData, row: usize) -> f64 {
    const MICROSECONDS: f64 = 1e6;
    let found = match data {
        ColumnData::Number(values) => values.get(row).copied(),
        ColumnData::Integer(values) => values.get(row).map(|value| *value as f64),
        ColumnData::Boolean(values) => values.get(row).map(|value| f64::from(u8::from(*value))),
        ColumnData::Date(days) => days.get(row).map(|days| f64::from(*days)),
        ColumnData::Instant(times) | ColumnData::LocalTime(times) => {
            times.microseconds().get(row).map(|microseconds| *microseconds as f64 / MICROSECONDS)
        }
        _ => None,
    };
    found.unwrap_or(f64::NAN)
}
