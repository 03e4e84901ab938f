//! Tools that everything for C needs.

use crate::process::has;

/// What is missing to build anything for C.
pub(super) fn missing() -> Option<&'static str> {
    (!has("cmake") || !has("cc")).then_some("no cmake or no C compiler")
}
