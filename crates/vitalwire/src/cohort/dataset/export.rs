//! Runs that write a dataset.

mod block_run;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use block_run::BlockRun;

use super::manifest::{BlockManifest, DatasetManifest, Run, blocks, lock};
use super::summary::Summary;
use super::{Dataset, failures_file, storage};
use crate::cohort::error::CohortError;
use crate::cohort::{CohortReader, CohortTable};
use crate::error::Error;
use crate::range::DateRange;

/// Number of users in a block. It limits memory, and the rows that a change writes again.
const USERS_PER_BLOCK: usize = 100;

/// Default number of days that each run requests again.
const LATE_DAYS: u32 = 7;

/// Maximum number of days that each run requests again.
const MAX_LATE_DAYS: u32 = 366;

/// Constant whose pseudonym identifies the key of a dataset.
const CHECKED_ID: &str = "vitalwire pseudonym key";

/// An export of a cohort to a dataset.
#[derive(Clone, Debug)]
#[must_use = "nothing is requested before the export runs"]
pub struct Export {
    tables: Vec<CohortTable>,
    days: DateRange,
    late_days: Option<u32>,
    resume: bool,
}

/// Progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Number of finished days. Each user and table counts separately.
    pub done: u64,
    /// Number of all days. Each user and table counts separately.
    pub total: u64,
    /// Number of rows received.
    pub rows: u64,
    /// Number of failures.
    pub failures: u64,
}

impl Export {
    /// Creates an export of tables and days.
    pub fn new(tables: impl IntoIterator<Item = CohortTable>, days: impl Into<DateRange>) -> Self {
        let mut tables: Vec<CohortTable> = tables.into_iter().collect();
        tables.sort_unstable();
        tables.dedup();
        Self { tables, days: days.into(), late_days: None, resume: false }
    }

    /// Sets the number of days that a later run requests again, because providers deliver late. Fixed by the first run. Defaults to 7.
    pub fn late_days(self, days: u32) -> Self {
        Self { late_days: Some(days), ..self }
    }

    /// Sets whether to continue a dataset: to complete an interrupted run, or to add new days and late records. Defaults to false, which
    /// requires an empty folder.
    pub fn resume(self, resume: bool) -> Self {
        Self { resume, ..self }
    }

    /// Reads the cohort into the dataset in `folder`, and calls `listener` after each user.
    ///
    /// If the future is dropped, rows that were already written are kept. Resume the export later. Users who fail are listed in the table
    /// `errors` and are requested again by the next run.
    ///
    /// # Errors
    /// * [`CohortError::Client`] for an invalid argument, or a failure that concerns all users, such as a missing base URL.
    /// * [`CohortError::Dataset`] if the folder is not empty and not resumed, belongs to another export, or is being written.
    /// * [`CohortError::Io`] if a file cannot be written, for example because the disk is full.
    pub async fn run(
        &self,
        reader: &CohortReader,
        folder: impl AsRef<Path>,
        mut listener: impl FnMut(Progress),
    ) -> Result<Summary, CohortError> {
        let folder = folder.as_ref();
        self.check()?;
        self.check_folder(folder)?;
        let _lock = lock(folder)?;
        storage::remove_temporary(folder)?;
        let mut manifest = self.start(reader, folder)?;
        manifest.save(folder)?;
        let real_ids: HashMap<String, &str> = reader.people().ids().map(|id| (reader.shown_id(id), id)).collect();
        let (all_blocks, not_listed) = self.assign_blocks(reader, folder, &real_ids)?;
        let days = u64::from(self.days.days());
        let total = (real_ids.len() as u64).saturating_mul(self.tables.len() as u64).saturating_mul(days);
        let mut progress = Progress { total, ..Progress::default() };
        let mut summary = Summary { users: real_ids.len(), not_listed, ..Summary::default() };
        summary.tables = self.tables.iter().map(|table| (*table, Default::default())).collect();
        listener(progress);
        for block in all_blocks {
            let mut block = BlockRun::load(reader, folder, block, &manifest, &real_ids)?;
            for table in &self.tables {
                let changes = block.run(*table, self.days, &mut progress, &mut listener).await?;
                summary.tables.entry(*table).or_default().add(changes);
            }
        }
        manifest.run.finished = true;
        let dataset = Dataset { folder: folder.to_owned(), manifest };
        let failures = dataset.failures()?;
        failures_file::write(folder, &failures)?;
        let failed: HashSet<_> = failures.iter().map(|failure| (&failure.user, failure.table)).collect();
        summary.failures = failed.len();
        dataset.manifest.save(folder)?;
        Ok(summary)
    }

    fn check(&self) -> Result<(), Error> {
        if self.tables.is_empty() {
            return Err(Error::invalid_argument("tables", "must have at least one table"));
        }
        if self.days.days() == 0 {
            return Err(Error::invalid_argument("days", "the last day must not be before the first"));
        }
        if self.late_days.is_some_and(|days| days > MAX_LATE_DAYS) {
            return Err(Error::invalid_argument("late_days", "must be at most 366"));
        }
        Ok(())
    }

    fn check_folder(&self, folder: &Path) -> Result<(), CohortError> {
        match DatasetManifest::load(folder)? {
            Some(_) if !self.resume => Err(CohortError::dataset(folder, "the folder already has a dataset; resume it to continue")),
            None if !storage::entries(folder)?.is_empty() && !is_new(folder)? => {
                Err(CohortError::dataset(folder, "the folder must be empty or new"))
            }
            _ => Ok(()),
        }
    }

    /// Returns the manifest for a new run, or for the rest of an interrupted one.
    fn start(&self, reader: &CohortReader, folder: &Path) -> Result<DatasetManifest, CohortError> {
        let check = reader.has_pseudonyms().then(|| reader.shown_id(CHECKED_ID));
        let [from, to] = [self.days.first(), self.days.last()];
        let run = |number| Run { number, from, to, finished: false };
        let late_days = self.late_days.unwrap_or(LATE_DAYS);
        let mut manifest = match DatasetManifest::load(folder)? {
            None => DatasetManifest::new(late_days, check.clone(), run(1)),
            Some(manifest) => manifest,
        };
        if manifest.pseudonym_check != check {
            return Err(CohortError::dataset(folder, "the dataset was written with other pseudonyms; use the same key file"));
        }
        if self.late_days.is_some_and(|days| days != manifest.late_days) {
            return Err(CohortError::dataset(folder, "late days must be those of the first run; omit the option"));
        }
        let interrupted = !manifest.run.finished && manifest.run.from == from && manifest.run.to == to;
        if !interrupted {
            manifest.run = run(manifest.run.number + 1);
        }
        manifest.tables.extend(self.tables.iter().copied().filter(|table| !manifest.tables.contains(table)).collect::<Vec<_>>());
        Ok(manifest)
    }

    /// Returns the blocks, after assigning new users to new blocks, and the number of users who are not listed any more.
    fn assign_blocks(
        &self,
        reader: &CohortReader,
        folder: &Path,
        real_ids: &HashMap<String, &str>,
    ) -> Result<(Vec<u32>, usize), CohortError> {
        let mut all = blocks(folder)?;
        let mut assigned = HashSet::new();
        for block in &all {
            assigned.extend(BlockManifest::load(folder, *block)?.users);
        }
        let new: Vec<String> = reader.people().ids().map(|id| reader.shown_id(id)).filter(|user| !assigned.contains(user)).collect();
        for users in new.chunks(USERS_PER_BLOCK) {
            let block = all.last().map_or(0, |last| last + 1);
            BlockManifest::new(users.to_vec()).save(folder, block)?;
            all.push(block);
        }
        let not_listed = assigned.iter().filter(|user| !real_ids.contains_key(*user)).count();
        Ok((all, not_listed))
    }
}

/// Whether a folder has nothing but the lock of an export that was interrupted before it wrote its manifest.
fn is_new(folder: &Path) -> Result<bool, CohortError> {
    let names = |folder: &Path| -> Result<BTreeMap<_, _>, CohortError> {
        Ok(storage::entries(folder)?.into_iter().map(|entry| (entry.file_name(), entry.path())).collect())
    };
    let top = names(folder)?;
    let is_own = |path: &Path| path.file_name().is_some_and(|name| name == "lock") || storage::is_temporary(path);
    Ok(match top.get(std::ffi::OsStr::new("_manifest")) {
        Some(path) if top.len() == 1 => names(path)?.values().all(|path| is_own(path)),
        _ => false,
    })
}
