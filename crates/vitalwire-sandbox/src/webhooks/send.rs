//! Sends a body to a receiver.

use std::time::Duration;

use axum::body::Body;
use hmac::Mac;
use http::{Method, Request, StatusCode, header};
use http_body_util::{BodyExt, Limited};

use crate::outbound::{AllowedHosts, OutboundError};
use crate::values::crypto;

/// Timeout of a receiver in real time, as documented.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum size of a response body. It is read and discarded.
const MAX_RESPONSE_BYTES: usize = 64 * 1024;

/// Failure of an attempt: the status, if there was a response, and a fixed text.
pub(super) type AttemptFailure = (Option<u16>, &'static str);

pub(super) async fn send_body(hosts: &AllowedHosts, url: &str, key: &str, body: &str) -> Result<(), AttemptFailure> {
    tokio::time::timeout(TIMEOUT, send_request(hosts, url, key, body)).await.unwrap_or(Err((None, "no response within 30 s")))
}

async fn send_request(hosts: &AllowedHosts, url: &str, key: &str, body: &str) -> Result<(), AttemptFailure> {
    let convert = |error: OutboundError| (None, error.message());
    let url = hosts.parse(url).map_err(convert)?;
    let signature = crypto::hex(&crypto::mac(key.as_bytes(), body.as_bytes()).finalize().into_bytes());
    let request = Request::builder()
        .method(Method::POST)
        .header(header::CONTENT_TYPE, "application/json")
        .header("x-body-signature", signature)
        .header("x-synthetic-data", "true");
    let reply = hosts.send(&url, request, Body::from(body.to_owned())).await.map_err(convert)?;
    let status = reply.response.status();
    // Read so that the receiver can finish writing. The contents are ignored.
    let _ = Limited::new(reply.response.into_body(), MAX_RESPONSE_BYTES).collect().await;
    if status == StatusCode::OK { Ok(()) } else { Err((Some(status.as_u16()), "the receiver did not return status 200")) }
}
