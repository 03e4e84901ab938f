//! Tables aligned by what the eye sees, in columns of a terminal.

use std::borrow::Cow;

use anstyle::Style;

use super::style::{FAINT, PLAIN, clean, fit, paint, width};

/// Columns between two columns of a table.
const GAP: usize = 2;

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
}

/// A table: columns first, then rows.
#[derive(Default)]
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    untitled: bool,
}

impl Table {
    /// A table that will have a line of titles.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A table without a line of titles.
    pub(crate) fn untitled() -> Self {
        Self { untitled: true, ..Self::default() }
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
        self.columns.push(Column { title, align, gives });
        self
    }

    /// Adds a row; cells beyond the columns are dropped, missing ones are empty.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().take(self.columns.len()).collect());
    }

    /// The lines, each at most `room` columns wide as far as the giving column allows.
    pub(crate) fn lines(&self, room: usize) -> Vec<String> {
        let widths = self.widths(room);
        let titles: Vec<Cell> = self.columns.iter().map(|column| Cell::new(column.title.as_str(), FAINT)).collect();
        let head = (!self.untitled).then_some(&titles);
        head.into_iter().chain(&self.rows).map(|row| self.line(row, &widths)).collect()
    }

    /// Columns the widest line takes in so much room: more than the room if nothing gives enough.
    pub(crate) fn width(&self, room: usize) -> usize {
        let widths = self.widths(room);
        widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
    }

    fn widths(&self, room: usize) -> Vec<usize> {
        let mut widths: Vec<usize> = self.columns.iter().map(|column| if self.untitled { 0 } else { width(&column.title) }).collect();
        for row in &self.rows {
            for (widest, cell) in widths.iter_mut().zip(row) {
                *widest = (*widest).max(width(&cell.text));
            }
        }
        let whole = widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
        let too_much = whole.saturating_sub(room);
        if let Some((_, widest)) = self.columns.iter().zip(&mut widths).find(|(column, _)| column.gives) {
            *widest = widest.saturating_sub(too_much).max(1);
        }
        widths
    }

    fn line(&self, row: &[Cell], widths: &[usize]) -> String {
        let mut line = String::new();
        // Columns owed to the line before the next visible text: blanks at a line's end are never written.
        let mut owed = 0;
        for (at, (column, columns)) in self.columns.iter().zip(widths).enumerate() {
            if at > 0 {
                owed += GAP;
            }
            let (text, style) = row.get(at).map_or((String::new(), PLAIN), |cell| (fit(&cell.text, *columns), cell.style));
            let blank = columns - width(&text).min(*columns);
            if text.is_empty() {
                owed += blank;
                continue;
            }
            let before = if column.align == Align::Right { blank } else { 0 };
            line.push_str(&" ".repeat(owed + before));
            line.push_str(&paint(style, &text));
            owed = blank - before;
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answers_text_does_not_steer_the_terminal() {
        let mut table = Table::untitled().left("");
        table.row([Cell::from("a\u{1b}[2Jb\u{9b}c\nd")]);
        assert_eq!(table.lines(80), ["a\u{fffd}[2Jb\u{fffd}c d"]);
    }

    fn example() -> Table {
        let mut table = Table::new().flexible("dish").right("kcal").left("note");
        table.row(["Käse".into(), "7".into(), "".into()]);
        table.row(["朝食".into(), "1,250".into(), "x".into()]);
        table
    }

    #[test]
    fn columns_align_by_display_width() {
        // "Käse" and "朝食" both take four columns; titles are faint.
        let faint = |text: &str| paint(FAINT, text);
        let head = format!("{}   {}  {}", faint("dish"), faint("kcal"), faint("note"));
        assert_eq!(example().lines(80), [head, "Käse      7".to_owned(), "朝食  1,250  x".to_owned()]);
    }

    #[test]
    fn the_giving_column_is_cut_to_the_room() {
        let mut table = Table::untitled().flexible("").right("");
        table.row(["a long name".into(), "12".into()]);
        table.row(["short".into(), "345".into()]);
        // 12 columns: the number takes 3, the gap 2, so 7 are left.
        assert_eq!(table.lines(12), ["a long…   12", "short    345"]);
        assert_eq!((table.width(80), table.width(12)), (16, 12));
        // One column of the name is the least; with the gap and the number it takes 6.
        assert_eq!(table.width(3), 6);
    }

    #[test]
    fn ragged_rows_are_lines_too() {
        let mut table = Table::untitled().left("").left("");
        table.row(["a".into()]);
        table.row(["b".into(), "c".into(), "dropped".into()]);
        assert_eq!(table.lines(80), ["a", "b  c"]);
        assert!(Table::untitled().lines(80).is_empty());
    }
}
