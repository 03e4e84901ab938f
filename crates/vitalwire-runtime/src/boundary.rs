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
pub fn quiet_panics() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            // Release builds for phones omit source locations, and report line 0.
            let place =
                panic.location().filter(|at| at.line() != 0).map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
            let _ = writeln!(std::io::stderr(), "vitalwire: internal error{place}");
        }));
    });
}

/// Runs a closure, and converts a panic to an internal error.
///
/// # Errors
/// An internal error if the closure panics.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Error> {
    // Unwind safe: only the call owns the state after a panic, and drops it.
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| panicked())
}

/// Drives a future, and converts a panic to an internal error.
///
/// # Errors
/// An internal error if the future panics.
pub fn caught_call<T>(work: impl Future<Output = T>) -> impl Future<Output = Result<T, Error>> {
    // An async block would store the future twice, as its argument and while awaiting it.
    AssertUnwindSafe(work).catch_unwind().map(|result| result.map_err(|_| panicked()))
}

fn panicked() -> Error {
    Error::internal("the library met a state it does not know")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn a_panic_becomes_an_internal_error_without_its_text() {
        let error = caught(|| -> u8 { panic!("CANARY") }).expect_err("it panicked");
        assert_eq!(error.kind(), ErrorKind::Internal);
        assert!(!format!("{error} {error:?}").contains("CANARY"));
        assert_eq!(caught(|| 7).expect("it did not"), 7);
    }

    #[tokio::test]
    async fn a_panic_of_a_future_too() {
        let after_a_wait = async {
            tokio::task::yield_now().await;
            panic!("CANARY")
        };
        let error = caught_call::<u8>(after_a_wait).await.expect_err("it panicked");
        assert_eq!(error.kind(), ErrorKind::Internal);
        assert_eq!(caught_call(async { 7 }).await.expect("it did not"), 7);
    }
    #[test]
    fn work_that_is_caught_takes_no_room_twice() {
        let work = async {
            let kept = [0_u8; 1000];
            tokio::task::yield_now().await;
            kept.len()
        };
        let room = size_of_val(&work);
        assert!(size_of_val(&caught_call(work)) < room + 100);
    }
}
