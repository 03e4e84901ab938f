//! Control route that returns base URLs, users, keys and the clock.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::app::{AppState, Person};

/// Maximum number of users listed. `users_total` counts all.
const MAX_LISTED: usize = 100;

pub(crate) async fn show(State(app): State<AppState>) -> Json<Value> {
    let users: Vec<Value> = app.people().iter().take(MAX_LISTED).map(|person| user(&app, person)).collect();
    Json(json!({
        "synthetic": true,
        "about": "All people and values in this sandbox are synthetic. Keys and tokens are derived from the seed and not secret.",
        "base_url": app.base_url(),
        "care_base_url": app.care_base_url(),
        "control_url": app.control_url(),
        "application_id": app.application_id(),
        "application_key": app.application_key(),
        "care_token": app.care_token(),
        "seed": app.settings().seed,
        "missing": app.settings().missing,
        "effects": app.settings().effects.to_string(),
        "deliveries": app.settings().deliveries.to_string(),
        "clock": super::clock::describe(&app),
        "counts": { "requests": app.requests().last(), "faults": app.faults().list().len(), "forgotten": app.forgotten() },
        "keeps": app.retention_text(),
        "users": users,
        "users_total": app.people().len(),
    }))
}

fn user(app: &AppState, person: &Person) -> Value {
    let night = app.last_night(person);
    json!({
        "user_id": person.user_id,
        "display_name": person.display_name,
        "time_zone": person.time_zone,
        "token": person.token,
        "sleep_id": person.sleep_id(night),
        "sleep_date": night.to_string(),
    })
}
