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
mod tests {
    use axum::body::{Body, to_bytes};
    use axum::{Router, middleware};
    use http::{Method, Request};
    use hyper::service::Service;
    use hyper_util::service::TowerToHyperService;
    use serde_json::{Value, json};

    use super::*;
    use crate::{Sandbox, gateway};

    static INVENTED: Operation = Operation {
        id: "get_invented",
        method: Method::GET,
        template: "/v3/invented/{id}",
        service: "health",
        authenticated: true,
        status: 200,
        example: Some(r#"{"name":"synthetic"}"#),
    };

    #[tokio::test]
    async fn an_operation_without_a_handler_answers_501_with_its_example() {
        let app = Sandbox::builder().app("http://localhost:1").unwrap();
        let layer = middleware::from_fn_with_state(app.clone(), gateway::handle);
        let router: Router = super::super::add_route(Router::new(), &INVENTED).layer(layer).with_state(app.clone());
        let ask = async |token: &str| {
            let request = Request::builder().uri("/v3/invented/1").header("authorization", format!("Bearer {token}"));
            let response = TowerToHyperService::new(router.clone()).call(request.body(Body::empty()).unwrap()).await.unwrap();
            let (parts, body) = response.into_parts();
            let body: Value = serde_json::from_slice(&to_bytes(body, usize::MAX).await.unwrap()).unwrap();
            assert_eq!(parts.headers["content-type"], "application/problem+json");
            assert_eq!(parts.headers["x-synthetic-data"], "true");
            (parts.status.as_u16(), body)
        };
        let (status, body) = ask(app.token()).await;
        assert_eq!((status, &body["status"], &body["example"]), (501, &json!(501), &json!({ "name": "synthetic" })));
        assert_eq!(body["detail"], DETAIL);
        assert_eq!(body["title"], "Not Implemented");
        // The token must belong to the right service.
        let (status, body) = ask(app.care_token()).await;
        assert_eq!((status, body.get("example")), (401, None));
    }
}
