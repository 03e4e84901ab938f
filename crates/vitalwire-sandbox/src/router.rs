//! Router of all operations and control routes, behind the gateway layer.

use axum::extract::DefaultBodyLimit;
use axum::{Router, middleware};
use http::StatusCode;

use crate::app::AppState;
use crate::web::problem::Problem;
use crate::{control, gateway, routes};

impl AppState {
    /// Returns the whole service as an axum router. Serve it at [`AppState::base_url`].
    pub fn router(&self) -> Router {
        routes::router()
            .merge(control::router(self))
            .fallback(async || Problem::not_found("path"))
            .method_not_allowed_fallback(async || Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method not allowed"))
            // The gateway layer has its own, larger limit.
            .layer(DefaultBodyLimit::disable())
            .layer(middleware::from_fn_with_state(self.clone(), gateway::handle))
            .with_state(self.clone())
    }
}
