//! The Rust runner, with a server on a real socket. Expected values are worked out by hand.

mod invalid_responses;
mod operations;
mod outcomes;
mod server;
mod waits_and_ranges;
mod webhooks;

use futures_util::FutureExt as _;
use serde_json::{Map, Value};
use vitalwire::Client;
use vitalwire::client::CallOptions;
use vitalwire_conformance::runner::{self, CallFailure, CanonicalResponse, Mode, PendingCall};

/// Returns the fields of an object.
fn fields(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

/// Waits for a call in flight.
fn finish(pending: PendingCall) -> Result<CanonicalResponse, CallFailure> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(pending)
}

/// Waits for a blocking call.
fn finish_blocking(pending: PendingCall) -> Result<CanonicalResponse, CallFailure> {
    pending.now_or_never().expect("a blocking call never suspends")
}

/// Makes an async call.
fn send(client: &Client, id: &str, arguments: Value) -> Result<CanonicalResponse, CallFailure> {
    finish(runner::send(client, id, &fields(arguments), CallOptions::new(), Mode::Async).unwrap())
}
