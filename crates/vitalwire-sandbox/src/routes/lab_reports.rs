//! Lab reports.

use axum::Json;
use axum::extract::{RawQuery, State};
use bytes::Bytes;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::segment::Segment;
use crate::analysis::mime;
use crate::auth::User;
use crate::body::Fields;
use crate::people::labs::{self, Report};
use crate::people::profile::Profile;
use crate::problem::Problem;
use crate::query::Query;
use crate::state::Failed;
use crate::upload;
use crate::world::World;

/// Longest file name that is kept, in characters.
const NAME: usize = 200;

/// The seeded and the uploaded reports, oldest first.
async fn all(world: &World, person: &Profile) -> Result<Vec<Report>, Failed> {
    let mut reports = labs::seeded(person, world.started());
    reports.extend(world.store().reports(&person.user_id, None, None).await?);
    Ok(reports)
}

pub(crate) async fn list(State(world): State<World>, User(person): User, RawQuery(raw): RawQuery) -> Result<Json<Value>, Problem> {
    let mut query = Query::parse(raw.as_deref());
    let (from, to) = query.range();
    query.finish()?;
    let now = world.now();
    let reports = all(&world, &person)
        .await?
        .into_iter()
        .filter(|report| from.is_none_or(|from| from <= report.uploaded_at))
        .filter(|report| to.is_none_or(|to| report.uploaded_at < to))
        .map(|report| report.json(now))
        .collect();
    Ok(Json(world.list(reports)))
}

pub(crate) async fn get(State(world): State<World>, User(person): User, Segment(id): Segment<String>) -> Result<Json<Value>, Problem> {
    let id = id.parse().map_err(|_| Problem::not_found("lab report"))?;
    let report = world
        .store()
        .report(&person.user_id, id)
        .await?
        .or_else(|| labs::seeded(&person, world.started()).into_iter().find(|report| report.id == id))
        .ok_or_else(|| Problem::not_found("lab report"))?;
    Ok(Json(report.json(world.now())))
}

pub(crate) async fn upload(State(world): State<World>, User(person): User, body: Bytes) -> Result<Json<Value>, Problem> {
    let mut fields = Fields::parse(&body)?;
    let text = fields.required_text("body");
    let filename = fields.required_text("filename");
    let wait = fields.flag("wait_on_process");
    if filename.as_deref().is_some_and(str::is_empty) {
        fields.reject("filename", "is empty");
    }
    fields.finish()?;
    let document = upload::decode(&text.unwrap_or_default())?;
    let known = matches!(mime::of(&document), Some("application/pdf" | "image/jpeg" | "image/png"));
    let now = world.now();
    let number = world.store().next_number();
    let report = Report {
        id: person.uuid("uploaded lab", number.cast_signed()),
        key: upload::checksum(&document),
        filename: filename.unwrap_or_default().chars().take(NAME).collect(),
        uploaded_at: now,
        ready_at: if wait { now } else { world.ready_at(now) },
        failure: upload::document_failure(&document).map(Into::into),
        doubtful: !known,
        collected: now.to_zoned(TimeZone::UTC).date(),
    };
    let answer = if wait { report.json(now) } else { report.receipt() };
    world.store().put_report(&person.user_id, &report).await?;
    Ok(Json(json!({ "lab_report": answer })))
}
