//! Repair of damaged files, and removal of users.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use vitalwire::range::DateRange;
use vitalwire::value::Date;

use super::Dataset;
use super::manifest::RemovedUser;
use super::names::part_name;
use super::parts::{self, difference, text};
use super::verify::Problem;
use super::writer::Writer;
use crate::CohortTable;
use crate::USER;
use crate::error::CohortError;
use crate::storage::{Storage, checksum};

impl Dataset {
    /// Forgets damaged and missing part files, so that the next run requests their days again. Returns what was forgotten.
    ///
    /// Until the days of all users were read again, [`verify`](Self::verify) returns the lost rows as a problem.
    ///
    /// # Errors
    /// The errors of [`Dataset::open`]; [`CohortError::Dataset`] if another program is writing to the dataset.
    pub fn repair(folder: impl AsRef<Path>) -> Result<Vec<Problem>, CohortError> {
        let mut writer = open(folder.as_ref())?;
        let mut forgotten = Vec::new();
        for block in &mut writer.blocks {
            let mut manifest = block.manifest.clone();
            let mut damaged = Vec::new();
            for (table, state) in &mut manifest.tables {
                let mut lost = Vec::new();
                for (month, file) in &state.files {
                    let name = part_name(*table, month, block.number);
                    let content = writer.storage.read(&name, file.bytes)?;
                    if let Some(reason) = difference(content.as_deref(), file) {
                        lost.push(month.clone());
                        forgotten.push(Problem { path: name.clone().into(), reason: reason.to_owned() });
                        damaged.push(name);
                    }
                }
                for month in lost {
                    state.files.remove(&month);
                    for user in state.users.values_mut() {
                        user.state.record_loss(requests_of_month(*table, &month));
                        user.done = crate::DaySet::new();
                    }
                }
            }
            if !damaged.is_empty() {
                block.commit(&writer.storage, manifest, &[], &damaged)?;
            }
        }
        writer.write_failures()?;
        Ok(forgotten)
    }

    /// Removes all rows, states and failures of a user, for example after they have withdrawn their consent. Later runs leave the user out.
    ///
    /// `user` is the id or pseudonym in the column `user`. The manifest keeps a proof without the id, which is returned.
    ///
    /// # Errors
    /// * The errors of [`Dataset::open`].
    /// * [`CohortError::Dataset`] if the dataset does not have the user, a file is damaged, or another program is writing to the dataset.
    pub fn remove_user(folder: impl AsRef<Path>, user: &str) -> Result<RemovedUser, CohortError> {
        remove(open(folder.as_ref())?, user)
    }
}

/// Removes a user. Can be repeated after an interruption.
pub(super) fn remove(mut writer: Writer, user: &str) -> Result<RemovedUser, CohortError> {
    let folder = writer.storage.root().to_owned();
    let sha256 = checksum(user.as_bytes());
    let Some(block) = writer.blocks.iter_mut().find(|block| block.manifest.users.iter().any(|known| known == user)) else {
        let proof = writer.manifest.as_ref().and_then(|manifest| manifest.removed_users.iter().find(|proof| proof.sha256 == sha256));
        let Some(proof) = proof.cloned() else {
            return Err(CohortError::dataset(&folder, "the dataset has no user with this id; check the id and the pseudonym key"));
        };
        // An earlier removal was interrupted after its rows.
        writer.write_failures()?;
        return Ok(proof);
    };
    let mut proof = RemovedUser { sha256, removed_at: now(), rows: BTreeMap::new(), files: 0 };
    let mut manifest = block.manifest.clone();
    let (mut staged, mut emptied) = (Vec::new(), Vec::new());
    for (table, state) in &mut manifest.tables {
        for (month, file) in state.files.clone() {
            let all = parts::read(&writer.storage, *table, &month, block.number, &file)?;
            let users = all.column(USER);
            let kept: Vec<usize> = (0..all.len()).filter(|row| text(users, *row) != user).collect();
            let removed = (all.len() - kept.len()) as u64;
            if removed > 0 {
                *proof.rows.entry(*table).or_insert(0) += removed;
                proof.files += 1;
                block.stage(&writer.storage, *table, &month, all.take(&kept)?, state, &mut staged, &mut emptied)?;
            }
        }
        state.users.remove(user);
        state.failures.retain(|failure| failure.user != user);
    }
    manifest.users.retain(|known| known != user);
    // Before the rows, so that no interruption lets a later run read the user again.
    if let Some(dataset) = &mut writer.manifest {
        dataset.removed_users.retain(|known| known.sha256 != proof.sha256);
        dataset.removed_users.push(proof.clone());
        dataset.save(&writer.storage)?;
    }
    block.commit(&writer.storage, manifest, &staged, &emptied)?;
    writer.write_failures()?;
    Ok(proof)
}

/// Returns the days whose requests return the rows of a month's file. `None` for all requested days: the file has rows without a day, or the
/// service selects records by other days.
fn requests_of_month(table: CohortTable, month: &str) -> Option<DateRange> {
    table.filter_column()?;
    let first: Date = format!("{month}-01").parse().ok()?;
    let last = table.split(DateRange::from((first, first.plus_days(30)?)), 1).first()?.last();
    let margin = i32::try_from(table.filter_margin_days()).ok()?;
    Some(DateRange::from((first.plus_days(-margin)?, last.plus_days(margin)?)))
}

/// Returns this machine's time, in seconds since 1970-01-01T00:00:00Z.
fn now() -> i64 {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    i64::try_from(seconds).unwrap_or_default()
}

fn open(folder: &Path) -> Result<Writer, CohortError> {
    // Without a dataset, nothing must be created.
    Dataset::open(folder)?;
    Writer::open_existing(Storage::new(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_requests_of_a_month_return_all_its_rows() {
        let days = |table, month| requests_of_month(table, month).map(|days| format!("{}/{}", days.first(), days.last()));
        assert_eq!(days(CohortTable::Daily, "2025-02").as_deref(), Some("2025-02-01/2025-02-28"));
        assert_eq!(days(CohortTable::Sleeps, "2024-12").as_deref(), Some("2024-11-29/2025-01-02"));
        // The service can select a lab report by the day of its upload.
        assert_eq!(days(CohortTable::Labs, "2025-02"), None);
        assert_eq!(days(CohortTable::Sleeps, "__HIVE_DEFAULT_PARTITION__"), None);
    }
}
