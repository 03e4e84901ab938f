//! Waits for an analysis and shows its result.

use std::time::Duration;

use serde_json::Value;
use vitalwire::client::{Call, CallOptions, Operation};
use vitalwire::table::TableId;
use vitalwire::wait::{WaitError, WaitOperation};
use vitalwire::{Error, ErrorKind};

use super::session::{Afterwards, Session, no_json, write};
use crate::cli::{Format, Patience};
use crate::failure::{Failure, NO_TABLE};
use crate::progress::{Progress, asked};
use crate::render::json;
use crate::screen::Screen;
use crate::shell;

/// Time in which an upload in flight may still get a response after its cancellation, the same as in a wait.
const LAST_ANSWER: Duration = Duration::from_secs(2);
/// The status of an analysis without a result.
const FAILED: &str = "failed";

/// The kind of record that a command waits for.
#[derive(Clone, Copy)]
pub(crate) struct Awaited {
    pub(crate) title: &'static str,
    /// The table for table formats.
    pub(crate) table: TableId,
    /// The command whose `list` and `wait` find the record.
    pub(crate) command: &'static str,
}

impl Awaited {
    /// A meal.
    pub(super) const MEAL: Self = Self { title: "Meal", table: TableId::NutritionRecords, command: "nutrition" };
    /// A laboratory report.
    pub(super) const REPORT: Self = Self { title: "Laboratory report", table: TableId::LabResults, command: "labs" };

    /// Describes how to show an upload once its analysis has ended.
    pub(super) fn receipt(&self, afterwards: Afterwards) -> String {
        match afterwards.command(&format!("{} wait ID", self.command)) {
            Some(command) => format!("{command} shows it when its analysis has ended."),
            None => {
                "The sandbox of this command has ended, and the record with it; --wait shows it when its analysis has ended.".to_owned()
            }
        }
    }

    /// Adds to the failure of an upload the command that shows whether it arrived, or the record if its id is known. `list` is the command
    /// whose range contains the record.
    pub(super) fn look_first(&self, failure: Failure, afterwards: Afterwards, list: &str) -> Failure {
        if !failure.may_have_uploaded() {
            return failure;
        }
        let hint = match failure.error().and_then(Error::record_id).filter(|id| is_plain(id)) {
            Some(id) => self.arrived(id, afterwards),
            None => Self::look(afterwards, list),
        };
        failure.hinted(&hint)
    }

    /// Describes how to find a record that was created.
    pub(super) fn arrived(&self, id: &str, afterwards: Afterwards) -> String {
        match afterwards.command(&format!("{} wait {id}", self.command)) {
            Some(command) => format!("it has arrived: {command} shows it when its analysis has ended"),
            None => format!("the record {id} is gone with the sandbox of this command"),
        }
    }

    /// Describes how to find a record that may have been created. `list` is the command whose range contains it.
    pub(super) fn look(afterwards: Afterwards, list: &str) -> String {
        match afterwards.command(list) {
            Some(command) => format!("it may have arrived: look with {command} before sending it again"),
            None => "nothing is left of it: the sandbox of this command has ended".to_owned(),
        }
    }

    /// Returns the command that waits for a record again.
    fn again(&self, id: &str, afterwards: Afterwards) -> String {
        match afterwards.command(&format!("{} wait {id}", self.command)) {
            Some(command) => format!("the record exists: {command} continues to wait"),
            None => format!("the record {id} is gone with the sandbox of this command"),
        }
    }
}

impl Session {
    /// Makes an upload and shows its response. If the response cannot be shown, the failure names the record.
    pub(super) async fn show_upload<O: Operation>(
        &self,
        call: Call<O>,
        how: CallOptions,
        awaited: &Awaited,
        draw: impl FnOnce(&mut Screen, &O::Output) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if self.format.is_for_programs() {
            return Err(NO_TABLE);
        }
        // Only the raw response has the id of the record.
        let how = how.keep_raw(true).cancel_token(&self.stop).grace_after_cancel(LAST_ANSWER);
        let call = call.options(how);
        let created = |body: &[u8]| match record_id(body).filter(|id| is_plain(id)) {
            Some(id) => self.done.set(awaited.arrived(&id, self.afterwards)),
            None => self.done.keep_begun(),
        };
        if self.format == Format::Json {
            let answer = asked(call.raw()).await?;
            created(&answer.body);
            return write(&json::indented(&answer.body).ok_or_else(no_json)?, &self.destination);
        }
        let answer = asked(call.send()).await?;
        created(answer.raw().map_or(&[], |body| &body[..]));
        self.show_drawn(awaited.title, |screen| draw(screen, &answer))
    }

    /// Makes a call, waits for the analysis to end, and shows the record, even if its analysis failed.
    pub(super) async fn show_end<O: WaitOperation>(
        &self,
        call: Call<O>,
        how: CallOptions,
        patience: Patience,
        awaited: &Awaited,
        draw: impl FnOnce(&mut Screen, &O::Record) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let reads = O::META.http_method == "GET";
        let progress = Progress::start(if reads { "requesting the record" } else { "sending" });
        let tell = progress.reporter();
        let wait = call.options(how.keep_raw(true).cancel_token(&self.stop)).and_wait();
        let (made, afterwards, arrived) = (self.done.clone(), self.afterwards, *awaited);
        let wait = wait.on_progress(move |now| {
            if let Some(id) = now.record_id.filter(|id| now.polls == 0 && is_plain(id)) {
                made.set(arrived.again(id, afterwards));
            }
            tell(&format!("waiting for the analysis: {}", now.status));
        });
        let wait = match patience.timeout {
            Some(timeout) => wait.timeout(timeout),
            None => wait,
        };
        let record = wait.await.map_err(|error| given_up(error, reads, awaited, self.afterwards))?;
        drop(progress);
        self.show_answer::<O::Poll, _>(&record, awaited.table, awaited.title, draw)?;
        if O::status(&record) == FAILED { Err(Failure::Analysis) } else { Ok(()) }
    }
}

/// Returns the record's id from the response to an upload. The response to a report has it one level deeper.
fn record_id(body: &[u8]) -> Option<String> {
    let answer: Value = serde_json::from_slice(body).ok()?;
    let record = answer.get("lab_report").unwrap_or(&answer);
    record.get("record_id")?.as_str().map(str::to_owned)
}

/// Converts the error of a wait. An upload with a response is not lost: the failure says how to wait for its record again.
fn given_up<T>(error: WaitError<T>, reads: bool, awaited: &Awaited, afterwards: Afterwards) -> Failure {
    let id = error.record_id().filter(|id| is_plain(id)).map(str::to_owned);
    let error: Error = error.into();
    match id {
        Some(id) if error.kind() != ErrorKind::InvalidArgument => Failure::Hinted(error, awaited.again(&id, afterwards)),
        None if reads && error.kind() == ErrorKind::Cancelled && !matches!(afterwards, Afterwards::Nothing(_)) => {
            let command = shell::command_line();
            Failure::Hinted(error, format!("`{command}` continues to wait"))
        }
        _ => error.into(),
    }
}

/// Whether an id has only the characters of ids. It comes from the service and may be pasted into a shell.
pub(super) fn is_plain(id: &str) -> bool {
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
    fn an_upload_has_a_list_to_look_at() {
        let now = "2025-11-26T12:00:00Z".parse().expect("a date-time");
        for list in [upload::meals_of(None, now), upload::meals_of(Some(now), now), upload::reports_since(now)] {
            assert!(Awaited::look(Afterwards::Service(" --profile test"), &list).contains(&format!("`vitalwire {list} --profile test`")));
            let command = ["vitalwire"].into_iter().chain(list.split(' '));
            assert!(Cli::try_parse_from(command).is_ok(), "{list}");
        }
    }

    #[test]
    fn only_plain_ids_are_told() {
        assert!(is_plain("6f1c9a52-0000-4000-8000-000000000000"));
        for id in ["", "-rf", "a b", "a;b", "$(x)", "\u{1b}[2J", &"x".repeat(65)] {
            assert!(!is_plain(id), "{id:?}");
        }
    }
}
