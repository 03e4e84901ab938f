//! `vitalwire labs`.

use vitalwire::client::CallOptions;
use vitalwire::models::LabReport;
use vitalwire::table::TableId;
use vitalwire::value::OpenSet;

use super::session::Session;
use super::upload;
use super::user_days::zone_clause;
use super::wait::RecordKind;
use crate::cli::LabsCommand;
use crate::failure::Failure;
use crate::render::style::{STRONG, WARN, clean, paint};
use crate::screen::Screen;
use crate::view::labs;

/// Default length of a list: a year, in seconds.
const DEFAULT_LENGTH: i64 = 365 * 86_400;

pub(crate) async fn run(session: &Session, command: LabsCommand) -> Result<(), Failure> {
    let reports = session.client.lab_reports();
    if let LabsCommand::Get { id } | LabsCommand::Wait { id, .. } = &command {
        session.check_record_id(id, "labs list")?;
    }
    match command {
        LabsCommand::List(range) => {
            let (from, to, days) = range.bounds(session, DEFAULT_LENGTH).await?;
            let mut call = reports.list().from_timestamp(from);
            if let Some(to) = to {
                call = call.to_timestamp(to);
            }
            let draw = |screen: &mut Screen, list: &Vec<LabReport>| {
                if list.is_empty() {
                    session.note_clock_difference();
                    return screen.line(&format!("no report in that time{}", zone_clause(days.as_ref())));
                }
                screen.table(&labs::list(list))?;
                let Some(days) = &days else { return Ok(()) };
                screen.line("")?;
                screen.note(&format!("Days in {days}, by the time of the upload."))
            };
            session.show_range(call, &range.part_options, TableId::LabResults, "Laboratory reports", draw).await
        }
        LabsCommand::Upload(options) => upload::report(session, options, report).await,
        LabsCommand::Wait { id, wait_options } => {
            session.show_analysis(reports.get(id), CallOptions::new(), wait_options, &RecordKind::REPORT, report).await
        }
        LabsCommand::Get { id } => session.show_or_export(reports.get(id), TableId::LabResults, "Laboratory report", report).await,
    }
}

pub(super) fn report(screen: &mut Screen, report: &LabReport) -> Result<(), Failure> {
    let reported = report.result_date.as_ref().map(|date| format!("reported {date}"));
    let date = report.collection_date.clone().or(reported).unwrap_or_else(|| "no date".to_owned());
    let laboratory = report.lab_information.as_ref().and_then(|lab| lab.name.as_deref()).unwrap_or("an unknown laboratory");
    screen.note(&format!("{}, {}, {}", paint(STRONG, &clean(&date)), clean(laboratory), clean(report.status.as_str())))?;
    if let Some(error) = &report.parsing_error {
        screen.note(&paint(WARN, &clean(error)))?;
    }
    if labs::results(report).next().is_none() {
        screen.line("no results in the report")?;
    } else {
        screen.line("")?;
        screen.table(&labs::details(report))?;
    }
    screen.record_id(report.record_id.as_str())
}
