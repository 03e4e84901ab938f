//! `vitalwire cohort`: the data of many users.

mod coverage;
mod export;
mod plan;
mod setup;
mod verify;

use vitalwire::cohort::CohortError;

use crate::cli::{CohortCommand, Connection};
use crate::failure::Failure;

pub(super) async fn run(connection: Connection, command: CohortCommand) -> Result<(), Failure> {
    match command {
        CohortCommand::Export(options) => export::run(connection, options).await,
        CohortCommand::Plan(options) => plan::run(connection, options).await,
        CohortCommand::Verify { folder } => verify::run(&connection, &folder),
        CohortCommand::Coverage(options) => coverage::run(&connection, &options),
    }
}

/// Returns a value as indented JSON.
fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// Converts an error of a cohort. Its text already has the path or the line.
fn failure(error: CohortError) -> Failure {
    match error {
        CohortError::Client(error) => error.into(),
        CohortError::Io { path, cause } => {
            Failure::File(format!("{}: {cause}", path.display()), "rows that were already written are kept".to_owned())
        }
        error => Failure::Input(error.to_string()),
    }
}
