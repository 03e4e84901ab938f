//! Daily and hourly statistics. Long responses are generated day by day while they are sent.

use axum::extract::{RawQuery, State};
use axum::response::Response;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::Serialize;
use uuid::Uuid;

use super::auth::User;
use crate::app::AppState;
use crate::people::day::{self, Day};
use crate::people::history;
use crate::people::source::{Source, View};
use crate::people::stat::Stat;
use crate::people::values::Values;
use crate::spec::names;
use crate::values::calendar;
use crate::values::text::hours_before;
use crate::web::list::{join_items, list_response};
use crate::web::problem::Problem;
use crate::web::query::Query;

/// Default span of an interval without a start, in hours.
const WINDOW: i64 = 24;

/// Query parameters of both operations.
struct StatisticsQuery {
    types: Vec<Stat>,
    view: View,
    record_ids: bool,
}

/// Reads the query parameters of both operations.
fn parse_parameters(query: &mut Query, known: &[&'static str], sources: Vec<Source>) -> StatisticsQuery {
    // Names without data are accepted but have no values.
    let types = query.required_names("types", known, "not a type of this endpoint").into_iter().filter_map(Stat::from_name).collect();
    let mut view = View::all(sources);
    let providers = query.names("providers", names::PROVIDER_SLUG, "unknown provider");
    if !providers.is_empty() {
        view = view.with_providers(&providers);
    }
    if query.flag("exclude_manual") {
        view = view.without_entries();
    }
    let devices = query.list("device_types");
    if !devices.is_empty() {
        view = view.with_device_types(&devices);
    }
    StatisticsQuery { types, view, record_ids: query.flag("include_record_ids") }
}

#[derive(Serialize)]
struct DailyBucket {
    date: Date,
    #[serde(skip_serializing_if = "Option::is_none")]
    record_ids: Option<Vec<Uuid>>,
    values: Values,
}

#[derive(Serialize)]
struct IntervalBucket {
    from_timestamp: Timestamp,
    to_timestamp: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    record_ids: Option<Vec<Uuid>>,
    values: Values,
}

pub(crate) async fn daily(State(app): State<AppState>, User(person): User, RawQuery(raw): RawQuery) -> Result<Response, Problem> {
    let mut query = Query::parse(raw.as_deref());
    let (from, to) = (query.date("from_date"), query.date("to_date"));
    if let (Some(from), Some(to)) = (from, to)
        && from > to
    {
        query.reject("from_date", "is after to_date", &from.to_string());
    }
    let parameters = parse_parameters(&mut query, names::DAILY_STATISTICS_TYPES, app.sources().list(&person));
    query.finish()?;
    let (from, to) = (from.unwrap_or_default(), to.unwrap_or_default());
    let now = app.now();
    let (today, now) = (history::today(&person, now), now.as_second());
    let head = format!(r#"{{"from_date":"{from}","to_date":"{to}","statistics":"#);
    let buckets = history::days(today, person.late_days, from, to).map(move |date| {
        let day = Day::new(&person, &parameters.view, date, now);
        let values = day.values(&parameters.types);
        let record_ids = parameters.record_ids.then(|| day.records(&values));
        let bucket = (!values.is_empty()).then_some(DailyBucket { date, record_ids, values });
        join_items(bucket.as_slice())
    });
    Ok(list_response(head, buckets, "}", app.settings().null_lists))
}

pub(crate) async fn interval(State(app): State<AppState>, User(person): User, RawQuery(raw): RawQuery) -> Result<Response, Problem> {
    let mut query = Query::parse(raw.as_deref());
    query.require_value("interval", "1h");
    let (from, to) = query.range();
    let parameters = parse_parameters(&mut query, names::INTERVAL_STATISTICS_TYPES, app.sources().list(&person));
    query.finish()?;
    let now = app.now();
    let to = to.unwrap_or_else(|| from.map_or(now, |from| from.max(now)));
    let from = from.unwrap_or_else(|| hours_before(to, WINDOW));
    let head = format!(r#"{{"from_timestamp":"{from}","to_timestamp":"{to}","statistics":"#);
    let (first, last) = (person.date_at(from), person.date_at(to));
    let today = history::today(&person, now);
    let buckets = history::days(today, person.late_days, first, last).map(move |date| {
        let buckets: Vec<IntervalBucket> = day::hours(&person, &parameters.view, date, now.as_second())
            .iter()
            .filter_map(|hour| {
                let (start, end) = (calendar::instant(hour.start), calendar::instant(hour.end));
                let values = hour.values(&parameters.types);
                let belongs = from <= start && start < to && !values.is_empty();
                belongs.then(|| IntervalBucket {
                    from_timestamp: start,
                    to_timestamp: end,
                    record_ids: parameters.record_ids.then(|| hour.records(&person, &parameters.view, date, &values)),
                    values,
                })
            })
            .collect();
        join_items(&buckets)
    });
    Ok(list_response(head, buckets, "}", app.settings().null_lists))
}
