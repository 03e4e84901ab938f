//! Generated files.

use std::path::Path;

/// A generated file: its path and text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Path relative to the workspace.
    pub path: String,
    /// Full text.
    pub text: String,
}

impl File {
    /// Creates a file.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }

    /// Returns the file's name without its folder and extension.
    pub(crate) fn stem(&self) -> Option<&str> {
        Path::new(&self.path).file_stem().and_then(|name| name.to_str())
    }
}
