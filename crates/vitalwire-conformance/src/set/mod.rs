//! All cases, from their files, and their checks.

mod check;
mod read;
pub mod schema;
mod unique_names;

use std::path::{Path, PathBuf};

pub use check::findings;
pub use read::read;

use crate::case::Case;

/// Folder of the cases and their files, relative to the workspace.
pub const FOLDER: &str = "tests/conformance";

/// All cases, sorted by id.
#[derive(Debug)]
pub struct Set {
    /// `tests/conformance`.
    folder: PathBuf,
    cases: Vec<Case>,
}

impl Set {
    /// Returns the cases.
    #[must_use]
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// Returns the folder of the files that bodies name.
    #[must_use]
    pub fn fixtures(&self) -> PathBuf {
        self.folder.join("fixtures")
    }

    /// Returns the case with this id.
    #[must_use]
    pub fn case(&self, id: &str) -> Option<&Case> {
        self.cases.binary_search_by(|case| case.id.as_str().cmp(id)).ok().and_then(|at| self.cases.get(at))
    }

    /// Returns the ids of the statements that cases can test.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn statements(root: &Path) -> anyhow::Result<Vec<String>> {
        read::statements(root)
    }
}
