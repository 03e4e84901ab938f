//! A running sandbox and an HTTP client. Uses only the public API.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;

use http::{HeaderMap, Method, StatusCode};
use serde_json::{Value, json};
use vitalwire_sandbox::civil::{Date, date};
use vitalwire_sandbox::{Builder, Sandbox};

use super::specification::{ReceivedResponse, SPECIFICATION};

pub(crate) const TODAY: Date = date(2025, 11, 21);

/// Maximum wait for an expected event. Long, because machines may be slow.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

pub(crate) struct Service {
    pub(crate) sandbox: Sandbox,
    pub(crate) http: reqwest::Client,
    /// Operation and status of each response so far.
    seen: Mutex<BTreeSet<(&'static str, u16)>>,
}

pub(crate) struct ServiceResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl ServiceResponse {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// Returns the body of a success.
    pub(crate) fn ok(&self) -> Value {
        assert_eq!(self.status, StatusCode::OK, "{}", self.text);
        assert_eq!(self.headers["content-type"], "application/json");
        self.json()
    }

    /// Checks the documented form of an error. Returns the locations of its items.
    pub(crate) fn problem(&self, status: u16) -> Vec<String> {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        assert_eq!(self.headers["content-type"], "application/problem+json");
        let body = self.json();
        let members = names(&body);
        assert_eq!(members, ["detail", "errors", "instance", "status", "title", "type"]);
        assert_eq!(body["status"], status);
        for member in ["detail", "instance", "title", "type"] {
            assert!(!body[member].as_str().unwrap().is_empty(), "{member}");
        }
        let id = self.headers["x-request-id"].to_str().unwrap();
        assert_eq!(body["instance"], format!("urn:uuid:{id}"));
        let errors = body["errors"].as_array().unwrap();
        for error in errors {
            let members = names(error);
            assert_eq!(members, ["location", "message", "value"]);
        }
        errors.iter().map(|error| error["location"].as_str().unwrap().to_owned()).collect()
    }

    pub(crate) fn detail(&self) -> String {
        self.json()["detail"].as_str().unwrap().to_owned()
    }
}

/// Returns the sorted field names of an object. Their order depends on features of serde_json in the build.
pub(crate) fn names(object: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

/// Creates a client without proxies and redirects.
pub(crate) fn http() -> reqwest::Client {
    // Fails if another test has already installed a provider.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap()
}

impl Service {
    pub(crate) async fn new() -> Self {
        Self::with_builder(Sandbox::builder()).await
    }

    pub(crate) async fn with_builder(builder: Builder) -> Self {
        let sandbox = builder.seed(7).today(TODAY).start().await.unwrap();
        let http = http();
        Self { sandbox, http, seen: Mutex::default() }
    }

    /// Sends a request and checks the response by the specification.
    pub(crate) async fn send(&self, request: reqwest::RequestBuilder) -> ServiceResponse {
        let request = request.build().unwrap();
        let (method, path) = (request.method().clone(), request.url().path().to_owned());
        let response = self.send_unchecked(request).await;
        self.check(&method, &path, &response);
        response
    }

    /// Sends a request without checking the response, for example one with a fault.
    pub(crate) async fn send_unchecked(&self, request: reqwest::Request) -> ServiceResponse {
        let response = self.http.execute(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        assert_eq!(headers["x-synthetic-data"], "true");
        let data_set = headers["vitalwire-sandbox"].to_str().unwrap();
        assert!(data_set == "seed=7" || data_set.starts_with("seed=7 options="), "{data_set}");
        assert!(!headers["x-request-id"].is_empty());
        ServiceResponse { status, headers, text: response.text().await.unwrap() }
    }

    /// Checks a response by the specification and records its status.
    pub(crate) fn check(&self, method: &Method, path: &str, response: &ServiceResponse) {
        let (status, body) = (response.status.as_u16(), response.text.as_bytes());
        if let Some(operation) = SPECIFICATION.check(&ReceivedResponse { method, path, status, headers: &response.headers, body }) {
            self.seen.lock().unwrap().insert((operation, status));
        }
    }

    /// Returns the operation and status of each response so far.
    pub(crate) fn seen_statuses(&self) -> BTreeSet<(&'static str, u16)> {
        self.seen.lock().unwrap().clone()
    }

    /// Creates a request to the main service without a token.
    pub(crate) fn anonymous(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, format!("{}/v3{path}", self.sandbox.base_url()))
    }

    /// Creates a request to the main service as a person, counted from 0.
    pub(crate) fn request_as(&self, at: usize, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.anonymous(method, path).bearer_auth(&self.sandbox.people()[at].token)
    }

    pub(crate) async fn get(&self, path: &str) -> ServiceResponse {
        self.send(self.request_as(0, Method::GET, path)).await
    }

    /// Waits until a list has a record whose analysis has not ended, so that a synchronous upload has arrived.
    pub(crate) async fn wait_for_analysis(&self, list: &str) {
        let arrived = async {
            loop {
                let records = self.get(list).await.ok();
                if records.as_array().unwrap().iter().any(|record| record["status"] == "pending" || record["status"] == "processing") {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(TIMEOUT, arrived).await.expect("a pending analysis");
    }

    pub(crate) async fn get_as(&self, at: usize, path: &str) -> ServiceResponse {
        self.send(self.request_as(at, Method::GET, path)).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> ServiceResponse {
        self.send(self.request_as(0, Method::POST, path).json(body)).await
    }

    pub(crate) async fn patch(&self, path: &str, body: &Value) -> ServiceResponse {
        self.send(self.request_as(0, Method::PATCH, path).json(body)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> ServiceResponse {
        self.send(self.request_as(0, Method::DELETE, path)).await
    }
}

/// Writes a recorded exchange for a replay: a GET request and a JSON response.
pub(crate) fn write_exchange(folder: &std::path::Path, name: &str, path: &str, body: &Value) {
    let request = json!({ "method": "GET", "path": path });
    let response = json!({ "status": 200, "body": { "json": body } });
    let exchange = json!({ "vitalwire_exchange": 1, "request": request, "response": response });
    std::fs::write(folder.join(name), exchange.to_string()).unwrap();
}

/// Parses a date-time into seconds since 1970.
pub(crate) fn seconds(value: &Value) -> i64 {
    value.as_str().unwrap().parse::<jiff::Timestamp>().unwrap().as_second()
}

pub(crate) fn is_uuid(value: &Value) -> bool {
    value.as_str().is_some_and(|text| uuid::Uuid::parse_str(text).is_ok())
}
