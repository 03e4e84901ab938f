//! Outermost layer. Like a gateway, it reads the whole request first, so that an early error reaches a client that
//! is still sending. It assigns request ids, marks each response as synthetic and states the time of the sandbox's clock.

use std::panic::AssertUnwindSafe;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use http::{HeaderName, HeaderValue, StatusCode, header};
use jiff::fmt::rfc2822::DateTimePrinter;

use crate::app::AppState;
use crate::control;
use crate::faults::InjectedFault;
use crate::request_bodies::BodyError;
use crate::requests::{LogEntry, log_response};
use crate::spec;
use crate::values::crypto;
use crate::web::problem::Problem;
use crate::web::response::complete_response;

/// Response header that states the data set.
static DATA_SET: HeaderName = HeaderName::from_static("vitalwire-sandbox");
/// Header of recorded responses.
const RECORDED: &str = "x-recorded";

const FOREIGN_HOST: &str = "unknown host: use localhost or an IP address";

/// Error page of a gateway in front of the service.
const TOO_LARGE: &str = "<html>\r\n<head><title>413 Request Entity Too Large</title></head>\r\n<body>\r\n\
    <center><h1>413 Request Entity Too Large</h1></center>\r\n<hr><center>synthetic gateway</center>\r\n</body>\r\n</html>\r\n";

pub(crate) async fn handle(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let number = app.next_request();
    let id = crypto::digest_uuid(&[b"request", &app.settings().seed.to_be_bytes(), &number.to_be_bytes()]).to_string();
    let rebound = control::is_rebound(&app, &request).then(|| Problem::new(StatusCode::MISDIRECTED_REQUEST, FOREIGN_HOST));
    if control::is_control_path(request.uri().path()) {
        let replacement = app.settings().replay.as_ref().and_then(|replay| replay.respond_to_control(&request));
        let is_replaced = replacement.is_some();
        let response = complete_response(respond(&app, request, next, replacement).await, &id);
        return if is_replaced { with_replay_headers(response) } else { with_sandbox_headers(&app, response) };
    }
    let operation = spec::operation_of(&request);
    let mut entry = LogEntry::new(app.log(), &request, operation, id);
    let find = || operation.map(|operation| InjectedFault::select(app.faults(), operation, &request, entry.attempt())).transpose();
    match rebound.map_or_else(find, Err).map(Option::flatten) {
        Err(problem) => {
            let response = with_sandbox_headers(&app, complete_response(problem.into_response(), entry.id()));
            log_response(entry, response)
        }
        Ok(None) => {
            let replacement = app.settings().replay.as_ref().map(|replay| replay.respond(&request, operation));
            let is_recorded = replacement.is_some();
            let response = complete_response(respond(&app, request, next, replacement).await, entry.id());
            // A recording has a clock and data of its own.
            let response = if is_recorded { with_replay_headers(response) } else { with_sandbox_headers(&app, response) };
            log_response(entry, response)
        }
        Ok(Some(fault)) => {
            let method = request.method().clone();
            entry.set_fault(fault.name());
            let entry = fault.apply_before(entry).await;
            let replacement = fault.replacement();
            let replay = app.settings().replay.as_ref().filter(|_| replacement.is_none());
            let recorded = replay.map(|replay| replay.respond(&request, operation));
            let is_recorded = recorded.is_some();
            let response = complete_response(respond(&app, request, next, replacement.or(recorded)).await, entry.id());
            let response = if is_recorded { with_replay_headers(response) } else { with_sandbox_headers(&app, response) };
            let response = fault.apply_to_response(&method, response, entry).await;
            // If the fault cannot be applied, the response is a new one.
            if response.headers().contains_key(RECORDED) { response } else { with_sandbox_headers(&app, response) }
        }
    }
}

/// Adds the data set and the `Date` of the sandbox's clock. Without it, the server would add the date of the machine's clock.
fn with_sandbox_headers(app: &AppState, mut response: Response) -> Response {
    let headers = response.headers_mut();
    if let Ok(data_set) = HeaderValue::try_from(app.data_set()) {
        headers.insert(DATA_SET.clone(), data_set);
    }
    let date = DateTimePrinter::new().timestamp_to_rfc9110_string(&app.clock().now());
    if let Some(date) = date.ok().and_then(|date| HeaderValue::try_from(date).ok()) {
        headers.insert(header::DATE, date);
    }
    response
}

/// Marks a response as recorded. A recorded page must not run scripts with the rights of the sandbox's own page.
fn with_replay_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert("x-synthetic-data", HeaderValue::from_static("false"));
    headers.insert(RECORDED, HeaderValue::from_static("true"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("sandbox; default-src 'none'"));
    response
}

async fn respond(app: &AppState, request: Request, next: Next, replacement: Option<Response>) -> Response {
    let (parts, body) = request.into_parts();
    let body = match app.body_budget().read(body, app.settings().limits.body).await {
        Ok(body) => body,
        Err(error) => return rejection(error),
    };
    if let Some(replacement) = replacement {
        return replacement;
    }
    let request = Request::from_parts(parts, Body::from(body));
    match AssertUnwindSafe(next.run(request)).catch_unwind().await {
        Ok(response) => response,
        Err(_) => Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error").into_response(),
    }
}

fn rejection(error: BodyError) -> Response {
    let (status, detail, header) = match error {
        BodyError::TooLarge => return too_large_page(),
        BodyError::Aborted => (StatusCode::BAD_REQUEST, "the body ended early", None),
        BodyError::TooSlow => (StatusCode::REQUEST_TIMEOUT, "the body took too long", Some((header::CONNECTION, "close"))),
        BodyError::BudgetExhausted => {
            (StatusCode::SERVICE_UNAVAILABLE, "too many large bodies at the same time; retry later", Some((header::RETRY_AFTER, "1")))
        }
    };
    let mut response = Problem::new(status, detail).into_response();
    if let Some((name, value)) = header {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn too_large_page() -> Response {
    let mut response = (StatusCode::PAYLOAD_TOO_LARGE, TOO_LARGE).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html"));
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}
