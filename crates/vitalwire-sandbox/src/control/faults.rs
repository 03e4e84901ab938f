//! Control routes of faults: list, activate and deactivate.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::StatusCode;
use serde_json::{Map, Value, json};

use crate::app::AppState;
use crate::faults::{ActiveFault, COMMON, FAULTS, Fault, FaultError, ValueType};
use crate::spec::OPERATIONS;
use crate::values::text::without_byte_order_mark;
use crate::web::path_param::PathParam;
use crate::web::problem::{ErrorItem, Problem};

pub(crate) async fn list(State(app): State<AppState>) -> Json<Value> {
    let faults: Vec<Value> = app.faults().list().iter().map(describe).collect();
    let known = FAULTS.iter().map(|entry| {
        let settings: Vec<Value> = entry.settings.iter().map(describe_setting).collect();
        json!({ "kind": entry.name, "about": entry.about, "settings": settings })
    });
    let known: Vec<Value> = known.collect();
    let operations: Vec<Value> =
        OPERATIONS.iter().map(|known| json!({ "id": known.id, "method": known.method.as_str(), "path": known.template })).collect();
    Json(json!({
        "synthetic": true,
        "faults": faults,
        "known": known,
        "settings": COMMON.iter().map(describe_setting).collect::<Vec<_>>(),
        "operations": operations,
    }))
}

fn describe_setting(setting: &crate::faults::Setting) -> Value {
    let mut known = json!({ "name": setting.name, "about": setting.about });
    match setting.value_type {
        ValueType::Integer { min, max, default } => {
            (known["least"], known["most"], known["usual"]) = (json!(min), json!(max), json!(default));
        }
        ValueType::Word(words) => (known["words"], known["usual"]) = (json!(words), json!(words.first())),
        ValueType::Text => {}
    }
    known
}

fn describe(active: &ActiveFault) -> Value {
    let settings: Map<String, Value> =
        active.fault.settings().map(|(setting, value)| (setting.name.to_owned(), Value::from(value))).collect();
    json!({
        "id": active.id,
        "fault": active.fault.to_string(),
        "kind": active.fault.kind.name,
        "settings": settings,
        "left": active.left,
        "met": active.met,
    })
}

/// Activates a fault from `{"fault": "status; status=503"}` or `{"kind": "status", "status": 503}`.
pub(crate) async fn add(State(app): State<AppState>, body: Bytes) -> Result<Response, Problem> {
    let fault = parse_fault(&body)?;
    let text = fault.to_string();
    let id = app.faults().add(fault);
    let added = json!({ "synthetic": true, "id": id, "fault": text });
    Ok((StatusCode::CREATED, Json(added)).into_response())
}

fn parse_fault(body: &Bytes) -> Result<Fault, Problem> {
    let malformed = |_| Problem::new(StatusCode::BAD_REQUEST, "validation failed");
    let Value::Object(mut fields) = serde_json::from_slice(without_byte_order_mark(body)).map_err(malformed)? else {
        return Err(Problem::invalid(ErrorItem::new("body", "expected an object", Value::Null)));
    };
    if let Some(text) = fields.remove("fault") {
        if let Some(name) = fields.keys().next() {
            return Err(invalid_field(name, "expected either fault or kind with its settings"));
        }
        let text = text.as_str().ok_or_else(|| invalid_field("fault", "expected a string"))?;
        return text.parse().map_err(|error: FaultError| to_problem(error, |_| "body.fault".to_owned()));
    }
    let Some(Value::String(kind)) = fields.remove("kind") else {
        return Err(invalid_field("kind", "expected a string"));
    };
    let mut settings = Vec::new();
    for (name, value) in &fields {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return Err(invalid_field(name, "expected a string or a number")),
        };
        settings.push((name.as_str(), text));
    }
    Fault::parse(&kind, settings).map_err(|error| to_problem(error, |name| format!("body.{name}")))
}

fn invalid_field(name: &str, message: &str) -> Problem {
    let name: String = name.chars().take(64).collect();
    Problem::invalid(ErrorItem::new(format!("body.{name}"), message, Value::Null))
}

fn to_problem(error: FaultError, location: impl Fn(&str) -> String) -> Problem {
    Problem::invalid_all(error.0.into_iter().map(|(name, message)| ErrorItem::new(location(&name), message, Value::Null)).collect())
}

pub(crate) async fn clear(State(app): State<AppState>) -> StatusCode {
    app.faults().clear();
    StatusCode::NO_CONTENT
}

pub(crate) async fn remove(State(app): State<AppState>, PathParam(id): PathParam<String>) -> Result<StatusCode, Problem> {
    let removed = id.parse().is_ok_and(|id| app.faults().remove(id));
    if removed { Ok(StatusCode::NO_CONTENT) } else { Err(Problem::not_found("fault")) }
}
