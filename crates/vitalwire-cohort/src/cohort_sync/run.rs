//! A running sync of many users.

use std::sync::{Mutex, MutexGuard, PoisonError};

use vitalwire::error::ErrorKind;
use vitalwire_sync::{ChangeType, SyncError, SyncPart};

use super::change_file::ChangeFile;
use super::state_file::{StateFile, StoredState};
use super::{CohortSync, SyncSummary, UserFailure};
use crate::Changes;
use crate::error::CohortError;
use crate::reader::CohortReader;
use crate::storage::Storage;

/// A running sync.
pub(super) struct Run<'a> {
    sync: &'a CohortSync,
    reader: &'a CohortReader,
    secret: &'a [u8],
    states: &'a Storage,
    lines: ChangeFile<'a>,
    summary: Mutex<SyncSummary>,
}

/// State and failures of a user.
#[derive(Default)]
struct UserResult {
    stored: Option<StoredState>,
    errors: Vec<SyncError>,
    left_out: u64,
    /// Whether a part was read.
    has_parts: bool,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        sync: &'a CohortSync,
        reader: &'a CohortReader,
        secret: &'a [u8],
        states: &'a Storage,
        lines: ChangeFile<'a>,
    ) -> Self {
        let summary = SyncSummary { users: reader.credentials().len(), ..SyncSummary::default() };
        Self { sync, reader, secret, states, lines, summary: Mutex::new(summary) }
    }

    /// Gives the file with the changes its final name, and returns the summary.
    pub(super) fn finish(self) -> Result<SyncSummary, CohortError> {
        let mut summary = self.summary.into_inner().unwrap_or_else(PoisonError::into_inner);
        summary.reasons.sort_by_key(|reason| std::cmp::Reverse(reason.count));
        summary.failures.sort_by(|one, other| one.user.cmp(&other.user));
        summary.file = self.lines.finish()?;
        Ok(summary)
    }

    fn summary(&self) -> MutexGuard<'_, SyncSummary> {
        self.summary.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn changes(&self) -> u64 {
        self.summary().kinds.values().map(|changes| changes.added + changes.changed + changes.removed).sum()
    }

    /// Syncs a user. Only errors of files, and errors that all users would have, end the whole sync.
    pub(super) async fn sync_user(&self, user: String) -> Result<(), CohortError> {
        let files = StateFile::new(self.states, self.secret, &user);
        let stored = match files.read() {
            Ok(stored) => stored,
            Err(error) => {
                let mut summary = self.summary();
                summary.users_without_parts += 1;
                summary.failed_users += 1;
                summary.add_failure(&user, ErrorKind::InvalidArgument, None, error.to_string());
                return Ok(());
            }
        };
        let mut result = UserResult { stored, ..UserResult::default() };
        if result.stored.is_none() {
            self.store_first(&user, &files, &mut result)?;
        }
        // An exchanged token may have expired, so a rejected token is exchanged again.
        while self.sync_with_token(&user, &files, &mut result).await? {
            if !self.reader.forget_token(&user) {
                break;
            }
            (result.errors, result.left_out) = (Vec::new(), 0);
        }
        if !result.has_parts {
            self.store_first(&user, &files, &mut result)?;
        }
        let UserResult { mut errors, left_out, has_parts, .. } = result;
        let failed = errors.iter().find_map(|error| if let SyncError::Client(error) = error { Some(error) } else { None });
        if self.reader.record_outcome(failed)
            && let Some(SyncError::Client(error)) = errors.pop()
        {
            return Err(error.into());
        }
        let mut summary = self.summary();
        summary.left_out += left_out;
        summary.users_without_parts += usize::from(!has_parts && !errors.is_empty());
        summary.failed_users += usize::from(!errors.is_empty() || left_out > 0);
        if left_out > 0 {
            let message = format!("items or values that cannot be decoded, or lists that are null, are left out: {left_out}");
            summary.failures.push(UserFailure::new(&user, ErrorKind::Decode, None, message));
        }
        for error in &errors {
            let (kind, status, message) = match error {
                SyncError::Client(error) if matches!(error.kind(), ErrorKind::Configuration | ErrorKind::Closed) => {
                    return Err(CohortError::dataset(self.states.root(), error.to_string()));
                }
                SyncError::Client(error) => (error.kind(), error.status(), error.to_string()),
                error => (ErrorKind::InvalidArgument, None, error.to_string()),
            };
            summary.add_failure(&user, kind, status, message);
        }
        Ok(())
    }

    /// Stores the first day of the copy, if the caller has set one. A later sync without it must begin with the same day, even if this one
    /// fails or is interrupted.
    fn store_first(&self, user: &str, files: &StateFile<'_>, result: &mut UserResult) -> Result<(), CohortError> {
        if self.sync.first.is_none() {
            return Ok(());
        }
        let call = self.sync.call(self.reader.client(), self.secret, user, self.reader.service_setting())?;
        // A state that cannot be used is a failure of the sync.
        if let Ok(state) = call.state_or_first(result.stored.as_ref().map(|stored| &*stored.state)).record_events() {
            let stored = result.stored.get_or_insert_default();
            stored.state = state;
            files.write(stored)?;
        }
        Ok(())
    }

    /// Syncs a user with the current token. Returns whether the service rejected the token.
    async fn sync_with_token(&self, user: &str, files: &StateFile<'_>, result: &mut UserResult) -> Result<bool, CohortError> {
        let options = match self.reader.call_options(user).await {
            Ok(options) => options,
            Err(error) => {
                result.errors.push(error.into());
                return Ok(false);
            }
        };
        let call = self.sync.call(self.reader.client(), self.secret, user, self.reader.service_setting())?;
        let mut parts = match call.options(options).state_or_first(result.stored.as_ref().map(|stored| &*stored.state)).start() {
            Ok(parts) => parts,
            Err(SyncError::Client(error)) => return Err(error.into()),
            Err(error) => {
                result.errors.push(error);
                return Ok(false);
            }
        };
        let mut is_rejected = false;
        let mut has_news = false;
        while let Some(part) = parts.next().await {
            match part {
                Ok(part) => {
                    let stored = result.stored.get_or_insert_default();
                    if !part.changes().is_empty() {
                        stored.state = part.state_before().to_vec();
                        files.write(stored)?;
                        stored.position = Some(self.lines.append(user, &part)?);
                    }
                    stored.state = part.state().to_vec();
                    self.count(&part);
                    result.left_out += part.left_out();
                    result.has_parts = true;
                    has_news = true;
                }
                Err(error) => {
                    is_rejected |= matches!(&error, SyncError::Client(error) if error.kind() == ErrorKind::Authentication);
                    result.errors.push(error);
                }
            }
        }
        // States of parts without changes are not written: after a crash, the next sync reads their days again.
        if let Some(stored) = result.stored.as_ref().filter(|_| has_news) {
            files.write(stored)?;
        }
        Ok(is_rejected)
    }

    fn count(&self, part: &SyncPart) {
        let mut summary = self.summary();
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
