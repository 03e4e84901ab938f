//! The configuration of CMake.

use std::ffi::OsString;
use std::path::PathBuf;

/// What CMake builds, and with which library.
pub(super) struct Configuration {
    /// Folder below the target folder.
    pub(super) folder: &'static str,
    pub(super) library: PathBuf,
    /// The system libraries that the static library needs, to be compared; empty where they are not.
    pub(super) needs: String,
    /// Whether the library has functions for tests.
    pub(super) probe: bool,
    pub(super) valgrind: bool,
    /// Further settings, with their values.
    pub(super) settings: Vec<(&'static str, OsString)>,
}
