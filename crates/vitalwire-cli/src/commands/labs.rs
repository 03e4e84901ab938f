//! `vitalwire labs`.

use vitalwire::models::LabReport;
use vitalwire::table::TableId;

use super::session::Session;
use crate::cli::{Labs, Stretch};
use crate::failure::Failure;
use crate::render::style::{STRONG, paint};
use crate::screen::Screen;
use crate::view::labs;

/// How far back a list goes unless told: a year, in seconds.
const BACK: i64 = 365 * 86_400;

/// Runs the command.
pub(crate) async fn run(session: &Session, what: Labs) -> Result<(), Failure> {
    let reports = session.client.lab_reports();
    match what {
        Labs::List(Stretch { from, to }) => {
            let mut call = reports.list().from_timestamp(from.unwrap_or_else(|| session.before(BACK)));
            if let Some(to) = to {
                call = call.to_timestamp(to);
            }
            let draw = |screen: &mut Screen, list: &Vec<LabReport>| {
                if list.is_empty() {
                    return screen.line("no report in that time");
                }
                screen.table(&labs::list(list))
            };
            session.show_or_export(call, TableId::LabResults, "Laboratory reports", draw).await
        }
        Labs::Get { id } => session.show_or_export(reports.get(id), TableId::LabResults, "Laboratory report", report).await,
    }
}

fn report(screen: &mut Screen, report: &LabReport) -> Result<(), Failure> {
    let date = report.collection_date.as_deref().unwrap_or("no date");
    let laboratory = report.lab_information.as_ref().and_then(|lab| lab.name.as_deref()).unwrap_or("an unknown laboratory");
    screen.note(&format!("{}, {laboratory}, {}", paint(STRONG, date), report.status))?;
    if let Some(error) = &report.parsing_error {
        screen.note(error)?;
    }
    if labs::results(report).next().is_none() {
        return screen.line("no results are told");
    }
    screen.line("")?;
    screen.table(&labs::details(report))
}
