//! Exports cohorts to datasets of Parquet files.
//!
//! Files are partitioned by table and month, such as `table=daily/month=2025-01/part-00000.parquet`. A part file has the rows of up to 100
//! users. Each file is replaced atomically, and is compared with the manifest before it is read.
//!
//! The folder `_manifest` has the state of each user and table, and the name of the service. [`NextRun`] uses it to plan only what is due.
//! It contains user ids or pseudonyms, but no token and no health data.
//!
//! ```no_run
//! use vitalwire::Client;
//! use vitalwire_cohort::dataset::{Dataset, Export, NextRun};
//! use vitalwire_cohort::{CohortError, CohortReader, CohortTable, RateLimits, Selection, UserCredentials};
//!
//! # async fn example(days: vitalwire::range::DateRange) -> Result<(), CohortError> {
//! let credentials = UserCredentials::from_file("users.csv")?;
//! let selection = Selection::new(credentials.ids(), [CohortTable::Daily, CohortTable::Sleeps], days)?;
//! let reader = CohortReader::new(Client::builder().base_url("https://health.example.org"), credentials, RateLimits::new())?;
//! let next = NextRun::plan(&reader, "study", selection, true).await?;
//! let summary = Export::new(next.plan).resume(true).run(&reader, "study", |_| ()).await?;
//! println!("{} rows added, {} failures", summary.total().added, summary.failures);
//! assert!(Dataset::open("study")?.verify()?.is_empty());
//! # Ok(())
//! # }
//! ```

mod audit;
mod block;
mod coverage;
mod export;
mod failures_file;
mod identity;
mod manifest;
mod names;
mod next_run;
mod parts;
mod repair;
mod responses;
mod summary;
#[cfg(test)]
mod tests;
mod verify;
mod writer;

use std::collections::HashMap;
use std::path::Path;

use vitalwire::value::{Date, Timestamp};

pub use self::audit::{AuditLog, AuditRun, AuditScope};
pub use self::coverage::{DayState, TableCoverage};
pub use self::export::{Export, Progress};
use self::identity::Identity;
pub use self::manifest::RemovedUser;
use self::manifest::{BlockManifest, DatasetManifest, UserManifest};
pub use self::next_run::NextRun;
pub use self::summary::Summary;
pub use self::verify::Problem;
use crate::CohortTable;
use crate::error::CohortError;
use crate::failure::Failure;
use crate::pseudonym::PseudonymKey;
use crate::reader::CohortReader;
use crate::states::SyncStates;
use crate::storage::Storage;

/// A dataset of Parquet files in a folder.
#[derive(Debug)]
pub struct Dataset {
    storage: Storage,
    manifest: DatasetManifest,
}

impl Dataset {
    /// Opens a dataset.
    ///
    /// # Errors
    /// [`CohortError::Dataset`] if the folder has no dataset, or one of another version. [`CohortError::Io`] if it cannot be read.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, CohortError> {
        let storage = Storage::new(folder.as_ref());
        let manifest = DatasetManifest::load(&storage)?
            .ok_or_else(|| CohortError::dataset(storage.root(), "the folder must contain a dataset; create one with an export"))?;
        Ok(Self { storage, manifest })
    }

    /// Whether the last run is complete. An incomplete run can be resumed.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.manifest.run.finished
    }

    /// Returns the first and the last day of all runs. `None` before the first requested day.
    #[must_use]
    pub fn days(&self) -> Option<(Date, Date)> {
        self.manifest.days.map(|days| (days.first, days.last))
    }

    /// Returns the users whose rows were removed.
    #[must_use]
    pub fn removed_users(&self) -> &[RemovedUser] {
        &self.manifest.removed_users
    }

    /// Returns the id or pseudonym of a user in the column `user`.
    ///
    /// # Errors
    /// [`CohortError::Dataset`] if the dataset was written with another key, or with none.
    pub fn shown_id(&self, user: &str, key: Option<&PseudonymKey>) -> Result<String, CohortError> {
        let check = key.map(|key| key.pseudonym(identity::CHECKED_ID));
        if self.manifest.identity.pseudonym_check != check {
            return Err(CohortError::dataset(self.storage.root(), identity::OTHER_KEY));
        }
        Ok(key.map_or_else(|| user.to_owned(), |key| key.pseudonym(user)))
    }

    /// Returns the failures of the last requests. A failure ends when a later request for its days succeeds.
    ///
    /// # Errors
    /// The errors of [`Dataset::open`].
    pub fn failures(&self) -> Result<Vec<Failure>, CohortError> {
        let mut failures = Vec::new();
        self.for_each_block(|block| {
            failures.extend(block.tables.values().flat_map(|table| table.failures.iter().cloned()));
            Ok(())
        })?;
        Ok(failures)
    }

    fn for_each_block(&self, mut each: impl FnMut(BlockManifest) -> Result<(), CohortError>) -> Result<(), CohortError> {
        for block in names::blocks(&self.storage)? {
            each(BlockManifest::load(&self.storage, block)?)?;
        }
        Ok(())
    }
}

/// States after the last run of a dataset. Empty if the folder has none.
struct LastRun {
    manifest: Option<DatasetManifest>,
    tables: HashMap<(String, CohortTable), UserManifest>,
}

impl LastRun {
    fn load(folder: &Path) -> Result<Self, CohortError> {
        let storage = Storage::new(folder);
        let Some(manifest) = DatasetManifest::load(&storage)? else { return Ok(Self { manifest: None, tables: HashMap::new() }) };
        let mut tables = HashMap::new();
        for number in names::blocks(&storage)? {
            // The next run completes a write that was interrupted, so its state counts.
            let block = match BlockManifest::load_next(&storage, number)? {
                Some(next) => next,
                None => BlockManifest::load(&storage, number)?,
            };
            for (table, state) in block.tables {
                tables.extend(state.users.into_iter().map(|(user, state)| ((user, table), state)));
            }
        }
        Ok(Self { manifest: Some(manifest), tables })
    }

    /// Checks that the dataset belongs to the reader's service and key.
    fn check(&self, reader: &CohortReader, folder: &Path) -> Result<(), CohortError> {
        match &self.manifest {
            Some(manifest) => Identity::new(reader).check(&manifest.identity, folder),
            None => Ok(()),
        }
    }

    /// Returns the first day that an interrupted run would have requested again on demand.
    fn unfinished_refresh(&self) -> Option<Date> {
        self.manifest.as_ref().filter(|manifest| !manifest.run.finished)?.run.refresh_from
    }

    /// Whether the last run started before a time, or in the same second.
    fn started_before(&self, time: Timestamp) -> bool {
        self.manifest.as_ref().is_some_and(|manifest| manifest.run.started <= time.unix_seconds())
    }

    fn has_removed(&self, user: &str) -> bool {
        self.manifest.as_ref().is_some_and(|manifest| manifest.is_removed(user))
    }

    /// Returns the states by user id. Days that an interrupted run has read on the same day are not due again.
    fn states(&mut self, reader: &CohortReader, service_time: Timestamp) -> SyncStates {
        let mut states = SyncStates::new();
        let Some(manifest) = &self.manifest else { return states };
        let is_interrupted = !manifest.run.finished && writer::is_same_day(manifest.run.started, service_time);
        for id in reader.credentials().ids() {
            let shown = reader.shown_id(id);
            for table in CohortTable::ALL {
                let Some(user) = self.tables.remove(&(shown.clone(), table)) else { continue };
                let is_fresh = is_interrupted && user.run == manifest.run.number;
                states.insert(id, table, if is_fresh { user.state.with_fresh(user.done) } else { user.state });
            }
        }
        states
    }
}
