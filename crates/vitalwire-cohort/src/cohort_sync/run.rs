//! A running sync of many users.

use std::sync::{Mutex, MutexGuard, PoisonError};

use vitalwire::error::ErrorKind;
use vitalwire_sync::{ChangeType, SyncError, SyncPart};

use super::change_file::ChangeFile;
use super::state_file::StateFile;
use super::{CohortSync, SyncSummary, UserFailure};
use crate::Changes;
use crate::error::CohortError;
use crate::failure::FailureReason;
use crate::reader::CohortReader;
use crate::storage::Storage;

/// A running sync.
pub(super) struct Run<'a> {
    sync: &'a CohortSync,
    reader: &'a CohortReader,
    secret: &'a [u8],
    states: &'a Storage,
    lines: ChangeFile,
    summary: Mutex<SyncSummary>,
}

/// State and failures of a user.
#[derive(Default)]
struct UserResult {
    state: Option<Vec<u8>>,
    errors: Vec<SyncError>,
    left_out: u64,
    /// Whether a part was read.
    has_parts: bool,
}

impl<'a> Run<'a> {
    pub(super) fn new(sync: &'a CohortSync, reader: &'a CohortReader, secret: &'a [u8], states: &'a Storage, lines: ChangeFile) -> Self {
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
        let mut result = UserResult { state: files.read()?, ..UserResult::default() };
        // An exchanged token may have expired, so a rejected token is exchanged again.
        while self.sync_with_token(&user, &files, &mut result).await? {
            if !self.reader.forget_token(&user) {
                break;
            }
            (result.errors, result.left_out) = (Vec::new(), 0);
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
        let mut failure = (left_out > 0).then(|| UserFailure {
            user: user.clone(),
            kind: ErrorKind::Decode.as_str().to_owned(),
            status: None,
            message: format!("items or values that cannot be decoded are left out: {left_out}"),
        });
        for error in &errors {
            let (kind, status, message) = match error {
                SyncError::Client(error) if matches!(error.kind(), ErrorKind::Configuration | ErrorKind::Closed) => {
                    return Err(CohortError::dataset(self.states.root(), error.to_string()));
                }
                SyncError::Client(error) => (error.kind(), error.status(), error.to_string()),
                error => (ErrorKind::InvalidArgument, None, error.to_string()),
            };
            failure.get_or_insert_with(|| UserFailure {
                user: user.clone(),
                kind: kind.as_str().to_owned(),
                status,
                message: message.clone(),
            });
            match summary.reasons.iter_mut().find(|reason| (&*reason.kind, reason.status) == (kind.as_str(), status)) {
                Some(reason) => reason.count += 1,
                None => summary.reasons.push(FailureReason { kind: kind.as_str().to_owned(), status, message, count: 1 }),
            }
        }
        summary.failures.extend(failure);
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
        let mut parts = match call.options(options).state_or_first(result.state.clone()).start() {
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
                    if !part.changes().is_empty() {
                        files.write(part.state_before())?;
                        self.lines.append(user, &part)?;
                    }
                    self.count(&part);
                    result.left_out += part.left_out();
                    result.has_parts = true;
                    result.state = Some(part.state().to_vec());
                    has_news = true;
                }
                Err(error) => {
                    is_rejected |= matches!(&error, SyncError::Client(error) if error.kind() == ErrorKind::Authentication);
                    result.errors.push(error);
                }
            }
        }
        // States of parts without changes are not written: after a crash, the next sync reads their days again.
        if let Some(state) = result.state.as_ref().filter(|_| has_news) {
            files.write(state)?;
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
