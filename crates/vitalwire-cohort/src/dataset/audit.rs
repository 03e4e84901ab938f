//! Audit log of exports.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use vitalwire::jiff::{SignedDuration, Timestamp, Unit};
use vitalwire::value::Date;

use super::summary::Summary;
use crate::CohortTable;
use crate::error::CohortError;
use crate::reader::CohortReader;
use crate::storage::Storage;

/// Maximum size of a log whose old lines are removed.
const MAX_BYTES: u64 = 1 << 30;

/// Maximum time to wait for the lock of a log. Another program may be removing old lines of a large log.
const LOCK_WAIT: Duration = Duration::from_secs(30);

/// Start of the first line of a log. A file without this start is rejected, because appended lines would damage it.
const START: &[u8] = b"{\"time\":\"";

/// An audit log of exports: a file of JSON lines. Each run appends a line at its start and one at its end.
///
/// The lines state who exported the data of which users, tables and days, and the numbers of rows. They contain ids of users or pseudonyms, but
/// no token and no health data. Only the owner can read a new file. The lock file beside the log has the same name with the suffix `.lock`.
#[derive(Clone, Debug)]
pub struct AuditLog {
    path: PathBuf,
    days: Option<u32>,
}

/// Users, tables and days of a run.
#[derive(Clone, Debug, Serialize)]
pub struct AuditScope {
    /// User ids or pseudonyms, as in the column `user`.
    pub users: Vec<String>,
    /// The tables.
    pub tables: Vec<CohortTable>,
    /// First and last day. `None` if nothing is due.
    #[serde(serialize_with = "days")]
    pub days: Option<(Date, Date)>,
}

/// A run whose start is in the log. If it is dropped before its end, the log states that it was interrupted.
#[derive(Debug)]
#[must_use = "the log states that the run was interrupted"]
pub struct AuditRun {
    log: AuditLog,
    id: String,
    has_ended: bool,
    /// Rows that were written so far, and failures.
    pub(super) summary: Arc<Mutex<Summary>>,
}

#[derive(Serialize)]
struct Start<'a> {
    version: &'static str,
    os_user: Option<String>,
    uid: Option<u32>,
    service: String,
    dataset: &'a Path,
    #[serde(flatten)]
    scope: &'a AuditScope,
}

#[derive(Serialize)]
struct End<'a> {
    result: &'a str,
    /// Kind of the error that ended the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    #[serde(flatten)]
    summary: &'a Summary,
}

/// A line of the log.
#[derive(Serialize)]
struct Line<'a, T> {
    time: String,
    run: &'a str,
    event: &'a str,
    #[serde(flatten)]
    content: T,
}

impl AuditLog {
    /// Creates a log in a file, which is created if it does not exist. Old lines are kept.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), days: None }
    }

    /// Sets after how many days a line is removed, when the next run starts. Defaults to never.
    #[must_use]
    pub fn keep_days(self, days: u32) -> Self {
        Self { days: Some(days), ..self }
    }

    /// Removes old lines, and appends the start of a run. Call it before the first request.
    ///
    /// # Errors
    /// [`CohortError::Io`] if the file cannot be written, or is not a regular file. [`CohortError::Dataset`] if the file has other content than
    /// an audit log, or if another program removes old lines for more than 30 seconds.
    pub fn begin(&self, reader: &CohortReader, folder: &Path, scope: &AuditScope) -> Result<AuditRun, CohortError> {
        let now = Timestamp::now();
        self.reject_other_content()?;
        if let Some(days) = self.days {
            self.remove_before(now.saturating_sub(SignedDuration::from_hours(24 * i64::from(days))).unwrap_or(Timestamp::MIN))?;
        }
        let mut run = AuditRun {
            log: self.clone(),
            id: format!("{}-{}", process::id(), now.as_nanosecond()),
            has_ended: true,
            summary: Arc::default(),
        };
        let (os_user, uid) = os_user();
        let dataset = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        run.append(
            "start",
            Start { version: env!("CARGO_PKG_VERSION"), os_user, uid, service: reader.service_name(), dataset: &dataset, scope },
        )?;
        run.has_ended = false;
        Ok(run)
    }

    /// Returns the folder of the file, and the file's name in it.
    fn storage(&self) -> Result<(Storage, String), CohortError> {
        let name = self.path.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| CohortError::dataset(&self.path, "the audit log must be a file whose name is UTF-8"))?;
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok((Storage::new(folder), name.to_owned()))
    }

    fn reject_other_content(&self) -> Result<(), CohortError> {
        let (storage, name) = self.storage()?;
        let content = storage.read(&name, START.len() as u64)?.unwrap_or_default();
        let first = content.split(|byte| *byte == b'\n').next().unwrap_or_default();
        // A crash can leave a part of the first line.
        if first.iter().zip(START).all(|(found, expected)| found == expected) {
            return Ok(());
        }
        Err(CohortError::dataset(&self.path, "the file has other content than an audit log; name another file"))
    }

    /// Locks the log, because a line that is appended while another program removes old lines would be lost.
    fn lock(&self, storage: &Storage, name: &str) -> Result<File, CohortError> {
        storage.lock_within(&format!("{name}.lock"), LOCK_WAIT).map_err(|error| match error {
            CohortError::Io { cause, .. } => CohortError::io(&self.path)(cause),
            _ => CohortError::dataset(&self.path, "another program is using the audit log; wait until it has ended"),
        })
    }

    fn remove_before(&self, oldest: Timestamp) -> Result<(), CohortError> {
        #[derive(Deserialize)]
        struct Time {
            time: String,
        }
        let (storage, name) = self.storage()?;
        let _lock = self.lock(&storage, &name)?;
        let Some(content) = storage.read(&name, MAX_BYTES)? else { return Ok(()) };
        if content.len() as u64 > MAX_BYTES {
            return Err(CohortError::dataset(&self.path, "the audit log must not be larger than 1 GiB; move it to another place"));
        }
        // A line without a time stays.
        let is_kept = |line: &&[u8]| {
            serde_json::from_slice::<Time>(line).map_or(true, |line| line.time.parse().map_or(true, |time: Timestamp| time >= oldest))
        };
        let kept: Vec<u8> = content.split_inclusive(|byte| *byte == b'\n').filter(is_kept).flatten().copied().collect();
        if kept.len() < content.len() { storage.write(&name, &kept) } else { Ok(()) }
    }
}

impl AuditRun {
    /// Appends the end of a run that no error ended. Some users may have failed.
    ///
    /// # Errors
    /// The errors of [`AuditLog::begin`].
    pub fn end(mut self, summary: &Summary) -> Result<(), CohortError> {
        self.has_ended = true;
        let result = if summary.failures > 0 { "partial" } else { "complete" };
        self.append("end", End { result, error: None, summary })
    }

    /// Appends the end of a run that an error ended, with what was written before. See [`Export::audit`](super::Export::audit). `error` is
    /// the name of its [`ErrorKind`](vitalwire::ErrorKind), or `local`.
    ///
    /// # Errors
    /// The errors of [`AuditLog::begin`].
    pub fn fail(mut self, error: &str) -> Result<(), CohortError> {
        self.has_ended = true;
        self.append_written("failed", Some(error))
    }

    fn append_written(&self, result: &str, error: Option<&str>) -> Result<(), CohortError> {
        let summary = self.summary.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.append("end", End { result, error, summary: &summary })
    }

    fn append(&self, event: &str, content: impl Serialize) -> Result<(), CohortError> {
        let time = Timestamp::now().round(Unit::Second).unwrap_or_default().to_string();
        let line = Line { time, run: &self.id, event, content };
        let path = &self.log.path;
        let line = serde_json::to_string(&line).map_err(|error| CohortError::io(path)(std::io::Error::other(error)))?;
        let (storage, name) = self.log.storage()?;
        let _lock = match self.log.lock(&storage, &name) {
            // A user who may only append to the log cannot create or open the lock beside it, and some file systems have no locks.
            Err(CohortError::Io { cause, .. }) if has_no_lock(&cause) => None,
            locked => Some(locked?),
        };
        storage.append_line(&name, &line).map(drop)
    }
}

impl Drop for AuditRun {
    fn drop(&mut self) {
        if !self.has_ended {
            // Nobody is left to report an error to.
            let _ = self.append_written("interrupted", None);
        }
    }
}

/// Whether a lock cannot be made here, for this user or on this file system.
fn has_no_lock(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem, Unsupported};
    matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem | Unsupported)
}

fn days<S: serde::Serializer>(days: &Option<(Date, Date)>, serializer: S) -> Result<S::Ok, S::Error> {
    days.map(|(first, last)| [first.to_string(), last.to_string()]).serialize(serializer)
}

/// Returns the name and the number of the operating system's user.
#[cfg(unix)]
fn os_user() -> (Option<String>, Option<u32>) {
    let uid = nix::unistd::getuid();
    (nix::unistd::User::from_uid(uid).ok().flatten().map(|user| user.name), Some(uid.as_raw()))
}

#[cfg(not(unix))]
fn os_user() -> (Option<String>, Option<u32>) {
    (std::env::var("USERNAME").ok(), None)
}
