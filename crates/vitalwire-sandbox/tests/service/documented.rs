//! Tests of every documented status of every operation.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::limits::exchange_checked;
use super::specification::{Operation, SPECIFICATION};
use super::support::{Service, TODAY};

/// A valid PNG of 8 x 8 pixels.
const IMAGE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAA00lEQVR42gHIADf/AAAAAB8FAD4KAF0PAHwUAJsZALoeANkjAAAHABEmBRFFChFkDxGDFBGiGRHBHhHgIxEADgAiLQUiTAoiaw8iihQiqRkiyB4i5yMiABUAMzQFM1MKM3IPM5EUM7AZM88eM+4jMwAcAEQ7BURaCkR5D0SYFES3GUTWHkT1I0QAIwBVQgVVYQpVgA9VnxRVvhlV3R5V/CNVACoAZkkFZmgKZocPZqYUZsUZZuQeZgMjZgAxAHdQBXdvCneOD3etFHfMGXfrHncKI3fV2DKBnXqy5AAAAABJRU5ErkJggg==";

/// Method, path and body of a request. [`Requester::fill_placeholders`] replaces names in angle brackets.
pub(super) type Request = (&'static str, &'static str, &'static str);

const HOURS: &str = "/v3/queries/statistics/interval?interval=1h&types=steps";

/// A successful request for each implemented operation.
pub(super) const VALID_REQUESTS: &[(&str, Request)] = &[
    ("init_integration", ("GET", "/v3/providers/polar/integration/init_url", "")),
    ("get_user_info", ("GET", "/v3/userinfo", "")),
    ("get_user_properties", ("GET", "/v3/userproperties", "")),
    ("upload_lab_report", ("POST", "/v3/lab_reports", r#"{"body":"c3ludGhldGlj","filename":"a.txt"}"#)),
    ("list_lab_reports", ("GET", "/v3/lab_reports", "")),
    ("get_lab_report", ("GET", "/v3/lab_reports/<lab>", "")),
    ("upload_nutrition_record", ("POST", "/v3/nutrition_records", r#"{"body":"<image>"}"#)),
    ("list_nutrition_records", ("GET", "/v3/nutrition_records", "")),
    ("get_nutrition_record", ("GET", "/v3/nutrition_records/<meal>", "")),
    ("update_nutrition_record", ("PATCH", "/v3/nutrition_records/<meal>", r#"{"serving_size":120}"#)),
    ("delete_nutrition_record", ("DELETE", "/v3/nutrition_records/<meal>", "")),
    ("get_sleep", ("GET", "/v3/queries/sleeps/<sleep>?include_stages=true&include_samples=true", "")),
    ("interval_statistics", ("GET", HOURS, "")),
    ("daily_statistics", ("GET", "/v3/queries/statistics/daily?from_date=2025-11-20&to_date=2025-11-21&types=steps", "")),
    ("delete_integration", ("DELETE", "/v3/providers/dexcom/integration", "")),
    ("get_policy_benefits", ("GET", "/care/public/v1/clinics/c/patients/p/policies/x/benefits", "")),
    ("exchange_token", ("POST", "/v3/auth/hmac", "<exchange>")),
];

/// Requests that are rejected, with their statuses.
const INVALID_REQUESTS: [(u16, Request); 20] = [
    (422, ("GET", "/v3/providers/nobody/integration/init_url", "")),
    (422, ("DELETE", "/v3/providers/nobody/integration", "")),
    (404, ("DELETE", "/v3/providers/polar/integration", "")),
    (422, ("POST", "/v3/lab_reports", "{}")),
    (422, ("GET", "/v3/lab_reports?from_timestamp=x", "")),
    (422, ("GET", "/v3/lab_reports/%FF", "")),
    (404, ("GET", "/v3/lab_reports/x", "")),
    (422, ("POST", "/v3/nutrition_records", "{}")),
    (413, ("POST", "/v3/nutrition_records", r#"{"body":"<large>"}"#)),
    (422, ("GET", "/v3/nutrition_records?from_timestamp=x", "")),
    (422, ("GET", "/v3/nutrition_records/%FF", "")),
    (404, ("GET", "/v3/nutrition_records/x", "")),
    (422, ("PATCH", "/v3/nutrition_records/x", "{}")),
    (404, ("PATCH", "/v3/nutrition_records/x", r#"{"serving_size":1}"#)),
    (422, ("DELETE", "/v3/nutrition_records/%FF", "")),
    (422, ("GET", "/v3/queries/sleeps/<sleep>?include_stages=1", "")),
    (404, ("GET", "/v3/queries/sleeps/x", "")),
    (422, ("GET", "/v3/queries/statistics/interval", "")),
    (422, ("GET", "/v3/queries/statistics/daily", "")),
    (422, ("POST", "/v3/auth/hmac", "{}")),
];

/// Rejected policies of the policy-benefits lookup, which needs another token.
const INVALID_POLICIES: [(u16, &str); 2] = [(404, "policy-missing"), (422, "%FF")];

/// Statuses that only faults can cause. They are documented because every operation has five error responses.
const ONLY_BY_FAULT: [(u16, &[&str]); 3] = [
    // There is always a user, a list may be empty, and deleting a missing record succeeds.
    (
        404,
        &[
            "daily_statistics",
            "delete_nutrition_record",
            "exchange_token",
            "get_user_info",
            "get_user_properties",
            "init_integration",
            "interval_statistics",
            "list_lab_reports",
            "list_nutrition_records",
            "upload_lab_report",
            "upload_nutrition_record",
        ],
    ),
    // Nothing in these requests can be invalid.
    (422, &["get_user_info", "get_user_properties"]),
    // No operation fails by itself.
    (500, &[]),
];

/// Sends requests to a sandbox, with ids of its records.
pub(super) struct Requester<'a> {
    service: &'a Service,
    lab: String,
    meal: String,
}

impl<'a> Requester<'a> {
    pub(super) async fn new(service: &'a Service) -> Self {
        let first = async |path: &str| service.get(path).await.ok()[0]["record_id"].as_str().unwrap().to_owned();
        let (lab, meal) = (first("/lab_reports").await, first("/nutrition_records").await);
        Self { service, lab, meal }
    }

    fn fill_placeholders(&self, text: &str) -> String {
        let exchange = json!({
            "application_id": self.service.sandbox.application_id(),
            "application_user_id": "person-1",
            "signature": super::access::signature(self.service.sandbox.application_key(), "person-1"),
        });
        text.replace("<lab>", &self.lab)
            .replace("<meal>", &self.meal)
            .replace("<sleep>", &self.service.sandbox.people()[0].sleep_id(TODAY))
            .replace("<image>", IMAGE)
            .replace("<large>", &"A".repeat(10 * 1_048_576 + 4))
            .replace("<exchange>", &exchange.to_string())
    }

    pub(super) fn token(&self, path: &str) -> &str {
        if path.starts_with("/care") { self.service.sandbox.care_token() } else { self.service.sandbox.token() }
    }

    pub(super) fn build(&self, (method, path, body): Request) -> reqwest::RequestBuilder {
        let url = format!("{}{}", self.service.sandbox.base_url(), self.fill_placeholders(path));
        let request = self.service.http.request(method.parse().unwrap(), url);
        if body.is_empty() { request } else { request.header("content-type", "application/json").body(self.fill_placeholders(body)) }
    }

    /// Sends a request with or without a token. Returns the status.
    async fn status_of(&self, request: Request, token: bool) -> u16 {
        let built = self.build(request);
        let built = if token { built.bearer_auth(self.token(request.1)) } else { built };
        self.service.send(built).await.status.as_u16()
    }

    /// Sends a request with a fault that sets the status. Returns the status.
    async fn status_with_fault(&self, request: Request, status: u16) -> u16 {
        let built = self.build(request).bearer_auth(self.token(request.1));
        self.service.send(built.header("x-sandbox-fault", format!("status; status={status}"))).await.status.as_u16()
    }

    /// Returns the example in the 501 of an operation without a handler.
    pub(super) async fn example(&self, operation: &Operation) -> Option<Value> {
        let (method, path) = operation.request();
        let url = format!("{}{path}", self.service.sandbox.base_url());
        let request = self.service.http.request(method, url).bearer_auth(self.token(&path)).build().unwrap();
        let response = self.service.send_unchecked(request).await;
        assert_eq!(response.status, 501, "{}", operation.id);
        response.json().get("example").cloned()
    }

    /// Whether a request whose body ends within its first chunk gets a 400 response.
    async fn rejects_aborted_body(&self, (method, path, _): Request) -> bool {
        let (path, token) = (self.fill_placeholders(path), self.token(path));
        let head = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\nconnection: close\r\n");
        exchange_checked(self.service, format!("{head}transfer-encoding: chunked\r\n\r\nzz\r\n").as_bytes())
            .await
            .starts_with("HTTP/1.1 400 ")
    }
}

// statements: errors.five_per_endpoint, supplement.error.common_statuses, supplement.error.conditions
#[tokio::test]
async fn every_documented_status_is_reached_and_no_other() {
    let service = Service::new().await;
    let requester = Requester::new(&service).await;

    let implemented: BTreeSet<&str> = VALID_REQUESTS.iter().map(|(operation, _)| *operation).collect();
    assert!(implemented.is_subset(&SPECIFICATION.ids()));
    for operation in SPECIFICATION.operations.iter().filter(|operation| !implemented.contains(operation.id.as_str())) {
        operation.check_example(requester.example(operation).await.as_ref());
    }
    for (operation, request) in VALID_REQUESTS.iter().copied() {
        assert!(requester.rejects_aborted_body(request).await, "{operation}");
        // The token exchange needs no token. Its 401 means a wrong signature.
        let expected = if operation == "exchange_token" { 200 } else { 401 };
        assert_eq!(requester.status_of(request, false).await, expected, "{operation} without a token");
        assert!([200, 204].contains(&requester.status_of(request, true).await), "{operation}");
    }
    let wrong = r#"{"application_id":1,"application_user_id":"person-1","signature":"00"}"#;
    assert_eq!(requester.status_of(("POST", "/v3/auth/hmac", wrong), false).await, 401);
    for (status, request) in INVALID_REQUESTS {
        assert_eq!(requester.status_of(request, true).await, status, "{request:?}");
    }
    for (status, policy) in INVALID_POLICIES {
        let url = format!("{}/public/v1/clinics/c/patients/p/policies/{policy}/benefits", service.sandbox.care_base_url());
        let response = service.send(service.http.get(url).bearer_auth(service.sandbox.care_token())).await;
        response.problem(status);
    }

    let by_itself = service.seen_statuses();
    for (status, operations) in ONLY_BY_FAULT {
        for (operation, request) in
            VALID_REQUESTS.iter().copied().filter(|(operation, _)| operations.is_empty() || operations.contains(operation))
        {
            assert!(!by_itself.contains(&(operation, status)), "{operation} does answer {status}");
            assert_eq!(requester.status_with_fault(request, status).await, status, "{operation}");
        }
    }

    // Statuses that no handler returns are left out, such as a 409 documented by a later specification.
    let seen = service.seen_statuses();
    let played: BTreeSet<u16> = seen.iter().map(|(_, status)| *status).collect();
    let mut expected = SPECIFICATION.documented();
    expected.retain(|(operation, status)| implemented.contains(operation) && played.contains(status));
    let missing: BTreeSet<_> = expected.difference(&seen).collect();
    let extra: BTreeSet<_> = seen.difference(&expected).collect();
    assert!(missing.is_empty() && extra.is_empty(), "missing {missing:?}, besides {extra:?}");
}
