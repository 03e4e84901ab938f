//! Control routes: their responses, effects and access checks.

use http::{Method, StatusCode};
use serde_json::json;

use super::socket;
use super::support::{Service, ServiceResponse, TODAY};

impl Service {
    /// Creates a request to a control route.
    pub(crate) fn control(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, format!("{}/_sandbox{path}", self.sandbox.base_url()))
    }

    pub(crate) async fn control_post(&self, path: &str, body: &serde_json::Value) -> ServiceResponse {
        self.send(self.control(Method::POST, path).json(body)).await
    }

    pub(crate) async fn control_get(&self, path: &str) -> ServiceResponse {
        self.send(self.control(Method::GET, path)).await
    }
}

#[tokio::test]
async fn the_state_has_urls_users_and_the_clock() {
    let service = Service::new().await;
    let state = service.control_get("/state").await.ok();
    let base = service.sandbox.base_url();
    assert_eq!(state["synthetic"], true);
    assert_eq!(state["seed"], 7);
    assert_eq!(state["base_url"], base);
    assert_eq!(state["care_base_url"], format!("{base}/care"));
    assert_eq!(state["control_url"], format!("{base}/_sandbox"));
    assert_eq!(state["application_id"], 10_070);
    assert_eq!(state["clock"]["now"], "2025-11-21T12:00:00Z");
    assert_eq!(state["clock"]["today"], "2025-11-21");
    assert_eq!(state["users_total"], 4);
    let user = &state["users"][0];
    assert_eq!(user["user_id"], "person-1");
    assert_eq!(user["sleep_id"], service.sandbox.people()[0].sleep_id(TODAY));
    // The listed token and night are valid.
    let night = format!("/queries/sleeps/{}", user["sleep_id"].as_str().unwrap());
    let response = service.send(service.anonymous(Method::GET, &night).bearer_auth(user["token"].as_str().unwrap())).await.ok();
    assert_eq!(response["sleep_date"], user["sleep_date"]);
}

#[tokio::test]
async fn every_listed_night_has_ended() {
    // Four people in four time zones, hour by hour for a day.
    let service = Service::new().await;
    for _ in 0..24 {
        service.sandbox.app().advance(std::time::Duration::from_secs(3600)).unwrap();
        for person in service.sandbox.people() {
            let night = service.sandbox.app().last_night(person);
            let path = format!("/queries/sleeps/{}", person.sleep_id(night));
            service.send(service.anonymous(Method::GET, &path).bearer_auth(&person.token)).await.ok();
        }
    }
}

#[tokio::test]
async fn the_clock_moves_by_hand() {
    let service = Service::new().await;
    let moved = service.control_post("/clock", &json!({"advance": 90})).await.ok();
    assert_eq!(moved["now"], "2025-11-21T12:01:30Z");
    let moved = service.control_post("/clock", &json!({"advance": "2d 30m"})).await.ok();
    assert_eq!(moved["now"], "2025-11-23T12:31:30Z");
    assert_eq!(moved["today"], "2025-11-23");
    assert_eq!(service.sandbox.app().now().to_string(), "2025-11-23T12:31:30Z");
    assert_eq!(moved["scale"], 0.0);
    let moved = service.control_post("/clock", &json!({"set": "2025-12-24T18:00:00Z"})).await.ok();
    assert_eq!(moved["now"], "2025-12-24T18:00:00Z");
    // The clock runs at a day per second.
    let moved = service.control_post("/clock", &json!({"scale": 86_400})).await.ok();
    assert_eq!(moved["scale"], 86_400.0);
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    assert!(service.sandbox.app().now() >= "2025-12-24T19:12:00Z".parse().unwrap());
}

#[tokio::test]
async fn a_bad_control_request_has_the_documented_body() {
    let service = Service::new().await;
    let post = async |body: serde_json::Value| service.control_post("/clock", &body).await.problem(422);
    assert_eq!(post(json!({})).await, ["body.advance"]);
    assert_eq!(post(json!({"scale": -1})).await, ["body.scale"]);
    assert_eq!(post(json!({"scale": 1e7})).await, ["body.scale"]);
    assert_eq!(post(json!({"set": "soon"})).await, ["body.set"]);
    assert_eq!(post(json!({"set": "2025-11-21T11:59:59Z"})).await, ["body.set"]);
    assert_eq!(post(json!({"set": "2025-11-22T00:00:00Z", "advance": 1})).await, ["body.set"]);
    assert_eq!(post(json!({"advance": -1})).await, ["body.advance"]);
    assert_eq!(post(json!({"advance": 1, "forward": 1})).await, ["body.forward"]);
    assert_eq!(post(json!([])).await, ["body"]);
    let broken = service.control(Method::POST, "/clock").header("content-type", "application/json").body("{");
    service.send(broken).await.problem(400);
    service.send(service.control(Method::POST, "/clock").body("advance=1")).await.problem(415);
    let method = service.send(service.control(Method::PUT, "/clock").json(&json!({}))).await;
    assert_eq!((method.problem(405), method.headers["allow"].to_str().unwrap()), (vec![], "POST"));
    service.control_get("/nothing").await.problem(404);
    assert_eq!(service.sandbox.app().now().to_string(), "2025-11-21T12:00:00Z");
}

#[tokio::test]
async fn foreign_hosts_and_origins_are_rejected_on_the_wire() {
    let service = Service::new().await;
    let port = service.sandbox.address().port();
    let send = async |host: &str, more: &str| {
        let text = format!("GET /_sandbox/state HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{more}\r\n");
        socket::exchange(&service, text.as_bytes()).await
    };
    assert_eq!(send(&format!("localhost:{port}"), "").await.status(), 200);
    assert_eq!(send(&format!("localhost:{port}"), &format!("origin: http://localhost:{port}\r\n")).await.status(), 200);
    for (host, more) in [
        (format!("rebound.test:{port}"), String::new()),
        ("localhost:1".to_owned(), String::new()),
        (format!("localhost:{port}"), "origin: http://evil.test\r\n".to_owned()),
        (format!("localhost:{port}"), "origin: null\r\n".to_owned()),
        (format!("localhost:{port}"), format!("origin: http://localhost:{}\r\n", port ^ 1)),
        (format!("localhost:{port}"), format!("host: rebound.test:{port}\r\n")),
    ] {
        let response = send(&host, &more).await;
        assert_eq!(response.status(), 403, "{host} {more}");
        assert!(!response.reset);
        assert_eq!(response.header("x-synthetic-data").as_deref(), Some("true"));
        let body = response.json();
        assert_eq!(body["status"], 403);
        assert!(!body.to_string().contains(service.sandbox.token()));
    }
    // HTTP/1.0 without a host.
    assert_eq!(socket::exchange(&service, b"GET /_sandbox/state HTTP/1.0\r\n\r\n").await.status(), 403);
}

#[tokio::test]
async fn foreign_hosts_are_rejected_by_the_service() {
    let ask = async |service: &Service, target: &str, host: &str| {
        let text = format!("GET {target} HTTP/1.1\r\n{host}authorization: Bearer {}\r\nconnection: close\r\n\r\n", service.sandbox.token());
        socket::exchange(service, text.as_bytes()).await
    };
    let service = Service::new().await;
    let port = service.sandbox.address().port();
    let (own, foreign) = (format!("host: localhost:{port}\r\n"), format!("host: rebound.test:{port}\r\n"));
    let care = "/care/public/v1/clinics/a/patients/b/policies/c/benefits";
    for (target, status) in [("/v3/userinfo", 200), (care, 401), ("/consent/0123", 404), ("/nothing", 404)] {
        assert_eq!(ask(&service, target, &own).await.status(), status, "{target}");
        for host in [foreign.clone(), format!("{own}{foreign}"), "host: localhost.test\r\n".to_owned()] {
            let response = ask(&service, target, &host).await;
            assert_eq!((response.status(), response.json()["status"].as_u64()), (421, Some(421)), "{target} {host}");
            assert_eq!(response.header("x-synthetic-data").as_deref(), Some("true"));
        }
    }
    assert_eq!(ask(&service, &format!("http://rebound.test:{port}/v3/userinfo"), &own).await.status(), 421);

    // With remote access, any host is allowed except on the control routes.
    let open = Service::with_builder(vitalwire_sandbox::Sandbox::builder().allow_remote(true)).await;
    assert_eq!(ask(&open, "/v3/userinfo", "host: sandbox.test:80\r\n").await.status(), 200);
    assert_eq!(ask(&open, "/_sandbox/state", "host: sandbox.test:80\r\n").await.status(), 403);
}

#[tokio::test]
async fn a_form_of_another_page_changes_nothing() {
    let service = Service::new().await;
    for (kind, body) in [
        ("application/x-www-form-urlencoded", "advance=90"),
        ("text/plain", "{\"advance\":90}"),
        ("multipart/form-data; boundary=x", "--x--"),
    ] {
        let bytes = socket::request(&service, "POST /_sandbox/clock", &[("content-type", kind)], body);
        assert_eq!(socket::exchange(&service, &bytes).await.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE.as_u16(), "{kind}");
    }
    assert_eq!(service.sandbox.app().now().to_string(), "2025-11-21T12:00:00Z");
}
