//! Statistics by day and by hour. Long answers are written day by day while they are sent.

use std::convert::Infallible;

use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderValue, header};
use jiff::Timestamp;
use jiff::civil::Date;
use serde::Serialize;
use uuid::Uuid;

use crate::auth::User;
use crate::people::calendar;
use crate::people::day::{self, Day};
use crate::people::source::{Source, View};
use crate::people::stat::{self, Stat};
use crate::people::values::Values;
use crate::problem::Problem;
use crate::query::{Query, before};
use crate::world::World;

/// Answers over more days are streamed.
const AT_ONCE: usize = 40;
/// Without a start, the interval goes back this many hours.
const WINDOW: i64 = 24;

/// What both endpoints read from a query.
struct Wanted {
    types: Vec<Stat>,
    view: View,
    record_ids: bool,
}

/// Reads the parameters that both endpoints have.
fn common(query: &mut Query, known: &[Stat], sources: Vec<Source>) -> Wanted {
    let types = query.types(known);
    let mut view = View::all(sources);
    if let Some(slugs) = query.providers() {
        view = view.of_providers(&slugs);
    }
    if query.flag("exclude_manual") {
        view = view.without_entries();
    }
    if query.unknown_devices() {
        view = view.of_unknown_devices();
    }
    Wanted { types, view, record_ids: query.flag("include_record_ids") }
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

pub(crate) async fn daily(State(world): State<World>, User(person): User, RawQuery(raw): RawQuery) -> Result<Response, Problem> {
    let mut query = Query::parse(raw.as_deref());
    let (from, to) = (query.date("from_date"), query.date("to_date"));
    if let (Some(from), Some(to)) = (from, to)
        && from > to
    {
        query.reject("from_date", "is after to_date", &from.to_string());
    }
    let wanted = common(&mut query, &stat::DAILY, world.sources(&person));
    query.finish()?;
    let (from, to) = (from.unwrap_or_default(), to.unwrap_or_default());
    let now = world.now().as_second();
    let head = format!(r#"{{"from_date":"{from}","to_date":"{to}","statistics":"#);
    let buckets = world.days(from, to).map(move |date| {
        let day = Day::until(&person, &wanted.view, date, now);
        let values = day.values(&wanted.types);
        let record_ids = wanted.record_ids.then(|| day.records(&values));
        let bucket = (!values.is_empty()).then_some(DailyBucket { date, record_ids, values });
        join(bucket.as_slice())
    });
    Ok(respond(head, buckets, "}", world.null_lists()))
}

pub(crate) async fn interval(State(world): State<World>, User(person): User, RawQuery(raw): RawQuery) -> Result<Response, Problem> {
    let mut query = Query::parse(raw.as_deref());
    query.exactly("interval", "1h");
    let (from, to) = query.range();
    let wanted = common(&mut query, &stat::HOURLY, world.sources(&person));
    query.finish()?;
    let now = world.now();
    let to = to.unwrap_or_else(|| from.map_or(now, |from| from.max(now)));
    let from = from.unwrap_or_else(|| before(to, WINDOW));
    let head = format!(r#"{{"from_timestamp":"{from}","to_timestamp":"{to}","statistics":"#);
    let local = |at: Timestamp| person.rules.to_datetime(at).date();
    let (first, last) = (local(from), local(to));
    let buckets = world.days(first, last).map(move |date| {
        let buckets: Vec<IntervalBucket> = day::hours(&person, &wanted.view, date, now.as_second())
            .iter()
            .filter_map(|hour| {
                let (start, end) = (calendar::instant(hour.start), calendar::instant(hour.end));
                let values = hour.values(&wanted.types);
                let belongs = from <= start && start < to && !values.is_empty();
                belongs.then(|| IntervalBucket {
                    from_timestamp: start,
                    to_timestamp: end,
                    record_ids: wanted.record_ids.then(|| hour.records(&person, &wanted.view, date, &values)),
                    values,
                })
            })
            .collect();
        join(&buckets)
    });
    Ok(respond(head, buckets, "}", world.null_lists()))
}

/// The items of a JSON array without its brackets.
pub(super) fn join<T: Serialize>(items: &[T]) -> String {
    let text = serde_json::to_string(items).unwrap_or_default();
    let inside = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    inside.unwrap_or_default().to_owned()
}

/// Puts an answer together: what comes before the list, the list from pieces that each hold some items or none, and what comes after it.
pub(super) fn respond(head: String, pieces: impl Iterator<Item = String> + Send + 'static, tail: &'static str, null: bool) -> Response {
    let mut pieces = pieces.filter(|piece| !piece.is_empty()).peekable();
    let body = if pieces.peek().is_none() {
        let list = if null { "null" } else { "[]" };
        Body::from(format!("{head}{list}{tail}"))
    } else {
        let begin = std::iter::once(format!("{head}["));
        let inside = pieces.enumerate().map(|(at, piece)| if at == 0 { piece } else { format!(",{piece}") });
        let mut all = begin.chain(inside).chain(std::iter::once(format!("]{tail}")));
        let start: String = all.by_ref().take(AT_ONCE).collect();
        match all.next() {
            None => Body::from(start),
            Some(more) => {
                let rest = [start, more].into_iter().chain(all);
                let rest = rest.map(|piece| Ok::<_, Infallible>(Bytes::from(piece)));
                Body::from_stream(futures_util::stream::iter(rest))
            }
        }
    };
    let mut response = body.into_response();
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn text(pieces: Vec<&'static str>, null: bool) -> String {
        let pieces = pieces.into_iter().map(str::to_owned);
        let body = respond("{\"list\":".to_owned(), pieces, "}", null).into_body();
        let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    #[tokio::test]
    async fn pieces_make_one_list() {
        assert_eq!(text(vec![], false).await, r#"{"list":[]}"#);
        assert_eq!(text(vec!["", ""], true).await, r#"{"list":null}"#);
        assert_eq!(text(vec!["", "1,2", "", "3"], true).await, r#"{"list":[1,2,3]}"#);
        // Around the border between answers written at once and streamed ones.
        for count in 35..45 {
            let expected = format!(r#"{{"list":[{}]}}"#, vec!["7"; count].join(","));
            assert_eq!(text(vec!["7"; count], false).await, expected);
        }
    }
}
