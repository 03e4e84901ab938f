//! [`InjectedFault`]: a fault applied to a request, before its body is read, instead of its operation, or to its response.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::response::Parts;
use http::{HeaderValue, Method, StatusCode, header};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::action::{Action, ErrorBody, StatusFault};
use super::fault::Fault;
use super::wire::{ConnectionEnd, ConnectionHandle, RawResponse};
use super::{Faults, body, rewrite};
use crate::requests::{FAULT_HEADER, LogEntry, log_response};
use crate::spec::Operation;
use crate::tokens;
use crate::values::calendar::plus;
use crate::web::problem::{ErrorItem, Problem};
use crate::web::response::complete_response;

/// Maximum size of a response that a fault can change, in bytes.
const MAX_BODY: usize = 256 * 1_048_576;

const PAGE: &str = "<!doctype html>\n<html lang=\"en\"><head><title>Synthetic gateway</title></head>\n\
    <body><h1>Synthetic gateway</h1><p>This page is a fault that was requested.</p></body></html>\n";

/// A fault selected for a request.
#[derive(Debug)]
pub(crate) struct InjectedFault {
    fault: Fault,
    /// `None` if another server serves the router.
    connection: Option<ConnectionHandle>,
}

impl InjectedFault {
    /// Selects the fault of a request: the one in its header, or else the first active fault that matches.
    pub(crate) fn select(faults: &Faults, operation: &'static Operation, request: &Request, attempt: u32) -> Result<Option<Self>, Problem> {
        let header_text = request.headers().get(FAULT_HEADER);
        if header_text.is_none() && faults.is_empty() {
            return Ok(None);
        }
        let user = tokens::claimed_user(request.headers());
        let found = match header_text {
            Some(text) => {
                let fault = parse_header(text)?;
                let matches_request = fault.operation.is_none_or(|at| at == operation)
                    && fault.user.as_deref().is_none_or(|expected_user| Some(expected_user) == user.as_deref())
                    && fault.times.is_none_or(|times| times.includes(attempt));
                matches_request.then_some(fault)
            }
            None => faults.take_matching(operation, user.as_deref()),
        };
        let connection = request.extensions().get::<ConnectionHandle>().cloned();
        match found {
            Some(fault) if connection.is_none() && fault.action.needs_connection() => Err(Problem::new(
                StatusCode::NOT_IMPLEMENTED,
                "this fault works only on the sandbox's own socket, not behind another server",
            )),
            found => Ok(found.map(|fault| Self { fault, connection })),
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.fault.kind.name
    }

    /// Applies the delay and `reset_before`, before the body of the request is read. Does not return after a reset.
    pub(crate) async fn apply_before(&self, entry: LogEntry) -> LogEntry {
        if !self.fault.delay.is_zero() {
            tokio::time::sleep(self.fault.delay).await;
        }
        if matches!(self.fault.action, Action::ResetBefore) {
            self.take_over(Vec::new(), 0, ConnectionEnd::Reset, entry).await;
            return std::future::pending().await;
        }
        entry
    }

    /// Returns the response that replaces the operation, if any.
    pub(crate) fn replacement(&self) -> Option<Response> {
        let Action::Status(status_fault) = &self.fault.action else { return None };
        let mut response = match status_fault.body {
            ErrorBody::Html => (status_fault.status, [(header::CONTENT_TYPE, "text/html")], PAGE).into_response(),
            ErrorBody::Empty => status_fault.status.into_response(),
            ErrorBody::Problem => status_problem(status_fault).into_response(),
        };
        let now = Timestamp::now();
        let seconds = status_fault.retry_after.map(|seconds| seconds.to_string());
        let date = status_fault.retry_after_date.and_then(|seconds| {
            let at = plus(now, SignedDuration::from_secs(seconds));
            jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&at).ok()
        });
        for value in [seconds, date].into_iter().flatten().filter_map(|text| HeaderValue::try_from(text).ok()) {
            response.headers_mut().append(header::RETRY_AFTER, value);
        }
        Some(response)
    }

    /// Applies the fault to the final response. Does not return if the fault takes over the connection.
    pub(crate) async fn apply_to_response(&self, method: &Method, response: Response, entry: LogEntry) -> Response {
        let action = &self.fault.action;
        if matches!(action, Action::Delay | Action::Status(_) | Action::ResetBefore) {
            return log_response(entry, response);
        }
        if matches!(action, Action::ResetAfter) {
            return self.take_over(Vec::new(), 0, ConnectionEnd::Reset, entry).await;
        }
        // These responses have no body to change.
        if *method == Method::HEAD || response.status() == StatusCode::NO_CONTENT && !matches!(action, Action::Html) {
            return log_response(entry, response);
        }
        let (mut parts, body) = response.into_parts();
        let Ok(bytes) = to_bytes(body, MAX_BODY).await else {
            let response = failed_response(entry.id());
            return log_response(entry, response);
        };
        parts.headers.remove(header::CONTENT_LENGTH);
        let response = match action {
            Action::ResetMidBody { percent } => return self.send_truncated(&parts, &bytes, *percent, ConnectionEnd::Reset, entry).await,
            Action::Truncate { percent, end } => return self.send_truncated(&parts, &bytes, *percent, *end, entry).await,
            Action::WrongLength { by, end } => {
                let declared = (length(&bytes) + by).max(0);
                return self.send_raw(&parts, declared, &bytes, *end, entry).await;
            }
            Action::Html => {
                parts.status = StatusCode::OK;
                parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html"));
                Response::from_parts(parts, Body::from(PAGE))
            }
            Action::Slow { size, pause } => {
                let length = bytes.len() as u64;
                with_length(parts, body::slow_body(bytes, *size, *pause), length)
            }
            Action::BigBody { megabytes } => {
                let (body, length) = body::padded_body(bytes, *megabytes);
                with_length(parts, body, length)
            }
            Action::Gzip { megabytes, cut } => compressed_response(parts, bytes, *megabytes, *cut, entry.id()).await,
            Action::MalformedJson { percent } => Response::from_parts(parts, Body::from(rewrite::truncate_json(&bytes, *percent))),
            Action::Rewrite(change) => {
                let body = rewrite::rewrite(change, &bytes).map_or(bytes, Bytes::from);
                Response::from_parts(parts, Body::from(body))
            }
            Action::Delay | Action::Status(_) | Action::ResetBefore | Action::ResetAfter => Response::from_parts(parts, Body::from(bytes)),
        };
        log_response(entry, response)
    }

    /// Sends the first part of a body with the full content length.
    async fn send_truncated(&self, parts: &Parts, bytes: &Bytes, percent: usize, end: ConnectionEnd, entry: LogEntry) -> Response {
        self.send_raw(parts, length(bytes), &bytes[..bytes.len() * percent / 100], end, entry).await
    }

    /// Sends a response past the HTTP server and ends the connection.
    async fn send_raw(&self, parts: &Parts, declared: i64, body: &[u8], end: ConnectionEnd, mut entry: LogEntry) -> Response {
        let mut bytes = encode_head(parts, declared);
        bytes.extend_from_slice(body);
        entry.set_status(parts.status);
        self.take_over(bytes, body.len(), end, entry).await
    }

    async fn take_over(&self, bytes: Vec<u8>, body: usize, end: ConnectionEnd, entry: LogEntry) -> Response {
        match &self.connection {
            Some(connection) => connection.take_over(RawResponse::new(bytes, body, end, entry)).await,
            // Unreachable: `find` rejects such a fault.
            None => StatusCode::NOT_IMPLEMENTED.into_response(),
        }
    }
}

fn length(bytes: &Bytes) -> i64 {
    i64::try_from(bytes.len()).unwrap_or(i64::MAX)
}

fn status_problem(status_fault: &StatusFault) -> Problem {
    let default = match status_fault.status.as_u16() {
        400 | 422 => "validation failed".to_owned(),
        401 => "expired jwt".to_owned(),
        _ => status_fault.status.canonical_reason().unwrap_or("synthetic fault").to_lowercase(),
    };
    let problem = Problem::new(status_fault.status, status_fault.detail.clone().unwrap_or(default));
    if status_fault.status == StatusCode::UNPROCESSABLE_ENTITY {
        return problem.with_error(ErrorItem::new("body", "rejected by a requested fault", Value::Null));
    }
    problem
}

async fn compressed_response(mut parts: Parts, bytes: Bytes, megabytes: u64, cut: bool, id: &str) -> Response {
    let compressed = tokio::task::spawn_blocking(move || body::compress(&bytes, megabytes)).await;
    let Ok(Ok(mut compressed)) = compressed else {
        return failed_response(id);
    };
    if cut {
        // The last eight bytes are the checksum and length of gzip.
        compressed.truncate(compressed.len().saturating_sub(12));
    }
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    Response::from_parts(parts, Body::from(compressed))
}

/// Returns the response for a body that is too large for its fault or cannot be compressed. It bypasses the gateway, so it is finished
/// here.
fn failed_response(id: &str) -> Response {
    complete_response(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error").into_response(), id)
}

fn parse_header(text: &HeaderValue) -> Result<Fault, Problem> {
    let location = format!("header.{FAULT_HEADER}");
    let text = text.to_str().map_err(|_| Problem::invalid(ErrorItem::new(&location, "must be text", Value::Null)))?;
    text.parse::<Fault>().map_err(|error| {
        let item = |(name, message)| ErrorItem::text(&location, format!("{name}: {message}"), text);
        Problem::invalid_all(error.0.into_iter().map(item).collect())
    })
}

fn with_length(mut parts: Parts, body: Body, length: u64) -> Response {
    parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    Response::from_parts(parts, body)
}

/// Writes a response head as the server would, with any content length.
fn encode_head(parts: &Parts, length: i64) -> Vec<u8> {
    let status = parts.status;
    let mut head = format!("HTTP/1.1 {} {}\r\n", status.as_str(), status.canonical_reason().unwrap_or_default()).into_bytes();
    for (name, value) in &parts.headers {
        head.extend_from_slice(name.as_str().as_bytes());
        head.extend_from_slice(b": ");
        head.extend_from_slice(value.as_bytes());
        head.extend_from_slice(b"\r\n");
    }
    head.extend_from_slice(format!("content-length: {length}\r\n\r\n").as_bytes());
    head
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_response_that_cannot_be_changed_is_a_500() {
        let entry = LogEntry::new(&std::sync::Arc::default(), &Request::new(Body::empty()), None, "some-id".to_owned());
        let injected = InjectedFault { fault: "gzip".parse().unwrap(), connection: None };
        let failing = futures_util::stream::iter([Err::<Bytes, _>(std::io::Error::other("synthetic"))]);
        let response = injected.apply_to_response(&Method::GET, Response::new(Body::from_stream(failing)), entry).await;
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/problem+json");
        assert_eq!(response.headers()["x-synthetic-data"], "true");
        let body: Value = serde_json::from_slice(&to_bytes(response.into_body(), MAX_BODY).await.unwrap()).unwrap();
        assert_eq!((&body["status"], &body["instance"]), (&500.into(), &"urn:uuid:some-id".into()));
    }
}
