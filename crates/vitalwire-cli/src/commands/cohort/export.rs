//! `vitalwire cohort export`.

use std::time::Instant;

use vitalwire::cohort::dataset::{Export, Progress, Summary};
use vitalwire::cohort::{CohortReader, PseudonymKey};

use super::failure;
use super::setup::Setup;
use crate::cli::{Connection, ExportOptions, Format};
use crate::failure::Failure;
use crate::output::Output;
use crate::progress;
use crate::render::number::grouped;
use crate::render::table::Table;
use crate::screen::Screen;

pub(super) async fn run(connection: Connection, options: ExportOptions) -> Result<(), Failure> {
    let setup = Setup::new(&connection, &options.cohort).await?;
    let mut reader = CohortReader::new(setup.client_builder(&connection)?, setup.people.clone(), setup.budget)?;
    if let Some(path) = &options.pseudonymise {
        reader = reader.with_pseudonyms(PseudonymKey::from_file(path)?);
    }
    let mut export = Export::new(options.cohort.tables.iter().copied(), setup.days).resume(options.resume);
    if let Some(days) = options.late_days {
        export = export.late_days(days);
    }
    let progress_line = progress::Progress::start("reading the cohort");
    let (report, started) = (progress_line.reporter(), Instant::now());
    let summary = export.run(&reader, &options.out, |progress| report(&progress_text(progress, started))).await;
    drop(progress_line);
    if let Some(sandbox) = setup.sandbox {
        sandbox.shutdown().await;
    }
    let summary = summary.map_err(failure)?;
    show(&connection, &options, &summary)?;
    match summary.failures {
        0 => Ok(()),
        failures => Err(Failure::Partial(
            format!("{failures} of {} tables of users could not be read", summary.users * summary.tables.len()),
            "table=errors/errors.parquet has the errors; run the export with --resume to request these tables again".to_owned(),
        )),
    }
}

fn progress_text(progress: Progress, started: Instant) -> String {
    #[allow(clippy::cast_precision_loss, reason = "a text")]
    let (done, total, rows) = (progress.done as f64, progress.total.max(1) as f64, progress.rows as f64);
    let elapsed = started.elapsed().as_secs_f64();
    let mut text = format!("{:.0} %, {} rows", 100.0 * done / total, grouped(rows, 0));
    if elapsed > 1.0 {
        text.push_str(&format!(" ({} a second)", grouped(rows / elapsed, 0)));
    }
    if progress.failures > 0 {
        text.push_str(&format!(", {} failures", progress.failures));
    }
    if done > 0.0 && done < total {
        text.push_str(&format!(", {} left", format_duration(elapsed * (total - done) / done)));
    }
    text
}

/// Formats a duration in seconds.
pub(super) fn format_duration(seconds: f64) -> String {
    let whole = seconds.ceil();
    let (hours, minutes) = ((whole / 3600.0).floor(), (whole / 60.0).floor() % 60.0);
    if hours > 0.0 {
        format!("{hours:.0} h {minutes:02.0} min")
    } else if minutes > 0.0 {
        format!("{minutes:.0} min {:02.0} s", whole % 60.0)
    } else {
        format!("{whole:.0} s")
    }
}

fn show(connection: &Connection, options: &ExportOptions, summary: &Summary) -> Result<(), Failure> {
    if connection.format == Some(Format::Json) {
        return super::super::session::write(&super::json(summary), &connection.destination);
    }
    let mut screen = Screen::new(Output::to(&connection.destination)?, connection.sandbox);
    screen.title(&format!("Cohort of {} users in {}", summary.users, options.out.display()))?;
    let mut table = Table::new().left("table").right("rows added").right("changed").right("gone");
    for (name, changes) in &summary.tables {
        #[allow(clippy::cast_precision_loss, reason = "a text")]
        let number = |rows: u64| grouped(rows as f64, 0);
        table.row([name.as_str().into(), number(changes.added).into(), number(changes.changed).into(), number(changes.gone).into()]);
    }
    screen.table(&table)?;
    if summary.not_listed > 0 {
        screen.note(&format!("{} users of earlier runs are not in the file of users any more; their rows stay", summary.not_listed))?;
    }
    screen.finish()
}
