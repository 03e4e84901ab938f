//! The configuration of CMake.

use std::ffi::OsString;
use std::path::PathBuf;

/// Build settings for CMake, with the library to use.
pub(super) struct CMakeConfiguration {
    /// Build folder, relative to the target folder.
    pub(super) folder: &'static str,
    pub(super) library: PathBuf,
    /// Expected system libraries of the static library. Empty to skip the comparison.
    pub(super) needs: String,
    /// Whether the library has test-only functions.
    pub(super) probe: bool,
    pub(super) valgrind: bool,
    /// Further settings and their values.
    pub(super) settings: Vec<(&'static str, OsString)>,
}
