//! Control routes below `/_sandbox/`, and the sandbox's page. A real service does not have them.
//!
//! Responses are JSON with `"synthetic": true`. Errors have the same problem body as those of the service.

mod clock;
mod faults;
mod guard;
mod integrations;
mod requests;
mod reset;
mod state;
mod webhooks;

pub(crate) use self::guard::is_rebound;
pub use self::guard::{ForeignSource, check_request_source};
use axum::routing::{delete, get, post};
use axum::{Router, middleware};

use crate::app::{AppState, CONTROL_PREFIX};
use crate::page;

/// Whether a path belongs to the sandbox rather than to the service.
pub(crate) fn is_control_path(path: &str) -> bool {
    path == "/" || path.strip_prefix(CONTROL_PREFIX).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

pub(crate) fn router(app: &AppState) -> Router<AppState> {
    Router::new()
        .route("/", get(page::show))
        .route("/_sandbox/files/{name}", get(page::file))
        .route("/_sandbox/state", get(state::show))
        .route("/_sandbox/clock", post(clock::change))
        .route("/_sandbox/reset", post(reset::reset))
        .route("/_sandbox/integrations", post(integrations::change))
        .route("/_sandbox/faults", get(faults::list).post(faults::add).delete(faults::clear))
        .route("/_sandbox/faults/{id}", delete(faults::remove))
        .route("/_sandbox/requests", get(requests::list).delete(requests::clear))
        .route("/_sandbox/requests/stream", get(requests::stream_log))
        .route("/_sandbox/webhooks", get(webhooks::show).put(webhooks::change))
        .route("/_sandbox/webhooks/deliveries", get(webhooks::deliveries).post(webhooks::send_again))
        .layer(middleware::from_fn_with_state(app.clone(), guard::check))
}
