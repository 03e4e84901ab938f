//! Target for recordings, which the sandbox replays.

use std::fs;

use axum::body::Body;
use axum::http::Request;
use tower_service::Service as _;
use vitalwire_sandbox::{Sandbox, civil};

use super::memory_folder;
use super::sandbox::RUNTIME;

/// Replays a recording of one exchange. The sandbox must reject it, or respond.
pub fn run(input: &[u8]) {
    let folder = memory_folder();
    fs::write(folder.path().join("00001.json"), input).expect("a file");
    let builder = Sandbox::builder().seed(7).today(civil::date(2025, 11, 21)).replay(folder.path());
    let Ok(app) = builder.app("http://sandbox.test") else { return };
    let request = Request::get("/v3/userinfo").header("host", "sandbox.test").body(Body::empty()).expect("a request");
    let response = RUNTIME.with(|runtime| runtime.block_on(app.router().call(request)));
    assert!(response.is_ok(), "a recording stops the sandbox");
}
