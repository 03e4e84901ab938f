//! Control routes of the clock.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use bytes::Bytes;
use http::StatusCode;
use jiff::{Span, SpanRelativeTo};
use serde_json::{Value, json};

use crate::app::AppState;
use crate::clock::{ClockChange, ClockError, ClockMove, MAX_SCALE};
use crate::web::fields::Fields;
use crate::web::problem::Problem;

/// Maximum advance of one request: 100 years.
const MAX_MOVE: Duration = Duration::from_secs(36_525 * 86_400);

/// Returns the clock state as JSON.
pub(crate) fn describe(app: &AppState) -> Value {
    json!({ "synthetic": true, "now": app.now().to_string(), "today": app.today().to_string(), "scale": app.scale() })
}

/// Moves the clock or changes its speed.
///
/// Accepts `{"advance": 90}` in seconds, `{"advance": "2h 30m"}` or ISO 8601 (`PT2H30M`), `{"set": "2025-12-24T18:00:00Z"}`, and
/// `{"scale": 60}`. The scale can be combined with one of the others, which is applied first.
pub(crate) async fn change(State(app): State<AppState>, body: Bytes) -> Result<Json<Value>, Problem> {
    let mut fields = Fields::parse(&body)?;
    let advance = fields.take("advance").map(|value| duration(&value).filter(|by| *by <= MAX_MOVE));
    if advance == Some(None) {
        fields.reject("advance", "expected seconds, or a text such as 2h 30m, from 0 to 100 years");
    }
    let set = fields.instant("set");
    let scale = fields.take("scale").map(|value| value.as_f64().filter(|scale| (0.0..=MAX_SCALE).contains(scale)));
    if scale == Some(None) {
        fields.reject("scale", "expected seconds per real second, a number from 0 to 1000000");
    }
    if advance.is_some() && set.is_some() {
        fields.reject("set", "expected either advance or set");
    }
    if set.is_some_and(|to| to < app.now()) {
        fields.reject("set", "the sandbox's clock never goes back");
    }
    fields.reject_rest();
    if advance.is_none() && set.is_none() && scale.is_none() && fields.is_valid() {
        fields.reject("advance", "expected advance, set or scale");
    }
    fields.finish()?;
    let to = advance.flatten().map(ClockMove::By).or(set.map(ClockMove::To));
    let (changed, change) = (app.clone(), ClockChange { to, scale: scale.flatten() });
    // The store may block on disk.
    match tokio::task::spawn_blocking(move || changed.clock().change(change, changed.store())).await {
        Ok(Ok(())) => Ok(Json(describe(&app))),
        Ok(Err(ClockError::NotStored(error))) => Err(error.into()),
        // Another request may have moved the clock first.
        Ok(Err(error)) => Err(Problem::new(StatusCode::CONFLICT, error.to_string())),
        Err(_) => Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error")),
    }
}

/// Parses seconds as a number, or a duration as text. A day has 24 hours.
fn duration(value: &Value) -> Option<Duration> {
    match value {
        Value::Number(number) => Duration::try_from_secs_f64(number.as_f64()?).ok(),
        Value::String(text) => {
            let span: Span = text.parse().ok()?;
            span.to_duration(SpanRelativeTo::days_are_24_hours()).ok()?.try_into().ok()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_numbers_of_seconds_or_texts() {
        let read = |value: Value| duration(&value).map(|duration| duration.as_millis());
        assert_eq!(read(json!(90)), Some(90_000));
        assert_eq!(read(json!(0.5)), Some(500));
        assert_eq!(read(json!("2h 30m")), Some(9_000_000));
        assert_eq!(read(json!("PT2H30M")), Some(9_000_000));
        assert_eq!(read(json!("1d")), Some(86_400_000));
        for bad in [json!(-1), json!("-1h"), json!("later"), json!(""), json!(null), json!([1]), json!(1e300), json!("1 month")] {
            assert_eq!(read(bad.clone()), None, "{bad}");
        }
    }
}
