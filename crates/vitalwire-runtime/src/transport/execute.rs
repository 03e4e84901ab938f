//! Runs one call: its attempts, retries and deadlines.

mod token;

use std::pin::pin;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use futures_util::future::{Either, FutureExt, TryFutureExt};
use http::header::AUTHORIZATION;
use reqwest::Request;
use tokio::runtime::Handle;
use tracing::Instrument;

use self::token::AuthRef;
use super::attempt::{Failed, Sent, asked_wait, attempt};
use super::cancel::unless;
use super::deadlines::{CallClock, NO_RUNTIME};
use super::hooks::{self, Outcome, Started};
use super::pause::AskedPause;
use super::retry::{self, RetryDecision};
use super::{CallOptions, Shared, status};
use crate::auth::Secret;
use crate::error::{Error, ErrorKind};
use crate::operation::{Effect, OperationMeta, RawResponse, ResponseMetadata};

/// Maximum length of a URL, in bytes. The HTTP library's `http::Uri` uses 16-bit offsets.
pub(crate) const MAX_ADDRESS: usize = 65_534;

/// Sends a request with retries, deadlines and limits. Returns the response if its status is a success.
///
/// The request must not contain a token. Only the headers and query pairs of the options are added to it.
pub(crate) fn execute(
    inner: &Shared,
    meta: &OperationMeta,
    request: Box<Request>,
    options: &CallOptions,
) -> impl Future<Output = Result<RawResponse, Error>> {
    execute_by(CallClock::start(&inner.deadlines, meta.deadline, options), inner, meta, request, options)
}

/// Like [`execute`], with a clock that the caller has started.
pub(crate) async fn execute_by(
    clock: CallClock,
    inner: &Shared,
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
    let mut call = Call {
        inner,
        meta,
        options,
        clock,
        attempts: 0,
        retries: 0,
        may_have_acted: false,
        sending: &sending,
        head: None,
        last_status: None,
    };
    let outcome = match call.prepare(request) {
        Ok(_) if inner.is_ended(options) => None,
        // Pinned in place: the future is large, and passing it by value would move it twice.
        Ok(request) => unless(pin!(call.run(request).instrument(span)), ended(inner, &sending, options)).await,
        Err(error) => Some(Err(error)),
    };
    outcome.unwrap_or_else(|| Err(inner.end(options))).map_err(|error| call.explain(error))
}

/// Completes when a token or closing the client has ended a call. If the options allow it, an attempt in flight may still complete.
async fn ended(inner: &Shared, sending: &AtomicBool, options: &CallOptions) {
    inner.ended(options).await;
    if let Some(time) = options.answer_after_cancel
        && sending.load(Relaxed)
    {
        tokio::time::sleep(time).await;
    }
}

struct Call<'a> {
    inner: &'a Shared,
    meta: &'a OperationMeta,
    options: &'a CallOptions,
    clock: CallClock,
    attempts: u32,
    /// Number of retries, without the retry after a rejected token.
    retries: u32,
    /// Whether a completed attempt may have taken effect.
    may_have_acted: bool,
    /// Whether an attempt is in flight. Also read outside of the call.
    sending: &'a AtomicBool,
    /// Response head of the current attempt, if it has arrived.
    head: Option<ResponseMetadata>,
    /// Status of the last response to an earlier attempt.
    last_status: Option<u16>,
}

/// The next step after a failed attempt.
enum Next {
    Wait(Duration),
    SendWith(Secret),
    Stop,
}

impl<'a> Call<'a> {
    async fn run(&mut self, request: Box<Request>) -> Result<RawResponse, Error> {
        let mut request = Some(request);
        let auth = self.auth()?;
        let mut token = self.next_token(auth.as_ref()).await?;
        let mut renewed = false;
        loop {
            self.clock.check()?;
            let mut turn = self.inner.queue.turn(self.meta.service, &self.clock).await?;
            if turn.waited {
                // Calls that end together release their turns to each other: do not start another attempt.
                if self.inner.is_ended(self.options) {
                    return Err(self.inner.end(self.options));
                }
                // The token may have been renewed while this call was queued.
                token = auth.as_ref().and_then(AuthRef::cached).or(token);
            }
            self.attempts += 1;
            let started = Started::now();
            let sending = self.start(&mut request, token.as_ref())?;
            // The request is kept if it can be sent again.
            let repeatable = request.is_some();
            let limit = self.options.max_response_bytes.unwrap_or(self.inner.max_response_bytes);
            self.sending.store(true, Relaxed);
            let span = hooks::span(self.meta, self.inner.base_url(self.meta.service)?, self.attempts);
            let (pass, policy, mut paused) = (&mut turn.pass, &self.inner.retry, None);
            let on_head = |head: &ResponseMetadata| paused = pass.answered(retry::pause(policy, asked_wait(head)));
            let outcome = attempt(self.meta, limit, sending, &self.clock, &mut self.head, on_head).instrument(span.clone()).await;
            self.sending.store(false, Relaxed);
            // A timeout is no evidence about the service: the next call in line becomes the probe.
            if outcome.as_ref().is_err_and(|failed| !failed.error.is_timeout()) {
                turn.pass.failed();
            }
            drop(turn);
            hooks::end(&span, outcome.as_ref().map(|answer| answer.meta.status).map_err(|failed| &failed.error));
            drop(span);
            let ended = started.end(self.inner, self.meta, self.attempts);
            let Failed { error, again } = match outcome {
                Ok(answer) => {
                    ended.notify(Outcome::Answered(&answer.meta), None);
                    return Ok(self.succeed(answer));
                }
                Err(failed) => failed,
            };
            if let Some(answer) = self.already_deleted(&error) {
                ended.notify(Outcome::Done(&error), None);
                return Ok(self.succeed(answer));
            }
            self.head = None;
            self.last_status = error.status().or(self.last_status);
            self.may_have_acted |= again.may_have_acted();
            let next = match again {
                _ if !repeatable || self.inner.is_ended(self.options) => Ok(Next::Stop),
                RetryDecision::NewToken if renewed => Ok(Next::Stop),
                RetryDecision::NewToken => self.renew(auth.as_ref(), token.as_ref()).await,
                again => Ok(self.after(again, &error, paused)),
            };
            match next {
                Ok(Next::Wait(delay)) => {
                    ended.notify(Outcome::Failed(&error), Some(delay));
                    // During a pause, the queue does the waiting.
                    if paused.is_none() {
                        tokio::time::sleep(delay).await;
                    }
                    token = self.next_token(auth.as_ref()).await?;
                }
                Ok(Next::SendWith(fresh)) => {
                    ended.notify(Outcome::Failed(&error), Some(Duration::ZERO));
                    renewed = true;
                    token = Some(fresh);
                }
                Ok(Next::Stop) => {
                    ended.notify(Outcome::Failed(&error), None);
                    // The call was ended already, and only the response in flight was awaited.
                    let over = self.inner.is_ended(self.options);
                    return Err(if over { self.inner.end(self.options).with_source(error) } else { error });
                }
                Err(failure) => {
                    ended.notify(Outcome::Failed(&error), None);
                    // The rejected token stays the error and the provider's failure becomes its cause, except for a timeout.
                    return Err(if failure.is_timeout() { failure.with_source(error) } else { error.with_source(failure) });
                }
            }
        }
    }

    /// Adds the history of this call to an error: attempts, last status, and possible effects.
    fn explain(&self, error: Error) -> Error {
        // A response head that has arrived shows whether the request was rejected.
        let refused =
            self.head.as_ref().is_some_and(|head| !status::is_success(head.status) && !status::again(head.status).may_have_acted());
        let acted = self.may_have_acted || self.sending.load(Relaxed) && !refused;
        // An error that was created from a response has that response's status.
        let last = self.head.as_ref().map(|head| head.status).or(self.last_status);
        let ended = matches!(error.kind(), ErrorKind::Cancelled | ErrorKind::Closed | ErrorKind::Timeout);
        error.with_operation(self.meta).with_attempts(self.attempts).with_last_status(last.filter(|_| ended)).with_effect(if acted {
            self.meta.effect()
        } else {
            Effect::None
        })
    }

    /// Starts an attempt with a copy of the request. A request whose body is a stream is moved, since it can be sent only once.
    fn start(&self, request: &mut Option<Box<Request>>, token: Option<&Secret>) -> Result<impl Future<Output = Sent> + use<>, Error> {
        let copy = request.as_deref().and_then(Request::try_clone);
        let Some(mut this) = copy.or_else(|| request.take().map(|request| *request)) else {
            return Err(Error::internal("a request was taken twice"));
        };
        if let Some(token) = token {
            this.headers_mut().insert(AUTHORIZATION, token.bearer());
        }
        Ok(match &self.inner.mock_responses {
            None => Either::Left(self.inner.http.execute(this).map_err(Failed::sending)),
            Some(mock) => Either::Right(mock.respond(self.meta, self.inner.base_url(self.meta.service)?.as_str(), &this).boxed()),
        })
    }

    /// Adds the headers and query pairs of the options. Checks the size of the body and the length of the URL.
    fn prepare(&self, mut request: Box<Request>) -> Result<Box<Request>, Error> {
        self.options.check()?;
        let body = request.body().and_then(reqwest::Body::as_bytes).map_or(0, <[u8]>::len);
        let limit = self.meta.max_request_bytes.filter(|_| self.inner.local_checks(self.options));
        if limit.is_some_and(|limit| u64::try_from(body).unwrap_or(u64::MAX) > limit) {
            let error = Error::with_reason(ErrorKind::TooLarge, "the request is larger than the service accepts");
            return Err(error.with_argument("body"));
        }
        if !self.options.query.is_empty() {
            request.url_mut().query_pairs_mut().extend_pairs(&self.options.query);
        }
        // The HTTP library would report a network failure.
        if request.url().as_str().len() > MAX_ADDRESS {
            return Err(Error::with_reason(ErrorKind::InvalidArgument, "the arguments are too long for a URL"));
        }
        // An option replaces the operation's own header, and may have several values of one name.
        let mut replaced = http::HeaderMap::with_capacity(self.options.headers.len());
        for (name, value) in &self.options.headers {
            replaced.append(name, value.clone());
        }
        for name in replaced.keys() {
            request.headers_mut().remove(name);
        }
        request.headers_mut().extend(replaced);
        Ok(request)
    }

    /// Decides the next step after a failure other than a rejected token.
    fn after(&mut self, again: RetryDecision, error: &Error, paused: Option<AskedPause>) -> Next {
        let policy = &self.inner.retry;
        let max_retries = self.options.max_retries.unwrap_or(policy.max_retries);
        let charged = paused.is_none_or(|pause| pause.charged);
        if !again.allows(self.meta.retry, self.options.allow_resend) || max_retries == 0 || charged && self.retries >= max_retries {
            return Next::Stop;
        }
        let delay = match paused {
            Some(pause) => Some(pause.time),
            None => retry::delay(policy, self.retries, error.retry_after()),
        };
        match delay {
            // Do not start a delay that exceeds the total deadline.
            Some(delay) if delay < self.clock.left() && (paused.is_some() || self.inner.budget.take()) => {
                self.retries += u32::from(charged);
                Next::Wait(delay)
            }
            _ => Next::Stop,
        }
    }

    /// Returns a success for a 404 to a DELETE, if an earlier attempt may have taken effect.
    fn already_deleted(&self, error: &Error) -> Option<RawResponse> {
        if !self.may_have_acted || self.meta.http_method != "DELETE" || error.status() != Some(404) {
            return None;
        }
        let headers = error.headers().cloned().unwrap_or_default();
        let meta = ResponseMetadata::new(self.meta, 204, headers);
        Some(RawResponse { meta, body: bytes::Bytes::new() })
    }

    fn succeed(&self, mut answer: RawResponse) -> RawResponse {
        self.inner.budget.success(self.retries > 0);
        answer.meta.strict_lists = self.inner.strict_lists(self.options);
        answer.meta.attempts = self.attempts;
        answer.meta.elapsed = self.clock.started.elapsed();
        answer
    }
}
