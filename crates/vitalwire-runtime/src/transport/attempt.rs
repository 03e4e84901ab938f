//! One attempt: sends a request, reads the response, and classifies the outcome.

use std::time::{Duration, SystemTime};

use super::body;
use super::coding::Coding;
use super::deadlines::{CallClock, ExpiredDeadline};
use super::retry::RetryDecision;
use super::unreadable_body::UnreadableBody;
use super::{classify, connect, head, retry_after, status};
use crate::error::{self, Error, ErrorKind, parse_problem};
use crate::operation::{OperationMeta, RawResponse, ResponseMetadata};

/// Maximum size of an error body, in bytes after decompression. Problem details that quote a rejected value can be long. If a body is
/// larger, the error has no details.
const MAX_ERROR_BYTES: u64 = 256 << 10;

/// The outcome of sending a request.
pub(super) type Sent = Result<reqwest::Response, Failed>;

/// A failed attempt. The operation and the number of attempts are added to its error later.
pub(super) struct Failed {
    pub(super) error: Error,
    pub(super) again: RetryDecision,
}

impl Failed {
    /// Creates the failure of an attempt that ended before the response head was read.
    pub(super) fn sending(error: reqwest::Error) -> Self {
        let (error, again) = classify::sending(error);
        Self { error, again }
    }
}

/// Sends a request and reads the response, within the deadlines of the call. The `sending` future is first polled here.
///
/// The caller owns `head`, so that the response head is not lost if the call ends while the body is read. `on_head` is called before the
/// body is read.
pub(super) async fn attempt(
    meta: &OperationMeta,
    max_response_bytes: u64,
    sending: impl Future<Output = Sent>,
    clock: &CallClock,
    head: &mut Option<ResponseMetadata>,
    on_head: impl FnOnce(&ResponseMetadata),
) -> Result<RawResponse, Failed> {
    let exchange = async {
        let mut response = sending.await?;
        if head::is_too_large(&response) {
            return Err(Failed { error: classify::head_too_large(), again: RetryDecision::NeverAndMayHaveActed });
        }
        let mut headers = std::mem::take(response.headers_mut());
        let coding = Coding::take(&mut headers);
        let head = head.insert(ResponseMetadata::new(meta, response.status().as_u16(), headers));
        on_head(head);
        if !status::is_success(head.status) {
            let body = body::read(&mut response, coding, max_response_bytes.min(MAX_ERROR_BYTES)).await.ok();
            return Err(refused(head, body.as_deref()));
        }
        body::read(&mut response, coding, max_response_bytes).await.map_err(|unread| unreadable(head, unread))
    };
    match clock.within_attempt(connect::limited(clock.connect, exchange)).await {
        Ok(outcome) => outcome.and_then(|body| match head.take() {
            Some(meta) => Ok(RawResponse { meta, body }),
            None => Err(Failed { error: Error::internal("an answer without a head"), again: RetryDecision::NeverAndMayHaveActed }),
        }),
        Err(passed) => Err(timed_out(head.as_ref(), passed)),
    }
}

/// Returns the delay that a response asks for, if its status can be retried.
pub(super) fn asked_wait(head: &ResponseMetadata) -> Option<Duration> {
    let passing = matches!(status::again(head.status), RetryDecision::Refused | RetryDecision::MayHaveActed);
    retry_after::retry_after(&head.headers, SystemTime::now()).filter(|_| passing)
}

/// Creates the failure for an error status.
fn refused(head: &ResponseMetadata, body: Option<&[u8]>) -> Failed {
    // The body of a redirect is not problem details.
    let body = body.filter(|_| head.status >= 400);
    let error = Error::new(error::status::classify_status(head.status).0)
        .with_retry_after(retry_after::retry_after(&head.headers, SystemTime::now()))
        .with_problem(body.and_then(parse_problem), head.interface.details)
        .with_response(head.clone());
    Failed { error, again: status::again(head.status) }
}

/// Creates the failure for a success response whose body cannot be read.
fn unreadable(head: &ResponseMetadata, unread: UnreadableBody) -> Failed {
    let (error, again) = match unread {
        UnreadableBody::TooLarge => (
            Error::with_reason(ErrorKind::TooLarge, "the answer is over the limit max_response_bytes"),
            RetryDecision::NeverAndMayHaveActed,
        ),
        UnreadableBody::UnknownCoding => (
            Error::with_reason(ErrorKind::Decode, "the body has a content encoding that was not requested"),
            RetryDecision::NeverAndMayHaveActed,
        ),
        UnreadableBody::Broken(error) => classify::broken(error.without_url()),
        UnreadableBody::Packed(error) => classify::unpacking(error),
    };
    Failed { error: error.with_response(head.clone()), again }
}

fn timed_out(head: Option<&ResponseMetadata>, passed: ExpiredDeadline) -> Failed {
    let Failed { error, again } = match head {
        // An error status takes precedence, even if its body never ended.
        Some(head) if !status::is_success(head.status) => refused(head, None),
        Some(head) => Failed { error: Error::from(passed).with_response(head.clone()), again: RetryDecision::MayHaveActed },
        None => Failed { error: Error::from(passed), again: RetryDecision::MayHaveActed },
    };
    let again = match (passed, again.may_have_acted()) {
        (ExpiredDeadline::Attempt, _) => again,
        (ExpiredDeadline::Total, true) => RetryDecision::NeverAndMayHaveActed,
        (ExpiredDeadline::Total, false) => RetryDecision::Never,
    };
    Failed { error, again }
}
