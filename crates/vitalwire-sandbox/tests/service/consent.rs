//! Consent flow over plain HTTP, with the requests of a browser.

use std::time::Duration;

use http::{Method, StatusCode};
use url::Url;
use vitalwire_sandbox::Sandbox;

use super::support::{Service, ServiceResponse};

const BACK: &str = "http://127.0.0.1:9999/back?keep=1";

/// Returns the URL of a consent page for the first person.
async fn start_consent(service: &Service, provider: &str, query: &[(&str, &str)]) -> String {
    let path = format!("/providers/{provider}/integration/init_url");
    let answer = service.send(service.request_as(0, Method::GET, &path).query(query)).await;
    answer.ok()["path"].as_str().unwrap().to_owned()
}

async fn open_page(service: &Service, page: &str) -> ServiceResponse {
    service.send(service.http.get(page)).await
}

fn form_token(page: &ServiceResponse) -> String {
    assert_eq!(page.status, StatusCode::OK);
    let (_, rest) = page.text.split_once("name=\"form_token\" value=\"").unwrap();
    rest.split_once('"').unwrap().0.to_owned()
}

fn form(service: &Service, page: &str, token: &str, answer: &str) -> reqwest::RequestBuilder {
    let body = format!("form_token={token}&answer={answer}");
    service.http.post(page).header("content-type", "application/x-www-form-urlencoded").body(body)
}

/// Submits a choice. Returns the redirect URL.
async fn submit(service: &Service, page: &str, answer: &str) -> Url {
    let token = form_token(&open_page(service, page).await);
    let answer = service.send(form(service, page, &token, answer)).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    answer.headers["location"].to_str().unwrap().parse().unwrap()
}

fn parameters(url: &Url) -> Vec<(String, String)> {
    url.query_pairs().into_owned().collect()
}

/// Returns slug, broken state and id of each integration of a person.
async fn integrations(service: &Service, at: usize) -> Vec<(String, bool, i64)> {
    let info = service.get_as(at, "/userinfo").await.ok();
    let providers = info["integrated_providers"].as_array().unwrap();
    let read = |provider: &serde_json::Value| {
        let broken = provider["is_integration_broken"].as_bool().unwrap();
        (provider["provider_slug"].as_str().unwrap().to_owned(), broken, provider["provider_integration_id"].as_i64().unwrap())
    };
    providers.iter().map(read).collect()
}

#[tokio::test]
async fn the_page_is_locked_down_and_reveals_no_secrets() {
    let service = Service::new().await;
    let page = start_consent(&service, "luna", &[("redirect_uri", BACK), ("state", "</form><script>")]).await;
    assert!(page.starts_with(service.sandbox.base_url()));
    assert!(!page.contains("person-1") && !page.contains("luna"), "the token must be opaque");
    let shown = open_page(&service, &page).await;
    assert_eq!(shown.status, StatusCode::OK);
    assert!(shown.headers["content-type"].to_str().unwrap().starts_with("text/html"));
    let policy = shown.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    assert!(policy.contains("form-action 'self' http: https:"), "{policy}");
    assert!(!policy.contains("script-src"), "no script may run");
    assert_eq!(shown.headers["referrer-policy"], "same-origin");
    assert_eq!(shown.headers["cache-control"], "no-store");
    for text in ["Synthetic", "luna", "person-1", "Allow", "Refuse", "127.0.0.1"] {
        assert!(shown.text.contains(text), "{text}");
    }
    assert!(!shown.text.contains("<script"));
    // Opening the page does not consume it.
    assert_eq!(open_page(&service, &page).await.status, StatusCode::OK);
    assert!(!integrations(&service, 0).await.iter().any(|(slug, ..)| slug == "luna"));
}

// statements: service.consent, integration.state.exists, init.return, events.consent_return, supplement.consent.return
#[tokio::test]
async fn allowing_creates_the_integration_and_redirects() {
    let service = Service::new().await;
    let before = integrations(&service, 0).await;
    let page = start_consent(&service, "luna", &[("redirect_uri", BACK), ("state", "a&b=\"<c>")]).await;
    let back = submit(&service, &page, "allow").await;
    assert_eq!(back.as_str().split('?').next().unwrap(), "http://127.0.0.1:9999/back");
    let expected = [("keep", "1"), ("user_id", "person-1"), ("provider_slug", "luna"), ("state", "a&b=\"<c>")];
    assert_eq!(parameters(&back), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let after = integrations(&service, 0).await;
    assert_eq!(after[..before.len()], before);
    let (slug, broken, id) = &after[before.len()];
    assert_eq!((slug.as_str(), *broken), ("luna", false));
    assert!(!before.iter().any(|(_, _, other)| other == id));
    assert!(!integrations(&service, 1).await.iter().any(|(slug, ..)| slug == "luna"), "another person");

    // The integration can be removed and created again with a new id.
    service.delete("/providers/luna/integration").await;
    assert_eq!(integrations(&service, 0).await, before);
    let page = start_consent(&service, "luna", &[]).await;
    submit(&service, &page, "allow").await;
    let (slug, _, new_id) = integrations(&service, 0).await.pop().unwrap();
    assert_eq!(slug, "luna");
    assert_ne!(new_id, *id);
}

// statements: events.oauth_failure, supplement.consent.return
#[tokio::test]
async fn refusing_and_failing_redirect_with_an_error() {
    let service = Service::new().await;
    let before = integrations(&service, 0).await;
    for (answer, error) in [("refuse", "access denied"), ("fail", "provider unavailable")] {
        let page = start_consent(&service, "luna", &[("redirect_uri", BACK), ("state", "s")]).await;
        let back = submit(&service, &page, answer).await;
        let expected = [("keep", "1"), ("user_id", "person-1"), ("provider_slug", "luna"), ("state", "s"), ("error", error)];
        assert_eq!(parameters(&back), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }
    assert_eq!(integrations(&service, 0).await, before);
}

// statements: auth.consent_url, supplement.consent.path
#[tokio::test]
async fn a_page_works_once_and_for_ten_minutes() {
    let service = Service::new().await;
    let page = start_consent(&service, "luna", &[]).await;
    let token = form_token(&open_page(&service, &page).await);
    submit(&service, &page, "refuse").await;
    assert_eq!(open_page(&service, &page).await.status, StatusCode::NOT_FOUND);
    assert_eq!(service.send(form(&service, &page, &token, "allow")).await.status, StatusCode::NOT_FOUND);

    let page = start_consent(&service, "luna", &[]).await;
    let token = form_token(&open_page(&service, &page).await);
    service.sandbox.app().advance(Duration::from_secs(599)).unwrap();
    assert_eq!(open_page(&service, &page).await.status, StatusCode::OK);
    service.sandbox.app().advance(Duration::from_secs(1)).unwrap();
    assert_eq!(open_page(&service, &page).await.status, StatusCode::NOT_FOUND);
    assert_eq!(service.send(form(&service, &page, &token, "allow")).await.status, StatusCode::NOT_FOUND);
    assert!(!integrations(&service, 0).await.iter().any(|(slug, ..)| slug == "luna"));
    for invented in ["0123", "0123456789abcdef0123456789abcdef"] {
        let page = format!("{}/consent/{invented}", service.sandbox.base_url());
        assert_eq!(open_page(&service, &page).await.status, StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn a_fast_clock_does_not_shorten_the_ten_minutes() {
    let service = Service::with_builder(Sandbox::builder().time_scale(3_600.0)).await;
    let (page, begun, real) = (start_consent(&service, "luna", &[]).await, service.sandbox.app().now(), jiff::Timestamp::now());
    // Far more than ten minutes on the sandbox's clock.
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert!(service.sandbox.app().now().duration_since(begun).as_secs() >= 1_200);
    let shown = open_page(&service, &page).await;
    let until = |minutes: i64| format!("until {} of real time", (real + jiff::SignedDuration::from_mins(minutes)).strftime("%H:%M UTC"));
    // The minute may have ended in between.
    assert!(shown.text.contains(&until(10)) || shown.text.contains(&until(11)), "{}", shown.text);
    submit(&service, &page, "allow").await;
    assert!(integrations(&service, 0).await.iter().any(|(slug, ..)| slug == "luna"));
}

#[tokio::test]
async fn only_one_of_several_concurrent_submissions_succeeds() {
    let service = Service::new().await;
    let page = start_consent(&service, "luna", &[]).await;
    let token = form_token(&open_page(&service, &page).await);
    let submit_form = async || service.send(form(&service, &page, &token, "allow")).await.status;
    let mut statuses = [StatusCode::OK; 4];
    (statuses[0], statuses[1], statuses[2], statuses[3]) = tokio::join!(submit_form(), submit_form(), submit_form(), submit_form());
    statuses.sort();
    let rest = StatusCode::NOT_FOUND;
    assert_eq!(statuses, [StatusCode::SEE_OTHER, rest, rest, rest]);
}

#[tokio::test]
async fn forms_of_other_pages_are_rejected() {
    let service = Service::new().await;
    let page = start_consent(&service, "luna", &[]).await;
    let other = start_consent(&service, "luna", &[]).await;
    let own = form_token(&open_page(&service, &page).await);
    let others = form_token(&open_page(&service, &other).await);
    for wrong in ["", "0", &others] {
        assert_eq!(service.send(form(&service, &page, wrong, "allow")).await.status, StatusCode::FORBIDDEN, "{wrong}");
    }
    for (name, value) in [("origin", "https://evil.test"), ("origin", "null"), ("sec-fetch-site", "cross-site")] {
        let request = form(&service, &page, &own, "allow").header(name, value);
        assert_eq!(service.send(request).await.status, StatusCode::FORBIDDEN, "{name}: {value}");
    }
    service.send(form(&service, &page, &own, "perhaps")).await.problem(404);
    assert!(!integrations(&service, 0).await.iter().any(|(slug, ..)| slug == "luna"));
    // The rejected forms did not consume the page.
    let origin = service.sandbox.base_url();
    let request = form(&service, &page, &own, "allow").header("origin", origin).header("sec-fetch-site", "same-origin");
    assert_eq!(service.send(request).await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn the_redirect_may_have_an_applications_scheme() {
    let service = Service::new().await;
    let page = start_consent(&service, "luna", &[("redirect_uri", "nights://app.example.org/connected"), ("state", "s")]).await;
    let policy = open_page(&service, &page).await.headers["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.ends_with("form-action 'self' http: https: nights:"), "{policy}");
    let back = submit(&service, &page, "allow").await;
    assert_eq!(back.as_str(), "nights://app.example.org/connected?user_id=person-1&provider_slug=luna&state=s");
}

// statements: init.return, supplement.consent.placeholders
#[tokio::test]
async fn the_default_redirect_applies_without_a_redirect_uri() {
    let service = Service::new().await;
    let page = start_consent(&service, "ultrahuman", &[("provider_user_id", "a&b@example.com"), ("state", "s")]).await;
    assert!(open_page(&service, &page).await.text.contains("a&amp;b@example.com"));
    let back = submit(&service, &page, "refuse").await;
    let expected = "https://app.example.com/integrated/ultrahuman?user=person-1&at_provider=a%26b%40example.com\
        &user_id=person-1&provider_slug=ultrahuman&state=s&error=access+denied";
    assert_eq!(back.as_str(), expected);

    let own = Sandbox::builder().default_redirect("https://app.test/{provider_slug}").allow_redirects_to("app.test");
    let service = Service::with_builder(own).await;
    let page = start_consent(&service, "luna", &[]).await;
    assert_eq!(submit(&service, &page, "allow").await.as_str(), "https://app.test/luna?user_id=person-1&provider_slug=luna");
    let page = start_consent(&service, "luna", &[("redirect_uri", "https://deep.app.test/x")]).await;
    assert!(submit(&service, &page, "allow").await.as_str().starts_with("https://deep.app.test/x?"));
    let wrong = Sandbox::builder().default_redirect("nowhere").start().await;
    assert_eq!(wrong.unwrap_err().to_string(), "the default redirect must be an http or https URL");
}

#[tokio::test]
async fn consent_repairs_a_broken_integration() {
    let service = Service::new().await;
    // The second person has one broken integration.
    let before = integrations(&service, 1).await;
    let (slug, _, id) = before.iter().find(|(_, broken, _)| *broken).unwrap().clone();
    let path = format!("/providers/{slug}/integration/init_url");
    let page = service.send(service.request_as(1, Method::GET, &path)).await.ok()["path"].as_str().unwrap().to_owned();
    submit(&service, &page, "allow").await;
    let after = integrations(&service, 1).await;
    assert_eq!(after.iter().find(|(other, ..)| *other == slug), Some(&(slug, false, id)));
    assert_eq!(after.len(), before.len());
}
