//! Screens for people: titles with a horizontal line, lines, texts and tables, as wide as the terminal.

use crate::failure::Failure;
use crate::output::Output;
use crate::render::ascii;
use crate::render::style::{FAINT, HEADING, clean, clean_line, paint, width, wrap};
use crate::render::table::Table;

/// Label on every screen with data of a sandbox.
const SYNTHETIC: &str = "synthetic data";
/// Indentation of everything but titles.
const INDENT: &str = "  ";

/// Output for people.
pub(crate) struct Screen {
    out: Output,
    synthetic: bool,
    /// Whether the terminal shows only ASCII.
    ascii: bool,
}

impl Screen {
    /// Creates a screen of real or synthetic data.
    pub(crate) fn new(out: Output, synthetic: bool) -> Self {
        Self { out, synthetic, ascii: !ascii::is_utf8() }
    }

    /// Returns the maximum width of an indented line.
    pub(crate) fn available_width(&self) -> usize {
        self.out.width() - INDENT.len()
    }

    pub(crate) fn width(&self) -> usize {
        self.out.width()
    }

    /// Writes a line without indentation.
    pub(crate) fn plain(&mut self, text: &str) -> Result<(), Failure> {
        let text = clean_line(text);
        let text = if self.ascii && !text.is_ascii() { ascii::to_ascii(&text) } else { text.into_owned() };
        Ok(self.out.line(&text)?)
    }

    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.out.finish()
    }

    /// Writes an empty line and a title, as [`Screen::title`] does.
    pub(crate) fn rule(&mut self, title: &str) -> Result<(), Failure> {
        self.out.line("")?;
        self.title(title)
    }

    /// Writes a title and a horizontal line. The line ends at the label for synthetic data, if there is one.
    pub(crate) fn title(&mut self, title: &str) -> Result<(), Failure> {
        let mark = if self.synthetic { format!(" {SYNTHETIC}") } else { String::new() };
        let mut lines = if width(title) > self.out.width() { wrap(title, self.out.width()) } else { vec![title.to_owned()] };
        let mut last = lines.pop().unwrap_or_default();
        for line in lines {
            self.plain(&paint(HEADING, &line))?;
        }
        if width(&last) + width(&mark) > self.out.width() {
            self.plain(&paint(HEADING, &last))?;
            last.clear();
        }
        let blank = if last.is_empty() { "" } else { " " };
        let rule = "─".repeat(self.out.width().saturating_sub(width(&last) + blank.len() + width(&mark)));
        self.plain(&format!("{}{blank}{}{}", paint(HEADING, &last), paint(FAINT, &rule), paint(FAINT, &mark)))
    }

    pub(crate) fn line(&mut self, text: &str) -> Result<(), Failure> {
        let line = if text.is_empty() { String::new() } else { format!("{INDENT}{text}") };
        self.plain(&line)
    }

    /// Writes a text, wrapped between words.
    pub(crate) fn note(&mut self, text: &str) -> Result<(), Failure> {
        for line in wrap(text, self.available_width()) {
            self.line(&line)?;
        }
        Ok(())
    }

    /// Writes an empty line and the id of the record above, which other commands need.
    pub(crate) fn record_id(&mut self, id: &str) -> Result<(), Failure> {
        self.line("")?;
        self.note(&paint(FAINT, &format!("record {}", clean(id))))
    }

    pub(crate) fn table(&mut self, table: &Table) -> Result<(), Failure> {
        for line in table.lines(self.available_width()) {
            self.line(&line)?;
        }
        let left_out = table.left_out(self.available_width());
        if left_out.is_empty() {
            return Ok(());
        }
        self.note(&paint(FAINT, &format!("Wider terminals also show: {}.", left_out.join(", "))))
    }

    /// Writes a table beside a picture `columns` wide. Writes only the table if there is no picture or no room for it.
    pub(crate) fn table_with_picture(&mut self, picture: &[String], columns: usize, table: &Table) -> Result<(), Failure> {
        let room = self.available_width().saturating_sub(columns + INDENT.len());
        if picture.is_empty() || table.width(room) > room {
            return self.table(table);
        }
        let lines = table.lines(room);
        let blank = " ".repeat(columns);
        for row in 0..picture.len().max(lines.len()) {
            let left = picture.get(row).unwrap_or(&blank);
            let right = lines.get(row).map_or("", String::as_str);
            self.line(&format!("{left}{INDENT}{right}"))?;
        }
        Ok(())
    }

    /// Whether colours are shown.
    pub(crate) fn colored(&self) -> bool {
        self.out.colored()
    }
}
