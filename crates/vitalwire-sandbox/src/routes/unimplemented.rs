//! Operations without a handler: 501 with an example of the documented response.

use axum::extract::FromRequestParts;
use axum::response::IntoResponse;
use axum::routing::{MethodFilter, MethodRouter, on};
use http::StatusCode;
use http::request::Parts;

use super::auth::{CareAccess, User};
use crate::app::AppState;
use crate::spec::Operation;
use crate::web::problem::Problem;

const DETAIL: &str = "the sandbox does not implement this operation; `example` is made from the schema and is not data of a person";

/// Creates a route that checks the token like any other operation.
pub(super) fn route(operation: &'static Operation, method: MethodFilter) -> MethodRouter<AppState> {
    on(method, async move |checks: TokenChecks| match checks.check(operation) {
        Ok(()) => not_implemented(operation).into_response(),
        Err(problem) => problem.into_response(),
    })
}

/// Result of the token check for each service.
struct TokenChecks {
    health: Result<(), Problem>,
    care: Result<(), Problem>,
}

impl FromRequestParts<AppState> for TokenChecks {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, Problem> {
        let health = User::from_request_parts(parts, app).await.map(drop);
        let care = CareAccess::from_request_parts(parts, app).await.map(drop);
        Ok(Self { health, care })
    }
}

impl TokenChecks {
    fn check(self, operation: &Operation) -> Result<(), Problem> {
        match operation.service {
            _ if !operation.authenticated => Ok(()),
            "care" => self.care,
            _ => self.health,
        }
    }
}

/// Returns a problem, because nothing was done, with the example as an additional field.
fn not_implemented(operation: &Operation) -> Problem {
    Problem::new(StatusCode::NOT_IMPLEMENTED, DETAIL).with_example(operation.example)
}

#[cfg(test)]
mod tests;
