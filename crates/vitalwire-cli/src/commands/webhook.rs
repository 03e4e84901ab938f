//! `vitalwire webhook verify`: checks a signature without calling a service.

use vitalwire::webhook::{self, DEFAULT_BODY_LIMIT, Verifier, WebhookKind};

use super::{secret, session};
use crate::cli::{Format, VerifyOptions, WebhookCommand, WebhookKindOption};
use crate::failure::{Failure, NO_TABLE};
use crate::output::{Destination, Output};
use crate::render::style::GOOD;
use crate::render::table::{Cell, Table};
use crate::screen::Screen;

pub(crate) fn run(command: WebhookCommand, format: Format, destination: &Destination) -> Result<(), Failure> {
    if format.exports_table() {
        return Err(NO_TABLE);
    }
    destination.check(format.is_binary())?;
    let WebhookCommand::Verify(options) = command;
    for input in options.key_file.iter().chain([&options.file]) {
        destination.reject_input(input)?;
    }
    let keys = options.keys().map(|source| secret::read_secret(&source)).collect::<Result<Vec<_>, _>>()?;
    let verifier = Verifier::new(keys.into_iter().flatten())?;
    let body = secret::read_limited(&options.file, DEFAULT_BODY_LIMIT as u64)?;
    verifier.verify(&body, options.signature.as_bytes())?;
    // Decode the body even if it is printed as received: an invalid body is an error in every format.
    let table = read(&options, &body)?;
    if format == Format::Json {
        return session::write_json(&body, destination);
    }
    let mut screen = Screen::new(Output::to(destination)?, false);
    screen.title("Webhook")?;
    screen.table(&table)?;
    screen.finish()
}

fn read(options: &VerifyOptions, body: &[u8]) -> Result<Table, Failure> {
    let mut table = Table::untitled().left("").flexible("");
    let mut row = |name: &str, value: String| table.row([name.into(), value.into()]);
    let kind = options.kind.or_else(|| detect_kind(body));
    row("signature", "valid".to_owned());
    match kind {
        Some(WebhookKindOption::Events) => return events(body),
        Some(WebhookKindOption::LabReport) => {
            let report = webhook::parse_lab_report(body)?;
            row("kind", "lab report".to_owned());
            row("user", report.application_user_id.unwrap_or_default());
            row("record", report.record_id.to_string());
            row("status", report.status.to_string());
            let results: usize = report.sections.iter().map(|section| section.results.iter().count()).sum();
            row("results", results.to_string());
        }
        Some(WebhookKindOption::Nutrition) => {
            let record = webhook::parse_nutrition(body)?;
            row("kind", "nutrition record".to_owned());
            row("user", record.application_user_id.unwrap_or_default());
            row("record", record.record_id.to_string());
            row("status", record.status.to_string());
            row("dish", record.dish_name.unwrap_or_default());
        }
        None => row("kind", "unknown from the body: set --kind".to_owned()),
    }
    Ok(table)
}

fn detect_kind(body: &[u8]) -> Option<WebhookKindOption> {
    match webhook::detect_kind(body) {
        WebhookKind::Events => Some(WebhookKindOption::Events),
        WebhookKind::LabReport => Some(WebhookKindOption::LabReport),
        WebhookKind::Nutrition => Some(WebhookKindOption::Nutrition),
        _ => None,
    }
}

/// Returns a table with one line per event, printed below the line about the signature.
fn events(body: &[u8]) -> Result<Table, Failure> {
    let events = webhook::parse_events(body)?;
    if events.is_empty() {
        let mut table = Table::untitled().left("").flexible("");
        table.row(["signature".into(), Cell::new("valid", GOOD)]);
        table.row(["events".into(), "none: the list is empty".into()]);
        return Ok(table);
    }
    let mut table = Table::new().left("signature").left("user").left("event").left("provider").flexible("metrics");
    for event in events {
        let metrics: Vec<&str> = event.metrics.iter().map(String::as_str).collect();
        table.row([
            Cell::new("valid", GOOD),
            event.application_user_id.clone().unwrap_or_default().into(),
            event.event_type.as_ref().map_or_else(String::new, ToString::to_string).into(),
            event.provider_slug.as_ref().map_or_else(String::new, ToString::to_string).into(),
            metrics.join(" ").into(),
        ]);
    }
    Ok(table)
}
