//! Tables aligned by their width on the terminal.

use std::borrow::Cow;

use anstyle::Style;

use super::style::{FAINT, PLAIN, clean, paint, truncate, width};

/// Columns between two columns of a table.
const COLUMN_GAP: usize = 2;
/// Minimum width of the flexible column before the table uses another layout.
const MIN_FLEXIBLE_WIDTH: usize = 16;
/// Indentation of the second line of a row.
const INDENT: &str = "  ";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

#[derive(Clone, Debug)]
pub(crate) struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    /// Creates a cell from a text in a style. Cleans the text, because a text of the service must not control the terminal.
    pub(crate) fn new(text: impl Into<String>, style: Style) -> Self {
        let text = text.into();
        let text = match clean(&text) {
            Cow::Owned(cleaned) => cleaned,
            Cow::Borrowed(_) => text,
        };
        Self { text, style }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::new(text, PLAIN)
    }
}

struct Column {
    title: String,
    align: Align,
    /// Whether this is the column that is shortened if the table is too wide.
    is_flexible: bool,
    /// Name of a column that narrow terminals leave out.
    optional: Option<&'static str>,
}

/// Layout of a table for the available width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    /// Whether a row takes two lines: the key columns, then the others indented.
    folded: bool,
    /// Whether optional columns are left out.
    reduced: bool,
}

/// The layouts, starting with the most complete one.
const LAYOUTS: [Layout; 4] = [
    Layout { folded: false, reduced: false },
    Layout { folded: true, reduced: false },
    Layout { folded: false, reduced: true },
    Layout { folded: true, reduced: true },
];

/// A table. Add the columns first, then the rows.
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    untitled: bool,
    /// Number of key columns, which stay in the first of two lines.
    keys: usize,
}

impl Table {
    /// Creates a table with a line of titles.
    pub(crate) fn new() -> Self {
        Self { columns: Vec::new(), rows: Vec::new(), untitled: false, keys: 1 }
    }

    /// Creates a table without a line of titles.
    pub(crate) fn untitled() -> Self {
        Self { untitled: true, ..Self::new() }
    }

    /// Creates a table of names and values without titles: two pairs per row, or one if two do not fit.
    pub(crate) fn pairs(pairs: &[(Cell, Cell)], room: usize) -> Self {
        let cells = |pair: &[(Cell, Cell)]| pair.iter().flat_map(|(name, value)| [name.clone(), value.clone()]).collect::<Vec<_>>();
        let mut double = Self::untitled().left("").left("").left("").flexible("");
        pairs.chunks(2).for_each(|pair| double.row(cells(pair)));
        if double.width(usize::MAX) <= room {
            return double;
        }
        let mut single = Self::untitled().left("").flexible("");
        pairs.chunks(1).for_each(|pair| single.row(cells(pair)));
        single
    }

    /// Adds a column of texts.
    pub(crate) fn left(self, title: impl Into<String>) -> Self {
        self.column(title.into(), Align::Left, false)
    }

    /// Adds a column of numbers.
    pub(crate) fn right(self, title: impl Into<String>) -> Self {
        self.column(title.into(), Align::Right, false)
    }

    /// Adds a column of texts that are shortened if the table is too wide.
    pub(crate) fn flexible(self, title: impl Into<String>) -> Self {
        self.column(title.into(), Align::Left, true)
    }

    fn column(mut self, title: String, align: Align, is_flexible: bool) -> Self {
        self.columns.push(Column { title, align, is_flexible, optional: None });
        self
    }

    /// Names the last column and lets narrow terminals leave it out.
    pub(crate) fn optional(mut self, name: &'static str) -> Self {
        if let Some(column) = self.columns.last_mut() {
            column.optional = Some(name);
        }
        self
    }

    /// Sets the number of columns in the first line of a row that takes two. Defaults to 1.
    pub(crate) fn keys(mut self, count: usize) -> Self {
        self.keys = count;
        self
    }

    /// Adds a row. Drops excess cells and fills missing ones with empty cells.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().take(self.columns.len()).collect());
    }

    /// Returns the lines, each at most `room` columns wide as far as the flexible column allows.
    pub(crate) fn lines(&self, room: usize) -> Vec<String> {
        let parts: Vec<_> = self
            .line_columns(self.layout(room))
            .into_iter()
            .zip(["", INDENT])
            .map(|(part, indent)| {
                let widths = self.widths(&part, room.saturating_sub(indent.len()));
                (part, widths, indent)
            })
            .collect();
        let titles: Vec<Cell> = self.columns.iter().map(|column| Cell::new(column.title.as_str(), FAINT)).collect();
        let head = (!self.untitled).then_some(&titles);
        let rows = head.into_iter().chain(&self.rows);
        let lines = rows.flat_map(|row| parts.iter().map(|(part, widths, indent)| format!("{indent}{}", self.line(row, part, widths))));
        lines.collect()
    }

    /// Returns the names of the columns that are left out at this width.
    pub(crate) fn left_out(&self, room: usize) -> Vec<&'static str> {
        let optional = self.columns.iter().filter_map(|column| column.optional);
        optional.filter(|_| self.layout(room).reduced).collect()
    }

    /// Returns the width of the table with one line per row. It exceeds `room` if the flexible column cannot shrink enough.
    pub(crate) fn width(&self, room: usize) -> usize {
        let all: Vec<usize> = (0..self.columns.len()).collect();
        total(&self.widths(&all, room))
    }

    /// Returns the width of the second line of each row. `None` if a row takes one line.
    pub(crate) fn width_below(&self, room: usize) -> Option<usize> {
        let layout = self.layout(room);
        let parts = self.line_columns(layout);
        let below = parts.get(1).filter(|_| layout.folded)?;
        Some(INDENT.len() + total(&self.natural_widths(below)))
    }

    /// Returns the first layout that fits, or the last one if none does.
    fn layout(&self, room: usize) -> Layout {
        let fits = |layout: &Layout| {
            self.line_columns(*layout).iter().zip(["", INDENT]).all(|(part, indent)| {
                let widths = part.iter().zip(self.natural_widths(part)).map(|(at, wide)| {
                    let is_flexible = self.columns.get(*at).is_some_and(|column| column.is_flexible);
                    if is_flexible { wide.min(MIN_FLEXIBLE_WIDTH) } else { wide }
                });
                total(&widths.collect::<Vec<_>>()) <= room.saturating_sub(indent.len())
            })
        };
        let [whole, .., least] = LAYOUTS;
        // Shorten the value of a name and value pair.
        if self.columns.len() <= 2 {
            return whole;
        }
        LAYOUTS.into_iter().find(fits).unwrap_or(least)
    }

    /// Returns the columns of each line of a row.
    fn line_columns(&self, layout: Layout) -> Vec<Vec<usize>> {
        let is_shown = |at: &usize| !layout.reduced || self.columns.get(*at).is_some_and(|column| column.optional.is_none());
        let all = 0..self.columns.len();
        if !layout.folded {
            return vec![all.filter(is_shown).collect()];
        }
        let (keys, others) = all.filter(is_shown).partition(|at| *at < self.keys);
        vec![keys, others]
    }

    /// Returns the width of the widest cell of each of these columns.
    fn natural_widths(&self, part: &[usize]) -> Vec<usize> {
        let cells = |at: usize| self.rows.iter().filter_map(move |row| row.get(at)).map(|cell| width(&cell.text));
        let title = |at: usize| self.columns.get(at).filter(|_| !self.untitled).map(|column| width(&column.title));
        part.iter().map(|at| cells(*at).chain(title(*at)).max().unwrap_or(0)).collect()
    }

    /// Returns the column widths with the flexible column shortened to the room.
    fn widths(&self, part: &[usize], room: usize) -> Vec<usize> {
        let mut widths = self.natural_widths(part);
        let excess = total(&widths).saturating_sub(room);
        let is_flexible = |at: &usize| self.columns.get(*at).is_some_and(|column| column.is_flexible);
        if let Some((_, widest)) = part.iter().zip(&mut widths).find(|(at, _)| is_flexible(at)) {
            *widest = widest.saturating_sub(excess).max(1);
        }
        widths
    }

    fn line(&self, row: &[Cell], part: &[usize], widths: &[usize]) -> String {
        let mut line = String::new();
        // Pending spaces before the next visible text, so that no line ends with spaces.
        let mut pending_spaces = 0;
        for (place, (at, columns)) in part.iter().zip(widths).enumerate() {
            if place > 0 {
                pending_spaces += COLUMN_GAP;
            }
            let (text, style) = row.get(*at).map_or((String::new(), PLAIN), |cell| (truncate(&cell.text, *columns), cell.style));
            let blank = columns - width(&text).min(*columns);
            if text.is_empty() {
                pending_spaces += blank;
                continue;
            }
            let is_right = self.columns.get(*at).is_some_and(|column| column.align == Align::Right);
            let before = if is_right { blank } else { 0 };
            line.push_str(&" ".repeat(pending_spaces + before));
            line.push_str(&paint(style, &text));
            pending_spaces = blank - before;
        }
        line
    }
}

/// Returns the width of cells with the gaps between them.
fn total(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + COLUMN_GAP * widths.len().saturating_sub(1)
}

#[cfg(test)]
mod tests;
