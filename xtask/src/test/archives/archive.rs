//! An archive that is published.

use std::path::PathBuf;

/// Where crates are unpacked, below the folder of all.
pub(super) const CRATES: &str = "crates";

/// An archive that was made and unpacked.
pub(super) struct Archive {
    /// The name of its file.
    pub(super) name: String,
    /// The name of the crate, or of the Python package's folder in the workspace.
    pub(super) package: String,
    pub(super) kind: Kind,
    /// Bytes of its file.
    pub(super) packed: u64,
    /// Where it is unpacked.
    pub(super) folder: PathBuf,
    /// The folder of the workspace that it was made of.
    pub(super) origin: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Crate,
    /// A source distribution of a Python package.
    Sources,
}
