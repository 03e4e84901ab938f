//! Consent URLs and removal of integrations.

use http::{Method, StatusCode};

use super::specification::SPECIFICATION;
use super::support::Service;

// statements: service.sdk_providers, supplement.set.without_consent, supplement.consent.path, slug.count, supplement.set.providers
// statements: supplement.set.wahoo
#[tokio::test]
async fn every_provider_but_the_sdk_ones_has_a_consent_url() {
    let service = Service::new().await;
    for slug in SPECIFICATION.names("init_integration", "provider_slug") {
        let path = format!("/providers/{slug}/integration/init_url?provider_user_id=someone%40example.com");
        let response = service.get(&path).await;
        if ["apple", "health_connect", "samsung_health_data"].contains(&slug) {
            assert_eq!(response.problem(422), ["path.provider_slug"], "{slug}");
        } else {
            let body = response.ok();
            assert_eq!(body.as_object().unwrap().len(), 2);
            assert_eq!(body["provider_slug"], slug);
            assert!(body["path"].as_str().unwrap().starts_with(service.sandbox.base_url()));
        }
    }
    let unknown = service.get("/providers/nobody/integration/init_url").await;
    assert_eq!(unknown.problem(422), ["path.provider_slug"]);
    let unknown = service.delete("/providers/nobody/integration").await;
    assert_eq!(unknown.problem(422), ["path.provider_slug"]);
}

// statements: auth.redirect_whitelist
#[tokio::test]
async fn redirects_go_to_whitelisted_domains_only() {
    let service = Service::new().await;
    for (target, allowed) in [
        ("https://example.com/cb", true),
        ("https://app.example.org/cb", true),
        ("http://localhost:3000/cb", true),
        ("https://elsewhere.test/cb", false),
        ("https://example.com.elsewhere.test/", false),
        ("javascript:alert(1)", false),
        ("nonsense", false),
        ("", false),
    ] {
        let request = service.request_as(0, Method::GET, "/providers/garmin/integration/init_url").query(&[("redirect_uri", target)]);
        let response = service.send(request).await;
        if allowed {
            response.ok();
        } else {
            assert_eq!(response.problem(422), ["query.redirect_uri"], "{target}");
        }
    }
}

// statements: supplement.set.email
#[tokio::test]
async fn one_provider_needs_an_email_address() {
    let service = Service::new().await;
    for query in ["", "?provider_user_id=someone", "?provider_user_id="] {
        let response = service.get(&format!("/providers/ultrahuman/integration/init_url{query}")).await;
        assert_eq!(response.problem(422), ["query.provider_user_id"]);
    }
    service.get("/providers/ultrahuman/integration/init_url?provider_user_id=a%40example.com").await.ok();
}

// statements: integration.state.broken
#[tokio::test]
async fn a_control_route_changes_the_state_of_integrations() {
    let service = Service::new().await;
    let set = async |state: &str| {
        let body = serde_json::json!({ "user_id": "person-1", "provider_slug": "luna", "state": state });
        service.control_post("/integrations", &body).await
    };
    let luna = async || {
        let info = service.get("/userinfo").await.ok();
        let providers = info["integrated_providers"].as_array().unwrap().clone();
        providers.into_iter().find(|provider| provider["provider_slug"] == "luna").map(|provider| provider["is_integration_broken"].clone())
    };
    for missing in ["broken", "removed"] {
        set(missing).await.problem(404);
    }
    let response = set("connected").await.ok();
    assert_eq!((&response["synthetic"], &response["user_id"]), (&true.into(), &"person-1".into()));
    assert_eq!(luna().await, Some(false.into()));
    set("broken").await.ok();
    assert_eq!(luna().await, Some(true.into()));
    set("connected").await.ok();
    assert_eq!(luna().await, Some(false.into()));
    set("removed").await.ok();
    assert_eq!(luna().await, None);
    set("removed").await.problem(404);
    let wrong = service.control_post("/integrations", &serde_json::json!({ "user_id": "a b", "state": "gone", "more": 1 })).await;
    assert_eq!(wrong.problem(422), ["body.user_id", "body.provider_slug", "body.provider_slug", "body.state", "body.more"]);
}

// statements: service.integrations, integration.state.delete, delete_integration.success_204, supplement.error.conditions
#[tokio::test]
async fn an_integration_ends_once_and_only_for_its_user() {
    let service = Service::new().await;
    let slugs = |info: serde_json::Value| -> Vec<String> {
        let providers = info["integrated_providers"].as_array().unwrap().clone();
        providers.iter().map(|provider| provider["provider_slug"].as_str().unwrap().to_owned()).collect()
    };
    let before = slugs(service.get("/userinfo").await.ok());
    let path = format!("/providers/{}/integration", before[0]);
    let response = service.delete(&path).await;
    assert_eq!((response.status, response.text.as_str()), (StatusCode::NO_CONTENT, ""));
    assert_eq!(slugs(service.get("/userinfo").await.ok()), before[1..]);
    service.delete(&path).await.problem(404);
    service.delete("/providers/luna/integration").await.problem(404);
    assert!(slugs(service.get_as(1, "/userinfo").await.ok()).len() >= 2);
}
