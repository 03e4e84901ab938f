//! HTML tables of records for notebooks.
//!
//! Unlike `repr`, the tables contain values, because they are created only for display. They contain no secrets, and of long lists only the
//! number of items. All text is escaped, and nothing external is loaded.

use std::fmt::Write;

use vitalwire::value::{Base64, Date, Extra, Json, ListMember, Timestamp};

use crate::maps::{Numbers, Series};

/// Maximum number of rows shown. A last row states the number of further rows.
const ROWS: usize = 40;
/// Maximum number of characters of a text.
const WIDTH: usize = 120;
/// Style of a cell that is aligned to the left. Notebooks align cells to the right by default.
const LEFT: &str = "style=\"text-align:left\"";

/// Builder of the table of a record.
pub(crate) struct Card {
    title: String,
    rows: Vec<Row>,
}

struct Row {
    name: String,
    value: String,
    unit: Option<&'static str>,
}

/// A value that can be displayed.
pub(crate) trait Cell {
    /// Returns the text of the value, or `None` if the value is absent.
    fn cell(&self) -> Option<String>;
}

impl Card {
    /// Creates an empty table with a title.
    pub(crate) fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), rows: Vec::new() }
    }

    /// Adds a row with a value and its unit, if the value is present.
    pub(crate) fn row(self, name: &str, unit: Option<&'static str>, value: &impl Cell) -> Self {
        self.text(name, unit, value.cell().as_deref())
    }

    /// Adds a row with a text and its unit, if the text is present.
    pub(crate) fn text(mut self, name: &str, unit: Option<&'static str>, value: Option<&str>) -> Self {
        self.rows.extend(value.map(|value| Row { name: name.to_owned(), value: value.to_owned(), unit }));
        self
    }

    /// Adds a row that states that a secret is present, without its value.
    pub(crate) fn secret(self, name: &str, is_present: bool) -> Self {
        self.text(name, None, is_present.then_some("(not shown)"))
    }

    /// Adds a row for each number of a map.
    pub(crate) fn numbers(mut self, name: Option<&str>, map: Option<&dyn Numbers>) -> Self {
        let Some(map) = map else { return self };
        self.rows.extend(map.pairs().into_iter().map(|(key, number)| Row {
            name: name.map_or_else(|| key.to_owned(), |name| format!("{name}: {key}")),
            value: format_number(number, map.unit(key)),
            unit: map.unit(key),
        }));
        let basis = name.map_or_else(|| "basis".to_owned(), |name| format!("{name}: basis"));
        self.text(&basis, None, map.basis())
    }

    /// Adds a row for each series of a map, with the number of its values.
    pub(crate) fn series(mut self, name: Option<&str>, map: Option<&dyn Series>) -> Self {
        let Some(map) = map else { return self };
        self.rows.extend(map.pairs().into_iter().map(|(key, numbers)| Row {
            name: name.map_or_else(|| key.to_owned(), |name| format!("{name}: {key}")),
            value: count_with_noun(numbers.len(), "value"),
            unit: map.unit(key),
        }));
        self
    }

    /// Returns the HTML. Of unknown fields, it contains only the number.
    pub(crate) fn finish(self, extra: &Extra) -> String {
        let title = self.title.clone();
        let card = if extra.is_empty() { self } else { self.text("extra", None, Some(&count_with_noun(extra.len(), "member"))) };
        let mut html = format!("<table><caption {LEFT}><b>{}</b></caption><tbody>", escape(&title));
        for row in card.rows.iter().take(ROWS) {
            let unit = row.unit.map(escape).unwrap_or_default();
            let _ = write!(
                html,
                "<tr><th {LEFT}>{}</th><td {LEFT} dir=\"auto\">{}</td><td {LEFT}>{unit}</td></tr>",
                truncate(&row.name, WIDTH),
                truncate(&row.value, WIDTH)
            );
        }
        if let Some(more) = card.rows.len().checked_sub(ROWS).filter(|more| *more > 0) {
            let _ = write!(html, "<tr><td {LEFT} colspan=\"3\">… {more} more</td></tr>");
        }
        html + "</tbody></table>"
    }
}

/// Returns a count with its noun, such as `2 items`.
fn count_with_noun(count: usize, of: &str) -> String {
    format!("{count} {of}{}", if count == 1 { "" } else { "s" })
}

/// Returns the first characters of a text, escaped.
pub(crate) fn truncate(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        Some((end, _)) => format!("{}…", escape(text.get(..end).unwrap_or_default())),
        None => escape(text),
    }
}

/// Escapes text for HTML content and attributes. Replaces control characters and bidirectional formatting.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            character if character.is_control() => out.push(' '),
            character => out.push(character),
        }
    }
    out
}

/// Formats a number. Milliseconds are also shown in hours and minutes.
fn format_number(number: f64, unit: Option<&str>) -> String {
    // Larger integers may not be exact as doubles.
    let text = if number.fract() == 0.0 && number.abs() < 1e15 { format!("{number:.0}") } else { format!("{number:?}") };
    let minutes = (number / 60_000.0).floor();
    if unit != Some("ms") || !(1.0..1e9).contains(&minutes) {
        return text;
    }
    let (hours, rest) = ((minutes / 60.0).floor(), minutes % 60.0);
    if hours > 0.0 { format!("{text} ({hours} h {rest:02} min)") } else { format!("{text} ({rest} min)") }
}

/// Formats an integer with a unit.
#[expect(clippy::cast_precision_loss, reason = "only what fits a double becomes one")]
pub(crate) fn count(number: Option<i64>, unit: Option<&str>) -> Option<String> {
    number.map(
        |number| {
            if unit == Some("ms") && number.unsigned_abs() < 1 << 53 { format_number(number as f64, unit) } else { number.to_string() }
        },
    )
}

/// Formats a double with a unit.
pub(crate) fn double(number: Option<f64>, unit: Option<&str>) -> Option<String> {
    number.map(|number| format_number(number, unit))
}

impl Cell for bool {
    fn cell(&self) -> Option<String> {
        Some(if *self { "yes" } else { "no" }.to_owned())
    }
}

/// Formats an instant in UTC.
impl Cell for Timestamp {
    fn cell(&self) -> Option<String> {
        Some(self.to_string().replacen('T', " ", 1).replacen('Z', " UTC", 1))
    }
}

impl Cell for Date {
    fn cell(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl Cell for Base64 {
    fn cell(&self) -> Option<String> {
        Some(format!("{} bytes", self.as_bytes().len()))
    }
}

impl Cell for Json {
    fn cell(&self) -> Option<String> {
        Some(self.as_text().to_owned())
    }
}

impl<T: Cell> Cell for Option<T> {
    fn cell(&self) -> Option<String> {
        self.as_ref().and_then(Cell::cell)
    }
}

impl<T> Cell for Vec<T> {
    fn cell(&self) -> Option<String> {
        Some(count_with_noun(self.len(), "item"))
    }
}

impl<T> Cell for ListMember<T> {
    fn cell(&self) -> Option<String> {
        match self {
            Self::Absent => None,
            Self::Null => Some("null".to_owned()),
            Self::List(items) => items.cell(),
        }
    }
}
