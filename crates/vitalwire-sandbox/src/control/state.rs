//! What a program or a person needs to know to use this sandbox.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::world::{Person, World};

/// Most users listed; `users_total` counts all.
const LISTED: usize = 100;

pub(crate) async fn show(State(world): State<World>) -> Json<Value> {
    let users: Vec<Value> = world.people().iter().take(LISTED).map(|person| user(&world, person)).collect();
    Json(json!({
        "synthetic": true,
        "about": "A sandbox: every person and every value in it is synthetic. Keys and tokens follow from the seed and are no secrets.",
        "base_url": world.base_url(),
        "care_base_url": world.care_base_url(),
        "control_url": world.control_url(),
        "application_id": world.application_id(),
        "application_key": world.application_key(),
        "care_token": world.care_token(),
        "seed": world.seed(),
        "clock": super::clock::describe(&world),
        "counts": { "requests": world.requests().last(), "faults": world.faults().list().len(), "forgotten": world.forgotten() },
        "keeps": world.keeps(),
        "users": users,
        "users_total": world.people().len(),
    }))
}

fn user(world: &World, person: &Person) -> Value {
    let night = world.last_night(person);
    json!({
        "user_id": person.user_id,
        "display_name": person.display_name,
        "time_zone": person.time_zone,
        "token": person.token,
        "sleep_id": person.sleep_id(night),
        "sleep_date": night.to_string(),
    })
}
