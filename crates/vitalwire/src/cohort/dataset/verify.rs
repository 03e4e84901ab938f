//! Verification of files against the manifest.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use super::manifest::part_path;
use super::{Dataset, failures_file, storage};
use crate::cohort::error::CohortError;

/// A file that differs from the manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Path relative to the folder of the dataset.
    pub path: PathBuf,
    /// The difference, and the remedy if there is one.
    pub reason: &'static str,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.reason)
    }
}

impl Dataset {
    /// Compares the existence, size and checksum of each file with the manifest. Returns the differences.
    ///
    /// # Errors
    /// The errors of [`Dataset::open`].
    pub fn verify(&self) -> Result<Vec<Problem>, CohortError> {
        let mut problems = Vec::new();
        let mut listed: HashSet<PathBuf> = HashSet::from([failures_file::PATH.into()]);
        for block in super::manifest::blocks(&self.folder)? {
            let manifest = super::BlockManifest::load(&self.folder, block)?;
            for (table, files) in &manifest.tables {
                for (month, file) in &files.files {
                    let path = PathBuf::from(part_path(*table, month, block));
                    let reason = match fs::read(self.folder.join(&path)) {
                        Err(error) if error.kind() == io::ErrorKind::NotFound => Some("the file is missing"),
                        Err(error) => return Err(CohortError::io(&path)(error)),
                        Ok(content) if content.len() as u64 != file.bytes => Some("the size of the file differs from the manifest"),
                        Ok(content) if storage::checksum(&content) != file.sha256 => {
                            Some("the checksum of the file differs from the manifest")
                        }
                        Ok(_) => None,
                    };
                    problems.extend(reason.map(|reason| Problem { path: path.clone(), reason }));
                    listed.insert(path);
                }
            }
        }
        for entry in storage::entries(&self.folder)? {
            if entry.file_name().to_str().is_some_and(|name| name.starts_with("table=")) {
                self.find_unlisted(&entry.path(), &listed, &mut problems)?;
            }
        }
        problems.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(problems)
    }

    fn find_unlisted(&self, folder: &Path, listed: &HashSet<PathBuf>, problems: &mut Vec<Problem>) -> Result<(), CohortError> {
        for entry in storage::entries(folder)? {
            let path = entry.path();
            let below = path.strip_prefix(&self.folder).unwrap_or(&path);
            if path.is_dir() {
                self.find_unlisted(&path, listed, problems)?;
            } else if storage::is_temporary(&path) {
                problems.push(Problem {
                    path: below.to_owned(),
                    reason: "an interrupted run left this temporary file; resume the export to remove it",
                });
            } else if !listed.contains(below) {
                problems.push(Problem { path: below.to_owned(), reason: "the manifest does not list the file; resume the export" });
            }
        }
        Ok(())
    }
}
