//! The runner in Rust, against a server on a real socket. Expected values are worked out by hand.

mod answers;
mod every;
mod later;
mod outcomes;
mod received;
mod server;

use serde_json::{Map, Value};
use vitalwire::Client;
use vitalwire::client::CallOptions;
use vitalwire_conformance::runner::{self, CanonicalResponse, CallFailure, PendingCall};

/// An object's members.
fn members(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

/// Waits for what was begun.
fn finish(pending: PendingCall) -> Result<CanonicalResponse, CallFailure> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(pending)
}

/// Makes a call, async.
fn send(client: &Client, id: &str, arguments: Value) -> Result<CanonicalResponse, CallFailure> {
    finish(runner::send(client, id, &members(arguments), CallOptions::new()).unwrap())
}
