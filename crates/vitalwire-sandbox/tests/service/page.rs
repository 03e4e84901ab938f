//! Web page of the sandbox, over plain HTTP.

use http::Method;

use super::socket;
use super::support::{Service, TODAY};

fn unescape(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&")
}

async fn page(service: &Service) -> String {
    service.http.get(format!("{}/", service.sandbox.base_url())).send().await.unwrap().text().await.unwrap()
}

#[tokio::test]
async fn the_page_is_self_contained_and_marked_as_synthetic() {
    let service = Service::new().await;
    let response = service.send(service.http.get(format!("{}/", service.sandbox.base_url()))).await;
    assert_eq!(response.status, 200);
    assert_eq!(response.headers["content-type"], "text/html; charset=utf-8");
    let policy = response.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';") && !policy.contains("unsafe"), "{policy}");
    assert!(policy.contains("frame-ancestors 'none'"));
    assert!(response.text.contains("All data is synthetic."));
    for person in service.sandbox.people() {
        assert!(response.text.contains(&person.token) && response.text.contains(&person.sleep_id(TODAY)), "{}", person.user_id);
    }
    // All resources and linked documents are served by the sandbox.
    let own = format!("{}/", service.sandbox.base_url());
    let mut places = 0;
    for attribute in ["href=\"", "src=\""] {
        for piece in response.text.split(attribute).skip(1) {
            let place = unescape(piece.split('"').next().unwrap());
            if let Some(part) = place.strip_prefix('#') {
                assert!(response.text.contains(&format!("id=\"{part}\"")), "{place}");
            } else if place != "data:," {
                assert!(place.starts_with("/_sandbox/"), "{place}");
                let found = service.send(service.http.get(format!("{own}{}", &place[1..]))).await;
                assert_eq!(found.status, 200, "{place}");
                places += 1;
            }
        }
    }
    assert_eq!(places, 7);
    let foreign: Vec<&str> =
        response.text.split("http").skip(1).filter(|rest| rest.starts_with("://") || rest.starts_with("s://")).collect();
    assert!(foreign.iter().all(|rest| rest.starts_with(&own["http".len()..own.len() - 1])), "{foreign:?}");
    assert!(!response.text.contains("style=") && !response.text.contains("onclick") && !response.text.contains("<style"));
}

#[tokio::test]
async fn only_known_files_are_served() {
    let service = Service::new().await;
    for (name, kind) in
        [("page.css", "text/css"), ("page.js", "text/javascript"), ("health.v3.yaml", "text/yaml"), ("care.v1.yaml", "text/yaml")]
    {
        let file = service.control_get(&format!("/files/{name}")).await;
        assert!(file.status == 200 && file.headers["content-type"].to_str().unwrap().starts_with(kind), "{name}");
        assert_eq!(file.headers["x-content-type-options"], "nosniff");
        assert!(!file.text.contains("http:") && !file.text.contains("@import") && !file.text.contains("innerHTML"), "{name}");
    }
    for name in ["", "x", "..%2fCargo.toml", "%FF", "page.html"] {
        let status = service.control_get(&format!("/files/{name}")).await.status.as_u16();
        assert!(matches!(status, 404 | 422), "{name}");
    }
}

#[tokio::test]
async fn a_foreign_host_does_not_get_the_page() {
    let service = Service::new().await;
    let port = service.sandbox.address().port();
    let response =
        socket::exchange(&service, format!("GET / HTTP/1.1\r\nhost: rebound.test:{port}\r\nconnection: close\r\n\r\n").as_bytes()).await;
    assert_eq!(response.status(), 403);
    assert!(!String::from_utf8_lossy(&response.bytes).contains(service.sandbox.token()));
}

#[tokio::test]
async fn every_example_call_on_the_page_works() {
    let service = Service::new().await;
    let text = page(&service).await;
    let calls: Vec<String> = text
        .split("<pre ")
        .skip(1)
        .map(|piece| {
            let code = piece.split("<code>").nth(1).unwrap().split("</code>").next().unwrap();
            unescape(code)
        })
        .collect();
    assert_eq!(calls.len(), 7);
    for call in &calls {
        // Parses the command like a shell: a backslash joins lines, quotes group words.
        let line = call.replace("\\\n", " ");
        let header = line.split("-H \"").nth(1).unwrap().split('"').next().unwrap();
        let (name, value) = header.split_once(": ").unwrap();
        let url = line.rsplit('"').nth(1).unwrap();
        let body = line.split("-d '").nth(1).map(|rest| rest.split('\'').next().unwrap().to_owned());
        let method = if line.contains("-X POST") { Method::POST } else { Method::GET };
        let mut request = service.http.request(method, url).header(name, value);
        if let Some(body) = body {
            request = request.body(body);
        }
        let response = service.send(request).await;
        assert!(response.status.is_success(), "{call}: {} {}", response.status, response.text);
        assert!(response.text.len() > 40, "{call}: {}", response.text);
    }
    // The last call activated a fault. Without scripts too, the page shows it and the requests.
    let text = page(&service).await;
    assert!(text.contains("<li><code>status; status=503; retry_after=1</code> <span>1 left</span></li>"));
    assert!(text.contains("<code>GET /v3/queries/sleeps/{sleep_id}</code></td><td>200</td>"));
    service.get_unchecked(0, "/userinfo").await.problem(503);
}
