//! Responses that another program received.

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH};

use super::attempt::{FailedAttempt, MAX_ERROR_BYTES, body_failure, status_failure};
use super::unreadable_body::UnreadableBody;
use super::{ClientState, status};
use crate::error::{BoxError, Error, ErrorKind};
use crate::operation::{Effect, OperationMeta, RawResponse, ResponseMetadata};

/// Checks status and size of a response, like those of an attempt. The body must be decompressed.
pub(crate) fn check_received(client: &ClientState, meta: &OperationMeta, response: http::Response<Bytes>) -> Result<RawResponse, Error> {
    let (parts, body) = response.into_parts();
    let mut headers = parts.headers;
    // They describe the compressed body.
    headers.remove(CONTENT_ENCODING);
    headers.remove(CONTENT_LENGTH);
    let mut head = ResponseMetadata::new(meta, parts.status.as_u16(), headers);
    head.attempts = 1;
    let size = u64::try_from(body.len()).unwrap_or(u64::MAX);
    let FailedAttempt { error, retry } = if !status::is_success(head.status) {
        status_failure(&head, Some(&body[..]).filter(|_| size <= MAX_ERROR_BYTES))
    } else if size > client.max_response_bytes {
        body_failure(&head, UnreadableBody::TooLarge)
    } else {
        return Ok(RawResponse { meta: head, body });
    };
    Err(error.with_effect(if retry.may_have_taken_effect() { meta.effect() } else { Effect::None }))
}

/// Creates the error of a request without a response.
pub(crate) fn lost_response(meta: &OperationMeta, cause: BoxError) -> Error {
    // The cause does not tell reliably whether the service received the request.
    Error::with_reason(ErrorKind::Transport, "no response was received")
        .with_source(cause)
        .with_operation(meta)
        .with_attempts(1)
        .with_effect(meta.effect())
}
