//! Operations without a handler: 501 with an example of the documented response.

use axum::extract::{FromRequestParts, Request, State};
use axum::routing::{MethodFilter, MethodRouter, on};
use http::StatusCode;

use super::auth::{CareAccess, User};
use crate::app::AppState;
use crate::spec::Operation;
use crate::web::problem::Problem;

const DETAIL: &str = "the sandbox does not implement this operation; `example` is made from the schema and is not data of a person";

/// Creates a route that checks the token like any other operation.
///
/// The response is a problem, because nothing was done. It has the example as an additional field.
pub(super) fn route(operation: &'static Operation, method: MethodFilter) -> MethodRouter<AppState> {
    on(method, async move |State(app): State<AppState>, request: Request| {
        let (mut parts, _) = request.into_parts();
        let checked = match operation.service {
            _ if !operation.authenticated => Ok(()),
            "care" => CareAccess::from_request_parts(&mut parts, &app).await.map(drop),
            _ => User::from_request_parts(&mut parts, &app).await.map(drop),
        };
        checked.map_or_else(|problem| problem, |()| Problem::new(StatusCode::NOT_IMPLEMENTED, DETAIL).with_example(operation.example))
    })
}

#[cfg(test)]
mod tests;
