//! Questions to the person at the terminal.

use std::io::{self, BufRead, IsTerminal, Write};

use vitalwire::{Error, ErrorKind};

use super::session::Session;
use crate::failure::Failure;

/// Asks before something is deleted for good, unless `--yes` answers or nobody can be asked.
pub(super) async fn deletion(session: &Session, question: String, yes: bool) -> Result<(), Failure> {
    if yes || !can_ask() || session.stop.unless_cancelled(confirmed(question)).await.ok_or_else(Error::cancelled)? {
        return Ok(());
    }
    let error = Error::with_reason(ErrorKind::Cancelled, "nothing was deleted");
    Err(Failure::Hinted(error, "--yes deletes without a question".to_owned()))
}

/// Whether somebody can be asked: stdin and stderr are terminals.
pub(super) fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks on stderr and waits for a line on stdin; anything but yes is no. Runs on a thread of its own, so that Ctrl-C ends it at once.
pub(super) async fn confirmed(question: String) -> bool {
    let ask = move || -> io::Result<bool> {
        let mut stderr = io::stderr().lock();
        write!(stderr, "vitalwire: {question} [y/N] ")?;
        stderr.flush()?;
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        Ok(["y", "yes"].contains(&answer.trim().to_ascii_lowercase().as_str()))
    };
    tokio::task::spawn_blocking(ask).await.is_ok_and(|answer| answer.unwrap_or(false))
}
