//! Control routes of webhooks: settings, deliveries and redelivery.

use axum::Json;
use axum::extract::State;
use bytes::Bytes;
use http::StatusCode;
use serde_json::{Value, json};

use crate::app::AppState;
use crate::store::MAX_SENT_BODIES;
use crate::web::fields::Fields;
use crate::web::problem::Problem;
use crate::webhooks::{MAX_COPIES, RedeliveryOutcome, SigningKey, Webhook};

/// Maximum length of the key and of each URL, in bytes.
const MAX_LENGTH: usize = 2_048;

/// Returns the settings as JSON. The key is synthetic and need not be hidden.
fn describe(app: &AppState) -> Value {
    let settings = app.webhooks().settings();
    let mut settings_json = json!({ "synthetic": true, "key": settings.key.0, "copies": settings.copies });
    for webhook in Webhook::ALL {
        settings_json[webhook.name()] = json!(settings.url(webhook));
    }
    settings_json
}

pub(crate) async fn show(State(app): State<AppState>) -> Json<Value> {
    Json(describe(&app))
}

/// Changes the settings: `{"main": URL, "lab_reports": URL, "nutrition_records": URL, "key": TEXT, "copies": 2}`.
/// Absent fields stay unchanged. A null URL stops webhooks of that kind.
pub(crate) async fn change(State(app): State<AppState>, body: Bytes) -> Result<Json<Value>, Problem> {
    let mut fields = Fields::parse(&body)?;
    let _change = app.webhooks().begin_change().await;
    let mut settings = app.webhooks().settings();
    for webhook in Webhook::ALL {
        match fields.take_or_null(webhook.name()) {
            None => {}
            Some(Value::Null) => settings.set_url(webhook, None),
            Some(Value::String(url)) if url.len() <= MAX_LENGTH => match app.settings().outbound.parse(&url) {
                Ok(_) => settings.set_url(webhook, Some(url)),
                Err(error) => fields.reject(webhook.name(), error.message()),
            },
            Some(_) => fields.reject(webhook.name(), "expected a URL or null"),
        }
    }
    if let Some(key) = fields.text("key") {
        if (1..=MAX_LENGTH).contains(&key.len()) {
            settings.key = SigningKey(key);
        } else {
            fields.reject("key", "expected 1 to 2048 bytes");
        }
    }
    if let Some(copies) = fields.take("copies") {
        match copies.as_u64().and_then(|copies| u8::try_from(copies).ok()).filter(|copies| (1..=MAX_COPIES).contains(copies)) {
            Some(copies) => settings.copies = copies,
            None => fields.reject("copies", "expected 1 to 5"),
        }
    }
    fields.reject_rest();
    fields.finish()?;
    app.webhooks().change(settings).await?;
    Ok(Json(describe(&app)))
}

/// Returns the latest deliveries without bodies, oldest first.
pub(crate) async fn deliveries(State(app): State<AppState>) -> Result<Json<Value>, Problem> {
    let shown: Vec<Value> = app.webhooks().deliveries().await?.iter().map(|delivery| delivery.describe()).collect();
    Ok(Json(json!({ "synthetic": true, "deliveries": shown })))
}

/// Sends the body of a delivery again: `{"send_again": ID}`. Fails if the body was removed.
pub(crate) async fn send_again(State(app): State<AppState>, body: Bytes) -> Result<StatusCode, Problem> {
    let mut fields = Fields::parse(&body)?;
    let id = fields.required_integer("send_again");
    fields.reject_rest();
    fields.finish()?;
    let id = id.and_then(|id| u64::try_from(id).ok()).unwrap_or_default();
    match app.webhooks().send_again(id).await? {
        RedeliveryOutcome::Sent => Ok(StatusCode::NO_CONTENT),
        RedeliveryOutcome::Unknown => Err(Problem::not_found("delivery")),
        RedeliveryOutcome::Forgotten => {
            Err(Problem::new(StatusCode::GONE, format!("the body was removed; the last {MAX_SENT_BODIES} are kept")))
        }
    }
}
