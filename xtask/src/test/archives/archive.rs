//! A published archive.

use std::path::PathBuf;

/// Folder of unpacked crates.
pub(super) const CRATES: &str = "crates";

/// An archive that was built and unpacked.
pub(super) struct Archive {
    /// Its file name.
    pub(super) name: String,
    /// The name of the crate, or of the Python package's folder in the workspace.
    pub(super) package: String,
    pub(super) kind: Kind,
    /// Size of its file in bytes.
    pub(super) packed: u64,
    /// The folder with its files.
    pub(super) folder: PathBuf,
    /// Its source folder in the workspace.
    pub(super) origin: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Crate,
    /// A source distribution of a Python package.
    Sources,
}
