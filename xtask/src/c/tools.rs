//! Tools required for C.

use crate::process::has;

/// Returns the tool that is missing for C builds.
pub(super) fn missing() -> Option<&'static str> {
    (!has("cmake") || !has("cc")).then_some("CMake or a C compiler is missing; on Debian: apt install cmake gcc")
}
