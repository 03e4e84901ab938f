//! Verification of files against the manifest.

use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;

use super::manifest::{BlockManifest, FileManifest, MISSING_BLOCK, TableManifest};
use super::names::{is_temporary_part, part_name};
use super::parts::{REPAIR, difference};
use super::{Dataset, failures_file};
use crate::CohortTable;
use crate::DaySet;
use crate::error::CohortError;

/// Maximum number of users in a message.
const LISTED_USERS: usize = 5;

/// A file that differs from the manifest, or a table that lacks rows which a repair has removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Path relative to the folder of the dataset: a file, or the folder of a table.
    pub path: PathBuf,
    /// The difference or the lost rows, and the remedy if there is one.
    pub reason: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.reason)
    }
}

impl Dataset {
    /// Compares the existence, size and checksum of each file with the manifest. Returns the differences.
    ///
    /// Also returns the tables from which [`repair`](Self::repair) has removed rows, until a run has read all of their days again.
    ///
    /// # Errors
    /// The errors of [`Dataset::open`].
    pub fn verify(&self) -> Result<Vec<Problem>, CohortError> {
        let mut problems = Vec::new();
        let mut listed: HashSet<String> = HashSet::new();
        let blocks = super::names::blocks(&self.storage)?;
        let lacks_block = (blocks.len() as u64) < u64::from(self.manifest.blocks);
        if lacks_block {
            problems.push(Problem { path: super::names::FOLDER.into(), reason: MISSING_BLOCK.to_owned() });
        }
        for number in blocks {
            let manifest = BlockManifest::load(&self.storage, number)?;
            // A write that was interrupted between its files is complete after the next run.
            let next = BlockManifest::load_next(&self.storage, number)?;
            if manifest.users.iter().any(|user| self.manifest.is_removed(user)) {
                let reason = "the block has a user who was removed from the dataset; remove the user again".to_owned();
                problems.push(Problem { path: format!("_manifest/block-{number:05}.json").into(), reason });
            }
            problems.extend(next.as_ref().unwrap_or(&manifest).tables.iter().filter_map(lost_rows));
            for block in std::iter::once(&manifest).chain(&next) {
                for (table, state) in &block.tables {
                    for (month, file) in &state.files {
                        let name = part_name(*table, month, number);
                        if !listed.insert(name.clone()) {
                            continue;
                        }
                        let after = next.as_ref().map(|next| next.tables.get(table).and_then(|table| table.files.get(month)));
                        problems.extend(self.compare(name, file, after)?);
                    }
                }
            }
        }
        if let Some(file) = &self.manifest.failures_file {
            problems.extend(self.compare(failures_file::NAME.to_owned(), file, None)?);
        }
        listed.insert(failures_file::NAME.to_owned());
        for name in self.storage.table_files()? {
            let reason = match (is_temporary_part(&name), listed.contains(&name)) {
                (true, _) => "an interrupted run left this temporary file; resume the export to remove it",
                // It may belong to the lost block.
                (false, false) if lacks_block => continue,
                (false, false) => "the file does not belong to the dataset; remove it",
                (false, true) => continue,
            };
            problems.push(Problem { path: name.into(), reason: reason.to_owned() });
        }
        problems.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(problems)
    }

    /// Compares a file with the manifest, and with its state after an interrupted write: its new content, or `None` if it was removed.
    fn compare(&self, name: String, file: &FileManifest, after: Option<Option<&FileManifest>>) -> Result<Option<Problem>, CohortError> {
        let limit = after.flatten().map_or(0, |after| after.bytes).max(file.bytes);
        let content = self.storage.read(&name, limit)?;
        let is_after = after.is_some_and(|after| after.map_or(content.is_none(), |after| difference(content.as_deref(), after).is_none()));
        if is_after {
            return Ok(None);
        }
        let reason = difference(content.as_deref(), file);
        Ok(reason.map(|reason| Problem { path: name.into(), reason: format!("{reason}; {REPAIR}") }))
    }
}

/// Returns a problem if a repair removed rows of the table whose days no run has read again.
fn lost_rows((table, state): (&CohortTable, &TableManifest)) -> Option<Problem> {
    let users = state.users.iter().map(|(user, known)| (user.as_str(), known.state.pending()));
    let lost: Vec<(&str, &DaySet)> = users.filter(|(_, days)| !days.is_empty()).collect();
    let first = lost.iter().filter_map(|(_, days)| days.first()).min()?;
    let last = lost.iter().filter_map(|(_, days)| days.last()).max()?;
    let mut names: Vec<String> = lost.iter().take(LISTED_USERS).map(|(user, _)| (*user).to_owned()).collect();
    if lost.len() > names.len() {
        names.push(format!("{} more", lost.len() - names.len()));
    }
    let (users, these) = if lost.len() == 1 { ("user", "this user") } else { ("users", "these users") };
    let count = lost.len();
    let rows = format!("a repair removed the rows of {count} {users} ({}) from {first} to {last}", names.join(", "));
    let reason = format!("{rows}, and no run has read all of these days again; resume the export with this table and {these}");
    Some(Problem { path: format!("table={table}").into(), reason })
}
