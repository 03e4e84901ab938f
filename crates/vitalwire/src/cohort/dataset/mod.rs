//! Exports cohorts to datasets of Parquet files.
//!
//! Files are partitioned by table and month, such as `table=daily/month=2025-01/part-00000.parquet`. A part file has the rows of up to 100
//! users. Each file is replaced atomically.
//!
//! The folder `_manifest` has the state of each user and table. An export uses it to resume an interrupted run, and to request only new and
//! recent days in a later run. It contains user ids or pseudonyms, but no token and no health data.
//!
//! ```no_run
//! use vitalwire::Client;
//! use vitalwire::cohort::dataset::{Dataset, Export};
//! use vitalwire::cohort::{Budget, CohortError, CohortReader, CohortTable, People};
//!
//! # async fn example(days: vitalwire::range::DateRange) -> Result<(), CohortError> {
//! let people = People::from_file("people.csv")?;
//! let reader = CohortReader::new(Client::builder().base_url("https://health.example.org"), people, Budget::new())?;
//! let summary = Export::new([CohortTable::Daily, CohortTable::Sleeps], days).resume(true).run(&reader, "study", |_| ()).await?;
//! println!("{} rows added, {} failures", summary.total().added, summary.failures);
//! assert!(Dataset::open("study")?.verify()?.is_empty());
//! # Ok(())
//! # }
//! ```

mod coverage;
mod export;
mod failures_file;
mod manifest;
mod month_files;
mod storage;
mod summary;
mod verify;

use std::path::{Path, PathBuf};

pub use coverage::{DayState, TableCoverage};
pub use export::{Export, Progress};
pub use summary::{Summary, UserChanges};
pub use verify::Problem;

use super::error::CohortError;
use super::failure::UserFailure;
use crate::value::Date;
use manifest::{BlockManifest, DatasetManifest};

/// A dataset of Parquet files in a folder.
#[derive(Debug)]
pub struct Dataset {
    folder: PathBuf,
    manifest: DatasetManifest,
}

impl Dataset {
    /// Opens a dataset.
    ///
    /// # Errors
    /// [`CohortError::Dataset`] if the folder has no dataset, or if a newer version wrote it. [`CohortError::Io`] if it cannot be read.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, CohortError> {
        let folder = folder.as_ref();
        let manifest = DatasetManifest::load(folder)?
            .ok_or_else(|| CohortError::dataset(folder, "the folder must contain a dataset; create one with an export"))?;
        Ok(Self { folder: folder.to_owned(), manifest })
    }

    /// Whether the last run is complete. An incomplete run can be resumed.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.manifest.run.finished
    }

    /// Returns the first and the last day of the last run.
    #[must_use]
    pub fn days(&self) -> (Date, Date) {
        (self.manifest.run.from, self.manifest.run.to)
    }

    /// Returns the failures in the last run of each user and table.
    ///
    /// # Errors
    /// The errors of [`Dataset::open`].
    pub fn failures(&self) -> Result<Vec<UserFailure>, CohortError> {
        let mut failures = Vec::new();
        self.for_each_block(|block| {
            failures.extend(block.tables.values().flat_map(|table| table.failures.iter().cloned()));
            Ok(())
        })?;
        Ok(failures)
    }

    /// Returns the changes of the last run. Users and tables without changes are omitted.
    ///
    /// # Errors
    /// The errors of [`Dataset::open`].
    pub fn changes(&self) -> Result<Vec<UserChanges>, CohortError> {
        let mut changes = Vec::new();
        self.for_each_block(|block| {
            for (table, state) in &block.tables {
                let of_run = state.users.iter().filter(|_| state.run == self.manifest.run.number);
                let changed = of_run.filter(|(_, user)| !user.changes.is_empty());
                changes.extend(changed.map(|(user, state)| UserChanges { user: user.clone(), table: *table, changes: state.changes }));
            }
            Ok(())
        })?;
        Ok(changes)
    }

    fn for_each_block(&self, mut each: impl FnMut(BlockManifest) -> Result<(), CohortError>) -> Result<(), CohortError> {
        for block in manifest::blocks(&self.folder)? {
            each(BlockManifest::load(&self.folder, block)?)?;
        }
        Ok(())
    }
}
