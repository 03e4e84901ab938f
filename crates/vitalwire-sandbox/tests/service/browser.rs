//! The consent flow in a real browser. `cargo xtask test --only browser` runs this where Chromium is installed.

use http::Method;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use url::Url;

use super::chromium::Chromium;
use super::support::Service;

/// Plays the application: accepts the redirect of a user and returns its URL.
async fn accept_redirect(listener: &TcpListener) -> Url {
    loop {
        let (mut stream, address) = listener.accept().await.unwrap();
        let mut request = vec![0; 16 * 1024];
        let length = stream.read(&mut request).await.unwrap();
        let request = String::from_utf8_lossy(&request[..length]).into_owned();
        let page = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 4\r\nconnection: close\r\n\r\nback";
        stream.write_all(page.as_bytes()).await.unwrap();
        let target = request.split(' ').nth(1).unwrap_or_default().to_owned();
        // Browsers also open connections in advance and request icons.
        if target.starts_with("/back") {
            assert!(!request.to_ascii_lowercase().contains("\r\nreferer:"), "the page URL leaked in the referrer");
            return Url::parse(&format!("http://{address}{target}")).unwrap();
        }
    }
}

async fn slugs(service: &Service) -> Vec<String> {
    let info = service.get("/userinfo").await.ok();
    let providers = info["integrated_providers"].as_array().unwrap();
    providers.iter().map(|provider| provider["provider_slug"].as_str().unwrap().to_owned()).collect()
}

#[ignore = "needs Chromium: cargo xtask test --only browser"]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_clicks_through_the_consent_page() {
    let service = Service::new().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let redirect = format!("http://{}/back", listener.local_addr().unwrap());
    let start_consent = async |provider: &str, state: &str| {
        let path = format!("/providers/{provider}/integration/init_url");
        let query = [("redirect_uri", &*redirect), ("state", state), ("provider_user_id", "alva@example.com")];
        let answer = service.send(service.request_as(0, Method::GET, &path).query(&query)).await;
        answer.ok()["path"].as_str().unwrap().to_owned()
    };
    let mut browser = Chromium::start();
    let before = slugs(&service).await;

    // On a phone, in the dark colour scheme.
    let page = start_consent("freestyle_libre", "s-1").await;
    browser.set_screen(360, 740, true);
    browser.open(&page);
    browser.screenshot("consent-telephone.png");
    assert!(browser.page_width() <= 360.0, "it must not scroll sideways");

    browser.set_screen(900, 760, false);
    browser.open(&page);
    browser.screenshot("consent.png");
    browser.click("button[value=allow]");
    let back = accept_redirect(&listener).await;
    browser.wait_for_load();
    let query: Vec<_> = back.query_pairs().into_owned().collect();
    let expected = [("user_id", "person-1"), ("provider_slug", "freestyle_libre"), ("state", "s-1")];
    assert_eq!(query, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    assert_eq!(slugs(&service).await.last().map(String::as_str), Some("freestyle_libre"));

    // A used link leads to a page with an explanation.
    browser.open(&page);
    browser.screenshot("consent-used.png");

    // Choose the second button with the keyboard alone.
    let page = start_consent("ultrahuman", "s-2").await;
    browser.open(&page);
    browser.key("Tab", 9);
    browser.key("Tab", 9);
    browser.screenshot("consent-focus.png");
    browser.key("Enter", 13);
    let back = accept_redirect(&listener).await;
    browser.wait_for_load();
    assert!(back.query().unwrap().ends_with("state=s-2&error=access+denied"), "{back}");

    let page = start_consent("luna", "s-3").await;
    browser.open(&page);
    browser.click("button[value=fail]");
    let back = accept_redirect(&listener).await;
    browser.wait_for_load();
    assert!(back.query().unwrap().ends_with("state=s-3&error=provider+unavailable"), "{back}");
    assert_eq!(slugs(&service).await.len(), before.len() + 1);
}
