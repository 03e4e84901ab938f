//! Waits for an analysis and shows its result.

use std::time::{Duration, Instant};

use serde_json::Value;
use vitalwire::client::{Call, CallOptions, Operation};
use vitalwire::table::TableId;
use vitalwire::wait::{WaitError, WaitOperation};
use vitalwire::{Error, ErrorKind};

use super::session::{FollowUp, Session, not_json, write};
use crate::cli::{Format, WaitOptions};
use crate::failure::{Failure, NO_TABLE, result_after};
use crate::progress::{Progress, with_progress};
use crate::render::json;
use crate::screen::Screen;
use crate::shell;

/// Time in which an upload in flight may still get a response after its cancellation, the same as in a wait.
const CANCEL_GRACE: Duration = Duration::from_secs(2);
/// Error reason of a wait that timed out.
const ANALYSIS_TIMEOUT: &str = "the analysis did not end within the timeout";
/// The status of an analysis without a result.
const FAILED: &str = "failed";

/// The kind of record that a command waits for.
#[derive(Clone, Copy)]
pub(crate) struct RecordKind {
    pub(crate) title: &'static str,
    /// The table for table formats.
    pub(crate) table: TableId,
    /// The command whose `list` and `wait` find the record.
    pub(crate) command: &'static str,
}

impl RecordKind {
    pub(super) const MEAL: Self = Self { title: "Meal", table: TableId::NutritionRecords, command: "nutrition" };
    pub(super) const REPORT: Self = Self { title: "Laboratory report", table: TableId::LabResults, command: "labs" };

    /// Names the command that shows an upload when its analysis has ended.
    pub(super) fn receipt_text(&self, id: &str, follow_up: FollowUp) -> String {
        match follow_up.next_command(&format!("{} wait {}", self.command, shell_id(id))) {
            Some(command) => format!("{command} shows it when its analysis has ended."),
            None => {
                "The sandbox of this command has ended, and the record with it; --wait shows it when its analysis has ended.".to_owned()
            }
        }
    }

    /// Adds to the failure of an upload the command that shows whether it arrived, or the record if its id is known. `list` is the command
    /// whose range contains the record.
    pub(super) fn add_check_hint(&self, failure: Failure, follow_up: FollowUp, list: &str) -> Failure {
        if !failure.may_have_uploaded() {
            return failure;
        }
        let hint = match failure.error().and_then(Error::record_id).filter(|id| is_safe_in_shell(id)) {
            Some(id) => self.created_hint(id, follow_up),
            None => Self::check_hint(follow_up, list),
        };
        failure.with_hint(&hint)
    }

    /// Names the command that finds a created record.
    pub(super) fn created_hint(&self, id: &str, follow_up: FollowUp) -> String {
        match follow_up.next_command(&format!("{} wait {id}", self.command)) {
            Some(command) => format!("the upload has arrived: {command} shows the record when its analysis has ended"),
            None => format!("the record {id} was discarded with the sandbox of this command"),
        }
    }

    /// Names the command that finds a record that may have been created. `list` is the command whose range contains it.
    pub(super) fn check_hint(follow_up: FollowUp, list: &str) -> String {
        match follow_up.next_command(list) {
            Some(command) => format!("the upload may have arrived: check with {command} before you send it again"),
            None => "nothing is left of the upload: the sandbox of this command has ended".to_owned(),
        }
    }

    /// Returns the command that waits for a record again.
    fn wait_hint(&self, id: &str, follow_up: FollowUp) -> String {
        match follow_up.next_command(&format!("{} wait {id}", self.command)) {
            Some(command) => format!("the record exists: {command} continues to wait"),
            None => format!("the record {id} was discarded with the sandbox of this command"),
        }
    }
}

impl Session {
    /// Makes an upload and shows its response. If the response cannot be shown, the failure names the record.
    pub(super) async fn show_upload<O: Operation>(
        &self,
        call: Call<O>,
        options: CallOptions,
        record_kind: &RecordKind,
        draw: impl FnOnce(&mut Screen, &O::Output) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if self.format.exports_table() {
            return Err(NO_TABLE);
        }
        // Only the raw response has the id of the record.
        let options = options.keep_body(true).cancel_token(&self.cancel_token).grace_after_cancel(CANCEL_GRACE);
        let call = call.options(options);
        let set_created_hint = |body: &[u8]| match record_id(body).filter(|id| is_safe_in_shell(id)) {
            Some(id) => self.effects.set_completed(record_kind.created_hint(&id, self.follow_up)),
            None => self.effects.keep_pending(),
        };
        if self.format == Format::Json {
            let response = with_progress(call.raw()).await?;
            set_created_hint(&response.body);
            return write(&json::indented(&response.body).ok_or_else(not_json)?, &self.destination);
        }
        let response = with_progress(call.send()).await?;
        set_created_hint(response.body().map_or(&[], |body| &body[..]));
        self.show_drawn(record_kind.title, |screen| draw(screen, &response))
    }

    /// Makes a call, waits for the analysis to end, and shows the record, even if its analysis failed.
    pub(super) async fn show_analysis<O: WaitOperation>(
        &self,
        call: Call<O>,
        options: CallOptions,
        wait_options: WaitOptions,
        record_kind: &RecordKind,
        draw: impl FnOnce(&mut Screen, &O::Record) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let reads = O::META.http_method == "GET";
        let progress = Progress::start(if reads { "requesting the record" } else { "sending" });
        let report = progress.reporter();
        let wait = call.options(options.keep_body(true).cancel_token(&self.cancel_token)).and_wait();
        let (effects, follow_up, kind) = (self.effects.clone(), self.follow_up, *record_kind);
        let wait = wait.on_progress(move |now| {
            if let Some(id) = now.record_id.filter(|id| now.polls == 0 && is_safe_in_shell(id)) {
                effects.set_completed(kind.wait_hint(id, follow_up));
            }
            report(&format!("waiting for the analysis: {}", now.status));
        });
        let wait = match wait_options.timeout {
            Some(timeout) => wait.timeout(timeout),
            None => wait,
        };
        let started = Instant::now();
        let record = wait.await.map_err(|error| {
            let is_over = wait_options.timeout.is_some_and(|timeout| started.elapsed() >= timeout);
            wait_failure(error, reads, is_over, record_kind, self.follow_up)
        })?;
        drop(progress);
        let shown = self.show_response::<O::Poll, _>(&record, record_kind.table, record_kind.title, draw);
        if O::status(&record) == FAILED { result_after(shown, Err(Failure::Analysis)) } else { shown }
    }
}

/// Returns the record's id from the response to an upload. The response to a report has it one level deeper.
fn record_id(body: &[u8]) -> Option<String> {
    let response: Value = serde_json::from_slice(body).ok()?;
    let record = response.get("lab_report").unwrap_or(&response);
    record.get("record_id")?.as_str().map(str::to_owned)
}

/// Converts the error of a wait. For an upload with a response, the failure names the command that waits for its record again. `is_over`
/// states whether the time of `--timeout` is over.
fn wait_failure<T>(error: WaitError<T>, reads: bool, is_over: bool, record_kind: &RecordKind, follow_up: FollowUp) -> Failure {
    let id = error.record_id().filter(|id| is_safe_in_shell(id)).map(str::to_owned);
    let error: Error = error.into();
    match id {
        Some(id) if error.kind() != ErrorKind::InvalidArgument => Failure::Hinted(error, record_kind.wait_hint(&id, follow_up)),
        None if reads && error.kind() == ErrorKind::Timeout && (is_over || error.reason() == Some(ANALYSIS_TIMEOUT)) => {
            Failure::Hinted(error, "set a longer --timeout, in seconds".to_owned())
        }
        None if reads && error.kind() == ErrorKind::Cancelled && !matches!(follow_up, FollowUp::Discarded(_)) => {
            let command = shell::command_line();
            Failure::Hinted(error, format!("`{command}` continues to wait"))
        }
        _ => error.into(),
    }
}

/// Returns an id for a printed command, or a placeholder for an id that is not safe.
pub(super) fn shell_id(id: &str) -> &str {
    if is_safe_in_shell(id) { id } else { "ID" }
}

/// Whether an id has no special characters. Ids come from the service and may be pasted into a shell.
pub(super) fn is_safe_in_shell(id: &str) -> bool {
    (1..=64).contains(&id.len()) && !id.starts_with('-') && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::Cli;
    use crate::commands::upload;

    /// Every command whose upload may happen twice names the command that shows whether it did.
    #[test]
    fn every_upload_has_a_command_that_lists_it() {
        let now = "2025-11-26T12:00:00Z".parse().expect("a date-time");
        for list in [upload::meal_list_command(None, now), upload::meal_list_command(Some(now), now), upload::report_list_command(now)] {
            assert!(
                RecordKind::check_hint(FollowUp::Service(" --profile test"), &list).contains(&format!("`vitalwire {list} --profile test`"))
            );
            let command = ["vitalwire"].into_iter().chain(list.split(' '));
            assert!(Cli::try_parse_from(command).is_ok(), "{list}");
        }
    }

    #[test]
    fn only_ids_that_are_safe_in_a_shell_are_printed() {
        assert!(is_safe_in_shell("6f1c9a52-0000-4000-8000-000000000000"));
        for id in ["", "-rf", "a b", "a;b", "$(x)", "\u{1b}[2J", &"x".repeat(65)] {
            assert!(!is_safe_in_shell(id), "{id:?}");
        }
    }
}
