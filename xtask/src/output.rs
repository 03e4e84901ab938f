//! Output for the user.

use std::cell::RefCell;
use std::io::Write as _;

thread_local! {
    static CAPTURED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Prints a line, or captures it if this thread's output is captured.
pub(crate) fn print_line(text: &str) {
    let kept = CAPTURED.with_borrow_mut(|kept| {
        kept.as_mut().map(|kept| {
            kept.push_str(text);
            kept.push('\n');
        })
    });
    if kept.is_none() {
        let _ = writeln!(std::io::stdout(), "{text}");
    }
}

/// Returns a function's result, and its output on this thread.
pub(crate) fn capture<T>(work: impl FnOnce() -> T) -> (T, String) {
    CAPTURED.set(Some(String::new()));
    let done = work();
    (done, CAPTURED.take().unwrap_or_default())
}
