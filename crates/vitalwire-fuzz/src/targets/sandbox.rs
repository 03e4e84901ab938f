//! Target for raw requests to the sandbox, without a socket. No request may break it, and every error must have the documented format.
//!
//! An input consists of a line `METHOD TARGET`, header lines, an empty line and a body. The header value `<token>` is replaced by a token
//! of the main service, and `<care>` by a token of the other service.

use std::sync::LazyLock;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode, Uri, header};
use http_body_util::BodyExt;
use serde_json::Value;
use tokio::runtime::Runtime;
use tower_service::Service as _;
use vitalwire_sandbox::{AppState, Sandbox, civil};

/// Maximum number of bytes read from a response. Long responses are generated while they are sent.
const MAX_BYTES: usize = 256 * 1024;
/// Maximum time of a response. Requests that would contact another machine are excluded.
const PATIENCE: Duration = Duration::from_secs(8);

/// Shared by all inputs, so that uploads remain, as in a real service.
static APP: LazyLock<AppState> = LazyLock::new(app);

fn app() -> AppState {
    let today = civil::date(2025, 11, 21);
    Sandbox::builder().seed(7).today(today).app("http://sandbox.test").unwrap_or_else(|error| panic!("no sandbox: {error}"))
}

thread_local! {
    pub(super) static RUNTIME: Runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap_or_else(|error| panic!("no runtime: {error}"));
}

/// Sends an input as a request.
pub fn run(input: &[u8]) {
    let Some(request) = request(input, &APP) else { return };
    let path = request.uri().path().to_owned();
    // Control routes change the sandbox itself, so each gets its own instance. Streams never end, and faults are meant to break responses.
    let own_app = path.starts_with("/_sandbox").then(app);
    if path.starts_with("/_sandbox/requests") || path.starts_with("/_sandbox/faults") {
        return;
    }
    let router = own_app.as_ref().unwrap_or(&APP).router();
    let head = request.method() == Method::HEAD;
    let (status, kind, body) = RUNTIME.with(|runtime| runtime.block_on(send(router, request)));
    if head {
        assert_eq!(body.as_deref(), Some(&[][..]), "{path}: a HEAD response has a body");
        assert!(is_served(status), "{path} has status {status}");
        return;
    }
    check(&path, status, &kind, body.as_deref());
}

/// Converts an input to a request. Returns `None` if it is invalid or would leave this process.
fn request(input: &[u8], app: &AppState) -> Option<Request<Body>> {
    let mut rest = input;
    let line = line(&mut rest)?;
    let (method, target) = line.split_once(' ')?;
    let mut request = Request::builder().method(Method::from_bytes(method.as_bytes()).ok()?).uri(target.parse::<Uri>().ok()?);
    while let Some(line) = line_or_end(&mut rest) {
        let Some((name, value)) = line.split_once(':') else { continue };
        let value = value.trim().replace("<token>", app.token()).replace("<care>", app.care_token());
        // Fault headers are meant to break responses.
        let name = name.parse::<HeaderName>().ok().filter(|name| !name.as_str().starts_with("x-sandbox-"));
        if let (Some(name), Ok(value)) = (name, HeaderValue::from_str(&value)) {
            request = request.header(name, value);
        }
    }
    // The sandbox would fetch a URL in the body.
    let fetches = rest.windows(8).any(|window| window == b"body_url" || window.starts_with(b"\\u0"));
    if fetches { None } else { request.body(Body::from(rest.to_vec())).ok() }
}

fn line<'a>(rest: &mut &'a [u8]) -> Option<&'a str> {
    let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    let (line, after) = rest.split_at(end);
    *rest = after.get(1..).unwrap_or_default();
    std::str::from_utf8(line).ok().map(|line| line.trim_end_matches('\r'))
}

/// Returns the next line of the head, or `None` at its end.
fn line_or_end<'a>(rest: &mut &'a [u8]) -> Option<&'a str> {
    if rest.is_empty() {
        return None;
    }
    line(rest).filter(|line| !line.is_empty())
}

async fn send(mut router: Router, request: Request<Body>) -> (StatusCode, String, Option<Vec<u8>>) {
    let received = tokio::time::timeout(PATIENCE, async {
        let response: Response<Body> = router.call(request).await.unwrap_or_else(|never| match never {});
        let (parts, mut body) = response.into_parts();
        let kind = parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default().to_owned();
        let mut bytes = Vec::new();
        while let Some(frame) = body.frame().await {
            let frame = frame.unwrap_or_else(|error| panic!("the response was truncated: {error}"));
            bytes.extend_from_slice(frame.data_ref().map_or(&[][..], |data| data));
            if bytes.len() > MAX_BYTES {
                return (parts.status, kind, None);
            }
        }
        (parts.status, kind, Some(bytes))
    });
    received.await.unwrap_or_else(|_| panic!("no response within {PATIENCE:?}"))
}

/// Whether the status is not a server error. An operation without a handler is only documented, and returns 501.
fn is_served(status: StatusCode) -> bool {
    status.as_u16() < 500 || status == StatusCode::NOT_IMPLEMENTED
}

/// Checks that a response is not a server error, and that every error has the documented format.
pub fn check(path: &str, status: StatusCode, kind: &str, body: Option<&[u8]>) {
    assert!(is_served(status), "{path} has status {status}");
    let json = |body: &[u8]| serde_json::from_slice::<Value>(body).unwrap_or_else(|error| panic!("{path}: {error}"));
    match (kind, body) {
        ("application/problem+json", Some(body)) => {
            let problem = json(body);
            let documented =
                status == StatusCode::NOT_IMPLEMENTED && problem["detail"].as_str().is_some_and(|text| text.contains("does not implement"));
            assert!(status.is_client_error() || documented, "{path}: a problem with {status}");
            assert_eq!(problem["status"], status.as_u16(), "{path}");
            for member in ["type", "title", "detail", "instance"] {
                assert!(problem[member].is_string(), "{path}: no {member}");
            }
            let errors = problem["errors"].as_array().unwrap_or_else(|| panic!("{path}: no list of errors"));
            assert!(errors.iter().all(|error| error["location"].is_string() && error["message"].is_string()), "{path}");
        }
        ("application/json", Some(body)) => {
            assert!(status.is_success(), "{path}: {status} without a problem");
            drop(json(body));
        }
        // The page of an expired link is an error for people, and so is the rejection by a gateway.
        _ if status.is_client_error() => assert!(kind.starts_with("text/html"), "{path}: {status} as `{kind}`"),
        // The response to a HEAD request has no body to identify the error.
        _ if status == StatusCode::NOT_IMPLEMENTED => assert!(body.is_some_and(<[u8]>::is_empty), "{path}: {status} as `{kind}`"),
        _ => {}
    }
}
