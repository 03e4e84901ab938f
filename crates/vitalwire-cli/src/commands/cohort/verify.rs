//! `vitalwire cohort verify`.

use std::path::Path;

use vitalwire_cohort::dataset::{Dataset, Problem};

use super::text::count;
use super::{Task, failure};
use crate::cli::Connection;
use crate::failure::{Failure, result_after};
use crate::output::Output;
use crate::render::style::clean;

/// Note if the last run of a dataset did not end.
pub(super) const INCOMPLETE_RUN: &str = "the last run is incomplete";

pub(super) fn run(connection: &Connection, folder: &Path) -> Result<(), Failure> {
    let dataset = Dataset::open(folder).map_err(failure(Task::ReadDataset))?;
    let problems = dataset.verify().map_err(failure(Task::ReadDataset))?;
    let shown = show(connection, &problems, dataset.is_finished());
    let result = match problems.len() as u64 {
        0 if dataset.is_finished() => Ok(()),
        0 => Err(Failure::File(INCOMPLETE_RUN.to_owned(), "run the export again with --resume".to_owned())),
        found => Err(Failure::File(
            format!("the dataset has {}", count(found, "problem")),
            match problems.iter().any(|problem| problem.reason.contains("repair the dataset")) {
                true => "run the export again with --repair: it removes damaged and missing files from the manifest, and requests their days again",
                false => "each line states the remedy",
            }
            .to_owned(),
        )),
    };
    result_after(shown, result)
}

fn show(connection: &Connection, problems: &[Problem], is_finished: bool) -> Result<(), Failure> {
    let mut out = Output::to(&connection.destination)?;
    for problem in problems {
        out.line(&clean(&problem.to_string()))?;
    }
    if !is_finished {
        out.line(INCOMPLETE_RUN)?;
    } else if problems.is_empty() {
        out.line("all files match the manifest")?;
    }
    out.finish()
}
