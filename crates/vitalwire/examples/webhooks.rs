//! A server that receives webhooks: `cargo run --example webhooks`.
//!
//! `vitalwire sandbox --webhook-url http://127.0.0.1:9000/` sends webhooks to it and prints their key.

#![allow(clippy::print_stdout, reason = "a program that prints")]

// --8<-- [start:program]
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use vitalwire::error::BoxError;
use vitalwire::webhook::{self, ContentKey, DEFAULT_BODY_LIMIT, Verifier, WebhookKind, content_key, detect_kind};

enum Progress {
    InProgress,
    Done,
}

struct Receiver {
    verifier: Verifier,
    /// Webhooks by their content keys. Keep them in a database, so that they survive a restart.
    webhooks: Mutex<HashMap<ContentKey, Progress>>,
}

async fn receive(State(receiver): State<Arc<Receiver>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    if receiver.verifier.verify_headers(&body, &headers).is_err() {
        return StatusCode::UNAUTHORIZED;
    }
    // The task ends even if the sender closes the connection.
    tokio::task::spawn_blocking(move || receiver.process_once(&body)).await.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

impl Receiver {
    fn process_once(&self, body: &[u8]) -> StatusCode {
        let webhooks = || self.webhooks.lock().unwrap_or_else(PoisonError::into_inner);
        let key = content_key(body);
        match webhooks().entry(key) {
            Entry::Occupied(known) => {
                return match known.get() {
                    // The service sends the webhook again.
                    Progress::InProgress => StatusCode::SERVICE_UNAVAILABLE,
                    Progress::Done => StatusCode::OK,
                };
            }
            Entry::Vacant(new) => new.insert(Progress::InProgress),
        };
        if process(body).is_err() {
            webhooks().remove(&key);
            return StatusCode::BAD_REQUEST;
        }
        webhooks().insert(key, Progress::Done);
        StatusCode::OK
    }
}

fn process(body: &[u8]) -> Result<(), BoxError> {
    match detect_kind(body) {
        WebhookKind::Events => {
            for event in webhook::parse_events(body)? {
                println!("{}", event.event_type.map_or("an event".to_owned(), |name| name.to_string()));
            }
        }
        WebhookKind::LabReport => println!("lab report: {}", webhook::parse_lab_report(body)?.status),
        WebhookKind::Nutrition => println!("meal: {}", webhook::parse_nutrition(body)?.status),
        _ => return Err("unknown kind of webhook".into()),
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let verifier = Verifier::new([std::env::var("VITALWIRE_WEBHOOK_KEY")?])?;
    let receiver = Arc::new(Receiver { verifier, webhooks: Mutex::default() });
    let router = Router::new().route("/", post(receive)).layer(DefaultBodyLimit::max(DEFAULT_BODY_LIMIT)).with_state(receiver);
    let address = std::env::var("LISTEN").unwrap_or_else(|_| "127.0.0.1:9000".to_owned());
    let listener = tokio::net::TcpListener::bind(address).await?;
    println!("listening on http://{}/", listener.local_addr()?);
    Ok(axum::serve(listener, router).await?)
}
// --8<-- [end:program]

#[allow(clippy::main_recursion, dead_code, reason = "a test of the command line calls it")]
pub(crate) fn run() -> Result<(), BoxError> {
    main()
}
