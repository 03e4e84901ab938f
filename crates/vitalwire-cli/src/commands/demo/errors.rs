//! Screen: errors and their details.

use vitalwire::Error;

use super::state::DemoState;
use crate::failure::{Failure, exit_code};
use crate::render::style::{FAINT, STRONG};
use crate::render::table::{Cell, Table};

/// An id without a record.
const UNKNOWN: &str = "00000000-0000-4000-8000-000000000000";
/// An id that would change the path it is inserted into.
const HOSTILE: &str = "..";

pub(crate) async fn show(demo: &mut DemoState<'_>) -> Result<(), Failure> {
    demo.heading("When something is wrong")?;
    if let Err(error) = demo.attempt(demo.client.sleeps().get(UNKNOWN)).await? {
        demo.note("Nobody has a sleep with that id. The error says what to do next, and nothing about a person:")?;
        demo.table(&table(&error))?;
    }
    demo.line("")?;
    if let Err(error) = demo.attempt(demo.client.sleeps().get(HOSTILE)).await? {
        demo.note("The id \"..\" would have led to another path, so the client rejected it:")?;
        demo.table(&table(&error))?;
    }
    Ok(())
}

fn table(error: &Error) -> Table {
    let mut table = Table::untitled().left("").flexible("");
    let mut row = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            table.row([Cell::new(name, FAINT), Cell::new(value, STRONG)]);
        }
    };
    row("kind", Some(error.kind().to_string()));
    row("code", Some(format!("{}, in every language; exit code {} here", error.code(), exit_code(error))));
    row("status", error.status().map(|status| status.to_string()));
    row("operation", error.operation().map(str::to_owned));
    row("argument", error.argument().map(str::to_owned));
    row("reason", error.reason().map(str::to_owned));
    row("request id", error.request_id().map(str::to_owned));
    row("attempts", (error.attempts() > 0).then(|| error.attempts().to_string()));
    table
}
