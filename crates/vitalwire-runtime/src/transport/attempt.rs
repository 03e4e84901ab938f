//! One attempt: sends a request, reads the response, and classifies the outcome.

use std::pin::pin;
use std::time::{Duration, SystemTime};

use super::body;
use super::content_coding::ContentCoding;
use super::deadlines::{CallClock, ExpiredDeadline};
use super::retry::RetryDecision;
use super::unreadable_body::UnreadableBody;
use super::{classify, connect, head, retry_after, status};
use crate::error::{self, Error, ErrorKind, PROXY_CREDENTIALS, parse_problem};
use crate::operation::{OperationMeta, RawResponse, ResponseMetadata};

/// Maximum size of an error body, in bytes after decompression. Problem details that quote a rejected value can be long. If a body is
/// larger, the error has no details.
pub(super) const MAX_ERROR_BYTES: u64 = 256 << 10;

/// The outcome of sending a request.
pub(super) type SendResult = Result<reqwest::Response, FailedAttempt>;

/// A failed attempt. The operation and the number of attempts are added to its error later.
pub(super) struct FailedAttempt {
    pub(super) error: Error,
    pub(super) retry: RetryDecision,
}

impl FailedAttempt {
    /// Creates the failure of an attempt that ended before the response head was read.
    pub(super) fn from_reqwest(error: reqwest::Error) -> Self {
        let (error, retry) = classify::send_error(error);
        Self { error, retry }
    }
}

/// Sends a request and reads the response, within the deadlines of the call. The `sending` future is first polled here.
///
/// The caller owns `head`, so that the response head is not lost if the call ends while the body is read. `on_head` is called before the
/// body is read.
pub(super) async fn run_attempt(
    meta: &OperationMeta,
    max_response_bytes: u64,
    any_status: bool,
    sending: impl Future<Output = SendResult>,
    clock: &CallClock,
    head: &mut Option<ResponseMetadata>,
    on_head: impl FnOnce(&ResponseMetadata),
) -> Result<RawResponse, FailedAttempt> {
    let exchange = async {
        let mut response = sending.await?;
        if head::is_too_large(&response) {
            return Err(FailedAttempt { error: classify::head_too_large(), retry: RetryDecision::PermanentMayHaveTakenEffect });
        }
        let mut headers = std::mem::take(response.headers_mut());
        let coding = ContentCoding::take(&mut headers);
        let head = head.insert(ResponseMetadata::new(meta, response.status().as_u16(), headers));
        on_head(head);
        if !any_status && !status::is_success(head.status) {
            let body = body::read(response, coding, max_response_bytes.min(MAX_ERROR_BYTES)).await.ok();
            return Err(status_failure(head, body.as_deref()));
        }
        body::read(response, coding, max_response_bytes).await.map_err(|unread| body_failure(head, unread))
    };
    // Pinned in place: each of the two layers would otherwise copy it.
    let outcome = clock.within_attempt(connect::with_connect_timeout(clock.connect, pin!(exchange))).await;
    match outcome {
        Ok(outcome) => outcome.and_then(|body| match head.take() {
            Some(meta) => Ok(RawResponse { meta, body }),
            None => {
                Err(FailedAttempt { error: Error::internal("the response has no head"), retry: RetryDecision::PermanentMayHaveTakenEffect })
            }
        }),
        Err(expired) => Err(timeout_failure(head.as_ref(), expired)),
    }
}

/// Returns the delay that a response asks for, if its status can be retried.
pub(super) fn requested_delay(head: &ResponseMetadata) -> Option<Duration> {
    match status::retry_decision(head.status) {
        RetryDecision::Rejected | RetryDecision::MayHaveTakenEffect => retry_after::parse_retry_after(&head.headers, SystemTime::now()),
        _ => None,
    }
}

pub(super) fn status_failure(head: &ResponseMetadata, body: Option<&[u8]>) -> FailedAttempt {
    // The body of a redirect is not problem details.
    let body = body.filter(|_| head.status >= 400);
    let kind = error::status::classify_status(head.status).0;
    let error = if head.status == 407 { Error::with_reason(kind, PROXY_CREDENTIALS) } else { Error::new(kind) };
    let error = error
        .with_retry_after(retry_after::parse_retry_after(&head.headers, SystemTime::now()))
        .with_problem(body.and_then(parse_problem), head.interface.details)
        .with_response(head.clone());
    FailedAttempt { error, retry: status::retry_decision(head.status) }
}

/// Creates the failure for a success response whose body cannot be read.
pub(super) fn body_failure(head: &ResponseMetadata, unread: UnreadableBody) -> FailedAttempt {
    let (error, retry) = match unread {
        UnreadableBody::TooLarge => (
            Error::with_reason(ErrorKind::TooLarge, "the response is larger than max_response_bytes allows"),
            RetryDecision::PermanentMayHaveTakenEffect,
        ),
        UnreadableBody::UnknownCoding => (
            Error::with_reason(ErrorKind::Decode, "the body has a content encoding that was not requested"),
            RetryDecision::PermanentMayHaveTakenEffect,
        ),
        UnreadableBody::Connection(error) => classify::body_error(error.without_url()),
        UnreadableBody::EndedRuntime(error) => classify::body_error(error),
        UnreadableBody::Decompression(error) => classify::decompression_error(error),
    };
    FailedAttempt { error: error.with_response(head.clone()), retry }
}

fn timeout_failure(head: Option<&ResponseMetadata>, expired: ExpiredDeadline) -> FailedAttempt {
    let FailedAttempt { error, retry } = match head {
        // An error status takes precedence, even if its body never ended.
        Some(head) if !status::is_success(head.status) => status_failure(head, None),
        Some(head) => FailedAttempt { error: Error::from(expired).with_response(head.clone()), retry: RetryDecision::MayHaveTakenEffect },
        None => FailedAttempt { error: Error::from(expired), retry: RetryDecision::MayHaveTakenEffect },
    };
    let retry = match (expired, retry.may_have_taken_effect()) {
        (ExpiredDeadline::Attempt, _) => retry,
        (ExpiredDeadline::Total, true) => RetryDecision::PermanentMayHaveTakenEffect,
        (ExpiredDeadline::Total, false) => RetryDecision::Permanent,
    };
    FailedAttempt { error, retry }
}
