//! Control routes of the request log, including its live stream.

use std::convert::Infallible;
use std::time::Duration;

use axum::Json;
use axum::body::Body;
use axum::extract::{Extension, RawQuery, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde_json::{Value, json};
use tokio::sync::{OwnedSemaphorePermit, watch};

use crate::app::AppState;
use crate::faults::ConnectionHandle;
use crate::requests::LoggedRequest;
use crate::web::problem::Problem;
use crate::web::query::Query;

/// Interval of keep-alive comments in a silent stream.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Header by which a reconnecting reader resumes a stream.
const LAST_EVENT_ID: &str = "last-event-id";

/// Parses `?after=`: only requests with higher numbers are returned.
fn parse_after(raw: Option<&str>) -> Result<u64, Problem> {
    let mut query = Query::parse(raw);
    let after = query.text("after").unwrap_or_else(|| "0".to_owned());
    let number = after.parse();
    if number.is_err() {
        query.reject("after", "expected the number of a logged request", &after);
    }
    query.finish()?;
    Ok(number.unwrap_or_default())
}

pub(crate) async fn list(State(app): State<AppState>, RawQuery(raw): RawQuery) -> Result<Json<Value>, Problem> {
    let after = parse_after(raw.as_deref())?;
    let entries = app.requests().after(after);
    Ok(Json(json!({
        "synthetic": true,
        "last": entries.last().map_or_else(|| app.requests().last(), |entry| entry.number),
        "forgotten": count_forgotten(after, &entries),
        "requests": entries.iter().map(LoggedRequest::json).collect::<Vec<_>>(),
    })))
}

/// Number of requests between `after` and the first entry that are no longer in the log.
fn count_forgotten(after: u64, entries: &[LoggedRequest]) -> u64 {
    entries.first().map_or(0, |first| first.number - after - 1)
}

/// Clears the log. The next request has number 1.
pub(crate) async fn clear(State(app): State<AppState>) -> StatusCode {
    app.requests().clear();
    StatusCode::NO_CONTENT
}

/// Streams the log as server-sent events.
///
/// `request` has a log entry. `forgotten` has the number of requests that a slow reader missed. `cleared` reports that the log was cleared.
pub(crate) async fn stream_log(
    State(app): State<AppState>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
    connection: Option<Extension<ConnectionHandle>>,
) -> Result<Response, Problem> {
    let last = headers.get(LAST_EVENT_ID).and_then(|last| last.to_str().ok()?.parse().ok());
    // A number not yet assigned is from before a restart, so the reader starts from the beginning.
    let last = last.map(|last| if last > app.requests().last() { 0 } else { last });
    let after = last.map_or_else(|| parse_after(raw.as_deref()), Ok)?;
    let Some(permit) = app.requests().reserve_stream() else {
        return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "too many open streams of the request log"));
    };
    let stop = connection.map(|Extension(connection)| connection.stop);
    let (changed, cleared) = (app.requests().subscribe(), app.requests().clear_count());
    let log_stream = LogStream { app, after, changed, cleared, stop, _permit: permit, started: false };
    let events = stream::unfold(log_stream, |log_stream| async {
        log_stream.next().await.map(|(bytes, log_stream)| (Ok::<_, Infallible>(bytes), log_stream))
    });
    let mut response = Body::from_stream(events).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    Ok(response)
}

struct LogStream {
    app: AppState,
    after: u64,
    changed: watch::Receiver<u64>,
    /// Clear count of the log at the last read.
    cleared: u64,
    /// `None` if another server serves the router: it ends streams itself.
    stop: Option<watch::Receiver<()>>,
    _permit: OwnedSemaphorePermit,
    started: bool,
}

impl LogStream {
    /// Returns the next chunk, or `None` at shutdown.
    async fn next(mut self) -> Option<(Bytes, Self)> {
        if !self.started {
            self.started = true;
            return Some((Bytes::from_static(b": synthetic request log\nretry: 1000\n\n"), self));
        }
        loop {
            self.changed.mark_unchanged();
            let cleared = self.app.requests().clear_count();
            if cleared != self.cleared {
                (self.cleared, self.after) = (cleared, 0);
                return Some((Bytes::from_static(b"event: cleared\ndata: {}\n\n"), self));
            }
            let entries = self.app.requests().after(self.after);
            if let Some(last) = entries.last() {
                let mut text = match count_forgotten(self.after, &entries) {
                    0 => String::new(),
                    count => format!("event: forgotten\ndata: {count}\n\n"),
                };
                self.after = last.number;
                for entry in &entries {
                    text.push_str(&format!("id: {}\nevent: request\ndata: {}\n\n", entry.number, entry.json()));
                }
                return Some((Bytes::from(text), self));
            }
            let stopped = async {
                match &mut self.stop {
                    Some(stop) => drop(stop.changed().await),
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                changed = self.changed.changed() => changed.ok()?,
                () = stopped => return None,
                () = tokio::time::sleep(KEEP_ALIVE) => return Some((Bytes::from_static(b": keep-alive\n\n"), self)),
            }
        }
    }
}
