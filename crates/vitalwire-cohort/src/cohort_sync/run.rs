//! A running sync of many users.

use std::sync::{Mutex, MutexGuard, PoisonError};

use vitalwire::error::ErrorKind;
use vitalwire::range::DateRange;
use vitalwire_sync::{ChangeType, RecordKind, SyncError, SyncPart};

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

/// Items and values of a part that are left out.
struct LeftOut {
    kinds: Vec<RecordKind>,
    days: DateRange,
    count: u64,
}

/// Maximum number of parts with left out items in a message.
const LISTED_PARTS: usize = 3;

/// State and failures of a user.
#[derive(Default)]
struct UserResult {
    stored: Option<StoredState>,
    errors: Vec<SyncError>,
    left_out: Vec<LeftOut>,
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
        summary.recovered.clone_from(&self.lines.recovered);
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
        let is_new = result.stored.is_none();
        if is_new {
            self.store_first(&user, &files, &mut result)?;
        }
        // An exchanged token may have expired, so a rejected token is exchanged again. Each further exchange requires a new part.
        let (mut is_repeated, mut had_parts) = (false, false);
        while self.sync_with_token(&user, &files, &mut result).await? {
            if (is_repeated && !result.has_parts) || !self.reader.forget_token(&user) {
                break;
            }
            (is_repeated, had_parts) = (true, had_parts || result.has_parts);
            result = UserResult { stored: result.stored, ..UserResult::default() };
        }
        result.has_parts |= had_parts;
        // A first day in the future is a mistake of the caller, which later syncs must not repeat.
        let has_invalid_first =
            result.errors.iter().any(|error| matches!(error, SyncError::Client(error) if error.argument() == Some("from")));
        match result.has_parts {
            false if has_invalid_first && is_new => drop(files.remove()?),
            false if !has_invalid_first => self.store_first(&user, &files, &mut result)?,
            _ => {}
        }
        let UserResult { mut errors, left_out, has_parts, .. } = result;
        let failed = errors.iter().find_map(|error| if let SyncError::Client(error) = error { Some(error) } else { None });
        if self.reader.record_outcome(failed)
            && let Some(SyncError::Client(error)) = errors.pop()
        {
            return Err(error.into());
        }
        let mut summary = self.summary();
        summary.left_out += left_out.iter().map(|part| part.count).sum::<u64>();
        summary.users_without_parts += usize::from(!has_parts && !errors.is_empty());
        summary.failed_users += usize::from(!errors.is_empty() || !left_out.is_empty());
        if !left_out.is_empty() {
            let message = left_out_text(&left_out);
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
                    if part.left_out() > 0 {
                        let (kinds, days, count) = (part.kinds().collect(), part.days(), part.left_out());
                        result.left_out.push(LeftOut { kinds, days, count });
                    }
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

/// Returns the message about items and values that are left out, with the kinds and days of the first parts.
fn left_out_text(parts: &[LeftOut]) -> String {
    let text = |LeftOut { kinds, days, count }: &LeftOut| {
        let kinds: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
        format!("{count} in {} from {} to {}", kinds.join(" and "), days.first(), days.last())
    };
    let mut texts: Vec<String> = parts.iter().take(LISTED_PARTS).map(text).collect();
    if let Some(more) = parts.get(LISTED_PARTS..).filter(|more| !more.is_empty()) {
        texts.push(format!("{} in other parts", more.iter().map(|part| part.count).sum::<u64>()));
    }
    format!("left out because they cannot be decoded, are null lists or are listed sleeps without a record: {}", texts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_names_kinds_and_days_of_what_is_left_out() {
        let part = |kinds: &[RecordKind], days: [&str; 2], count| {
            let [first, last] = days.map(|day| day.parse().unwrap());
            LeftOut { kinds: kinds.to_vec(), days: DateRange::new(first, last).unwrap(), count }
        };
        let mut parts = vec![
            part(&[RecordKind::Daily], ["2025-11-10", "2025-11-17"], 1),
            part(&[RecordKind::Sleeps, RecordKind::SleepStages], ["2025-11-18", "2025-11-18"], 2),
        ];
        let start = "left out because they cannot be decoded, are null lists or are listed sleeps without a record: ";
        let two = "1 in daily from 2025-11-10 to 2025-11-17, 2 in sleeps and sleep_stages from 2025-11-18 to 2025-11-18";
        assert_eq!(left_out_text(&parts), format!("{start}{two}"));
        parts.extend((0..3).map(|_| part(&[RecordKind::Labs], ["2025-11-18", "2025-11-18"], 4)));
        assert_eq!(left_out_text(&parts), format!("{start}{two}, 4 in labs from 2025-11-18 to 2025-11-18, 8 in other parts"));
    }
}
