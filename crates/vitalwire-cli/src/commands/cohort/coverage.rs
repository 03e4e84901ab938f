//! `vitalwire cohort coverage`.

use serde_json::json;
use vitalwire::cohort::dataset::{Dataset, DayState, TableCoverage};
use vitalwire::value::Date;

use super::failure;
use crate::cli::{Connection, CoverageOptions, Format};
use crate::failure::Failure;
use crate::output::Output;
use crate::render::style::{PLAIN, WARN};
use crate::render::table::{Cell, Table};
use crate::screen::Screen;

pub(super) fn run(connection: &Connection, options: &CoverageOptions) -> Result<(), Failure> {
    let dataset = Dataset::open(&options.folder).map_err(failure)?;
    let coverage = dataset.coverage().map_err(failure)?;
    let is_quiet = |rows: &TableCoverage| options.fail_if_quiet.is_some_and(|limit| rows.quiet_days().is_some_and(|days| days >= limit));
    let (first, last) = dataset.days();
    if connection.format == Some(Format::Json) {
        let rows: Vec<_> = coverage.iter().map(|rows| json_row(rows, first, last)).collect();
        super::super::session::write(&super::json(&rows), &connection.destination)?;
    } else {
        let mut screen = Screen::new(Output::to(&connection.destination)?, false);
        screen.title(&format!("Coverage, {first} to {last}"))?;
        let mut table = Table::new()
            .flexible("user")
            .left("table")
            .right("received")
            .right("empty")
            .right("failed")
            .right("not requested")
            .left("last day")
            .right("quiet");
        for rows in &coverage {
            let [received, empty, failed, not_requested] = count_states(rows, first, last);
            let quiet = rows.quiet_days().map_or_else(String::new, |days| format!("{days} d"));
            table.row([
                rows.user.clone().into(),
                rows.table.as_str().into(),
                received.to_string().into(),
                empty.to_string().into(),
                failed.to_string().into(),
                not_requested.to_string().into(),
                rows.last_day().map_or_else(String::new, |day| day.to_string()).into(),
                Cell::new(quiet, if is_quiet(rows) { WARN } else { PLAIN }),
            ]);
        }
        screen.table(&table)?;
        screen.finish()?;
    }
    match coverage.iter().filter(|rows| is_quiet(rows)).count() {
        0 => Ok(()),
        quiet => Err(Failure::Quiet(format!("{quiet} of {} tables of users have no recent data (--fail-if-quiet)", coverage.len()))),
    }
}

const STATES: [DayState; 4] = [DayState::Received, DayState::Empty, DayState::Failed, DayState::NotRequested];

/// Counts the days with each state.
fn count_states(rows: &TableCoverage, first: Date, last: Date) -> [usize; 4] {
    let mut counts = [0; 4];
    let days = (0..=first.days_until(last)).filter_map(|day| first.plus_days(day));
    for day in days {
        let state = rows.day(day);
        STATES.iter().zip(&mut counts).filter(|(one, _)| **one == state).for_each(|(_, count)| *count += 1);
    }
    counts
}

fn json_row(rows: &TableCoverage, first: Date, last: Date) -> serde_json::Value {
    let days = (0..=first.days_until(last)).filter_map(|day| first.plus_days(day));
    let days: serde_json::Map<_, _> = days.map(|day| (day.to_string(), rows.day(day).as_str().into())).collect();
    json!({
        "user": rows.user,
        "table": rows.table,
        "last_day": rows.last_day().map(|day| day.to_string()),
        "quiet_days": rows.quiet_days(),
        "days": days,
    })
}
