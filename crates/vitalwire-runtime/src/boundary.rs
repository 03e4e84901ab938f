//! Panic handling at an ABI boundary, which unwinding must not cross. For wrappers with their own copy of the standard library.
//!
//! The message of a panic could contain anything, so it is neither shown nor returned.

use std::future::Future;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use futures_util::FutureExt;

use crate::error::Error;

/// Installs a panic hook that prints the location of a panic, but not its message. The hook applies to the whole process. Call this only
/// in a library with its own copy of the standard library, so that other panics are not affected.
pub fn hide_panic_messages() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            // Release builds for phones omit source locations, and report line 0.
            let location =
                panic.location().filter(|at| at.line() != 0).map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
            let _ = writeln!(std::io::stderr(), "vitalwire: internal error{location}");
        }));
    });
}

/// Runs a closure, and converts a panic to an internal error.
///
/// # Errors
/// An internal error if the closure panics.
pub fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, Error> {
    // Unwind safe: only the call owns the state after a panic, and drops it.
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| panic_error())
}

/// Drives a future, and converts a panic to an internal error.
///
/// # Errors
/// An internal error if the future panics.
pub fn catch_panic_async<T>(work: impl Future<Output = T>) -> impl Future<Output = Result<T, Error>> {
    // An async block would store the future twice, as its argument and while awaiting it.
    AssertUnwindSafe(work).catch_unwind().map(|result| result.map_err(|_| panic_error()))
}

fn panic_error() -> Error {
    Error::internal("the library reached an unexpected state")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn a_panic_becomes_an_internal_error_without_its_text() {
        let error = catch_panic(|| -> u8 { panic!("CANARY") }).expect_err("the closure panics");
        assert_eq!(error.kind(), ErrorKind::Internal);
        assert!(!format!("{error} {error:?}").contains("CANARY"));
        assert_eq!(catch_panic(|| 7).expect("no panic"), 7);
    }

    #[tokio::test]
    async fn a_panic_of_a_future_becomes_an_internal_error() {
        let panics_after_yielding = async {
            tokio::task::yield_now().await;
            panic!("CANARY")
        };
        let error = catch_panic_async::<u8>(panics_after_yielding).await.expect_err("the future panics");
        assert_eq!(error.kind(), ErrorKind::Internal);
        assert_eq!(catch_panic_async(async { 7 }).await.expect("no panic"), 7);
    }

    #[test]
    fn catching_panics_does_not_store_the_future_twice() {
        let work = async {
            let buffer = [0_u8; 1000];
            tokio::task::yield_now().await;
            buffer.len()
        };
        let size = size_of_val(&work);
        assert!(size_of_val(&catch_panic_async(work)) < size + 100);
    }
}
