//! Manifest of a dataset: one file about the last run, and one file for each block of users with their states and Parquet files.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::storage;
use crate::cohort::error::CohortError;
use crate::cohort::{Changes, CohortTable, SyncState, UserFailure, date_text};
use crate::value::Date;

/// Folder of the manifest. Readers of partitioned datasets ignore names that begin with an underscore.
const FOLDER: &str = "_manifest";

/// Version of the manifest files.
const VERSION: u32 = 1;

/// Manifest of the whole dataset, in `dataset.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct DatasetManifest {
    version: u32,
    /// Tables that a run has exported.
    pub(super) tables: Vec<CohortTable>,
    /// Number of days that each later run requests again.
    pub(super) late_days: u32,
    /// Pseudonym of a constant, which identifies the key. `None` if the dataset has user ids.
    pub(super) pseudonym_check: Option<String>,
    pub(super) run: Run,
}

/// The last run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Run {
    pub(super) number: u32,
    #[serde(with = "date_text")]
    pub(super) from: Date,
    #[serde(with = "date_text")]
    pub(super) to: Date,
    pub(super) finished: bool,
}

/// Manifest of a block of up to 100 users.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct BlockManifest {
    version: u32,
    /// User ids or pseudonyms, as in the column `user`.
    pub(super) users: Vec<String>,
    pub(super) tables: BTreeMap<CohortTable, TableManifest>,
}

/// State of a table of a block.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct TableManifest {
    /// Number of the last run that completed the table.
    pub(super) run: u32,
    pub(super) users: BTreeMap<String, UserManifest>,
    pub(super) failures: Vec<UserFailure>,
    /// Parquet files by month, such as `2025-01`.
    pub(super) files: BTreeMap<String, FileManifest>,
}

/// State of a table of a user.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct UserManifest {
    pub(super) state: SyncState,
    /// Changes of the last run.
    pub(super) changes: Changes,
}

/// Size and checksum of a Parquet file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileManifest {
    pub(super) rows: u64,
    pub(super) bytes: u64,
    pub(super) sha256: String,
}

impl DatasetManifest {
    pub(super) fn new(late_days: u32, pseudonym_check: Option<String>, run: Run) -> Self {
        Self { version: VERSION, tables: Vec::new(), late_days, pseudonym_check, run }
    }

    /// Loads the manifest. Returns `None` if the folder has no dataset.
    pub(super) fn load(folder: &Path) -> Result<Option<Self>, CohortError> {
        let path = Self::path(folder);
        if path.exists() { load(&path, |manifest: &Self| manifest.version).map(Some) } else { Ok(None) }
    }

    pub(super) fn save(&self, folder: &Path) -> Result<(), CohortError> {
        save(&Self::path(folder), self)
    }

    fn path(folder: &Path) -> PathBuf {
        folder.join(FOLDER).join("dataset.json")
    }
}

impl BlockManifest {
    pub(super) fn new(users: Vec<String>) -> Self {
        Self { version: VERSION, users, tables: BTreeMap::new() }
    }

    pub(super) fn load(folder: &Path, block: u32) -> Result<Self, CohortError> {
        load(&Self::path(folder, block), |manifest: &Self| manifest.version)
    }

    pub(super) fn save(&self, folder: &Path, block: u32) -> Result<(), CohortError> {
        save(&Self::path(folder, block), self)
    }

    fn path(folder: &Path, block: u32) -> PathBuf {
        folder.join(FOLDER).join(format!("{BLOCK_PREFIX}{block:05}.json"))
    }
}

/// Prefix of the names of block manifests.
const BLOCK_PREFIX: &str = "block-";

/// Returns the numbers of the blocks, in order.
pub(super) fn blocks(folder: &Path) -> Result<Vec<u32>, CohortError> {
    let number = |name: &str| name.strip_prefix(BLOCK_PREFIX)?.strip_suffix(".json")?.parse().ok();
    let entries = storage::entries(&folder.join(FOLDER))?;
    let mut blocks: Vec<u32> = entries.iter().filter_map(|entry| entry.file_name().to_str().and_then(number)).collect();
    blocks.sort_unstable();
    Ok(blocks)
}

/// Returns the path of a Parquet file, relative to the folder of the dataset.
pub(super) fn part_path(table: CohortTable, month: &str, block: u32) -> String {
    format!("table={table}/month={month}/part-{block:05}.parquet")
}

/// Locks the dataset for writing. Dropping the file releases the lock.
pub(super) fn lock(folder: &Path) -> Result<File, CohortError> {
    let path = folder.join(FOLDER).join("lock");
    fs::create_dir_all(folder.join(FOLDER)).map_err(CohortError::io(folder))?;
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(CohortError::io(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(CohortError::dataset(folder, "another program is writing to the dataset; wait until it has ended"))
        }
        Err(TryLockError::Error(error)) => Err(CohortError::io(&path)(error)),
    }
}

fn load<T: DeserializeOwned>(path: &Path, version: fn(&T) -> u32) -> Result<T, CohortError> {
    let content = fs::read(path).map_err(CohortError::io(path))?;
    let damaged = |_| {
        CohortError::dataset(path, "the manifest is damaged or was written by a newer version; update vitalwire, or export to a new folder")
    };
    let manifest: T = serde_json::from_slice(&content).map_err(damaged)?;
    if version(&manifest) != VERSION {
        return Err(CohortError::dataset(path, "the dataset was written by a newer version; update vitalwire"));
    }
    Ok(manifest)
}

fn save<T: Serialize>(path: &Path, manifest: &T) -> Result<(), CohortError> {
    let content = serde_json::to_vec(manifest).map_err(|error| CohortError::io(path)(io::Error::other(error)))?;
    storage::write(path, &content)
}
