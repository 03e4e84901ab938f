//! `vitalwire sync`: writes the changes of many users.

use std::collections::BTreeMap;
use std::path::Path;

use vitalwire::error::ErrorKind;
use vitalwire::value::Timestamp;
use vitalwire_cohort::{CohortSync, Plan, SyncSummary, UserPlan};

use super::super::on_thread;
use super::setup::Setup;
use super::text::{count, duration_text, number_text};
use super::{LISTED_USERS, Task, failure, kind_with_name};
use crate::cli::{Connection, Day, Format, SyncOptions};
use crate::days::Days;
use crate::failure::{Failure, result_after};
use crate::output::Output;
use crate::progress;
use crate::render::style::{clean, clean_path};
use crate::render::table::Table;
use crate::screen::Screen;

pub(crate) async fn run(connection: Connection, options: SyncOptions) -> Result<(), Failure> {
    connection.destination.check(false)?;
    if let Some(user) = &options.remove_user {
        return remove(&connection, &options, user).await;
    }
    let setup = Setup::new(&connection, &options.cohort()).await?;
    let outcome = execute(&connection, &options, &setup).await;
    setup.shutdown().await;
    outcome
}

async fn execute(connection: &Connection, options: &SyncOptions, setup: &Setup) -> Result<(), Failure> {
    let reader = setup.reader(&options.cohort()).await?;
    let now = match options.from {
        // A plan sends no request.
        Some(Day::DaysAgo(_)) if !options.plan => reader.service_time().await?,
        _ => setup.now,
    };
    let sync = cohort_sync(options, now);
    let sync = sync.parquet(connection.format == Some(Format::Parquet));
    let sync = match &options.secret_file {
        Some(path) => setup.read_keys(with_secret(sync, path)).await?,
        None => sync,
    };
    if options.plan {
        let plans = sync.plan(&reader, &options.state).map_err(failure(Task::ReadDataset))?;
        return show_plan(connection, setup, &plans);
    }
    let line = progress::Progress::start("syncing the users");
    let (report, users) = (line.reporter(), setup.credentials.len());
    let text = |done: usize, changes: u64| format!("{done} of {}, {}", count(users as u64, "user"), count(changes, "change"));
    let out = options.out.clone().unwrap_or_default();
    let synced = sync.run(&reader, &options.state, &out, |progress| report(&text(progress.users, progress.changes))).await;
    drop(line);
    let summary = synced.map_err(failure(Task::Sync))?;
    let shown = show(connection, &summary);
    // The library's texts name no option.
    let remedy = if summary.failures.iter().any(|failure| failure.message.contains("start again without a state")) {
        "; --remove-user ID removes a state"
    } else {
        ""
    };
    let result = match summary.failed_users {
        0 => Ok(()),
        _ if summary.users_without_parts == summary.users => {
            let kind = summary.reasons.first().map_or(ErrorKind::Internal, |reason| kind_with_name(&reason.kind));
            let reasons: Vec<&str> = summary.reasons.iter().map(|reason| &*reason.message).collect();
            let text = format!("the records of no user could be read: {}", reasons.join("; "));
            Err(Failure::Cohort(kind, text, Some(format!("correct the cause and run the sync again{remedy}"))))
        }
        failed => Err(Failure::Partial(
            format!("{failed} of {} could not be read completely", count(summary.users as u64, "user")),
            format!("correct the causes and run the sync again; it requests the missing days again{remedy}"),
        )),
    };
    result_after(shown, result)
}

fn cohort_sync(options: &SyncOptions, now: Timestamp) -> CohortSync {
    let mut sync = CohortSync::new(options.kinds.iter().copied());
    if let Some(day) = options.from {
        sync = sync.from(day.date(Days::utc().date(now.jiff().into())));
    }
    if let Some(days) = options.look_back {
        sync = sync.look_back(days);
    }
    sync
}

/// Returns a function that reads the secret of `--secret-file`, which may be a pipe.
fn with_secret(sync: CohortSync, path: &Path) -> impl FnOnce() -> Result<CohortSync, Failure> + Send + 'static {
    let path = path.to_owned();
    move || {
        sync.secret_file(&path).map_err(|error| {
            let text = format!("--secret-file {}: {}", clean_path(&path), error.reason().unwrap_or_default());
            Failure::Cohort(error.kind(), text, None)
        })
    }
}

/// Removes the state of a user.
async fn remove(connection: &Connection, options: &SyncOptions, user: &str) -> Result<(), Failure> {
    let sync = CohortSync::new([]);
    let sync = match &options.secret_file {
        Some(path) => on_thread(with_secret(sync, path)).await?,
        None => sync,
    };
    let is_removed = sync.remove_state(&options.state, user).map_err(failure(Task::ReadDataset))?;
    if !is_removed {
        let text = format!("{}: there is no state of this user", clean_path(&options.state));
        return Err(Failure::Cohort(ErrorKind::InvalidArgument, text, Some("check the id and the folder".to_owned())));
    }
    if connection.format == Some(Format::Json) {
        let json = serde_json::json!({ "removed": true });
        return super::super::session::write(&super::json(&json), &connection.destination);
    }
    let mut screen = Screen::new(Output::to(&connection.destination)?, false);
    screen.line("The state of the user was removed.")?;
    screen.note("the user's records in your copy and in files of changes stay; remove them yourself")?;
    screen.finish()
}

fn show(connection: &Connection, summary: &SyncSummary) -> Result<(), Failure> {
    if connection.format == Some(Format::Json) {
        return super::super::session::write(&super::json(summary), &connection.destination);
    }
    let mut screen = Screen::new(Output::to(&connection.destination)?, connection.sandbox);
    screen.title(&format!("Sync of {}", count(summary.users as u64, "user")))?;
    let mut table = Table::new().left("kind").right("added").right("changed").right("removed");
    for (kind, changes) in &summary.kinds {
        let numbers = [changes.added, changes.changed, changes.removed].map(number_text);
        table.row(std::iter::once(kind.as_str().to_owned()).chain(numbers).map(Into::into));
    }
    screen.table(&table)?;
    for failure in summary.failures.iter().take(LISTED_USERS) {
        screen.line(&format!("{}: {}", clean(&failure.user), clean(&failure.message)))?;
    }
    if let Some(more) = summary.failures.len().checked_sub(LISTED_USERS).filter(|more| *more > 0) {
        screen.line(&format!("and {more} more; --format json lists all of them"))?;
    }
    if summary.days_removed > 0 {
        screen.note(&format!("{} before the look-back changed; all their records are reported", count(summary.days_removed, "day")))?;
    }
    if summary.left_out > 0 {
        screen.note(&format!(
            "{} could not be decoded, were null in place of a list, or are listed sleeps without a record, and are left out",
            count(summary.left_out, "item")
        ))?;
    }
    for file in &summary.recovered {
        screen.note(&format!("changes of an interrupted sync are in {}", file.display()))?;
    }
    match &summary.file {
        Some(file) => screen.note(&format!("the changes are in {}", file.display()))?,
        None if summary.failed_users > 0 => screen.note("no change was found in what could be read")?,
        None => screen.note("nothing has changed")?,
    }
    screen.finish()
}

fn show_plan(connection: &Connection, setup: &Setup, plans: &[UserPlan]) -> Result<(), Failure> {
    let requests: u64 = plans.iter().map(|user| user.plan.requests).sum();
    let exchanges = plans.iter().map(|user| user.token_exchanges).sum::<u64>();
    // Users with the same days share a row.
    let mut rows: BTreeMap<(String, String), (u64, u64)> = BTreeMap::new();
    for days in plans.iter().flat_map(|user| &user.plan.days) {
        let kinds: Vec<&str> = days.kinds.iter().map(|kind| kind.as_str()).collect();
        let row = rows.entry((kinds.join(", "), days.days.to_string().replace('/', " to "))).or_default();
        row.0 += 1;
        row.1 += days.requests;
    }
    if connection.format == Some(Format::Json) {
        let row = |((kinds, days), (users, requests)): (&(String, String), &(u64, u64))| serde_json::json!({ "kinds": kinds, "days": days, "users": users, "requests": requests });
        let rows: Vec<_> = rows.iter().map(row).collect();
        let json = serde_json::json!({ "plan": rows, "requests": requests + exchanges });
        return super::super::session::write(&super::json(&json), &connection.destination);
    }
    let mut screen = Screen::new(Output::to(&connection.destination)?, connection.sandbox);
    screen.title(&format!("Plan for {}", count(plans.len() as u64, "user")))?;
    let mut table = Table::new().left("kinds").left("days").right("users").right("requests");
    for ((kinds, days), (users, requests)) in rows {
        table.row([kinds.into(), days.into(), users.to_string().into(), requests.to_string().into()]);
    }
    screen.table(&table)?;
    let time = Plan::seconds(requests + exchanges, setup.limits)
        .map_or_else(String::new, |seconds| format!("; at least {} at the limit of --per-second", duration_text(seconds)));
    screen.note(&format!("{}, without retries{time}", count(requests + exchanges, "request")))?;
    let sum = format!("{} for the users' information", plans.len());
    screen.note(&format!("this includes {sum} and {}; one sleep per day is assumed", count(exchanges, "token exchange")))?;
    screen.note("days by this machine's clock; a run also uses the service's clock")?;
    screen.finish()
}
