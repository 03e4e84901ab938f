//! All cases: read from their files, and checked.

mod check;
mod read;
pub mod schema;

use std::path::{Path, PathBuf};

pub use check::findings;
pub use read::read;

use crate::case::Case;

/// Where cases and what belongs to them are, relative to the workspace.
pub const FOLDER: &str = "tests/conformance";

/// All cases, in the order of their ids.
#[derive(Debug)]
pub struct Set {
    /// `tests/conformance`.
    folder: PathBuf,
    /// The cases.
    cases: Vec<Case>,
}

impl Set {
    /// The cases.
    #[must_use]
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// The folder of the files that bodies name.
    #[must_use]
    pub fn fixtures(&self) -> PathBuf {
        self.folder.join("fixtures")
    }

    /// The case of this id.
    #[must_use]
    pub fn case(&self, id: &str) -> Option<&Case> {
        self.cases.binary_search_by(|case| case.id.as_str().cmp(id)).ok().and_then(|at| self.cases.get(at))
    }

    /// Ids of the statements that a client can be seen to keep.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read.
    pub fn statements(root: &Path) -> anyhow::Result<Vec<String>> {
        read::statements(root)
    }
}
