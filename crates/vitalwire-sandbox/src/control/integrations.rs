//! Control route that connects, breaks and removes integrations without a consent page.

use axum::Json;
use axum::extract::State;
use bytes::Bytes;
use serde_json::{Value, json};

use crate::app::AppState;
use crate::spec;
use crate::tokens;
use crate::web::fields::Fields;
use crate::web::problem::Problem;

/// Changes the state of an integration and returns the user's integrations.
///
/// Accepts `{"user_id": "person-1", "provider_slug": "luna", "state": "connected"}`. The state can also be `broken` or `removed`.
pub(crate) async fn change(State(app): State<AppState>, body: Bytes) -> Result<Json<Value>, Problem> {
    let mut fields = Fields::parse(&body)?;
    let user = fields.required_text("user_id").unwrap_or_default();
    if !user.is_empty() && !tokens::is_user_id(&user) {
        fields.reject("user_id", "expected 1 to 128 letters, digits, '-', '_' or '.'");
    }
    let name = fields.required_text("provider_slug").unwrap_or_default();
    let slug = spec::find_provider(&name);
    if slug.is_none() {
        fields.reject("provider_slug", "unknown provider");
    }
    let state = fields.required_text("state").unwrap_or_default();
    if !matches!(state.as_str(), "connected" | "broken" | "removed") {
        fields.reject("state", "expected connected, broken or removed");
    }
    fields.reject_rest();
    fields.finish()?;

    let person = app.profile(&user);
    let slug = slug.unwrap_or_default();
    let exists = match state.as_str() {
        "connected" => app.integrations().connect(&person, slug).await.map(|()| true)?,
        "broken" => app.integrations().mark_broken(&person, slug).await?,
        _ => app.integrations().remove(&person, slug).await?,
    };
    if !exists {
        return Err(Problem::not_found("integration"));
    }
    let list: Vec<Value> = app
        .integrations()
        .list(&person)
        .iter()
        .map(|integration| json!({ "provider_slug": integration.slug, "is_integration_broken": integration.broken }))
        .collect();
    Ok(Json(json!({ "synthetic": true, "user_id": user, "integrated_providers": list })))
}
