//! Token exchange and authentication, with the documented error texts.

use hmac::{Hmac, KeyInit, Mac};
use http::{Method, StatusCode};
use serde_json::json;
use sha2::Sha256;
use vitalwire_sandbox::{Claims, Sandbox};

use super::support::Service;

pub(crate) fn signature(key: &str, user: &str) -> String {
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key.as_bytes()).unwrap();
    mac.update(user.as_bytes());
    mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn exchange(service: &Service, body: &serde_json::Value) -> super::support::ServiceResponse {
    service.send(service.anonymous(Method::POST, "/auth/hmac").json(body)).await
}

// statements: supplement.token.exchange, supplement.token.signature, supplement.token.jwt
#[tokio::test]
async fn a_valid_signature_gets_a_token_for_the_user() {
    let service = Service::new().await;
    let key = service.sandbox.application_key();
    assert!(key.len() >= 16);
    for user in ["person-2", "someone.new_1-x"] {
        let response = exchange(
            &service,
            &json!({"application_id": service.sandbox.application_id(), "application_user_id": user, "signature": signature(key, user)}),
        )
        .await
        .ok();
        assert_eq!(response.as_object().unwrap().len(), 1);
        let token = response["access_token"].as_str().unwrap();
        assert_eq!(token.split('.').count(), 3);
        let info = service.send(service.anonymous(Method::GET, "/userinfo").bearer_auth(token)).await.ok();
        assert_eq!(info["application_user_id"], user);
    }
}

// statements: supplement.token.user_id, supplement.token.signature
#[tokio::test]
async fn an_invalid_exchange_is_rejected() {
    let service = Service::new().await;
    let (id, key) = (service.sandbox.application_id(), service.sandbox.application_key());
    let good = signature(key, "person-1");
    let body = |id: i64, user: &str, signature: &str| json!({"application_id": id, "application_user_id": user, "signature": signature});

    for wrong in [signature("another key of 16+", "person-1"), signature(key, "person-2"), good.to_uppercase(), "zz".to_owned()] {
        let response = exchange(&service, &body(id, "person-1", &wrong)).await;
        response.problem(401);
        assert_eq!(response.detail(), "invalid authorization header");
    }
    let response = exchange(&service, &body(1, "person-1", &good)).await;
    response.problem(401);
    assert_eq!(response.detail(), "application not found");
    let inactive = service.sandbox.app().inactive_application_id();
    let response = exchange(&service, &body(inactive, "person-1", &good)).await;
    response.problem(401);
    assert_eq!(response.detail(), "application not active");

    for user in ["", "a b", "ä", &"x".repeat(129)] {
        let response = exchange(&service, &body(id, user, &good)).await;
        assert_eq!(response.problem(422), ["body.application_user_id"]);
    }
    let response = exchange(&service, &json!({})).await;
    assert_eq!(response.problem(422), ["body.application_id", "body.application_user_id", "body.signature"]);
    let response = exchange(&service, &json!({"application_id": "7", "application_user_id": 7, "signature": null})).await;
    assert_eq!(response.problem(422), ["body.application_id", "body.application_user_id", "body.signature"]);
    let response = service.send(service.anonymous(Method::POST, "/auth/hmac").body("{")).await;
    response.problem(400);
    assert_eq!(response.detail(), "validation failed");
    assert_eq!(exchange(&service, &json!([1])).await.problem(422), ["body"]);
}

// statements: endpoints.auth, auth.header
#[tokio::test]
async fn every_operation_requires_a_token() {
    let service = Service::new().await;
    let operations = [
        (Method::GET, "/providers/oura/integration/init_url"),
        (Method::DELETE, "/providers/oura/integration"),
        (Method::GET, "/userinfo"),
        (Method::GET, "/userproperties"),
        (Method::POST, "/lab_reports"),
        (Method::GET, "/lab_reports"),
        (Method::GET, "/lab_reports/x"),
        (Method::POST, "/nutrition_records"),
        (Method::GET, "/nutrition_records"),
        (Method::GET, "/nutrition_records/x"),
        (Method::PATCH, "/nutrition_records/x"),
        (Method::DELETE, "/nutrition_records/x"),
        (Method::GET, "/queries/sleeps/x"),
        (Method::GET, "/queries/statistics/interval"),
        (Method::GET, "/queries/statistics/daily"),
    ];
    for (method, path) in operations {
        let response = service.send(service.anonymous(method, path)).await;
        response.problem(401);
        assert_eq!(response.detail(), "malformed authorization header", "{path}");
    }
}

// statements: supplement.error.texts
#[tokio::test]
async fn rejected_tokens_have_the_documented_texts() {
    let service = Service::new().await;
    let app = service.sandbox.app();
    let now = app.now().as_second();
    let id = app.application_id();
    let malformed = "malformed authorization header";
    let invalid = "invalid authorization header";
    let cases = [
        ("Basic abc".to_owned(), malformed),
        ("Bearer".to_owned(), malformed),
        ("Bearer a b".to_owned(), malformed),
        ("Bearer nonsense".to_owned(), invalid),
        (format!("Bearer {}x", service.sandbox.token()), invalid),
        (format!("Bearer {}", service.sandbox.care_token()), invalid),
        (format!("Bearer {}", app.sign_token(&Claims::new(id, "no user", now))), invalid),
        (format!("Bearer {}", app.sign_token(&Claims::new(id, "person-1", now - 9).expires_at(now))), "expired jwt"),
        (format!("Bearer {}", app.sign_token(&Claims::new(3, "person-1", now))), "application not found"),
        (format!("Bearer {}", app.sign_token(&Claims::new(app.inactive_application_id(), "person-1", now))), "application not active"),
    ];
    for (header, detail) in cases {
        let response = service.send(service.anonymous(Method::GET, "/userinfo").header("authorization", &header)).await;
        response.problem(401);
        assert_eq!(response.detail(), detail, "{header}");
    }
    let fresh = app.sign_token(&Claims::new(id, "person-1", now).expires_at(now + 1));
    let scheme = service.anonymous(Method::GET, "/userinfo").header("authorization", format!("bearer {fresh}"));
    service.send(scheme).await.ok();
}

#[tokio::test]
async fn exchanged_tokens_expire_after_their_lifetime() {
    let minute = std::time::Duration::from_secs(60);
    let service = Service::with_builder(Sandbox::builder().token_lifetime(minute)).await;
    let body = json!({
        "application_id": service.sandbox.application_id(),
        "application_user_id": "person-1",
        "signature": signature(service.sandbox.application_key(), "person-1"),
    });
    let token = exchange(&service, &body).await.ok()["access_token"].as_str().unwrap().to_owned();
    let ask = || service.send(service.anonymous(Method::GET, "/userinfo").bearer_auth(&token));
    assert_eq!(ask().await.status, StatusCode::OK);
    service.sandbox.app().advance(minute).unwrap();
    assert_eq!(ask().await.detail(), "expired jwt");
}
