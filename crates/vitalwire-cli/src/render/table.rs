//! Tables aligned by what the eye sees, in columns of a terminal.

use std::borrow::Cow;

use anstyle::Style;

use super::style::{FAINT, PLAIN, clean, fit, paint, width};

/// Columns between two columns of a table.
const GAP: usize = 2;
/// Columns that remain of a giving column before the table takes another layout.
const LEAST: usize = 16;
/// Blanks before the second line of a row.
const FOLD: &str = "  ";

/// Where the cells of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// One cell.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    /// A text in a style, cleaned: an answer's text must not steer the reader's terminal.
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
    /// The one column that is cut when the table is too wide.
    gives: bool,
    /// Name of a column that narrow terminals do without.
    optional: Option<&'static str>,
}

/// Form of a table in the room it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    /// Two lines per row: the key columns, and the others indented below them.
    folded: bool,
    /// Without the optional columns.
    reduced: bool,
}

/// The forms of a table, the most complete one first.
const LAYOUTS: [Layout; 4] = [
    Layout { folded: false, reduced: false },
    Layout { folded: true, reduced: false },
    Layout { folded: false, reduced: true },
    Layout { folded: true, reduced: true },
];

/// A table: columns first, then rows.
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    untitled: bool,
    /// Number of columns in the first of two lines.
    keys: usize,
}

impl Table {
    /// A table that will have a line of titles.
    pub(crate) fn new() -> Self {
        Self { columns: Vec::new(), rows: Vec::new(), untitled: false, keys: 1 }
    }

    /// A table without a line of titles.
    pub(crate) fn untitled() -> Self {
        Self { untitled: true, ..Self::new() }
    }

    /// A table of names and values without titles: two pairs per row, or one where two do not fit into so many columns.
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

    /// Adds a column of texts that are cut when there is no room.
    pub(crate) fn flexible(self, title: impl Into<String>) -> Self {
        self.column(title.into(), Align::Left, true)
    }

    fn column(mut self, title: String, align: Align, gives: bool) -> Self {
        self.columns.push(Column { title, align, gives, optional: None });
        self
    }

    /// Makes the last column one that narrow terminals do without, and names it.
    pub(crate) fn optional(mut self, name: &'static str) -> Self {
        if let Some(column) = self.columns.last_mut() {
            column.optional = Some(name);
        }
        self
    }

    /// Sets how many columns stay in the first line of a row that needs two. Defaults to 1.
    pub(crate) fn keys(mut self, count: usize) -> Self {
        self.keys = count;
        self
    }

    /// Adds a row; cells beyond the columns are dropped, missing ones are empty.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().take(self.columns.len()).collect());
    }

    /// The lines, each at most `room` columns wide as far as the giving column allows.
    pub(crate) fn lines(&self, room: usize) -> Vec<String> {
        let parts: Vec<_> = self
            .parts(self.layout(room))
            .into_iter()
            .zip(["", FOLD])
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

    /// The names of the columns that the lines in so much room do not have.
    pub(crate) fn left_out(&self, room: usize) -> Vec<&'static str> {
        let optional = self.columns.iter().filter_map(|column| column.optional);
        optional.filter(|_| self.layout(room).reduced).collect()
    }

    /// Columns that one line per row takes in so much room: more than the room if nothing gives enough.
    pub(crate) fn width(&self, room: usize) -> usize {
        let all: Vec<usize> = (0..self.columns.len()).collect();
        total(&self.widths(&all, room))
    }

    /// Columns of the second line of each row in so much room; `None` where a row takes one line.
    pub(crate) fn width_below(&self, room: usize) -> Option<usize> {
        let layout = self.layout(room);
        let parts = self.parts(layout);
        let below = parts.get(1).filter(|_| layout.folded)?;
        Some(FOLD.len() + total(&self.natural(below)))
    }

    /// The first layout that fits, and the last one if none does.
    fn layout(&self, room: usize) -> Layout {
        let fits = |layout: &Layout| {
            self.parts(*layout).iter().zip(["", FOLD]).all(|(part, indent)| {
                let widths = part.iter().zip(self.natural(part)).map(|(at, wide)| {
                    let gives = self.columns.get(*at).is_some_and(|column| column.gives);
                    if gives { wide.min(LEAST) } else { wide }
                });
                total(&widths.collect::<Vec<_>>()) <= room.saturating_sub(indent.len())
            })
        };
        let [whole, .., least] = LAYOUTS;
        // Of a name and its value the value is cut.
        if self.columns.len() <= 2 {
            return whole;
        }
        LAYOUTS.into_iter().find(fits).unwrap_or(least)
    }

    /// The columns of each line of a row.
    fn parts(&self, layout: Layout) -> Vec<Vec<usize>> {
        let shown = |at: &usize| !layout.reduced || self.columns.get(*at).is_some_and(|column| column.optional.is_none());
        let all = 0..self.columns.len();
        if !layout.folded {
            return vec![all.filter(shown).collect()];
        }
        let (keys, others) = all.filter(shown).partition(|at| *at < self.keys);
        vec![keys, others]
    }

    /// Columns that the widest cell of each of these takes.
    fn natural(&self, part: &[usize]) -> Vec<usize> {
        let cells = |at: usize| self.rows.iter().filter_map(move |row| row.get(at)).map(|cell| width(&cell.text));
        let title = |at: usize| self.columns.get(at).filter(|_| !self.untitled).map(|column| width(&column.title));
        part.iter().map(|at| cells(*at).chain(title(*at)).max().unwrap_or(0)).collect()
    }

    /// The same where the giving column is cut to the room.
    fn widths(&self, part: &[usize], room: usize) -> Vec<usize> {
        let mut widths = self.natural(part);
        let too_much = total(&widths).saturating_sub(room);
        let gives = |at: &usize| self.columns.get(*at).is_some_and(|column| column.gives);
        if let Some((_, widest)) = part.iter().zip(&mut widths).find(|(at, _)| gives(at)) {
            *widest = widest.saturating_sub(too_much).max(1);
        }
        widths
    }

    fn line(&self, row: &[Cell], part: &[usize], widths: &[usize]) -> String {
        let mut line = String::new();
        // Columns owed to the line before the next visible text: blanks at a line's end are never written.
        let mut owed = 0;
        for (place, (at, columns)) in part.iter().zip(widths).enumerate() {
            if place > 0 {
                owed += GAP;
            }
            let (text, style) = row.get(*at).map_or((String::new(), PLAIN), |cell| (fit(&cell.text, *columns), cell.style));
            let blank = columns - width(&text).min(*columns);
            if text.is_empty() {
                owed += blank;
                continue;
            }
            let right = self.columns.get(*at).is_some_and(|column| column.align == Align::Right);
            let before = if right { blank } else { 0 };
            line.push_str(&" ".repeat(owed + before));
            line.push_str(&paint(style, &text));
            owed = blank - before;
        }
        line
    }
}

/// Columns that cells of these widths take with the gaps between them.
fn total(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
}

#[cfg(test)]
mod tests;
