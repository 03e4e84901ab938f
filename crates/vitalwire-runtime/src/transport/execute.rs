//! Runs one call: its attempts, retries and deadlines.

mod prepare;
mod token;
mod unsent;

use std::pin::pin;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use futures_util::future::{Either, FutureExt, TryFutureExt};
use http::header::AUTHORIZATION;
use reqwest::Request;
use tokio::runtime::Handle;
use tracing::Instrument;

pub(crate) use self::prepare::MAX_URL_BYTES;
use self::prepare::prepare;
use self::token::AuthRef;
pub use self::unsent::UnsentRequest;
pub(crate) use self::unsent::complete_request;
use super::attempt::{FailedAttempt, SendResult, requested_delay, run_attempt};
use super::callbacks::{self, AttemptOutcome, AttemptStart};
use super::cancel::run_until;
use super::deadlines::{CallClock, NO_RUNTIME};
use super::pause::RequestedPause;
use super::retry::{self, RetryDecision};
use super::{CallOptions, ClientState, status};
use crate::auth::Secret;
use crate::error::{Error, ErrorKind};
use crate::operation::{Effect, OperationMeta, RawResponse, ResponseMetadata};

/// Sends a request with retries, deadlines and limits. Returns the response if its status is a success.
///
/// The request must not contain a token. Only the headers and query pairs of the options are added to it.
pub(crate) fn execute(
    client: &ClientState,
    meta: &OperationMeta,
    request: Box<Request>,
    options: &CallOptions,
) -> impl Future<Output = Result<RawResponse, Error>> {
    execute_with_clock(CallClock::start(&client.deadlines, meta.deadline, options), client, meta, request, options)
}

/// Like [`execute`], with a clock that the caller has started.
pub(crate) async fn execute_with_clock(
    clock: CallClock,
    client: &ClientState,
    meta: &OperationMeta,
    request: Box<Request>,
    options: &CallOptions,
) -> Result<RawResponse, Error> {
    // Timers and sockets would panic without a runtime.
    if Handle::try_current().is_err() {
        return Err(Error::configuration(NO_RUNTIME));
    }
    let span = tracing::info_span!("vitalwire.call", operation = meta.id, path = meta.path, service = meta.service.name);
    let sending = AtomicBool::new(false);
    let mut call = RunningCall::new(client, meta, options, clock, &sending);
    let outcome = match prepare(client, meta, options, request) {
        Ok(_) if client.is_ended(options) => None,
        // Pinned in place: the future is large, and passing it by value would move it twice.
        Ok(request) => run_until(pin!(call.run(request).instrument(span)), wait_for_end(client, &sending, options)).await,
        Err(error) => Some(Err(error)),
    };
    outcome.unwrap_or_else(|| Err(client.end_error(options))).map_err(|error| call.add_history(error))
}

/// Completes when a token or closing the client has ended a call. If the options allow it, an attempt in flight may still complete.
async fn wait_for_end(client: &ClientState, sending: &AtomicBool, options: &CallOptions) {
    client.until_ended(options).await;
    if let Some(time) = options.grace_after_cancel
        && sending.load(Relaxed)
    {
        tokio::time::sleep(time).await;
    }
}

struct RunningCall<'a> {
    client: &'a ClientState,
    meta: &'a OperationMeta,
    options: &'a CallOptions,
    clock: CallClock,
    attempts: u32,
    /// Number of retries, without the retry after a rejected token.
    retries: u32,
    /// Whether a completed attempt may have taken effect.
    may_have_taken_effect: bool,
    /// Whether an attempt is in flight. Also read outside of the call.
    sending: &'a AtomicBool,
    /// Response head of the current attempt, if it has arrived.
    head: Option<ResponseMetadata>,
    /// Status of the last response to an earlier attempt.
    last_status: Option<u16>,
}

/// The next step after a failed attempt.
enum NextStep {
    Wait(Duration),
    SendWith(Secret),
    Stop,
}

impl<'a> RunningCall<'a> {
    fn new(client: &'a ClientState, meta: &'a OperationMeta, options: &'a CallOptions, clock: CallClock, sending: &'a AtomicBool) -> Self {
        Self { client, meta, options, clock, attempts: 0, retries: 0, may_have_taken_effect: false, sending, head: None, last_status: None }
    }

    async fn run(&mut self, request: Box<Request>) -> Result<RawResponse, Error> {
        let mut request = Some(request);
        let auth = self.auth()?;
        let mut token = self.next_token(auth.as_ref()).await?;
        let mut token_renewed = false;
        loop {
            self.clock.check()?;
            let mut permit = self.client.queue.acquire(self.meta.service, &self.clock).await?;
            if permit.waited {
                // Calls that end together release their permits to each other: do not start another attempt.
                if self.client.is_ended(self.options) {
                    return Err(self.client.end_error(self.options));
                }
                // The token may have been renewed while this call was queued.
                token = auth.as_ref().and_then(AuthRef::cached).or(token);
            }
            self.attempts += 1;
            let started = AttemptStart::now(self.client);
            let sending = self.start_attempt(&mut request, token.as_ref())?;
            // The request is kept if it can be sent again.
            let can_be_sent_again = request.is_some();
            let limit = self.options.max_response_bytes.unwrap_or(self.client.max_response_bytes);
            let any_status = self.options.any_status;
            self.sending.store(true, Relaxed);
            let span = callbacks::attempt_span(self.meta, self.client.base_url(self.meta.service)?, self.attempts);
            let (queue_permit, client, service, mut paused) = (&mut permit, self.client, self.meta.service, None);
            let on_head = |head: &ResponseMetadata| {
                client.queue.record_status(head.status);
                if let Some(last) = client.last_response(service) {
                    last.record(&head.headers);
                }
                paused = queue_permit.record_response(retry::pause_length(&client.retry, requested_delay(head).filter(|_| !any_status)));
            };
            let outcome = pin!(run_attempt(self.meta, limit, any_status, sending, &self.clock, &mut self.head, on_head))
                .instrument(span.clone())
                .await;
            self.sending.store(false, Relaxed);
            // A timeout is no evidence about the service: the next call in line becomes the probe.
            if outcome.as_ref().is_err_and(|failed| !failed.error.is_timeout()) {
                permit.pause_permit.record_failure();
            }
            drop(permit);
            callbacks::record_outcome(&span, outcome.as_ref().map(|response| response.meta.status).map_err(|failed| &failed.error));
            drop(span);
            let ended = started.end(self.client, self.meta, self.attempts);
            let FailedAttempt { error, retry } = match outcome {
                Ok(response) => {
                    ended.notify(AttemptOutcome::Response(&response.meta), None);
                    return Ok(self.complete(response));
                }
                Err(failed) => failed,
            };
            if let Some(response) = self.already_deleted(&error) {
                ended.notify(AttemptOutcome::AcceptedError(&error), None);
                return Ok(self.complete(response));
            }
            self.head = None;
            self.last_status = error.status().or(self.last_status);
            self.may_have_taken_effect |= retry.may_have_taken_effect();
            let next = match retry {
                _ if !can_be_sent_again || self.client.is_ended(self.options) => Ok(NextStep::Stop),
                RetryDecision::NewToken if token_renewed => Ok(NextStep::Stop),
                RetryDecision::NewToken => self.renew_token(auth.as_ref(), token.as_ref()).await,
                retry => Ok(self.next_step(retry, &error, paused)),
            };
            match next {
                Ok(NextStep::Wait(delay)) => {
                    ended.notify(AttemptOutcome::Failure(&error), Some(delay));
                    // During a pause, the queue does the waiting.
                    if paused.is_none() {
                        tokio::time::sleep(delay).await;
                    }
                    token = self.next_token(auth.as_ref()).await?;
                }
                Ok(NextStep::SendWith(fresh)) => {
                    ended.notify(AttemptOutcome::Failure(&error), Some(Duration::ZERO));
                    token_renewed = true;
                    token = Some(fresh);
                }
                Ok(NextStep::Stop) => {
                    ended.notify(AttemptOutcome::Failure(&error), None);
                    // The call was ended already, and only the response in flight was awaited.
                    let is_ended = self.client.is_ended(self.options);
                    return Err(if is_ended { self.client.end_error(self.options).with_source(error) } else { error });
                }
                Err(failure) => {
                    ended.notify(AttemptOutcome::Failure(&error), None);
                    // The rejected token stays the error and the provider's failure becomes its cause, except for a timeout.
                    return Err(if failure.is_timeout() { failure.with_source(error) } else { error.with_source(failure) });
                }
            }
        }
    }

    /// Adds the history of this call to an error: attempts, last status, and possible effects.
    fn add_history(&self, error: Error) -> Error {
        // A response head that has arrived shows whether the request was rejected.
        let rejected = self
            .head
            .as_ref()
            .is_some_and(|head| !status::is_success(head.status) && !status::retry_decision(head.status).may_have_taken_effect());
        let may_have_taken_effect = self.may_have_taken_effect || self.sending.load(Relaxed) && !rejected;
        // An error that was created from a response has that response's status.
        let last = self.head.as_ref().map(|head| head.status).or(self.last_status);
        let ended = matches!(error.kind(), ErrorKind::Cancelled | ErrorKind::Closed | ErrorKind::Timeout);
        error
            .with_operation(self.meta)
            .with_attempts(self.attempts)
            .with_last_status(last.filter(|_| ended))
            .with_effect(if may_have_taken_effect { self.meta.effect() } else { Effect::None })
    }

    /// Starts an attempt with a copy of the request. A request whose body is a stream is moved, since it can be sent only once.
    fn start_attempt(
        &self,
        request: &mut Option<Box<Request>>,
        token: Option<&Secret>,
    ) -> Result<impl Future<Output = SendResult> + use<>, Error> {
        let copy = request.as_deref().and_then(Request::try_clone);
        let Some(mut this) = copy.or_else(|| request.take().map(|request| *request)) else {
            return Err(Error::internal("a request was sent twice"));
        };
        if let Some(token) = token {
            this.headers_mut().insert(AUTHORIZATION, token.bearer());
        }
        Ok(match &self.client.mock_responses {
            None => Either::Left(self.client.http.execute(this).map_err(FailedAttempt::from_reqwest)),
            Some(mock) => Either::Right(mock.respond(self.meta, self.client.base_url(self.meta.service)?.as_str(), &this).boxed()),
        })
    }

    /// Decides the next step after a failure other than a rejected token.
    fn next_step(&mut self, retry: RetryDecision, error: &Error, paused: Option<RequestedPause>) -> NextStep {
        let policy = &self.client.retry;
        let max_retries = self.options.max_retries.unwrap_or(policy.max_retries);
        let charged = paused.is_none_or(|pause| pause.charged);
        if !retry.allows(self.meta.retry, self.options.allow_resend) || max_retries == 0 || charged && self.retries >= max_retries {
            return NextStep::Stop;
        }
        let delay = match paused {
            Some(pause) => Some(pause.time),
            None => retry::retry_delay(policy, self.retries, error.retry_after()),
        };
        match delay {
            // Do not start a delay that exceeds the total deadline.
            Some(delay) if delay < self.clock.remaining() && (paused.is_some() || self.client.budget.take()) => {
                self.retries += u32::from(charged);
                NextStep::Wait(delay)
            }
            _ => NextStep::Stop,
        }
    }

    /// Returns a success for a 404 to a DELETE, if an earlier attempt may have taken effect.
    fn already_deleted(&self, error: &Error) -> Option<RawResponse> {
        if !self.may_have_taken_effect || self.meta.http_method != "DELETE" || error.status() != Some(404) {
            return None;
        }
        let headers = error.headers().cloned().unwrap_or_default();
        let meta = ResponseMetadata::new(self.meta, 204, headers);
        Some(RawResponse { meta, body: bytes::Bytes::new() })
    }

    fn complete(&self, mut response: RawResponse) -> RawResponse {
        self.client.budget.record_success(self.retries > 0);
        response.meta.strict_lists = self.client.strict_lists(self.options);
        response.meta.attempts = self.attempts;
        response.meta.elapsed = self.clock.started.elapsed();
        response
    }
}
