//! Panics at an ABI, which no unwinding may cross: for wrappers, whose libraries have a standard library of their own.
//!
//! No text of a panic is shown or crosses, since it could hold anything.

use std::future::Future;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use futures_util::FutureExt;

use crate::error::Error;

/// Lets panics say where they happened and not with what text. Once for the process: only the library's own panics are meant, so that nothing
/// but a library with a standard library of its own may call this.
pub fn quiet_panics() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            // A library for phones is compiled without places in the sources: each is line 0.
            let place =
                panic.location().filter(|at| at.line() != 0).map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
            let _ = writeln!(std::io::stderr(), "vitalwire: internal error{place}");
        }));
    });
}

/// Runs something; a panic becomes an internal error.
///
/// # Errors
/// An internal error, where it panicked.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Error> {
    // Unwind safety: what a panic leaves behind belongs to the call, which drops it.
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| panicked())
}

/// Drives a future; a panic becomes an internal error.
///
/// # Errors
/// An internal error, where it panicked.
pub fn caught_call<T>(work: impl Future<Output = T>) -> impl Future<Output = Result<T, Error>> {
    // An async block would have room for it twice: as it is given, and as it is awaited.
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
