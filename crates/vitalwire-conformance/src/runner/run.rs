//! Calls, made and waited for.

use std::time::Duration;

use serde_json::{Map, Value, json};
use vitalwire::Client;
use vitalwire::client::{BoxFuture, Call, CallOptions, CancelToken, Operation, Response, SkippedItem};
use vitalwire::wait::{WaitCall, WaitError, WaitOperation};

use super::arguments::CaseError;
use super::canonical::{self, Canonical};
use super::failure::Failed;
use super::generated::calls;
use super::options::options;
use crate::case;

/// What came back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Canonical JSON; null for an answer without body.
    pub value: Value,
    /// What its nutritional numbers refer to, where it has any.
    pub basis: Option<&'static str>,
    /// How often the request was tried; for a wait the last reading's, for a split 0 (its parts' are not told).
    pub attempts: u32,
    /// The id that the service gave the request.
    pub request_id: Option<String>,
    /// The body, of a call that keeps it.
    pub body: Option<String>,
    /// Of a split, the places of the parts that failed and the kinds of their errors.
    pub failed_parts: Vec<(u32, &'static str)>,
    /// The list items that were left out, each with `place`, `reason` and `json`.
    pub skipped_items: Vec<Value>,
}

impl Answer {
    pub(super) fn of(value: &impl Canonical, attempts: u32) -> Self {
        let (value, basis) = canonical::of(value);
        Self { value, basis, attempts, ..Self::default() }
    }

    pub(super) fn skipping(mut self, items: &[SkippedItem]) -> Self {
        let item = |item: &SkippedItem| json!({ "place": item.json_path(), "reason": item.reason(), "json": item.json() });
        self.skipped_items = items.iter().map(item).collect();
        self
    }

    /// `{"value", "attempts", "basis"?, "request_id"?, "body"?, "failed_parts"?, "skipped_items"}`.
    #[must_use]
    pub fn canonical(&self) -> Value {
        let mut outcome = json!({ "value": self.value, "attempts": self.attempts, "skipped_items": self.skipped_items });
        if let Some(basis) = self.basis {
            outcome["basis"] = basis.into();
        }
        if let Some(id) = &self.request_id {
            outcome["request_id"] = id.clone().into();
        }
        if let Some(body) = &self.body {
            outcome["body"] = body.clone().into();
        }
        if !self.failed_parts.is_empty() {
            outcome["failed_parts"] = json!(self.failed_parts);
        }
        outcome
    }
}

/// What came of a call.
pub type Played = Result<Answer, Failed>;

/// A call on its way. Dropping it cancels the call.
pub type Pending = BoxFuture<'static, Played>;

/// Begins the call of an operation.
///
/// # Errors
/// Where the case names no operation, or gives it arguments that it does not take.
pub fn send(client: &Client, id: &str, arguments: &Map<String, Value>, options: CallOptions) -> Result<Pending, CaseError> {
    calls::call(client, id, arguments, Async(options))
}

/// Makes the call of an operation and waits for it on this thread, which may not be one of an async runtime.
///
/// # Errors
/// As [`send`].
pub fn send_blocking(client: &Client, id: &str, arguments: &Map<String, Value>, options: CallOptions) -> Result<Played, CaseError> {
    calls::call(client, id, arguments, Blocking(options))
}

/// Begins to wait for an analysis; the token ends it.
///
/// # Errors
/// As [`send`], and where the operation has none.
pub fn wait(client: &Client, wait: &case::Wait, cancel: &CancelToken) -> Result<Pending, CaseError> {
    calls::wait(client, &wait.id, &wait.arguments, Async(Ending { case: wait, cancel }))
}

/// As [`wait()`], on this thread.
///
/// # Errors
/// As [`wait()`].
pub fn wait_blocking(client: &Client, wait: &case::Wait, cancel: &CancelToken) -> Result<Played, CaseError> {
    calls::wait(client, &wait.id, &wait.arguments, Blocking(Ending { case: wait, cancel }))
}

/// What is done with a call, whatever its operation.
pub(super) trait Calls {
    type Out;

    fn call<O: Operation<Output: Canonical>>(self, call: Call<O>) -> Self::Out;
}

/// What is done with a wait.
pub(super) trait Waits {
    type Out;

    /// Whether its calls have options.
    fn has_options(&self) -> bool;

    /// Waits for what a call begins, or for what it reads.
    fn begin<O: WaitOperation<Record: Canonical>>(self, call: Call<O>) -> Self::Out;

    fn wait<O: WaitOperation<Record: Canonical>>(self, wait: WaitCall<O>) -> Self::Out;
}

/// Made as a future, with these settings.
pub(super) struct Async<T>(pub(super) T);

/// Made on this thread, with these settings.
pub(super) struct Blocking<T>(pub(super) T);

impl Calls for Async<CallOptions> {
    type Out = Pending;

    fn call<O: Operation<Output: Canonical>>(self, call: Call<O>) -> Pending {
        let sent = call.options(self.0).send();
        Box::pin(async move { sent.await.map(answered).map_err(Failed::from) })
    }
}

impl Calls for Blocking<CallOptions> {
    type Out = Played;

    fn call<O: Operation<Output: Canonical>>(self, call: Call<O>) -> Played {
        call.options(self.0).send_blocking().map(answered).map_err(Failed::from)
    }
}

fn answered<T: Canonical>(response: Response<T>) -> Answer {
    let meta = response.metadata();
    let (attempts, request_id) = (meta.attempts, meta.request_id.clone());
    let body = meta.raw().map(|body| crate::bytes::hex(body));
    Answer { request_id, body, ..Answer::of(&*response, attempts) }.skipping(response.skipped_items())
}

/// A wait, and what ends it early.
#[derive(Clone, Copy)]
struct Ending<'a> {
    case: &'a case::Wait,
    cancel: &'a CancelToken,
}

impl Ending<'_> {
    fn set<O: WaitOperation>(self, mut wait: WaitCall<O>) -> WaitCall<O> {
        if let Some(timeout) = self.case.timeout_ms {
            wait = wait.timeout(Duration::from_millis(timeout));
        }
        if let Some((floor, ceiling)) = self.case.interval_ms {
            wait = wait.interval(Duration::from_millis(floor), Duration::from_millis(ceiling));
        }
        wait.cancel_token(self.cancel)
    }
}

impl Waits for Async<Ending<'_>> {
    type Out = Pending;

    fn has_options(&self) -> bool {
        !self.0.case.options.is_empty()
    }

    fn begin<O: WaitOperation<Record: Canonical>>(self, call: Call<O>) -> Pending {
        let wait = call.options(options(&self.0.case.options)).and_wait();
        self.wait(wait)
    }

    fn wait<O: WaitOperation<Record: Canonical>>(self, wait: WaitCall<O>) -> Pending {
        let sent = self.0.set(wait).send();
        Box::pin(async move { sent.await.map(answered).map_err(given_up) })
    }
}

impl Waits for Blocking<Ending<'_>> {
    type Out = Played;

    fn has_options(&self) -> bool {
        !self.0.case.options.is_empty()
    }

    fn begin<O: WaitOperation<Record: Canonical>>(self, call: Call<O>) -> Played {
        let wait = call.options(options(&self.0.case.options)).and_wait();
        self.wait(wait)
    }

    fn wait<O: WaitOperation<Record: Canonical>>(self, wait: WaitCall<O>) -> Played {
        self.0.set(wait).send_blocking().map(answered).map_err(given_up)
    }
}

fn given_up<T: Canonical>(error: WaitError<T>) -> Failed {
    let last = error.last().map(|record| canonical::of(&**record).0);
    Failed { error: error.into(), last }
}
