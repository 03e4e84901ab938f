//! What a command draws for people: titles with a rule, lines, texts and tables, as wide as the reader's terminal.

use crate::failure::Failure;
use crate::output::Output;
use crate::render::ascii;
use crate::render::style::{FAINT, HEADING, guard, paint, width, wrap};
use crate::render::table::Table;

/// Stands on every screen that shows a sandbox's data.
const SYNTHETIC: &str = "synthetic data";
/// Columns before everything but titles.
const INDENT: &str = "  ";

/// Output as people read it.
pub(crate) struct Screen {
    out: Output,
    synthetic: bool,
    /// Whether the reader's terminal shows ASCII only.
    ascii: bool,
}

impl Screen {
    /// A screen of real or of synthetic data.
    pub(crate) fn new(out: Output, synthetic: bool) -> Self {
        Self { out, synthetic, ascii: !ascii::is_utf8() }
    }

    /// Columns a screen's lines may take.
    pub(crate) fn room(&self) -> usize {
        self.out.width() - INDENT.len()
    }

    /// Columns of a whole line.
    pub(crate) fn width(&self) -> usize {
        self.out.width()
    }

    /// A line without the blanks before it.
    pub(crate) fn plain(&mut self, text: &str) -> Result<(), Failure> {
        self.write(text)
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        let text = guard(text);
        let text = if self.ascii && !text.is_ascii() { ascii::ascii(&text) } else { text.into_owned() };
        Ok(self.out.line(&text)?)
    }

    /// Hands everything drawn so far to the reader.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    /// The end of it.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.out.finish()
    }

    /// An empty line, then a title with a rule to the mark that says that the data is synthetic.
    pub(crate) fn rule(&mut self, title: &str) -> Result<(), Failure> {
        self.out.line("")?;
        self.title(title)
    }

    /// A title with a rule to the mark, or to the end of the line.
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

    /// One line of a screen.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), Failure> {
        let line = if text.is_empty() { String::new() } else { format!("{INDENT}{text}") };
        self.write(&line)
    }

    /// A text in sentences.
    pub(crate) fn note(&mut self, text: &str) -> Result<(), Failure> {
        for line in wrap(text, self.room()) {
            self.line(&line)?;
        }
        Ok(())
    }

    /// A table.
    pub(crate) fn table(&mut self, table: &Table) -> Result<(), Failure> {
        for line in table.lines(self.room()) {
            self.line(&line)?;
        }
        let left_out = table.left_out(self.room());
        if left_out.is_empty() {
            return Ok(());
        }
        self.note(&paint(FAINT, &format!("Wider terminals also show: {}.", left_out.join(", "))))
    }

    /// A table beside a picture of so many columns, or alone where there is no picture or no room for it.
    pub(crate) fn illustrated(&mut self, picture: &[String], columns: usize, table: &Table) -> Result<(), Failure> {
        let room = self.room().saturating_sub(columns + INDENT.len());
        if picture.is_empty() || table.width(room) > room {
            return self.table(table);
        }
        let lines = table.lines(room);
        let blank = " ".repeat(columns);
        for at in 0..picture.len().max(lines.len()) {
            let left = picture.get(at).unwrap_or(&blank);
            let right = lines.get(at).map_or("", String::as_str);
            self.line(&format!("{left}{INDENT}{right}"))?;
        }
        Ok(())
    }

    /// Whether colours reach the reader.
    pub(crate) fn colored(&self) -> bool {
        self.out.colored()
    }
}
