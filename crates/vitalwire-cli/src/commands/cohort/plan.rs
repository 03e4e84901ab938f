//! `vitalwire cohort plan`.

use std::path::Path;

use vitalwire_cohort::dataset::{Dataset, NextRun};
use vitalwire_cohort::{CohortTable, Plan};

use super::export::note_of_removed_users;
use super::setup::{Setup, notes_of_incomplete_days};
use super::text::{count, duration_text};
use super::{Task, failure};
use crate::cli::{Connection, Format, PlanOptions};
use crate::failure::Failure;
use crate::output::Output;
use crate::render::table::Table;
use crate::screen::Screen;

pub(super) async fn run(connection: Connection, options: PlanOptions) -> Result<(), Failure> {
    let setup = Setup::new(&connection, &options.cohort).await?;
    setup.check_credentials().await?;
    let next = match &options.out {
        Some(folder) => next_run(&options, folder, &setup).await,
        None => setup.check_pseudonym_key(&options.cohort).await.map(|()| NextRun::first(&setup.selection, setup.now)),
    };
    let shown = next.and_then(|next| show(&connection, &options, &setup, &next));
    setup.shutdown().await;
    shown
}

async fn next_run(options: &PlanOptions, folder: &Path, setup: &Setup) -> Result<NextRun, Failure> {
    Dataset::open(folder).map_err(failure(Task::ReadDataset))?;
    let reader = setup.reader(&options.cohort).await?;
    let selection = setup.selection_at_service(&reader, &options.cohort).await?;
    NextRun::plan(&reader, folder, selection, true).await.map_err(failure(Task::ReadDataset))
}

fn show(connection: &Connection, options: &PlanOptions, setup: &Setup, next: &NextRun) -> Result<(), Failure> {
    let plan = &next.plan;
    if connection.format == Some(Format::Json) {
        let mut json = serde_json::json!(plan);
        if let Some(object) = json.as_object_mut() {
            object.insert("requests".to_owned(), next.requests(&setup.credentials).into());
        }
        return super::super::session::write(&super::json(&json), &connection.destination);
    }
    let mut screen = Screen::new(Output::to(&connection.destination)?, connection.sandbox);
    let (days, users) = (setup.selection.days(), setup.credentials.len() as u64);
    screen.title(&format!("Plan for {}, {} to {}", count(users, "user"), days.first(), days.last()))?;
    let mut table = Table::new().left("table").left("from").left("to").right("users").right("requests");
    for (item, requests) in with_requests(plan) {
        table.row([
            item.table.as_str().into(),
            item.first.to_string().into(),
            item.last.to_string().into(),
            item.users.len().to_string().into(),
            requests.into(),
        ]);
    }
    screen.table(&table)?;
    let requests = next.requests(&setup.credentials);
    let time = Plan::seconds(requests, setup.limits).map_or_else(
        || "no rate limit; set one with --per-second".to_owned(),
        |seconds| format!("at least {} at the limit of --per-second", duration_text(seconds)),
    );
    screen.note(&format!("{}, {}; {time}", count(plan.items().len() as u64, "item"), count(requests, "request")))?;
    screen.note(&sum_text(next, setup))?;
    if options.cohort.to.is_some() {
        let clock = if options.out.is_some() { "at the service" } else { "by this machine's clock" };
        for note in notes_of_incomplete_days(&setup.selection, next.service_time, clock) {
            screen.note(&note)?;
        }
    }
    if let Some(note) = note_of_removed_users(next.removed_users.len()) {
        screen.note(&note)?;
    }
    screen.finish()
}

/// Returns the items with their number of requests. Items that share the requests of the item before them have none.
fn with_requests(plan: &Plan) -> impl Iterator<Item = (&vitalwire_cohort::WorkItem, String)> {
    let mut shared = false;
    plan.items().iter().enumerate().map(move |(at, item)| {
        let requests = if shared { "shared".to_owned() } else { item.requests().to_string() };
        shared = !shared && plan.items_with_shared_requests(at) > 1;
        (item, requests)
    })
}

/// Returns how the number of requests adds up.
fn sum_text(next: &NextRun, setup: &Setup) -> String {
    let mut parts = vec![format!("{} for rows", next.plan.requests())];
    // One of the requests for users' information is for the clock.
    let known_users = next.user_requests() - 1;
    if known_users > 0 {
        parts.push(format!("{known_users} for newly connected providers"));
    }
    let exchanges = next.token_exchanges(&setup.credentials);
    if exchanges > 0 {
        parts.push(count(exchanges, "token exchange"));
    }
    parts.push("1 for the service's clock".to_owned());
    let sleeps = next.plan.tables().into_iter().any(CohortTable::requests_sleeps);
    let estimate = if sleeps { "; one sleep per day is assumed" } else { "" };
    format!("requests: {}, without retries{estimate}", parts.join(" + "))
}
