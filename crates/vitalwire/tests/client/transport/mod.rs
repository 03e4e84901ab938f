//! Tests of the transport with real sockets: attempts, tokens, deadlines, limits, TLS, proxies and privacy.

mod auth;
#[cfg(feature = "blocking")]
mod blocking;
mod bodies;
mod callbacks;
mod client_certificate;
mod closing;
mod deadlines;
mod effect;
mod heads;
mod interrupt;
mod once;
mod pause;
mod pins;
mod privacy;
mod proxy;
mod queue;
mod rate;
mod raw;
mod retry;
mod service;
mod spans;
mod status;
mod tls;

use std::sync::{Arc, Mutex};

use http::Method;
use vitalwire::client::Attempt;
use vitalwire::client::{Client, ClientBuilder, RawRequest, Service};
use vitalwire::operation::RetryClass;
use vitalwire_testkit::Server;

/// A builder with 1% of the usual delays and without the proxies of the environment.
fn builder(server: &Server) -> ClientBuilder {
    Client::builder().base_url(server.url()).token("token-0").no_proxy().retry_delay_scale(0.01)
}

fn client(server: &Server) -> Client {
    builder(server).build().unwrap()
}

fn get(client: &Client) -> RawRequest {
    client.request(Method::GET, Service::Health, "/v3/thing")
}

/// An upload, which is sent once.
fn upload(client: &Client, body: impl Into<bytes::Bytes>) -> RawRequest {
    client.request(Method::POST, Service::Health, "/v3/things").body(body, "application/json")
}

fn request_of_class(client: &Client, class: RetryClass) -> RawRequest {
    match class {
        RetryClass::Safe => get(client),
        RetryClass::Idempotent => client.request(Method::PATCH, Service::Health, "/v3/thing").json(&1).retry_class(class),
        _ => upload(client, "{}"),
    }
}

const CLASSES: [RetryClass; 3] = [RetryClass::Safe, RetryClass::Idempotent, RetryClass::Once];

type Events = Arc<Mutex<Vec<Attempt>>>;

/// Adds a callback to a builder that records all attempts.
fn record_attempts(builder: ClientBuilder) -> (ClientBuilder, Events) {
    let events = Events::default();
    let recorded = Arc::clone(&events);
    (builder.on_attempt(move |event| recorded.lock().unwrap().push(event.clone())), events)
}

/// Runs one test of this program in a separate process with other environment variables.
fn in_child(test: &str, variables: &[(&str, &str)]) {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"]);
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"] {
        command.env_remove(name);
    }
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
}
