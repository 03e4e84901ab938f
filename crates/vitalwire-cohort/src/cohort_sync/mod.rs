//! Sync of many users, with states in one folder and changes as lines of JSON or Parquet in another.

mod change_file;
mod parquet_file;
mod progress;
mod run;
mod secret;
mod state_file;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use futures_util::StreamExt as _;
use futures_util::stream;
use serde::Serialize;
use vitalwire::client::Client;
use vitalwire::error::{Error, ErrorKind};
use vitalwire::value::Date;
use vitalwire_sync::{RecordKind, SyncCall, SyncClient as _, SyncKey, SyncPlan};
use zeroize::Zeroizing;

use self::change_file::ChangeFile;
use self::progress::PROGRESS_FILE;
use self::run::Run;
use self::secret::{SECRET_BYTES, find_secret, new_secret, store_secret};
pub use self::state_file::read_state_file;
use self::state_file::{StateFile, has_states, positions};
use crate::Changes;
use crate::credentials::KeySource;
use crate::error::CohortError;
use crate::failure::FailureReason;
use crate::reader::CohortReader;
use crate::storage::Storage;

/// File that a running sync locks.
const LOCK_FILE: &str = "lock";

/// A sync of many users, with files for states and changes.
#[derive(Clone, Debug)]
#[must_use = "nothing is requested before the sync runs"]
pub struct CohortSync {
    kinds: Vec<RecordKind>,
    first: Option<Date>,
    look_back: Option<u32>,
    secret: Option<Zeroizing<Vec<u8>>>,
    is_parquet: bool,
}

/// Result of a sync.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SyncSummary {
    /// Number of users.
    pub users: usize,
    /// Numbers of added, changed and removed records by kind.
    pub kinds: BTreeMap<RecordKind, Changes>,
    /// Number of days before the look-back that were removed as a whole. Their records that still exist count as added or changed.
    pub days_removed: u64,
    /// Number of users who could not be read completely, because requests failed or items are left out.
    pub failed_users: usize,
    /// Number of users of whom nothing could be read.
    pub users_without_parts: usize,
    /// Reasons of the failures, the most frequent first.
    pub reasons: Vec<FailureReason>,
    /// The first failure of each user who could not be read completely.
    pub failures: Vec<UserFailure>,
    /// Number of items and values of responses that are left out, mostly because they cannot be decoded.
    pub left_out: u64,
    /// File with the changes. `None` if there are no changes.
    pub file: Option<PathBuf>,
    /// Files of interrupted syncs, which this sync has finished.
    pub recovered: Vec<PathBuf>,
}

/// Failure to read the records of a user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UserFailure {
    /// Id of the user.
    pub user: String,
    /// Name of the [`ErrorKind`](vitalwire::ErrorKind).
    pub kind: String,
    /// HTTP status of the last response. `None` if there was no response.
    pub status: Option<u16>,
    /// Error message. Contains no token and no health data.
    pub message: String,
}

/// Plan of a sync for one user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserPlan {
    /// Id of the user.
    pub user: String,
    /// The days and the number of requests.
    pub plan: SyncPlan,
    /// Number of token exchanges: 1 for a user without an access token.
    pub token_exchanges: u64,
}

/// Progress of a sync.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CohortSyncProgress {
    /// Number of users whose sync has ended.
    pub users: usize,
    /// Number of added, changed and removed records so far.
    pub changes: u64,
}

impl SyncSummary {
    /// Counts a failure of a user. Only the first one is listed. The failures of a user follow each other.
    fn add_failure(&mut self, user: &str, kind: ErrorKind, status: Option<u16>, message: String) {
        if self.failures.last().is_none_or(|failure| failure.user != user) {
            self.failures.push(UserFailure::new(user, kind, status, message.clone()));
        }
        match self.reasons.iter_mut().find(|reason| (&*reason.kind, reason.status) == (kind.as_str(), status)) {
            Some(reason) => reason.count += 1,
            None => self.reasons.push(FailureReason { kind: kind.as_str().to_owned(), status, message, count: 1 }),
        }
    }
}

impl UserFailure {
    fn new(user: &str, kind: ErrorKind, status: Option<u16>, message: String) -> Self {
        Self { user: user.to_owned(), kind: kind.as_str().to_owned(), status, message }
    }
}

impl CohortSync {
    /// Creates a sync of records of these kinds.
    pub fn new(kinds: impl IntoIterator<Item = RecordKind>) -> Self {
        Self { kinds: kinds.into_iter().collect(), first: None, look_back: None, secret: None, is_parquet: false }
    }

    /// Sets the first day of the copy. For a user with a state, a day before that of the last sync adds the days in between; a later one has
    /// no effect. Defaults to that of the last sync. A first sync begins with the last 365 days, today included. If the day is later than tomorrow
    /// in UTC, the sync fails for every new user.
    pub fn from(self, day: Date) -> Self {
        Self { first: Some(day), ..self }
    }

    /// Sets the look-back: the number of days up to the last requested day that are requested again. Must be from 1 to 3,660. Defaults to
    /// 7.
    pub fn look_back(self, days: u32) -> Self {
        Self { look_back: Some(days), ..self }
    }

    /// Sets whether the changes are written as Parquet files. Their columns are the fields of the lines of JSON, with `rows` as JSON text,
    /// and `number`, the position of a change in its file. A sync needs space for both formats at its end. Defaults to lines of JSON.
    pub fn parquet(self, is_parquet: bool) -> Self {
        Self { is_parquet, ..self }
    }

    /// Sets the secret of the digests in the states. Defaults to a random secret, which the first sync writes to the folder of the states.
    ///
    /// # Errors
    /// `invalid_argument` if the secret is not 16 to 4,096 bytes long.
    pub fn secret(self, secret: &[u8]) -> Result<Self, Error> {
        if !SECRET_BYTES.contains(&secret.len()) {
            return Err(Error::invalid_argument("secret", "must be 16 to 4,096 bytes long"));
        }
        Ok(Self { secret: Some(Zeroizing::new(secret.to_vec())), ..self })
    }

    /// Reads the secret from a file. White space around it is removed.
    ///
    /// # Errors
    /// `invalid_argument` if the file cannot be read, or if the secret is not 16 to 4,096 bytes long.
    pub fn secret_file(self, path: &Path) -> Result<Self, Error> {
        let secret = KeySource::File(path.to_owned()).read().map_err(|error| error.with_argument("secret_file"))?;
        self.secret(secret.trim_ascii())
    }

    /// Returns the days and the number of requests of a sync for each user, without a request.
    ///
    /// # Errors
    /// * [`CohortError::Client`] if an argument is invalid.
    /// * [`CohortError::Dataset`] if a state cannot be used, or if the states have another secret. [`CohortError::Io`] if one cannot be read.
    pub fn plan(&self, reader: &CohortReader, states: &Path) -> Result<Vec<UserPlan>, CohortError> {
        let storage = Storage::new(states);
        // Without a secret there are no states yet.
        let secret = find_secret(&storage, self.secret.as_ref())?.unwrap_or_else(new_secret);
        let plan = |user: &str| {
            let files = StateFile::new(&storage, &secret, user);
            let stored = files.read()?.map(|stored| stored.state);
            let call = self.call(reader.client(), &secret, user, reader.service_setting())?.state_or_first(stored);
            let token_exchanges = reader.credentials().token_exchanges([user]);
            Ok(UserPlan { user: user.to_owned(), plan: call.plan().map_err(|error| files.error(error))?, token_exchanges })
        };
        reader.credentials().ids().map(plan).collect()
    }

    /// Syncs all users. Writes a line of JSON for each change to a new file in the folder `out`. Writes a state for each user to the folder
    /// `states`. If a user fails, the sync continues with the other users. The next sync requests the missing days.
    ///
    /// Changes are on disk before the state that follows them. If the program ends in between, the next sync writes the changes again, or
    /// their opposite. A state file names the last file with changes of its user, so a sync that follows an interrupted one checks that
    /// nothing of its file is lost. Files with their final name can be moved away.
    ///
    /// # Errors
    /// * [`CohortError::Client`] if an argument is invalid, if the reader has pseudonyms, or if 20 consecutive users got no response.
    /// * [`CohortError::Dataset`] if another sync uses one of the folders, if the states have another secret, or if the states are older than
    ///   the changes in `out` or the reverse.
    /// * [`CohortError::LostChanges`] if the file of an interrupted sync lacks changes that the states contain.
    /// * [`CohortError::Io`] if a file cannot be written. If a state cannot be read, its user fails.
    pub async fn run(
        &self,
        reader: &CohortReader,
        states: &Path,
        out: &Path,
        progress: impl Fn(CohortSyncProgress),
    ) -> Result<SyncSummary, CohortError> {
        // A removed record could not be found by its pseudonym in other exports.
        if reader.has_pseudonyms() {
            return Err(Error::invalid_argument("pseudonyms", "are not supported in a sync; use a reader without pseudonyms").into());
        }
        // Checks the arguments first, so that invalid arguments leave no files.
        if let Some(user) = reader.credentials().ids().next() {
            self.call(reader.client(), &new_secret(), user, reader.service_setting())?.check()?;
        }
        let storage = Storage::new(states);
        let _lock = storage.lock(LOCK_FILE)?;
        let found = find_secret(&storage, self.secret.as_ref())?;
        let is_new = found.is_none();
        let secret = found.unwrap_or_else(new_secret);
        store_secret(&storage, &secret, is_new)?;
        let has_state = |user: &str| StateFile::new(&storage, &secret, user).exists();
        let positions = || positions(&storage, &secret, reader.credentials().ids());
        let lines = ChangeFile::open(Storage::new(out), &storage, self.is_parquet, has_state, positions)?;
        let run = Run::new(self, reader, &secret, &storage, lines);
        let users: Vec<String> = reader.credentials().ids().map(str::to_owned).collect();
        let mut ended = stream::iter(users).map(|user| run.sync_user(user)).buffer_unordered(reader.limits().requests_in_flight());
        let mut done = 0;
        while let Some(user) = ended.next().await {
            user?;
            done += 1;
            progress(CohortSyncProgress { users: done, changes: run.changes() });
        }
        drop(ended);
        run.finish()
    }

    /// Removes the state of a user, for example after they have withdrawn their consent. Returns whether there was one. The changes in other
    /// files and the records of the copy stay.
    ///
    /// # Errors
    /// * [`CohortError::Dataset`] if the folder has no states, if another sync uses it, or if the states have another secret.
    /// * [`CohortError::Io`] if the state cannot be removed.
    pub fn remove_state(&self, states: &Path, user: &str) -> Result<bool, CohortError> {
        let storage = Storage::new(states);
        if !storage.exists(PROGRESS_FILE) && !has_states(&storage)? {
            return Err(CohortError::dataset(states, "must be a folder with the states of a sync"));
        }
        let _lock = storage.lock(LOCK_FILE)?;
        match find_secret(&storage, self.secret.as_ref())? {
            Some(secret) => StateFile::new(&storage, &secret, user).remove(),
            None => Ok(false),
        }
    }

    /// Returns the sync of a user, without a token and without a state.
    fn call(&self, client: &Client, secret: &[u8], user: &str, service_name: Option<&str>) -> Result<SyncCall, Error> {
        let call = client.sync(self.kinds.iter().copied(), SyncKey::new(secret, user)?).expect_account(user);
        let call = service_name.into_iter().fold(call, SyncCall::service_name);
        let call = self.first.into_iter().fold(call, SyncCall::from);
        Ok(self.look_back.into_iter().fold(call, SyncCall::look_back))
    }
}
