//! A server that gives an app its token: `cargo run --example token_server`.
//!
//! `vitalwire sandbox --ready-json` prints the base URL, the application id and the application key.

#![allow(clippy::print_stdout, reason = "a program that prints")]

// --8<-- [start:program]
use std::sync::Arc;

use axum::extract::State;
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::routing::post;
use axum::{Json, Router};
use serde_json::json;
use vitalwire::error::BoxError;
use vitalwire::prelude::*;
use vitalwire::signing::sign_user_id;

/// Seconds after which the app requests another token.
const LIFETIME: u32 = 60 * 60;

struct Issuer {
    service: Client,
    application_id: i64,
    key: String,
}

/// Returns the user who is signed in. A stub: replace it with the sessions of your server.
fn session_user(headers: &HeaderMap) -> Option<&'static str> {
    (headers.get("authorization")? == "Bearer a-session-of-person-1").then_some("person-1")
}

async fn issue(State(issuer): State<Arc<Issuer>>, headers: HeaderMap) -> Result<impl IntoResponse, StatusCode> {
    let user = session_user(&headers).ok_or(StatusCode::UNAUTHORIZED)?;
    let signature = sign_user_id(&issuer.key, user).map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    let response = issuer.service.tokens().exchange(issuer.application_id, user, signature).await;
    let response = response.map_err(|_| StatusCode::BAD_GATEWAY)?;
    let body = Json(json!({ "access_token": response.access_token, "expires_in": LIFETIME }));
    Ok(([(CACHE_CONTROL, "no-store")], body))
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let application_id = std::env::var("APPLICATION_ID")?.parse()?;
    let issuer = Issuer { service: Client::from_env()?, application_id, key: std::env::var("APPLICATION_KEY")? };
    let router = Router::new().route("/token", post(issue)).with_state(Arc::new(issuer));
    let address = std::env::var("LISTEN").unwrap_or_else(|_| "127.0.0.1:9001".to_owned());
    let listener = tokio::net::TcpListener::bind(address).await?;
    println!("listening on http://{}/token", listener.local_addr()?);
    Ok(axum::serve(listener, router).await?)
}
// --8<-- [end:program]

#[allow(clippy::main_recursion, dead_code, reason = "a test of the command line calls it")]
pub(crate) fn run() -> Result<(), BoxError> {
    main()
}
