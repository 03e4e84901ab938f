//! Lab report operations.

use std::time::Duration;

use axum::Json;
use axum::extract::{RawQuery, State};
use bytes::Bytes;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::auth::User;
use crate::analysis;
use crate::analysis::document::{self, DocumentOutcome};
use crate::app::AppState;
use crate::people::profile::Profile;
use crate::processing::AnalysisKind;
use crate::records::lab_report::{self, LabReport};
use crate::store::StoreError;
use crate::uploads;
use crate::web::fields::Fields;
use crate::web::path_param::PathParam;
use crate::web::problem::Problem;
use crate::web::query::Query;

/// Maximum length of a stored file name, in characters.
const MAX_NAME: usize = 200;

/// Timeout for reading a document, including the wait for a slot.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Returns the seeded and uploaded reports of a range, oldest first.
async fn reports_in_range(
    app: &AppState,
    person: &Profile,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
) -> Result<Vec<LabReport>, StoreError> {
    let mut reports = lab_report::seeded_reports(person, app.started());
    reports.retain(|report| from.is_none_or(|from| from <= report.uploaded_at) && to.is_none_or(|to| report.uploaded_at < to));
    reports.extend(app.store().reports(&person.user_id, from, to).await?);
    Ok(reports)
}

pub(crate) async fn list(State(app): State<AppState>, User(person): User, RawQuery(raw): RawQuery) -> Result<Json<Value>, Problem> {
    let mut query = Query::parse(raw.as_deref());
    let (from, to) = query.range();
    query.finish()?;
    let now = app.now();
    let reports = reports_in_range(&app, &person, from, to).await?.iter().map(|report| report.json(now)).collect();
    Ok(Json(app.list(reports)))
}

pub(crate) async fn get(State(app): State<AppState>, User(person): User, PathParam(id): PathParam<String>) -> Result<Json<Value>, Problem> {
    let id = id.parse().map_err(|_| Problem::not_found("lab report"))?;
    let report = app
        .store()
        .report(&person.user_id, id)
        .await?
        .or_else(|| lab_report::seeded_reports(&person, app.started()).into_iter().find(|report| report.id == id))
        .ok_or_else(|| Problem::not_found("lab report"))?;
    Ok(Json(report.json(app.now())))
}

/// Reads a document. A panic or timeout of the decoder counts as an unreadable document.
async fn read_document(bytes: Bytes) -> DocumentOutcome {
    let read = analysis::run_blocking(&analysis::DOCUMENTS, move || document::read(&bytes));
    match tokio::time::timeout(TIMEOUT, read).await {
        Ok(Some(reading)) => reading,
        Ok(None) => DocumentOutcome::Failed("The document cannot be read"),
        Err(_) => DocumentOutcome::Failed("The document takes too long to read"),
    }
}

pub(crate) async fn upload(State(app): State<AppState>, User(person): User, body: Bytes) -> Result<Json<Value>, Problem> {
    let mut fields = Fields::parse(&body)?;
    let text = fields.required_text("body");
    let filename = fields.required_text("filename");
    let wait = fields.flag("wait_on_process");
    if filename.as_deref().is_some_and(str::is_empty) {
        fields.reject("filename", "is empty");
    }
    fields.finish()?;
    let document = uploads::decode_base64(&text.unwrap_or_default())?;
    let reading = match uploads::document_failure(&document) {
        Some(reason) => DocumentOutcome::Failed(reason),
        None => read_document(document.clone()).await,
    };
    let (contents, unread, failure) = match reading {
        DocumentOutcome::Read(contents) => (Some(Box::new(contents)), None, None),
        DocumentOutcome::NeedsReview(mime) => (None, Some(mime.into()), None),
        DocumentOutcome::Failed(reason) => (None, None, Some(reason.into())),
    };
    let now = app.now();
    let number = app.store().next_number();
    let key = uploads::checksum(&document);
    // Frees memory for others, because the wait may be long.
    drop((body, document));
    let schedule = app.processing().schedule(AnalysisKind::Report, key, now, wait);
    let report = LabReport {
        id: person.uuid("uploaded lab", number.cast_signed()),
        key,
        filename: filename.unwrap_or_default().chars().take(MAX_NAME).collect(),
        uploaded_at: now,
        ready_at: schedule.ready_at,
        failure: schedule.failure.map(Into::into).or(failure),
        contents,
        unread,
        collected: now.to_zoned(TimeZone::UTC).date(),
    };
    app.store().put_report(&person.user_id, &report).await?;
    app.webhooks().announce_report(&person.user_id, &report).await?;
    if !wait {
        return Ok(Json(json!({ "lab_report": report.receipt() })));
    }
    let report = app.processing().wait_for_report(&person.user_id, report).await?;
    Ok(Json(json!({ "lab_report": report.json(app.now()) })))
}
