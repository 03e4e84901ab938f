//! Consent URLs and the end of integrations.

use http::{Method, StatusCode};

use super::support::Service;

/// The twenty slugs of the supplement.
const SLUGS: &str = "apple coros dexcom fitbit freestyle_libre garmin health_connect huawei luna omron_eu omron_us oura polar \
    samsung_health_data strava suunto ultrahuman wahoo whoop withings";

#[tokio::test]
async fn a_consent_url_for_every_provider_that_has_one() {
    let service = Service::new().await;
    for slug in SLUGS.split_whitespace() {
        let path = format!("/providers/{slug}/integration/init_url?provider_user_id=someone%40example.com");
        let answer = service.get(&path).await;
        if ["apple", "health_connect", "samsung_health_data"].contains(&slug) {
            assert_eq!(answer.problem(422), ["path.provider_slug"], "{slug}");
        } else {
            let body = answer.ok();
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

#[tokio::test]
async fn the_page_leads_back_with_the_callers_state() {
    let service = Service::new().await;
    let request = service
        .person(0, Method::GET, "/providers/oura/integration/init_url")
        .query(&[("redirect_uri", "http://127.0.0.1:9999/back?keep=1"), ("state", "a&b=\"<c>")]);
    let path = service.send(request).await.ok()["path"].as_str().unwrap().to_owned();
    assert!(!path.contains("person-1") && !path.contains("oura"), "the token must be opaque");
    let page = service.send(service.http.get(&path)).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.headers["content-type"].to_str().unwrap().starts_with("text/html"));
    assert!(page.headers["content-security-policy"].to_str().unwrap().contains("default-src 'none'"));
    assert!(page.text.contains("synthetic"));
    assert!(page.text.contains(
        "href=\"http://127.0.0.1:9999/back?keep=1&amp;user_id=person-1&amp;provider_slug=oura&amp;state=a%26b%3D%22%3Cc%3E\">Allow"
    ));
    assert!(page.text.contains("error=access+denied\">Refuse"));

    service.sandbox.world().advance(std::time::Duration::from_secs(600));
    assert_eq!(service.send(service.http.get(&path)).await.status, StatusCode::NOT_FOUND);
    let invented = format!("{}/consent/0123", service.sandbox.base_url());
    assert_eq!(service.send(service.http.get(invented)).await.status, StatusCode::NOT_FOUND);
}

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
        let request = service.person(0, Method::GET, "/providers/garmin/integration/init_url").query(&[("redirect_uri", target)]);
        let answer = service.send(request).await;
        if allowed {
            answer.ok();
        } else {
            assert_eq!(answer.problem(422), ["query.redirect_uri"], "{target}");
        }
    }
}

#[tokio::test]
async fn one_provider_needs_an_email_address() {
    let service = Service::new().await;
    for query in ["", "?provider_user_id=someone", "?provider_user_id="] {
        let answer = service.get(&format!("/providers/ultrahuman/integration/init_url{query}")).await;
        assert_eq!(answer.problem(422), ["query.provider_user_id"]);
    }
    service.get("/providers/ultrahuman/integration/init_url?provider_user_id=a%40example.com").await.ok();
}

#[tokio::test]
async fn an_integration_ends_once_and_only_for_its_user() {
    let service = Service::new().await;
    let slugs = |info: serde_json::Value| -> Vec<String> {
        let providers = info["integrated_providers"].as_array().unwrap().clone();
        providers.iter().map(|provider| provider["provider_slug"].as_str().unwrap().to_owned()).collect()
    };
    let before = slugs(service.get("/userinfo").await.ok());
    let path = format!("/providers/{}/integration", before[0]);
    let answer = service.delete(&path).await;
    assert_eq!((answer.status, answer.text.as_str()), (StatusCode::NO_CONTENT, ""));
    assert_eq!(slugs(service.get("/userinfo").await.ok()), before[1..]);
    service.delete(&path).await.problem(404);
    service.delete("/providers/luna/integration").await.problem(404);
    assert!(slugs(service.get_as(1, "/userinfo").await.ok()).len() >= 2);
}
