//! Output: lines for people, and raw bytes.

pub(crate) mod check;
mod destination;
mod part_file;
mod sink;

use std::io::{self, IsTerminal, Write};

use anstream::AutoStream;
use anstream::adapter::strip_str;

use crate::failure::Failure;
pub(crate) use destination::Destination;
pub(crate) use part_file::{PartFile, RangeRequest, to_hex};
pub(crate) use sink::{Sink, remove_temporary};

/// Width in columns if the environment states none.
const DEFAULT_WIDTH: usize = 80;
/// Width assumed for narrower terminals.
const MIN_WIDTH: usize = 40;
/// Maximum line width, because longer lines are hard to read.
const MAX_WIDTH: usize = 120;

/// A writer of lines that removes colours if they are not wanted.
pub(crate) struct Output {
    lines: Lines,
    width: usize,
}

enum Lines {
    Stdout(AutoStream<io::StdoutLock<'static>>),
    /// A file, always without colours.
    File(Sink),
}

impl Output {
    /// Locks stdout until the command ends.
    pub(crate) fn stdout() -> Self {
        let terminal = io::stdout().is_terminal().then(terminal_size::terminal_size).flatten();
        let width = terminal.map_or_else(stated_width, |(width, _)| usize::from(width.0));
        Self { lines: Lines::Stdout(AutoStream::auto(io::stdout()).lock()), width: width.clamp(MIN_WIDTH, MAX_WIDTH) }
    }

    /// Opens the destination for lines.
    pub(crate) fn to(destination: &Destination) -> Result<Self, Failure> {
        if destination.file().is_none() {
            return Ok(Self::stdout());
        }
        Ok(Self { lines: Lines::File(destination.sink(false)?), width: stated_width().clamp(MIN_WIDTH, MAX_WIDTH) })
    }

    /// Returns the maximum line width in columns.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Whether colours are shown.
    pub(crate) fn colored(&self) -> bool {
        match &self.lines {
            Lines::Stdout(stream) => stream.current_choice() != anstream::ColorChoice::Never,
            Lines::File(_) => false,
        }
    }

    pub(crate) fn line(&mut self, text: &str) -> io::Result<()> {
        match &mut self.lines {
            Lines::Stdout(stream) => stream.write_all(text.as_bytes()).and_then(|()| stream.write_all(b"\n")),
            Lines::File(sink) => writeln!(sink, "{}", strip_str(text)),
        }
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        match &mut self.lines {
            Lines::Stdout(stream) => stream.flush(),
            Lines::File(sink) => sink.flush(),
        }
    }

    /// Completes the output. A file appears only now.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.flush()?;
        match self.lines {
            Lines::Stdout(_) => Ok(()),
            Lines::File(sink) => sink.finish(),
        }
    }
}

/// Returns the width that the environment states.
fn stated_width() -> usize {
    std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok()).unwrap_or(DEFAULT_WIDTH)
}
