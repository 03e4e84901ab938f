//! User info operation.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::auth::User;
use crate::app::AppState;

pub(crate) async fn info(State(app): State<AppState>, User(person): User) -> Json<Value> {
    let providers: Vec<Value> = app
        .integrations()
        .list(&person)
        .iter()
        .map(|integration| {
            json!({
                "created_at": integration.created_at.to_string(),
                "is_integration_broken": integration.broken,
                "provider_integration_id": integration.id,
                "provider_slug": integration.slug,
            })
        })
        .collect();
    Json(json!({
        "application_id": app.application_id(),
        "application_user_id": person.user_id,
        "compat_application_client_id": person.uuid("compat id", 0).to_string(),
        "compat_application_client_token": person.uuid("compat token", 0).to_string(),
        "created_at": person.created_at.to_string(),
        "integrated_providers": app.list(providers),
        "uid": person.uuid("uid", 0).to_string(),
    }))
}

pub(crate) async fn properties(User(person): User) -> Json<Value> {
    let lean = person.weight * (1.0 - person.body_fat / 100.0);
    let round = |value: f64| (value * 10.0).round() / 10.0;
    Json(json!({
        "properties": {
            "birth_date": person.birth_date.to_string(),
            "birth_year": person.birth_date.year(),
            "body_bone_mass": round(lean * 0.05),
            "body_fat": person.body_fat,
            "body_mass_index": round(person.weight / (person.height * person.height)),
            "gender": person.gender,
            "height": person.height,
            "language": person.language,
            "resting_heartrate": person.resting,
            "timezone": person.zone.name,
            "weight": person.weight,
        }
    }))
}
