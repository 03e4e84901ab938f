//! The input that a call waits for until its deadline.

use std::sync::{Mutex, PoisonError};

/// Hint for a call that ends at its deadline before it has its input.
static AWAITED: Mutex<Option<String>> = Mutex::new(None);

/// Returns the hint of a token command.
pub(crate) fn running_command(program: &str) -> String {
    format!("the token command `{program}` has not ended: run it to see why, or set a longer VITALWIRE_TIMEOUT")
}

/// Returns the hint of a file.
pub(crate) fn unread_file(name: &str) -> String {
    format!("{name} has not been read to its end: if it is a pipe, check that a program writes to it and closes it")
}

/// Awaits input. The hint stays set if the call's deadline drops the future.
pub(crate) async fn while_waiting<T>(hint: String, input: impl Future<Output = T>) -> T {
    set(Some(hint));
    let input = input.await;
    set(None);
    input
}

/// Returns the hint of the input that was awaited last and has not arrived.
pub(super) fn awaited_input() -> Option<String> {
    AWAITED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn set(hint: Option<String>) {
    *AWAITED.lock().unwrap_or_else(PoisonError::into_inner) = hint;
}
