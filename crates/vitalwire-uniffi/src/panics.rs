//! Panics: none of their texts is shown or crosses, since it could hold anything.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use vitalwire::ErrorKind;

use crate::error::ApiError;

/// Says where the library failed and not with what text. Once for the process: the library has a standard library of its own, so
/// no other library's panics are touched.
pub(crate) fn quiet_panics() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            let place = panic.location().map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
            let _ = writeln!(std::io::stderr(), "vitalwire: internal error{place}");
        }));
    });
}

/// Runs something; a panic becomes an internal error.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, ApiError>) -> Result<T, ApiError> {
    // Unwind safety: what a panic leaves behind is dropped here.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(ApiError::of_kind(ErrorKind::Internal)))
}
