//! Calls and waits.

use std::time::Duration;

use serde_json::{Map, Value, json};
use vitalwire::Client;
use vitalwire::client::{BoxFuture, Call, CallOptions, CancelToken, Operation, Response, SkippedItem};
use vitalwire::wait::{WaitCall, WaitError, WaitOperation};

use super::arguments::CaseError;
use super::canonical::{self, Canonical};
use super::failure::CallFailure;
use super::generated::calls;
use super::mode::Mode;
use super::options::options;
use crate::canonical::without_nulls;
use crate::case;

/// A response.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CanonicalResponse {
    /// Canonical JSON. Null for a response without body.
    pub value: Value,
    /// The basis of its nutritional numbers, if it has any.
    pub basis: Option<&'static str>,
    /// Number of attempts. For a wait, those of the last poll; for a range in parts, 0.
    pub attempts: u32,
    /// The request id that the service assigned.
    pub request_id: Option<String>,
    /// The body, if the call keeps it.
    pub body: Option<String>,
    /// Positions of the failed parts of a range, and the kinds of their errors.
    pub failed_parts: Vec<(u32, &'static str)>,
    /// The skipped list items, each with `json_path`, `reason` and `json`.
    pub skipped_items: Vec<Value>,
}

impl CanonicalResponse {
    pub(super) fn new(value: &impl Canonical, attempts: u32) -> Self {
        let (value, basis) = canonical::to_canonical(value);
        Self { value, basis, attempts, ..Self::default() }
    }

    pub(super) fn with_skipped_items(mut self, items: &[SkippedItem]) -> Self {
        let item = |item: &SkippedItem| json!({ "json_path": item.json_path(), "reason": item.reason(), "json": item.json() });
        self.skipped_items = items.iter().map(item).collect();
        self
    }

    /// Returns `{"value", "attempts", "basis"?, "request_id"?, "body"?, "failed_parts"?, "skipped_items"}`.
    #[must_use]
    pub fn canonical(&self) -> Value {
        let mut outcome = without_nulls(json!({
            "attempts": self.attempts,
            "basis": self.basis,
            "request_id": self.request_id,
            "body": self.body,
            "failed_parts": Some(&self.failed_parts).filter(|parts| !parts.is_empty()),
            "skipped_items": self.skipped_items,
        }));
        outcome["value"] = self.value.clone();
        outcome
    }
}

/// The outcome of a call.
pub type CallOutcome = Result<CanonicalResponse, CallFailure>;

/// A call in flight. Dropping it cancels the call.
pub type PendingCall = BoxFuture<'static, CallOutcome>;

/// Starts the call of an operation.
///
/// # Errors
/// If the case names an unknown operation or argument.
pub fn send(client: &Client, id: &str, arguments: &Map<String, Value>, options: CallOptions, mode: Mode) -> Result<PendingCall, CaseError> {
    calls::call(client, id, arguments, CallSettings { options, mode })
}

/// Starts a wait for an analysis. The token cancels it.
///
/// # Errors
/// Like [`send`], and if the operation has no analysis.
pub fn wait(client: &Client, wait: &case::Wait, cancel: &CancelToken, mode: Mode) -> Result<PendingCall, CaseError> {
    calls::wait(client, &wait.id, &wait.arguments, WaitSettings { case: wait, cancel, mode })
}

/// An action on the call of any operation.
pub(super) trait CallVisitor {
    type Out;

    fn call<O: Operation<Output: Canonical>>(self, call: Call<O>) -> Self::Out;
}

/// An action on a wait.
pub(super) trait WaitVisitor {
    type Out;

    /// Whether the calls of the wait have options.
    fn has_options(&self) -> bool;

    /// Waits for the analysis that a call starts or reads.
    fn begin<O: WaitOperation<Record: Canonical>>(self, call: Call<O>) -> Self::Out;

    fn wait<O: WaitOperation<Record: Canonical>>(self, wait: WaitCall<O>) -> Self::Out;
}

/// Options of a call.
struct CallSettings {
    options: CallOptions,
    mode: Mode,
}

impl CallVisitor for CallSettings {
    type Out = PendingCall;

    fn call<O: Operation<Output: Canonical>>(self, call: Call<O>) -> PendingCall {
        let outcome = |sent: Result<_, _>| sent.map(canonical_response).map_err(CallFailure::from);
        self.mode.start(call.options(self.options), Call::send, Call::send_blocking, outcome)
    }
}

fn canonical_response<T: Canonical>(response: Response<T>) -> CanonicalResponse {
    let meta = response.metadata();
    let (attempts, request_id) = (meta.attempts, meta.request_id.clone());
    let body = meta.body().map(|body| crate::bytes::hex(body));
    CanonicalResponse { request_id, body, ..CanonicalResponse::new(&*response, attempts) }.with_skipped_items(response.skipped_items())
}

/// A wait and its cancellation.
struct WaitSettings<'a> {
    case: &'a case::Wait,
    cancel: &'a CancelToken,
    mode: Mode,
}

impl WaitVisitor for WaitSettings<'_> {
    type Out = PendingCall;

    fn has_options(&self) -> bool {
        !self.case.options.is_empty()
    }

    fn begin<O: WaitOperation<Record: Canonical>>(self, call: Call<O>) -> PendingCall {
        let wait = call.options(options(&self.case.options)).and_wait();
        self.wait(wait)
    }

    fn wait<O: WaitOperation<Record: Canonical>>(self, mut wait: WaitCall<O>) -> PendingCall {
        if let Some(timeout) = self.case.timeout_ms {
            wait = wait.timeout(Duration::from_millis(timeout));
        }
        if let Some((floor, ceiling)) = self.case.interval_ms {
            wait = wait.interval(Duration::from_millis(floor), Duration::from_millis(ceiling));
        }
        let outcome = |sent: Result<_, _>| sent.map(canonical_response).map_err(wait_failure);
        self.mode.start(wait.cancel_token(self.cancel), WaitCall::send, WaitCall::send_blocking, outcome)
    }
}

fn wait_failure<T: Canonical>(error: WaitError<T>) -> CallFailure {
    let last = error.last().map(|record| canonical::to_canonical(&**record).0);
    CallFailure { error: error.into(), last }
}
