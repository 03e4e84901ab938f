//! The sandbox's clock, moved by hand.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use bytes::Bytes;
use jiff::{Span, SpanRelativeTo};
use serde_json::{Value, json};

use crate::body::Fields;
use crate::problem::Problem;
use crate::world::World;

/// Farthest move at once: 100 years.
const FARTHEST: Duration = Duration::from_secs(36_525 * 86_400);

/// The clock as the control routes answer it.
pub(crate) fn describe(world: &World) -> Value {
    json!({ "synthetic": true, "now": world.now().to_string(), "today": world.today().to_string() })
}

/// `{"advance": 90}` (seconds) or `{"advance": "2h 30m"}` (also ISO 8601: `PT2H30M`).
pub(crate) async fn change(State(world): State<World>, body: Bytes) -> Result<Json<Value>, Problem> {
    let mut fields = Fields::parse(&body)?;
    let by = match fields.take("advance") {
        None => {
            fields.reject("advance", "required member is missing");
            None
        }
        Some(value) => {
            let by = duration(&value).filter(|by| *by <= FARTHEST);
            if by.is_none() {
                fields.reject("advance", "expected seconds, or a text such as 2h 30m, from 0 to 100 years");
            }
            by
        }
    };
    fields.reject_rest();
    fields.finish()?;
    world.advance(by.unwrap_or_default());
    Ok(Json(describe(&world)))
}

/// Seconds as a number, or a duration as a text in which a day has 24 hours.
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
    fn durations_are_seconds_or_texts() {
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
