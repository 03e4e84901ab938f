//! Tables of responses, for charts.

use std::collections::HashMap;
use std::fmt;

use vitalwire::table::{Column, ColumnData, ColumnKind as Core, Table, TableId};
use vitalwire::value::NumberBasis;

use crate::call::catch_panics;
use crate::error::ApiError;
use crate::series::Series;

/// Kind of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, uniffi::Enum)]
pub enum ColumnKind {
    /// Numbers.
    Number,
    /// Integers.
    Integer,
    /// True or false.
    Boolean,
    /// Texts.
    Text,
    /// Calendar dates.
    Date,
    /// Instants.
    Instant,
    /// Local dates and times of the user.
    LocalTime,
}

/// A column. One of its two lists has a value for each row.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct TableColumn {
    /// Name of the column.
    pub name: String,
    /// Unit of the numbers; absent if unknown.
    pub unit: Option<String>,
    /// Documentation of the column.
    pub about: String,
    /// Kind of the values.
    pub kind: ColumnKind,
    /// The values as numbers, with NaN for missing values; empty for texts. True is 1. Dates are days, and times are seconds, since
    /// 1970-01-01.
    pub numbers: Series,
    /// The values as texts; empty for other kinds.
    pub texts: Vec<Option<String>>,
}

/// Shows the name, but no values, in debug output.
impl fmt::Debug for TableColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TableColumn({})", self.name)
    }
}

/// A table: columns of equal length.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct TableColumns {
    /// Number of rows.
    pub rows: u64,
    /// The columns that have at least one value, without those of lists.
    pub columns: Vec<TableColumn>,
    /// Names of all columns, including those without values.
    pub names: Vec<String>,
    /// Number of values that were left out, by column, field or list.
    pub skipped: HashMap<String, u64>,
}

/// Shows counts, but no values, in debug output.
impl fmt::Debug for TableColumns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TableColumns({} rows, {} columns)", self.rows, self.columns.len())
    }
}

impl From<&Table> for TableColumns {
    fn from(table: &Table) -> Self {
        let columns = table.exported().filter_map(|column| export_column(column, table.len())).collect();
        let mut skipped = HashMap::new();
        for values in table.skipped_by_column() {
            let count: &mut u64 = skipped.entry(values.column().to_owned()).or_default();
            *count = count.saturating_add(values.count());
        }
        let names = table.columns().map(|column| column.field().name.to_string()).collect();
        Self { rows: table.len() as u64, columns, names, skipped }
    }
}

/// A response to convert to rows.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct EncodedResponse {
    /// The response as JSON text.
    pub json: String,
    /// Quantity that the numbers refer to: `per_serving`, `per_100` or `unknown`. If absent, that of the operation applies.
    pub basis: Option<String>,
}

/// Omits the values from debug output.
impl fmt::Debug for EncodedResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EncodedResponse(..)")
    }
}

/// Creates a table from responses of an operation, in order.
///
/// `skipped_places` are the positions of the list items that decoding left out of the response of the operation `returned_by`.
///
/// # Errors
/// Kind `invalid_argument` if responses of the operation do not have the table, or `decode` if a text is not such a response.
#[uniffi::export]
pub fn table_columns(
    table: &str,
    operation: &str,
    inputs: Vec<EncodedResponse>,
    returned_by: &str,
    skipped_places: Vec<String>,
) -> Result<TableColumns, ApiError> {
    catch_panics(|| {
        let id: TableId = table.parse().map_err(vitalwire::Error::from)?;
        let mut table = Table::empty(id);
        for EncodedResponse { json, basis } in inputs {
            let rows = match basis {
                Some(basis) => Table::read_as(id, operation, NumberBasis::from_text(&basis).unwrap_or_default(), json.as_bytes())?,
                None => Table::read(id, operation, json.as_bytes())?,
            };
            table.append(rows)?;
        }
        let table = table.counting_skipped_at(returned_by, skipped_places.iter().map(String::as_str));
        Ok(TableColumns::from(&table))
    })
}

/// Converts a column for the ABI; returns `None` for lists.
fn export_column(column: &Column, rows: usize) -> Option<TableColumn> {
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

/// Converts a value to a double. A double's precision of 53 bits is enough for charts.
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
