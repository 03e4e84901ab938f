//! Confirmation prompts on the terminal.

use std::io::{self, BufRead, IsTerminal, Write};

use vitalwire::{Error, ErrorKind};

use super::session::Session;
use crate::failure::Failure;
use crate::render::style::clean;

/// Asks for confirmation before a permanent deletion, unless `--yes` is given or there is no terminal.
pub(super) async fn confirm_deletion(session: &Session, question: String, yes: bool) -> Result<(), Failure> {
    if yes || !can_prompt() || prompt(session, question).await? {
        return Ok(());
    }
    let error = Error::with_reason(ErrorKind::Cancelled, "nothing was deleted");
    Err(Failure::Hinted(error, "--yes deletes without confirmation".to_owned()))
}

/// Adds the command that shows whether the deletion took effect to its failure.
pub(super) fn add_check_hint(failure: Failure, command: &str) -> Failure {
    if !failure.error().is_some_and(Error::may_have_taken_effect) {
        return failure;
    }
    failure.with_hint(&format!("it may have taken effect: {command} shows whether it did"))
}

/// Whether a prompt is possible: stdin and stderr are terminals.
pub(super) fn can_prompt() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Prompts on stderr and reads a line from stdin. Only "yes" confirms. Cancellation ends the wait.
pub(super) async fn prompt(session: &Session, question: String) -> Result<bool, Error> {
    let read_answer = move || -> io::Result<bool> {
        // Do not hold the lock while waiting: an interruption is reported meanwhile.
        write!(io::stderr(), "vitalwire: {} [y/N] ", clean(&question))?;
        io::stderr().flush()?;
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        Ok(["y", "yes"].contains(&answer.trim().to_ascii_lowercase().as_str()))
    };
    // Use a thread: a read from a terminal cannot be cancelled.
    let answer = session.cancel_token.unless_cancelled(tokio::task::spawn_blocking(read_answer)).await.ok_or_else(Error::cancelled)?;
    Ok(answer.is_ok_and(|answer| answer.unwrap_or(false)))
}
