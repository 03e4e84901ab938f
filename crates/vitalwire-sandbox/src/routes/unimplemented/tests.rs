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
