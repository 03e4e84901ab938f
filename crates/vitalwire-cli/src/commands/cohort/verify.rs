//! `vitalwire cohort verify`.

use std::path::Path;

use vitalwire::cohort::dataset::Dataset;

use super::failure;
use crate::cli::Connection;
use crate::failure::Failure;
use crate::output::Output;

pub(super) fn run(connection: &Connection, folder: &Path) -> Result<(), Failure> {
    let dataset = Dataset::open(folder).map_err(failure)?;
    let problems = dataset.verify().map_err(failure)?;
    let mut out = Output::to(&connection.destination)?;
    for problem in &problems {
        out.line(&crate::render::style::clean(&problem.to_string()))?;
    }
    if problems.is_empty() && dataset.is_finished() {
        out.line("all files match the manifest")?;
    }
    out.finish()?;
    match problems.len() {
        0 if dataset.is_finished() => Ok(()),
        0 => Err(Failure::File("the last run is incomplete".to_owned(), "run the export again with --resume".to_owned())),
        files => Err(Failure::File(
            format!("{files} files differ from the manifest"),
            "run the export again with --resume; if a file still differs, export to a new folder".to_owned(),
        )),
    }
}
