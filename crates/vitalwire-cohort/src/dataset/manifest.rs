//! Manifests: the files of a dataset, the states of its users and tables, and the service that it belongs to.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use vitalwire::value::{Date, Timestamp};

use super::identity::Identity;
use super::names::{DATASET, FOLDER, block_name, is_month, next_name};
use crate::CohortTable;
use crate::DaySet;
use crate::SyncState;
use crate::credentials::MAX_ID_BYTES;
use crate::date_text;
use crate::error::CohortError;
use crate::failure::Failure;
use crate::storage::Storage;

/// Version of the layout.
const VERSION: u32 = 2;

/// Maximum size of a manifest.
const MAX_MANIFEST_BYTES: u64 = 256 << 20;

/// Maximum length of the name of a service, which is usually its base URL.
const MAX_SERVICE_BYTES: usize = 2_048;

/// Maximum size of a part file.
const MAX_PART_BYTES: u64 = 1 << 30;

/// Maximum number of days from the first to the last of a dataset: 200 years.
const MAX_DAYS: i32 = 73_050;

const DAMAGED: &str = "the manifest is damaged; export to a new folder";

/// Error reason of a dataset with fewer blocks than its manifest states.
pub(super) const MISSING_BLOCK: &str = "the manifest of a block is missing; restore it, or export to a new folder";

/// Manifest of a dataset.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct DatasetManifest {
    version: u32,
    #[serde(flatten)]
    pub(super) identity: Identity,
    /// Statistics of each table. Empty for all.
    pub(super) tables: BTreeMap<CohortTable, Vec<String>>,
    /// First and last day of all runs.
    pub(super) days: Option<Days>,
    /// Number of blocks. Fewer manifests of blocks mean that one was lost.
    pub(super) blocks: u32,
    pub(super) run: Run,
    /// File with the failures of users.
    pub(super) failures_file: Option<FileManifest>,
    /// Users whose rows were removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) removed_users: Vec<RemovedUser>,
}

/// First and last day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Days {
    #[serde(with = "date_text")]
    pub(super) first: Date,
    #[serde(with = "date_text")]
    pub(super) last: Date,
}

/// The last run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Run {
    /// Number, counted from 1.
    pub(super) number: u32,
    /// Checksum of the plan.
    pub(super) plan: String,
    /// First day that the plan requests again on demand. If the run is interrupted, the next one does so, too.
    #[serde(with = "date_text::option")]
    pub(super) refresh_from: Option<Date>,
    /// The service's clock at the start, in seconds since 1970-01-01T00:00:00Z.
    pub(super) started: i64,
    pub(super) finished: bool,
}

/// Proof that the rows of a user were removed. Contains no id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemovedUser {
    /// SHA-256 of the user id or pseudonym, as lower-case hex.
    pub sha256: String,
    /// Time of the removal, in seconds since 1970-01-01T00:00:00Z.
    pub removed_at: i64,
    /// Number of removed rows by table.
    pub rows: BTreeMap<CohortTable, u64>,
    /// Number of files that were written again.
    pub files: u64,
}

/// Manifest of a block of up to 100 users.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct BlockManifest {
    version: u32,
    /// User ids or pseudonyms, as in the column `user`.
    pub(super) users: Vec<String>,
    pub(super) tables: BTreeMap<CohortTable, TableManifest>,
}

/// State of a table of a block.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct TableManifest {
    pub(super) users: BTreeMap<String, UserManifest>,
    /// Failures of the last requests of these days.
    pub(super) failures: Vec<Failure>,
    /// Parquet files by month, such as `2025-01`.
    pub(super) files: BTreeMap<String, FileManifest>,
}

/// State of a table of a user.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct UserManifest {
    pub(super) state: SyncState,
    /// Number of the run that last read the user.
    pub(super) run: u32,
    /// Days that this run has read.
    pub(super) done: DaySet,
}

impl UserManifest {
    /// Begins a run, unless it has begun.
    pub(super) fn begin(&mut self, run: u32) {
        if self.run != run {
            (self.run, self.done) = (run, DaySet::new());
        }
    }
}

/// Size and checksum of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileManifest {
    pub(super) rows: u64,
    pub(super) bytes: u64,
    pub(super) sha256: String,
}

impl FileManifest {
    fn is_valid(&self) -> bool {
        self.bytes <= MAX_PART_BYTES
    }
}

impl Days {
    /// Whether the days are in order, and not too many for lists of all days.
    pub(super) fn is_valid(&self) -> bool {
        (0..MAX_DAYS).contains(&self.first.days_until(self.last))
    }
}

impl DatasetManifest {
    pub(super) fn new(identity: Identity) -> Self {
        Self {
            version: VERSION,
            identity,
            tables: BTreeMap::new(),
            days: None,
            blocks: 0,
            run: Run { number: 0, plan: String::new(), refresh_from: None, started: 0, finished: true },
            failures_file: None,
            removed_users: Vec::new(),
        }
    }

    /// Loads the manifest. Returns `None` if the folder has no dataset.
    pub(super) fn load(storage: &Storage) -> Result<Option<Self>, CohortError> {
        let Some(manifest) = load::<Self>(storage, DATASET)? else { return Ok(None) };
        let has_days = manifest.days.is_none_or(|days| days.is_valid());
        let is_named = is_plain(&manifest.identity.service, MAX_SERVICE_BYTES);
        if has_days && is_named && manifest.run.number < u32::MAX && manifest.failures_file.as_ref().is_none_or(FileManifest::is_valid) {
            return Ok(Some(manifest));
        }
        Err(CohortError::dataset(&storage.path(DATASET), DAMAGED))
    }

    pub(super) fn save(&self, storage: &Storage) -> Result<(), CohortError> {
        storage.write(DATASET, &to_json(self, &storage.path(DATASET))?)
    }

    pub(super) fn is_removed(&self, user: &str) -> bool {
        let digest = crate::storage::checksum(user.as_bytes());
        self.removed_users.iter().any(|removed| removed.sha256 == digest)
    }
}

impl BlockManifest {
    pub(super) fn new() -> Self {
        Self { version: VERSION, users: Vec::new(), tables: BTreeMap::new() }
    }

    pub(super) fn load(storage: &Storage, block: u32) -> Result<Self, CohortError> {
        let name = block_name(block);
        let missing = || CohortError::dataset(&storage.path(&name), "the manifest is missing; export to a new folder");
        let manifest: Self = load(storage, &name)?.ok_or_else(missing)?;
        manifest.checked(storage)
    }

    /// Loads the manifest that an interrupted write has prepared. Returns `None` if there is none.
    pub(super) fn load_next(storage: &Storage, block: u32) -> Result<Option<Self>, CohortError> {
        let manifest: Option<Self> = load(storage, &next_name(block))?;
        manifest.map(|manifest| manifest.checked(storage)).transpose()
    }

    /// Checks the names of months, which become names of folders, the sizes of files, and the users.
    fn checked(self, storage: &Storage) -> Result<Self, CohortError> {
        let users: HashSet<&String> = self.users.iter().collect();
        let has_users = |table: &TableManifest| table.users.keys().all(|user| users.contains(user));
        let mut files = self.tables.values().flat_map(|table| &table.files);
        if files.all(|(month, file)| is_month(month) && file.is_valid())
            && users.len() == self.users.len()
            && self.users.iter().all(|user| is_plain(user, MAX_ID_BYTES))
            && self.tables.values().all(has_users)
        {
            return Ok(self);
        }
        Err(CohortError::dataset(&storage.path(FOLDER), DAMAGED))
    }

    pub(super) fn save(&self, storage: &Storage, block: u32) -> Result<(), CohortError> {
        storage.write(&block_name(block), &to_json(self, &storage.path(FOLDER))?)
    }

    /// Writes the manifest beside the current one. [`publish`](Self::publish) replaces the current one with it.
    pub(super) fn save_next(&self, storage: &Storage, block: u32) -> Result<(), CohortError> {
        storage.write(&next_name(block), &to_json(self, &storage.path(FOLDER))?)
    }

    /// Records, for users and tables without failures, that newly connected providers were taken into account until `as_of`. Returns
    /// whether there are such users.
    pub(super) fn record_providers(&mut self, users: &HashSet<String>, tables: &[CohortTable], as_of: Timestamp) -> bool {
        let mut is_changed = false;
        for (_, table) in self.tables.iter_mut().filter(|(table, _)| tables.contains(table)) {
            let failed: HashSet<&str> = table.failures.iter().map(|failure| &*failure.user).collect();
            for (_, user) in table.users.iter_mut().filter(|(user, _)| users.contains(*user) && !failed.contains(&***user)) {
                user.state.record_providers(as_of);
                is_changed = true;
            }
        }
        is_changed
    }

    pub(super) fn publish(storage: &Storage, block: u32) -> Result<(), CohortError> {
        storage.rename(&next_name(block), &block_name(block))
    }
}

/// Version of any layout.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

/// Whether a text is short and has no control character, which messages would show.
fn is_plain(text: &str, max_bytes: usize) -> bool {
    text.len() <= max_bytes && !text.chars().any(char::is_control)
}

fn load<T: DeserializeOwned>(storage: &Storage, name: &str) -> Result<Option<T>, CohortError> {
    let Some(content) = storage.read(name, MAX_MANIFEST_BYTES)? else { return Ok(None) };
    let path = storage.path(name);
    if content.len() as u64 > MAX_MANIFEST_BYTES {
        return Err(CohortError::dataset(&path, DAMAGED));
    }
    let damaged = |_| CohortError::dataset(&path, DAMAGED);
    let version = serde_json::from_slice::<Versioned>(&content).map_err(damaged)?.version;
    match version {
        VERSION => serde_json::from_slice(&content).map(Some).map_err(damaged),
        1 => Err(CohortError::dataset(&path, "the dataset has the layout of an older version; export to a new folder")),
        _ => Err(CohortError::dataset(&path, "the dataset was written by a newer version; update vitalwire")),
    }
}

fn to_json<T: Serialize>(manifest: &T, path: &Path) -> Result<Vec<u8>, CohortError> {
    serde_json::to_vec(manifest).map_err(|error| CohortError::io(path)(std::io::Error::other(error)))
}
