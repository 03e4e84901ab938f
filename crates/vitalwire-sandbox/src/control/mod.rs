//! Routes about the sandbox itself, below `/_sandbox/`. None of them exists in a real service. Answers are JSON with `"synthetic": true`;
//! errors have the documented problem body, like those of the service.

mod clock;
mod guard;
mod state;
mod webhooks;

use axum::routing::{get, post};
use axum::{Router, middleware};

use crate::world::World;

/// Where the control routes are, below the base URL.
pub(crate) const PREFIX: &str = "/_sandbox";

pub(crate) fn router(world: &World) -> Router<World> {
    Router::new()
        .route("/_sandbox/state", get(state::show))
        .route("/_sandbox/clock", post(clock::change))
        .route("/_sandbox/webhooks", get(webhooks::show).put(webhooks::change))
        .route("/_sandbox/webhooks/deliveries", get(webhooks::deliveries).post(webhooks::again))
        .layer(middleware::from_fn_with_state(world.clone(), guard::check))
}
