//! A published archive.

use std::path::PathBuf;

/// Folder of unpacked crates.
pub(super) const CRATES: &str = "crates";

/// An archive that was built and unpacked.
pub(super) struct Archive {
    /// File name of the archive.
    pub(super) name: String,
    /// The name of the crate, or of the Python package's folder in the workspace.
    pub(super) package: String,
    pub(super) kind: Kind,
    /// Size of the archive in bytes.
    pub(super) packed: u64,
    /// Folder with the unpacked files.
    pub(super) folder: PathBuf,
    /// Source folder of the package in the workspace.
    pub(super) origin: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Crate,
    /// A source distribution of a Python package.
    Sources,
}
