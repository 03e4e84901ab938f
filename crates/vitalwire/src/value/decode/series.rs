//! Series of numbers come several of a length: the last one's length is reserved for the next, instead of growing it a dozen times.

use std::cell::Cell;

/// Shorter lists are no series.
const SERIES: usize = 64;

thread_local! {
    /// Length of the last series of the body that is read on this thread.
    static LAST: Cell<usize> = const { Cell::new(0) };
}

/// Runs `read` without knowing of other bodies' series.
pub(super) fn of_body<T>(read: impl FnOnce() -> T) -> T {
    LAST.set(0);
    let result = read();
    LAST.set(0);
    result
}

/// How many numbers a list is likely to have.
pub(super) fn expected() -> usize {
    LAST.get()
}

/// Gives back what was reserved for more than came. So what is reserved in vain is never more than what the series before took.
pub(super) fn ended<T>(list: &mut Vec<T>) {
    if list.len() < LAST.get() / 2 {
        list.shrink_to_fit();
    }
    if LAST.get() > 0 || list.len() >= SERIES {
        LAST.set(list.len());
    }
}
