//! `vitalwire cohort export`.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use vitalwire::ErrorKind;
use vitalwire_cohort::dataset::{AuditLog, AuditRun, AuditScope, Dataset, Export, NextRun, Problem, Progress, Summary};
use vitalwire_cohort::{CohortError, CohortReader};

use super::setup::{Setup, notes_of_incomplete_days};
use super::text::{count, duration_text, number_text};
use super::{LISTED_USERS, Task, failure, kind_with_name, reason_lines};
use crate::cli::{Connection, ExportOptions, Format};
use crate::config::readers_warning;
use crate::failure::{Failure, result_after, warn};
use crate::output::{Destination, Output};
use crate::progress;
use crate::render::style::clean;
use crate::render::table::Table;
use crate::screen::Screen;
use crate::shell::quote;

/// The audited run, for an exit without destructors.
static AUDIT: Mutex<Option<AuditRun>> = Mutex::new(None);

fn audit() -> MutexGuard<'static, Option<AuditRun>> {
    AUDIT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// States in the audit log that the run was interrupted, before an immediate exit.
pub(crate) fn end_audit() {
    drop(audit().take());
}

/// Result of an export.
struct Outcome {
    /// Number of users in the file of users.
    users: usize,
    summary: Summary,
    /// Damaged files that were removed from the manifest.
    forgotten: Vec<Problem>,
    notes: Vec<String>,
}

pub(super) async fn run(connection: Connection, options: ExportOptions) -> Result<(), Failure> {
    let setup = Setup::new(&connection, &options.cohort).await?;
    let outcome = export(&options, &setup, &connection.destination).await;
    setup.shutdown().await;
    let outcome = outcome?;
    let shown = show(&connection, &options, &outcome);
    let summary = &outcome.summary;
    let result = match summary.failures {
        0 => Ok(()),
        failures => Err(Failure::Partial(
            format!("{failures} of {} could not be read", tables_of_users(summary.users * summary.tables.len())),
            format!("{}; run the export with --resume to request these tables again", list_failures(&options.out)),
        )),
    };
    result_after(shown, result)
}

async fn export(options: &ExportOptions, setup: &Setup, destination: &Destination) -> Result<Outcome, Failure> {
    let reader = setup.reader(&options.cohort).await?;
    let resume = options.resume || options.repair;
    check_folder(&options.out, resume)?;
    *audit() = begin_audit(options, setup, &reader).map_err(failure(Task::ReadDataset))?;
    let files = [&options.audit_log, &options.cohort.users, &options.cohort.pseudonym_key_file];
    let outcome = match files.into_iter().flatten().try_for_each(|file| destination.reject_input(file)) {
        Ok(()) => read(options, setup, &reader, resume).await,
        Err(failure) => Err(failure),
    };
    let run = audit().take();
    if let Some(run) = run {
        match &outcome {
            Ok(outcome) => run.end(&outcome.summary),
            Err(failure) => run.fail(failure.kind()),
        }
        .map_err(failure(Task::Write))?;
    }
    outcome
}

/// Writes the start of the run to the audit log, before the first request.
fn begin_audit(options: &ExportOptions, setup: &Setup, reader: &CohortReader) -> Result<Option<AuditRun>, CohortError> {
    let Some(path) = &options.audit_log else { return Ok(None) };
    readers_warning("audit log", path).iter().for_each(|text| warn(text));
    let log = options.audit_days.into_iter().fold(AuditLog::new(path), AuditLog::keep_days);
    let days = setup.selection.days();
    let users = setup.selection.users().iter().map(|user| reader.shown_id(user)).collect();
    let scope = AuditScope { users, tables: setup.selection.tables().to_vec(), days: Some((days.first(), days.last())) };
    log.begin(reader, &options.out, &scope).map(Some)
}

async fn read(options: &ExportOptions, setup: &Setup, reader: &CohortReader, resume: bool) -> Result<Outcome, Failure> {
    let forgotten = if options.repair { Dataset::repair(&options.out).map_err(failure(Task::ReadDataset))? } else { Vec::new() };
    let progress_line = progress::Progress::start("reading the cohort");
    let (report, started) = (progress_line.reporter(), Instant::now());
    if options.check_users {
        check_users(reader).await?;
    }
    let selection = setup.selection_at_service(reader, &options.cohort).await?;
    let next = NextRun::plan(reader, &options.out, selection.clone(), true).await.map_err(failure(Task::ReadDataset))?;
    let mut notes = Vec::new();
    if next.plan.items().is_empty() {
        notes.push(format!("nothing is due from {} to {}", selection.days().first(), selection.days().last()));
    }
    if options.cohort.to.is_some() || next.plan.items().is_empty() {
        notes.extend(notes_of_incomplete_days(&selection, next.service_time, "at the service"));
    }
    let export = Export::new(next.plan).resume(resume);
    let export = audit().iter().fold(export, Export::audit);
    let summary = export.run(reader, &options.out, |progress| report(&progress_text(progress, started))).await;
    drop(progress_line);
    let summary = summary.map_err(|error| match error {
        CohortError::NobodyRead { reasons } => {
            let kind = reasons.first().map_or(ErrorKind::Internal, |reason| kind_with_name(&reason.kind));
            let text = format!("the data of no user could be read: {}", reason_lines(&reasons).join("; "));
            let remedy = match kind {
                ErrorKind::Authentication | ErrorKind::Permission => "check the credentials in the file of users, and the base URL",
                ErrorKind::Transport | ErrorKind::Timeout => "run the export again with --resume when the service can be reached",
                _ => "run the export again with --resume when the service responds as expected",
            };
            Failure::Cohort(kind, text, Some(format!("{remedy}; {}", list_failures(&options.out))))
        }
        error => failure(Task::Write)(error),
    })?;
    notes.extend(notes_of_summary(&summary));
    Ok(Outcome { users: setup.credentials.len(), summary, forgotten, notes })
}

/// Checks before any request that the folder can be exported to. The export checks it again, with its lock.
fn check_folder(folder: &Path, resume: bool) -> Result<(), Failure> {
    let opened = Dataset::open(folder);
    let reason = if opened.is_ok() {
        if resume {
            return Ok(());
        }
        "the folder already has a dataset; resume it to continue"
    } else if folder.join("_manifest/dataset.json").exists() {
        return opened.map(drop).map_err(failure(Task::ReadDataset));
    } else {
        // An export that was interrupted before its first write leaves only the folder of the manifest.
        let is_foreign = |entry: std::io::Result<fs::DirEntry>| entry.is_ok_and(|entry| entry.file_name() != "_manifest");
        if !fs::read_dir(folder).is_ok_and(|mut entries| entries.any(is_foreign)) {
            return Ok(());
        }
        "the folder must be empty or new"
    };
    Err(failure(Task::ReadDataset)(CohortError::Dataset { path: folder.to_owned(), reason: reason.to_owned() }))
}

/// Checks that each token belongs to its user.
async fn check_users(reader: &CohortReader) -> Result<(), Failure> {
    let foreign = reader.users_with_foreign_tokens().await?;
    if foreign.is_empty() {
        return Ok(());
    }
    let mut ids = foreign.iter().take(LISTED_USERS).map(String::as_str).collect::<Vec<_>>().join(", ");
    if foreign.len() > LISTED_USERS {
        ids.push_str(&format!(" and {} more", foreign.len() - LISTED_USERS));
    }
    let text = match foreign.len() {
        1 => format!("1 user has the token of another user: {ids}"),
        users => format!("{users} users have the token of another user: {ids}"),
    };
    Err(Failure::Cohort(ErrorKind::InvalidArgument, text, Some("correct the file of users; no data was read".to_owned())))
}

fn progress_text(progress: Progress, started: Instant) -> String {
    #[allow(clippy::cast_precision_loss, reason = "a text")]
    let (done, total, rows) = (progress.done as f64, progress.total.max(1) as f64, progress.rows as f64);
    let elapsed = started.elapsed().as_secs_f64();
    let mut text = format!("{:.0} %, {}", 100.0 * done / total, count(progress.rows, "row"));
    if elapsed > 1.0 {
        text.push_str(&format!(" ({} a second)", crate::render::number::grouped(rows / elapsed, 0)));
    }
    if progress.failures > 0 {
        text.push_str(&format!(", {}", count(progress.failures, "failure")));
    }
    if done > 0.0 && done < total {
        text.push_str(&format!(", {} left", duration_text(elapsed * (total - done) / done)));
    }
    text
}

fn show(connection: &Connection, options: &ExportOptions, outcome: &Outcome) -> Result<(), Failure> {
    let Outcome { users, summary, forgotten, notes } = outcome;
    if connection.format == Some(Format::Json) {
        notes.iter().for_each(|note| crate::failure::note(note));
        forgotten.iter().for_each(|problem| crate::failure::note(&forgotten_text(problem)));
        return super::super::session::write(&super::json(summary), &connection.destination);
    }
    let mut screen = Screen::new(Output::to(&connection.destination)?, connection.sandbox);
    screen.title(&format!("Cohort of {} in {}", count(*users as u64, "user"), options.out.display()))?;
    let mut table = Table::new().left("table").right("rows added").right("changed").right("removed");
    for (name, changes) in &summary.tables {
        let numbers = [changes.added, changes.changed, changes.removed].map(number_text);
        table.row(std::iter::once(name.as_str().to_owned()).chain(numbers).map(Into::into));
    }
    screen.table(&table)?;
    for line in reason_lines(&summary.reasons) {
        screen.line(&format!("not read: {}", clean(&line)))?;
    }
    for problem in forgotten {
        screen.note(&forgotten_text(problem))?;
    }
    for note in notes {
        screen.note(note)?;
    }
    screen.finish()
}

fn forgotten_text(problem: &Problem) -> String {
    format!("{}: {}; its days are due again for all its users and tables", problem.path.display(), problem.reason)
}

/// Returns notes about users that the run left out and about rounded times.
fn notes_of_summary(summary: &Summary) -> Vec<String> {
    let mut notes = Vec::new();
    match summary.not_listed {
        0 => {}
        1 => notes.push("1 user of earlier runs is not in the file of users any more; the rows stay".to_owned()),
        users => notes.push(format!("{users} users of earlier runs are not in the file of users any more; their rows stay")),
    }
    notes.extend(note_of_removed_users(summary.removed_users));
    match summary.rounded_times {
        0 => {}
        1 => notes.push("1 time is rounded down to microseconds".to_owned()),
        times => notes.push(format!("{} are rounded down to microseconds", count(times, "time"))),
    }
    notes
}

/// Returns a note about users that are left out because their rows were removed.
pub(super) fn note_of_removed_users(users: usize) -> Option<String> {
    match users {
        0 => None,
        1 => Some("1 user is left out, because the rows were removed from the dataset".to_owned()),
        users => Some(format!("{users} users are left out, because their rows were removed from the dataset")),
    }
}

fn tables_of_users(number: usize) -> String {
    if number == 1 { "1 table of a user".to_owned() } else { format!("{number} tables of users") }
}

fn list_failures(folder: &Path) -> String {
    format!("`vitalwire cohort failures {}` lists the failures", quote(folder))
}
