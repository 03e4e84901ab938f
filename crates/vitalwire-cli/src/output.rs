//! The one place that writes to stdout.

use std::io::{self, IsTerminal, Write};

use anstream::AutoStream;

/// Width in columns when nothing says how wide the reader is.
const USUAL: usize = 80;
/// Narrower terminals are written to as if they were this wide.
const LEAST: usize = 60;
/// Longer lines are hard to read, however wide the terminal is.
const MOST: usize = 120;

/// Stdout, buffered by line, its colours stripped where they are not wanted.
pub(crate) struct Output {
    stream: AutoStream<io::StdoutLock<'static>>,
    width: usize,
}

impl Output {
    /// Locks stdout for the whole command.
    pub(crate) fn stdout() -> Self {
        let terminal = io::stdout().is_terminal().then(terminal_size::terminal_size).flatten();
        let told = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
        let width = terminal.map(|(width, _)| usize::from(width.0)).or(told).unwrap_or(USUAL);
        Self { stream: AutoStream::auto(io::stdout()).lock(), width: width.clamp(LEAST, MOST) }
    }

    /// How many columns a line may take.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Whether colours reach the reader.
    pub(crate) fn colored(&self) -> bool {
        self.stream.current_choice() != anstream::ColorChoice::Never
    }

    /// Writes one line.
    pub(crate) fn line(&mut self, text: &str) -> io::Result<()> {
        self.stream.write_all(text.as_bytes())?;
        self.stream.write_all(b"\n")
    }

    /// Hands everything written so far to the reader.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
