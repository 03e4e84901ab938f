//! `vitalwire cohort` and `vitalwire sync`: the data of many users.

mod coverage;
mod export;
mod failures;
mod plan;
mod remove;
mod setup;
mod sync;
mod text;
mod verify;

use std::path::Path;

pub(crate) use export::end_audit;
pub(crate) use sync::run as sync;
use vitalwire::ErrorKind;
use vitalwire_cohort::{CohortError, FailureReason, PseudonymKey};

use super::on_thread;
use crate::cli::{CohortCommand, Connection};
use crate::failure::Failure;
use crate::render::json::indented;
use crate::render::style::{clean, clean_path};

pub(super) async fn run(connection: Connection, command: CohortCommand) -> Result<(), Failure> {
    connection.destination.check(false)?;
    match command {
        CohortCommand::Export(options) => export::run(connection, options).await,
        CohortCommand::Plan(options) => plan::run(connection, options).await,
        CohortCommand::Verify { folder } => on_thread(move || verify::run(&connection, &folder)).await,
        CohortCommand::Coverage(options) => on_thread(move || coverage::run(&connection, &options)).await,
        CohortCommand::Failures { folder } => on_thread(move || failures::run(&connection, &folder)).await,
        CohortCommand::Remove(options) => remove::run(&connection, &options).await,
    }
}

/// Returns a value as indented JSON.
fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_vec(value).ok().and_then(|body| indented(&body)).unwrap_or_default()
}

/// Task in which an error of a cohort occurred. It decides the exit code and the hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// Reads the file of users.
    ReadUsers,
    /// Reads a dataset.
    ReadDataset,
    /// Changes a dataset.
    Write,
    /// Writes changes and states of a sync.
    Sync,
}

/// Returns a function that converts an error of a cohort, for `map_err`. The error's text has the path or the line.
fn failure(task: Task) -> impl Fn(CohortError) -> Failure {
    move |error| match error {
        CohortError::Client(error) if task == Task::Write && error.is_transient() => Failure::Hinted(error, RESUME.to_owned()),
        CohortError::Client(error) if task == Task::Sync && error.is_transient() => Failure::Hinted(error, SYNC_LATER.to_owned()),
        CohortError::Client(error) => error.into(),
        CohortError::Io { .. } => match task {
            Task::ReadUsers => Failure::Cohort(ErrorKind::InvalidArgument, error.to_string(), Some(CHECK_PATH.to_owned())),
            Task::ReadDataset => Failure::File(error.to_string(), CHECK_PATH.to_owned()),
            Task::Write => Failure::File(error.to_string(), "rows that were already written are kept".to_owned()),
            Task::Sync => Failure::File(error.to_string(), SYNC_AGAIN.to_owned()),
        },
        CohortError::Dataset { ref reason, .. } => {
            let hint = if reason.contains("repair the dataset") {
                Some("run the export again with --repair")
            } else if reason.contains("resume it") {
                Some("add --resume, or export to a new folder")
            } else {
                None
            };
            Failure::Cohort(ErrorKind::InvalidArgument, error.to_string(), hint.map(str::to_owned))
        }
        CohortError::LostChanges { ref states, .. } => {
            let ids: Vec<&str> = states.iter().filter_map(|state| state.user.as_deref()).collect();
            let mut users = ids.iter().take(LISTED_USERS).map(|id| clean(id)).collect::<Vec<_>>().join(", ");
            if let Some(more) = ids.len().checked_sub(LISTED_USERS).filter(|more| *more > 0) {
                users.push_str(&format!(" and {more} more"));
            }
            let remedy = "after you have removed a user's records from the copy, remove the state with --remove-user ID";
            let hint = if ids.is_empty() { remedy.to_owned() } else { format!("the users of these states: {users}; {remedy}") };
            Failure::Cohort(ErrorKind::InvalidArgument, error.to_string(), Some(hint))
        }
        error => Failure::Cohort(ErrorKind::InvalidArgument, error.to_string(), None),
    }
}

/// Maximum number of users in a message.
const LISTED_USERS: usize = 10;

const RESUME: &str = "run the export again with --resume when the service can be reached; rows that were already written are kept";
const SYNC_LATER: &str = "run the sync again when the service can be reached; it loses no change";
const SYNC_AGAIN: &str = "correct the cause, keep the files of both folders, and run the sync again; it loses no change";
const CHECK_PATH: &str = "check the path and the permissions";

/// Reads the key file of `--pseudonym-key-file`. It may be a pipe.
fn pseudonym_key(path: &Path) -> Result<PseudonymKey, Failure> {
    PseudonymKey::from_file(path).map_err(|error| {
        let text = format!("--pseudonym-key-file {}: {}", clean_path(path), error.reason().unwrap_or_default());
        Failure::Cohort(error.kind(), text, None)
    })
}

/// Returns the lines that list reasons of failures with their counts.
fn reason_lines(reasons: &[FailureReason]) -> Vec<String> {
    let line = |reason: &FailureReason| {
        let tables = if reason.count == 1 { "table of a user" } else { "tables of users" };
        format!("{} {tables}: {}", text::number_text(reason.count as u64), reason.message)
    };
    reasons.iter().map(line).collect()
}

/// Returns the kind with this name.
fn kind_with_name(name: &str) -> ErrorKind {
    ErrorKind::ALL.iter().copied().find(|kind| kind.as_str() == name).unwrap_or(ErrorKind::Internal)
}
