//! Sync of many users: states in one folder, changes as lines of JSON in another.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use data_encoding::HEXLOWER;
use futures_util::StreamExt as _;
use futures_util::stream;
use hmac::{Hmac, KeyInit, Mac};
use serde::Serialize;
use serde_json::{Value, json};
use sha2::Sha256;
use uuid::Uuid;
use vitalwire::client::Client;
use vitalwire::error::{Error, ErrorKind};
use vitalwire::value::{Date, Timestamp};
use vitalwire_sync::{Change, ChangeType, RecordKind, SyncCall, SyncClient as _, SyncError, SyncKey, SyncPart, SyncPlan};
use zeroize::Zeroizing;

use crate::Changes;
use crate::credentials::KeySource;
use crate::error::CohortError;
use crate::failure::FailureReason;
use crate::reader::CohortReader;
use crate::storage::Storage;

/// File with the secret of the states, in their folder.
const SECRET_FILE: &str = "secret";

/// File that a running sync locks.
const LOCK_FILE: &str = "lock";

/// Minimum and maximum length of a secret.
const SECRET_BYTES: std::ops::RangeInclusive<usize> = 16..=4_096;

/// Maximum size of a state.
const MAX_STATE_BYTES: u64 = 16 << 20;

/// Suffix of the file that a running sync writes.
const UNFINISHED: &str = ".part";

/// A sync of many users.
#[derive(Clone, Debug)]
#[must_use = "nothing is requested before the sync runs"]
pub struct CohortSync {
    kinds: Vec<RecordKind>,
    first: Option<Date>,
    look_back: Option<u32>,
    secret: Option<Zeroizing<Vec<u8>>>,
}

/// Result of a sync.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SyncSummary {
    /// Number of users.
    pub users: usize,
    /// Numbers of added, changed and removed records by kind.
    pub kinds: BTreeMap<RecordKind, Changes>,
    /// Number of days before the look-back that were reported as a whole.
    pub days_removed: u64,
    /// Number of users who could not be read completely.
    pub failed_users: usize,
    /// Reasons of the failures, the most frequent first.
    pub reasons: Vec<FailureReason>,
    /// Number of items and values that are left out, because they cannot be decoded.
    pub left_out: u64,
    /// File with the changes. `None` if there are none.
    pub file: Option<PathBuf>,
}

/// Days of a sync by users, for estimates.
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
    /// Number of changes so far.
    pub changes: u64,
}

impl CohortSync {
    /// Creates a sync of kinds.
    pub fn new(kinds: impl IntoIterator<Item = RecordKind>) -> Self {
        Self { kinds: kinds.into_iter().collect(), first: None, look_back: None, secret: None }
    }

    /// Sets the first day of the copy. Defaults to that of the last sync, and to 365 days ago for the first one.
    pub fn from(self, day: Date) -> Self {
        Self { first: Some(day), ..self }
    }

    /// Sets the number of days before the last requested day that are requested again. Defaults to 7.
    pub fn look_back(self, days: u32) -> Self {
        Self { look_back: Some(days), ..self }
    }

    /// Sets the secret of the digests in the states. Defaults to a random one, which the first sync writes to the folder of the states.
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

    /// Returns what a sync would request for each user, without a request.
    ///
    /// # Errors
    /// * [`CohortError::Client`] if an argument is invalid.
    /// * [`CohortError::Dataset`] if a state cannot be used, [`CohortError::Io`] if it cannot be read.
    pub fn plan(&self, reader: &CohortReader, states: &Path) -> Result<Vec<UserPlan>, CohortError> {
        let storage = Storage::new(states);
        // Without a secret there are no states yet.
        let secret = match &self.secret {
            Some(secret) => secret.clone(),
            None => read_secret(&storage)?.unwrap_or_else(new_secret),
        };
        let plan = |user: &str| {
            let files = UserFiles::new(&storage, &secret, user);
            let call = self.call(reader.client(), &secret, user, reader.service_setting())?.state_or_first(files.read()?);
            let token_exchanges = reader.credentials().token_exchanges([user]);
            Ok(UserPlan { user: user.to_owned(), plan: call.plan().map_err(|error| files.error(error))?, token_exchanges })
        };
        reader.credentials().ids().map(plan).collect()
    }

    /// Syncs all users. Writes a line of JSON for each change to a new file in the folder `out`, and a state for each user to the folder
    /// `states`. A user who fails does not end the sync; the next one continues.
    ///
    /// Changes are on disk before the state that follows them. If the program ends in between, the next sync writes them again.
    ///
    /// # Errors
    /// * [`CohortError::Client`] if an argument is invalid, or if 20 consecutive users got no response.
    /// * [`CohortError::Dataset`] if another sync uses the folder of the states.
    /// * [`CohortError::Io`] if a file cannot be read or written.
    pub async fn run(
        &self,
        reader: &CohortReader,
        states: &Path,
        out: &Path,
        progress: impl Fn(CohortSyncProgress),
    ) -> Result<SyncSummary, CohortError> {
        let storage = Storage::new(states);
        let _lock = storage.lock(LOCK_FILE)?;
        let secret = match (&self.secret, read_secret(&storage)?) {
            (Some(secret), _) => secret.clone(),
            (None, Some(secret)) => secret,
            (None, None) => {
                let secret = new_secret();
                storage.write(SECRET_FILE, &secret)?;
                secret
            }
        };
        let lines = ChangeFile::open(out)?;
        let run = Run { sync: self, reader, secret: &secret, states: &storage, lines, summary: Mutex::default() };
        let users: Vec<String> = reader.credentials().ids().map(str::to_owned).collect();
        run.summary().users = users.len();
        let mut ended = stream::iter(users).map(|user| run.sync_user(user)).buffer_unordered(reader.limits().requests_in_flight());
        let mut done = 0;
        while let Some(user) = ended.next().await {
            user?;
            done += 1;
            progress(CohortSyncProgress { users: done, changes: run.changes() });
        }
        drop(ended);
        let mut summary = run.summary.into_inner().unwrap_or_else(PoisonError::into_inner);
        summary.reasons.sort_by_key(|reason| std::cmp::Reverse(reason.count));
        summary.file = run.lines.finish()?;
        Ok(summary)
    }

    fn call(&self, client: &Client, secret: &[u8], user: &str, service_name: Option<&str>) -> Result<SyncCall, Error> {
        let call = client.sync(self.kinds.iter().copied(), SyncKey::new(secret, user)?).expect_account(user);
        let call = service_name.into_iter().fold(call, SyncCall::service_name);
        let call = self.first.into_iter().fold(call, SyncCall::from);
        Ok(self.look_back.into_iter().fold(call, SyncCall::look_back))
    }
}

/// A running sync.
struct Run<'a> {
    sync: &'a CohortSync,
    reader: &'a CohortReader,
    secret: &'a [u8],
    states: &'a Storage,
    lines: ChangeFile,
    summary: Mutex<SyncSummary>,
}

impl Run<'_> {
    fn summary(&self) -> MutexGuard<'_, SyncSummary> {
        self.summary.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn changes(&self) -> u64 {
        self.summary().kinds.values().map(|changes| changes.added + changes.changed + changes.removed).sum()
    }

    /// Syncs a user. Only errors of files, and errors that every user would have, end the whole sync.
    async fn sync_user(&self, user: String) -> Result<(), CohortError> {
        let files = UserFiles::new(self.states, self.secret, &user);
        let mut errors = Vec::new();
        let mut state = files.read()?;
        // An exchanged token may have expired.
        while self.sync_with_token(&user, &files, &mut state, &mut errors).await? {
            if !self.reader.forget_token(&user) {
                break;
            }
            errors.clear();
        }
        let failed = errors.iter().find_map(|error| if let SyncError::Client(error) = error { Some(error) } else { None });
        if self.reader.record_outcome(failed)
            && let Some(SyncError::Client(error)) = errors.pop()
        {
            return Err(error.into());
        }
        let mut summary = self.summary();
        summary.failed_users += usize::from(!errors.is_empty());
        for error in &errors {
            let (kind, status, message) = match error {
                SyncError::Client(error) if matches!(error.kind(), ErrorKind::Configuration | ErrorKind::Closed) => {
                    return Err(CohortError::dataset(self.states.root(), error.to_string()));
                }
                SyncError::Client(error) => (error.kind(), error.status(), error.to_string()),
                error => (ErrorKind::InvalidArgument, None, error.to_string()),
            };
            match summary.reasons.iter_mut().find(|reason| (&*reason.kind, reason.status) == (kind.as_str(), status)) {
                Some(reason) => reason.count += 1,
                None => summary.reasons.push(FailureReason { kind: kind.as_str().to_owned(), status, message, count: 1 }),
            }
        }
        Ok(())
    }

    /// Syncs a user with the current token. Returns whether the service rejected the token.
    async fn sync_with_token(
        &self,
        user: &str,
        files: &UserFiles<'_>,
        state: &mut Option<Vec<u8>>,
        errors: &mut Vec<SyncError>,
    ) -> Result<bool, CohortError> {
        let options = match self.reader.call_options(user).await {
            Ok(options) => options,
            Err(error) => {
                errors.push(error.into());
                return Ok(false);
            }
        };
        let call = self.sync.call(self.reader.client(), self.secret, user, self.reader.service_setting())?;
        let mut parts = match call.options(options).state_or_first(state.clone()).start() {
            Ok(parts) => parts,
            Err(SyncError::Client(error)) => return Err(error.into()),
            Err(error) => {
                errors.push(error);
                return Ok(false);
            }
        };
        let mut is_rejected = false;
        let mut has_news = false;
        while let Some(part) = parts.next().await {
            match part {
                Ok(part) => {
                    if !part.changes().is_empty() {
                        files.write(part.state_before())?;
                        self.lines.append(user, &part)?;
                    }
                    self.count(&part);
                    *state = Some(part.state().to_vec());
                    has_news = true;
                }
                Err(error) => {
                    is_rejected |= matches!(&error, SyncError::Client(error) if error.kind() == ErrorKind::Authentication);
                    errors.push(error);
                }
            }
        }
        // The states between the parts are needed only after a crash, which reads their days again.
        if let Some(state) = state.as_ref().filter(|_| has_news) {
            files.write(state)?;
        }
        Ok(is_rejected)
    }

    fn count(&self, part: &SyncPart) {
        let mut summary = self.summary();
        summary.left_out += part.left_out();
        for change in part.changes() {
            let mut changes = Changes::default();
            match change.change_type {
                ChangeType::Added => changes.added = 1,
                ChangeType::Changed => changes.changed = 1,
                ChangeType::Removed => changes.removed = 1,
                _ => summary.days_removed += 1,
            }
            summary.kinds.entry(change.kind).or_default().add(changes);
        }
    }
}

/// The state file of a user. Its name is a digest, so that the folder names no user.
struct UserFiles<'a> {
    storage: &'a Storage,
    name: String,
}

impl<'a> UserFiles<'a> {
    fn new(storage: &'a Storage, secret: &[u8], user: &str) -> Self {
        let mut hash = Hmac::<Sha256>::new_from_slice(secret).unwrap_or_else(|_| Hmac::new(&Default::default()));
        hash.update(b"vitalwire sync file\0");
        hash.update(user.as_bytes());
        let digest: [u8; 32] = hash.finalize().into_bytes().into();
        let name = HEXLOWER.encode(digest.first_chunk::<16>().map_or(&[][..], |bytes| bytes));
        Self { storage, name: format!("{name}.state") }
    }

    fn read(&self) -> Result<Option<Vec<u8>>, CohortError> {
        self.storage.read(&self.name, MAX_STATE_BYTES)
    }

    fn write(&self, state: &[u8]) -> Result<(), CohortError> {
        self.storage.write(&self.name, state)
    }

    fn error(&self, error: SyncError) -> CohortError {
        match error {
            SyncError::Client(error) => error.into(),
            error => CohortError::dataset(&self.storage.path(&self.name), error.to_string()),
        }
    }
}

/// The file with the changes of a run. It gets its final name when the run ends.
struct ChangeFile {
    storage: Storage,
    name: String,
    has_lines: Mutex<bool>,
}

impl ChangeFile {
    /// Opens a new file. Completes files of interrupted runs, whose changes may already be part of the states.
    fn open(folder: &Path) -> Result<Self, CohortError> {
        let storage = Storage::new(folder);
        for entry in storage.entries("").unwrap_or_default() {
            if let Some(name) = entry.strip_suffix(UNFINISHED).filter(|name| is_change_file(name)) {
                storage.rename_new(&entry, name)?;
            }
        }
        let now = Timestamp::try_from(std::time::SystemTime::now()).unwrap_or_default();
        let time: String = now.to_string().chars().take_while(|character| *character != '.').filter(char::is_ascii_alphanumeric).collect();
        let time = time.trim_end_matches('Z');
        let name = (0_u32..).map(|number| if number == 0 { String::new() } else { format!("-{number}") });
        let name = name.map(|number| format!("changes-{time}Z{number}.jsonl")).find(|name| !storage.exists(name)).unwrap_or_default();
        Ok(Self { storage, name, has_lines: Mutex::new(false) })
    }

    /// Appends the changes of a part, and flushes them to the disk.
    fn append(&self, user: &str, part: &SyncPart) -> Result<(), CohortError> {
        let lines: Vec<String> = part.changes().iter().map(|change| json_line(user, part, change).to_string()).collect();
        self.storage.append_line(&format!("{}{UNFINISHED}", self.name), &lines.join("\n"))?;
        *self.has_lines.lock().unwrap_or_else(PoisonError::into_inner) = true;
        Ok(())
    }

    fn finish(self) -> Result<Option<PathBuf>, CohortError> {
        if !self.has_lines.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Ok(None);
        }
        self.storage.rename_new(&format!("{}{UNFINISHED}", self.name), &self.name)?;
        Ok(Some(self.storage.path(&self.name)))
    }
}

fn is_change_file(name: &str) -> bool {
    name.starts_with("changes-") && name.ends_with(".jsonl")
}

fn json_line(user: &str, part: &SyncPart, change: &Change) -> Value {
    let mut line = json!({ "user": user, "kind": change.kind.as_str(), "change": change.change_type.as_str() });
    let fields = [
        ("id", change.id.clone()),
        ("day", change.day.map(|day| day.to_string())),
        ("before", change.before.map(|key| key.to_string())),
        ("after", change.after.map(|key| key.to_string())),
    ];
    if let Some(object) = line.as_object_mut() {
        object.extend(fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.into()))));
        let rows = part.json_rows(change);
        if !rows.is_empty() {
            object.insert("rows".to_owned(), rows.into());
        }
    }
    line
}

fn read_secret(storage: &Storage) -> Result<Option<Zeroizing<Vec<u8>>>, CohortError> {
    let limit = *SECRET_BYTES.end() as u64;
    match storage.read(SECRET_FILE, limit)?.map(Zeroizing::new) {
        Some(secret) if !SECRET_BYTES.contains(&secret.len()) => {
            Err(CohortError::dataset(&storage.path(SECRET_FILE), "must be 16 to 4,096 bytes long; remove the states to start again"))
        }
        secret => Ok(secret),
    }
}

/// Returns a random secret of 32 bytes.
fn new_secret() -> Zeroizing<Vec<u8>> {
    Zeroizing::new([Uuid::new_v4(), Uuid::new_v4()].iter().flat_map(|uuid| *uuid.as_bytes()).collect())
}
