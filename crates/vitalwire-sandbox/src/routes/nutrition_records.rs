//! Operations that read, change and delete nutrition records.

use std::collections::{HashSet, VecDeque};

use axum::Json;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use bytes::Bytes;
use http::StatusCode;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;
use uuid::Uuid;

use super::auth::User;
use crate::app::AppState;
use crate::people::history;
use crate::people::profile::Profile;
use crate::records::StoredMeal;
use crate::records::menu;
use crate::records::nutrition::{AnalysisOutcome, Meal};
use crate::store::{DocumentKind, StoreError};
use crate::values::calendar::next_day;
use crate::values::text::hours_before;
use crate::web::fields::Fields;
use crate::web::list::{join_items, list_response};
use crate::web::path_param::PathParam;
use crate::web::problem::Problem;
use crate::web::query::Query;
use crate::webhooks::Notice;

/// Default span of a list without a start, in hours: 30 days.
const WINDOW: i64 = 30 * 24;

/// Range of serving sizes. The maximum keeps all products finite.
const SERVING: std::ops::RangeInclusive<f64> = 0.01..=1e300;

/// Finds a record. A stored change takes precedence over the seeded record.
async fn find(app: &AppState, person: &Profile, text: &str) -> Result<Option<Meal>, StoreError> {
    let Ok(id) = text.parse() else { return Ok(None) };
    Ok(match app.store().meal(&person.user_id, id).await? {
        Some(StoredMeal::Saved(meal)) => Some(*meal),
        Some(StoredMeal::Deleted(_)) => None,
        None => find_seeded(app, person, text),
    })
}

fn find_seeded(app: &AppState, person: &Profile, text: &str) -> Option<Meal> {
    let (date, part) = person.parse_dated_id("meal", text).filter(|(date, _)| history::has_day(app.today(), 0, *date))?;
    menu::seeded_meal(person, date, part).filter(|meal| meal.uploaded_at <= app.now())
}

fn not_found() -> Problem {
    Problem::not_found("nutrition record")
}

/// Lists the records of a range, which may be years long. The response is generated day by day while it is sent.
pub(crate) async fn list(State(app): State<AppState>, User(person): User, RawQuery(raw): RawQuery) -> Result<Response, Problem> {
    let mut query = Query::parse(raw.as_deref());
    let (from, to) = query.range();
    query.finish()?;
    let now = app.now();
    let to = to.unwrap_or(Timestamp::MAX);
    let from = from.unwrap_or_else(|| hours_before(to.min(now), WINDOW));

    // No upper limit: during its analysis, a record is listed by its upload time but stored under the end of its analysis.
    let changes = app.store().meals(&person.user_id, Some(from), None).await?;
    let changed: HashSet<Uuid> = changes.iter().map(StoredMeal::id).collect();
    let belongs = move |meal: &Meal| (from..to).contains(&meal.consumed(now));
    let sort_key = move |meal: &Meal| (meal.consumed(now), meal.id);
    let stored_meals = changes.into_iter().filter_map(|change| match change {
        StoredMeal::Saved(meal) => Some(*meal),
        StoredMeal::Deleted(_) => None,
    });
    let mut stored_meals: Vec<Meal> = stored_meals.filter(belongs).collect();
    stored_meals.sort_by_key(sort_key);
    let mut stored_meals = VecDeque::from(stored_meals);

    let local = |at: Timestamp| at.to_zoned(TimeZone::UTC).date();
    // A local day may begin or end on the neighbouring UTC date.
    let first = local(from).yesterday().unwrap_or(local(from));
    let last = next_day(local(to));
    let pieces = history::days(app.today(), 0, first, last).map(Some).chain([None]).map(move |date| {
        let derived = date.into_iter().flat_map(|date| menu::seeded_meals(&person, date));
        let mut meals: Vec<Meal> = derived.filter(|meal| !changed.contains(&meal.id) && meal.uploaded_at <= now && belongs(meal)).collect();
        // Stored records are merged in. The remaining ones follow the last day.
        let until = meals.iter().map(sort_key).max();
        let count = if date.is_none() { stored_meals.len() } else { stored_meals.partition_point(|meal| Some(sort_key(meal)) < until) };
        meals.extend(stored_meals.drain(..count));
        meals.sort_by_key(sort_key);
        let records: Vec<Value> = meals.iter().map(|meal| meal.json(now)).collect();
        join_items(&records)
    });
    Ok(list_response(String::new(), pieces, "", app.settings().null_lists))
}

pub(crate) async fn get(State(app): State<AppState>, User(person): User, PathParam(id): PathParam<String>) -> Result<Json<Value>, Problem> {
    let meal = find(&app, &person, &id).await?.ok_or_else(not_found)?;
    Ok(Json(meal.json(app.now())))
}

/// Changes the serving size.
///
/// Nutrients in the response are per 100 g or ml, as the interface describes. Those of later retrievals are for the new serving size.
pub(crate) async fn update(
    State(app): State<AppState>,
    User(person): User,
    PathParam(id): PathParam<String>,
    body: Bytes,
) -> Result<Json<Value>, Problem> {
    let mut fields = Fields::parse(&body)?;
    let serving = fields.required_number("serving_size");
    if serving.is_some_and(|serving| !SERVING.contains(&serving)) {
        fields.reject("serving_size", "expected a number from 0.01 to 1e300");
    }
    fields.finish()?;
    let key = id.parse::<Uuid>().map_err(|_| not_found())?.to_string();
    let (derived, now) = (find_seeded(&app, &person, &id), app.now());
    // Atomic, so that a change does not restore a record that is deleted at the same time.
    let changed = app.store().update(DocumentKind::Meal, &person.user_id, &key, move |stored| {
        let meal = match stored {
            Some(StoredMeal::Saved(meal)) => Some(*meal),
            Some(StoredMeal::Deleted(_)) => None,
            None => derived,
        };
        match meal.ok_or_else(not_found).and_then(|meal| with_serving(meal, serving, now)) {
            Ok(meal) => (Some((meal.listed_at(), StoredMeal::Saved(Box::new(meal.clone())))), Ok(meal)),
            Err(problem) => (None, Err(problem)),
        }
    });
    let meal = changed.await??;
    app.webhooks().announce(Notice::Meal { user: person.user_id, id: meal.id }, meal.modified_at).await?;
    Ok(Json(meal.update_json(now)))
}

/// Returns the record with a new serving size.
fn with_serving(mut meal: Meal, serving: Option<f64>, now: Timestamp) -> Result<Meal, Problem> {
    if now < meal.ready_at || matches!(meal.outcome, AnalysisOutcome::Failed(_)) {
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "record has no completed analysis"));
    }
    // A change of the record must not change the time of eating.
    meal.consumed_at = Some(meal.consumed(now));
    meal.serving = serving;
    // A change that began later may have been stored earlier.
    meal.modified_at = now.max(meal.modified_at);
    Ok(meal)
}

pub(crate) async fn remove(
    State(app): State<AppState>,
    User(person): User,
    PathParam(id): PathParam<String>,
) -> Result<StatusCode, Problem> {
    // Only existing records are marked, so that invented ids cannot fill the store.
    if let Some(meal) = find(&app, &person, &id).await? {
        app.store().delete_meal(&person.user_id, &meal).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}
