//! CSV export of tables (RFC 4180).

use std::fmt::Write as _;
use std::io::{self, Write};

use csv::{Terminator, WriterBuilder};
use jiff::civil::Date;

use super::{Column, ColumnData, Table, Times};
use crate::value::Timestamp;

/// Bounds beyond which numbers are written with an exponent, which limits the text to 24 bytes.
const MAX_PLAIN: f64 = 1e17;
const MIN_PLAIN: f64 = 1e-5;
/// First characters of cells that spreadsheets run as formulas.
const FORMULA_STARTS: [char; 11] = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n'];

/// Settings of CSV export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CsvOptions {
    escape_formulas: bool,
    units: bool,
}

impl CsvOptions {
    /// Creates the default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Prefixes with `'` the names and text cells that a spreadsheet might run as formulas. These begin with `=`, `+`, `-` or `@`, also in
    /// full width, a tab or a line break. Numbers, dates and times are not changed. Defaults to false.
    #[must_use]
    pub fn escape_formulas(mut self, escape: bool) -> Self {
        self.escape_formulas = escape;
        self
    }

    /// Appends the unit to the name of each column that has one, such as `duration [ms]`. Defaults to false.
    #[must_use]
    pub fn units(mut self, units: bool) -> Self {
        self.units = units;
        self
    }

    /// Returns a text cell, escaped if necessary.
    fn text(self, cell: &mut String) -> &str {
        if self.escape_formulas && cell.starts_with(FORMULA_STARTS) {
            cell.insert(0, '\'');
        }
        cell
    }
}

impl Table {
    /// Writes the table as CSV (RFC 4180): UTF-8 without a byte order mark, a header line, CRLF line ends, and quotes only around cells
    /// that need them.
    ///
    /// | kind | cell |
    /// |---|---|
    /// | missing | empty; an empty text looks the same |
    /// | number | the shortest text that reads back as the same double |
    /// | date | `2025-01-01` |
    /// | instant | RFC 3339 in UTC, `2025-01-01T00:00:00Z`, as many decimals as it has |
    /// | local time | `2025-01-01T01:00:00`, no offset |
    /// | list | its texts joined by `;`; a `;` or `\` in a text has a `\` before it |
    ///
    /// Texts are written unchanged. Free text, such as the name of a dish, may begin with `=`, `+`, `-` or `@`, which a spreadsheet may
    /// run as a formula. For files that are opened in a spreadsheet, use [`Table::write_csv_with`] and [`CsvOptions::escape_formulas`].
    ///
    /// # Errors
    /// Any error of the writer.
    pub fn write_csv(&self, writer: impl Write) -> io::Result<()> {
        self.write_csv_with(writer, CsvOptions::default())
    }

    /// Like [`Table::write_csv`], with options.
    ///
    /// # Errors
    /// Any error of the writer.
    pub fn write_csv_with(&self, writer: impl Write, options: CsvOptions) -> io::Result<()> {
        let mut file = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(writer);
        let columns: Vec<&Column> = self.exported().collect();
        let mut cell = String::new();
        for column in &columns {
            cell.clear();
            cell.push_str(&column.field.name);
            if let Some(unit) = column.field.unit.filter(|_| options.units) {
                let _ = write!(cell, " [{unit}]");
            }
            file.write_field(options.text(&mut cell))?;
        }
        file.write_record(None::<&[u8]>)?;
        for row in 0..self.rows {
            for column in &columns {
                cell.clear();
                if !column.is_missing(row) {
                    write_cell(&mut cell, &column.cells.data, row);
                }
                let is_text = matches!(column.cells.data, ColumnData::Text(_) | ColumnData::TextList(_));
                file.write_field(if is_text { options.text(&mut cell) } else { &cell })?;
            }
            file.write_record(None::<&[u8]>)?;
        }
        file.flush()
    }
}

/// Writing to a `String` cannot fail.
fn write_cell(cell: &mut String, data: &ColumnData, row: usize) {
    let _ = match data {
        ColumnData::Number(values) => write_number(cell, values.get(row).copied().unwrap_or_default()),
        ColumnData::Integer(values) => write!(cell, "{}", values.get(row).copied().unwrap_or_default()),
        ColumnData::Boolean(values) => write!(cell, "{}", values.get(row).copied().unwrap_or_default()),
        ColumnData::Date(values) => write!(cell, "{}", date_after_1970(values.get(row).copied().unwrap_or_default())),
        ColumnData::Instant(times) => write!(cell, "{}", timestamp_at(times, row)),
        ColumnData::LocalTime(times) => {
            write!(cell, "{}", timestamp_at(times, row).local(0).unwrap_or_default())
        }
        ColumnData::Text(texts) => cell.write_str(texts.get(row)),
        ColumnData::TextList(lists) => {
            for (at, item) in lists.get(row).enumerate() {
                if at > 0 {
                    cell.push(';');
                }
                for sign in item.chars() {
                    if matches!(sign, ';' | '\\') {
                        cell.push('\\');
                    }
                    cell.push(sign);
                }
            }
            Ok(())
        }
    };
}

fn write_number(cell: &mut String, value: f64) -> std::fmt::Result {
    if value == 0.0 || (MIN_PLAIN..MAX_PLAIN).contains(&value.abs()) { write!(cell, "{value}") } else { write!(cell, "{value:e}") }
}

/// Returns an instant. Tables only contain instants of the years 1 to 9999, which fit a `Timestamp`.
fn timestamp_at(times: &Times, row: usize) -> Timestamp {
    let microseconds = times.microseconds().get(row).copied().unwrap_or_default();
    let nanoseconds = microseconds.rem_euclid(1_000_000) * 1000 + i64::from(times.beyond(row));
    Timestamp::from_unix(microseconds.div_euclid(1_000_000), u32::try_from(nanoseconds).unwrap_or_default()).unwrap_or_default()
}

/// Returns the date `days` days after 1970-01-01. Tables only contain dates of the years 0000 to 9999.
fn date_after_1970(days: i32) -> Date {
    Date::constant(1970, 1, 1).checked_add(jiff::Span::new().days(days)).unwrap_or_default()
}
