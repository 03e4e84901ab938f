//! `vitalwire cohort coverage`.

use serde_json::json;
use vitalwire::ErrorKind;
use vitalwire::value::Date;
use vitalwire_cohort::dataset::{Dataset, DayState, TableCoverage};

use super::{Task, failure};
use crate::cli::{Connection, CoverageOptions, Format};
use crate::failure::{Failure, result_after};
use crate::output::Output;
use crate::render::style::{PLAIN, WARN, clean};
use crate::render::table::{Cell, Table};
use crate::screen::Screen;

pub(super) fn run(connection: &Connection, options: &CoverageOptions) -> Result<(), Failure> {
    let dataset = Dataset::open(&options.folder).map_err(failure(Task::ReadDataset))?;
    let mut coverage = dataset.coverage().map_err(failure(Task::ReadDataset))?;
    coverage.retain(|rows| options.tables.is_empty() || options.tables.contains(&rows.table));
    let limit = options.fail_without_data_for;
    if limit.is_some()
        && let Some(table) = options.tables.iter().find(|table| coverage.iter().all(|rows| rows.table != **table))
    {
        let hint = "remove the table from --tables, or export it".to_owned();
        return Err(Failure::Cohort(ErrorKind::InvalidArgument, format!("the dataset has no table {}", table.as_str()), Some(hint)));
    }
    // A table that no run has requested has no data, too.
    let fails = |rows: &TableCoverage| limit.is_some_and(|limit| rows.days_without_data().is_none_or(|days| days >= limit));
    let shown = show(connection, &dataset, &coverage, &fails);
    let result = match (coverage.iter().filter(|rows| fails(rows)).count(), limit) {
        (0, _) | (_, None) => Ok(()),
        (failing, Some(limit)) => {
            let (have, days) = (if failing == 1 { "has" } else { "have" }, if limit == 1 { "day" } else { "days" });
            let of = if coverage.len() == 1 { "1 table of a user".to_owned() } else { format!("{} tables of users", coverage.len()) };
            Err(Failure::WithoutData(format!(
                "{failing} of {of} {have} no data in the last {limit} requested {days} (--fail-without-data-for)"
            )))
        }
    };
    result_after(shown, result)
}

fn show(
    connection: &Connection,
    dataset: &Dataset,
    coverage: &[TableCoverage],
    fails: &dyn Fn(&TableCoverage) -> bool,
) -> Result<(), Failure> {
    let days = dataset.days();
    if connection.format == Some(Format::Json) {
        let rows: Vec<_> = coverage.iter().map(|rows| json_row(rows, days)).collect();
        if !dataset.is_finished() {
            crate::failure::note(super::verify::INCOMPLETE_RUN);
        }
        super::super::session::write(&super::json(&rows), &connection.destination)?;
    } else {
        let mut screen = Screen::new(Output::to(&connection.destination)?, false);
        screen.title(&match days {
            Some((first, last)) => format!("Coverage, {first} to {last}"),
            None => "Coverage".to_owned(),
        })?;
        let mut table = Table::new()
            .flexible("user")
            .left("table")
            .right("has data")
            .right("no data")
            .right("failed")
            .right("not requested")
            .left("last day")
            .right("days without data");
        for rows in coverage {
            let count = |state: DayState| all_days(days).filter(|day| rows.day(*day) == state).count().to_string();
            let without_data = rows.days_without_data().map_or_else(String::new, |days| days.to_string());
            // The mark is visible without colours too.
            let without_data = if fails(rows) { Cell::new(format!("! {without_data}"), WARN) } else { Cell::new(without_data, PLAIN) };
            table.row([
                clean(&rows.user).into_owned().into(),
                rows.table.as_str().into(),
                count(DayState::HasData).into(),
                count(DayState::NoData).into(),
                count(DayState::Failed).into(),
                count(DayState::NotRequested).into(),
                rows.last_day().map_or_else(String::new, |day| day.to_string()).into(),
                without_data,
            ]);
        }
        screen.table(&table)?;
        if !dataset.is_finished() {
            screen.note(super::verify::INCOMPLETE_RUN)?;
        }
        screen.finish()?;
    }
    Ok(())
}

fn all_days(days: Option<(Date, Date)>) -> impl Iterator<Item = Date> {
    days.into_iter().flat_map(|(first, last)| (0..=first.days_until(last)).filter_map(move |day| first.plus_days(day)))
}

fn json_row(rows: &TableCoverage, days: Option<(Date, Date)>) -> serde_json::Value {
    let days: serde_json::Map<_, _> = all_days(days).map(|day| (day.to_string(), rows.day(day).as_str().into())).collect();
    json!({
        "user": rows.user,
        "table": rows.table,
        "last_day": rows.last_day().map(|day| day.to_string()),
        "days_without_data": rows.days_without_data(),
        "days": days,
    })
}
