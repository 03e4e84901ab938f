//! `vitalwire cohort failures`.

use std::path::Path;

use vitalwire_cohort::FailureReason;
use vitalwire_cohort::dataset::Dataset;

use super::text::count;
use super::{Task, failure, reason_lines};
use crate::cli::{Connection, Format};
use crate::failure::Failure;
use crate::output::Output;
use crate::render::style::clean;
use crate::render::table::Table;
use crate::screen::Screen;

pub(super) fn run(connection: &Connection, folder: &Path) -> Result<(), Failure> {
    let dataset = Dataset::open(folder).map_err(failure(Task::ReadDataset))?;
    let failures = dataset.failures().map_err(failure(Task::ReadDataset))?;
    if connection.format == Some(Format::Json) {
        return super::super::session::write(&super::json(&failures), &connection.destination);
    }
    let mut screen = Screen::new(Output::to(&connection.destination)?, false);
    screen.title(&format!("{} in {}", count(failures.len() as u64, "failure"), folder.display()))?;
    if !failures.is_empty() {
        let mut table = Table::new().flexible("user").left("table").left("from").left("to").right("status").left("kind");
        for one in &failures {
            table.row([
                clean(&one.user).into_owned().into(),
                one.table.as_str().into(),
                one.first.to_string().into(),
                one.last.to_string().into(),
                one.status.map_or_else(String::new, |status| status.to_string()).into(),
                one.kind.clone().into(),
            ]);
        }
        screen.table(&table)?;
    }
    for line in reason_lines(&FailureReason::group(&failures)) {
        screen.line(&clean(&line))?;
    }
    if !dataset.is_finished() {
        screen.note(super::verify::INCOMPLETE_RUN)?;
    }
    screen.finish()
}
