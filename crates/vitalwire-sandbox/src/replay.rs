//! Replays recorded exchanges instead of synthetic data. The README of `vitalwire-cli` describes the format.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::{fmt, fs, io};

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use http::{HeaderName, HeaderValue, StatusCode};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::values::text::without_byte_order_mark;
use crate::web::problem::Problem;

/// Version of the format.
const FORMAT: u32 = 1;
/// Path prefix of the care service in a sandbox. Recordings do not contain it.
const CARE: &str = "/care";

#[derive(Deserialize)]
struct Exchange {
    vitalwire_exchange: u32,
    request: RecordedRequest,
    response: RecordedResponse,
}

#[derive(Deserialize)]
struct RecordedRequest {
    method: String,
    path: String,
    #[serde(default)]
    query: String,
}

#[derive(Deserialize)]
struct RecordedResponse {
    status: u16,
    #[serde(default)]
    headers: Vec<(String, String)>,
    body: Option<Body>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Body {
    Json(Box<RawValue>),
    Text(String),
    Base64(String),
}

#[derive(Clone)]
struct ReplayedResponse {
    status: StatusCode,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Vec<u8>,
}

/// Method, path, and sorted query.
type RequestKey = (String, String, Vec<(String, String)>);

/// Responses to the same request, returned in order. The last one is repeated.
#[derive(Default)]
struct ResponseQueue {
    responses: Vec<ReplayedResponse>,
    next: usize,
}

impl ResponseQueue {
    fn next(&mut self) -> Option<ReplayedResponse> {
        let at = self.next.min(self.responses.len().checked_sub(1)?);
        self.next = at + 1;
        self.responses.get(at).cloned()
    }
}

/// Responses by request.
#[derive(Clone)]
pub(crate) struct Replay(Arc<Mutex<HashMap<RequestKey, ResponseQueue>>>);

impl fmt::Debug for Replay {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Replay")
    }
}

impl Replay {
    pub(crate) fn read(folder: &Path) -> io::Result<Self> {
        let paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
        let mut paths = paths.collect::<io::Result<Vec<PathBuf>>>()?;
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort_unstable();
        if paths.is_empty() {
            return Err(io::Error::other("the folder must contain a recorded exchange"));
        }
        let mut queues: HashMap<RequestKey, ResponseQueue> = HashMap::new();
        for path in paths {
            let invalid = || io::Error::other(format!("{} must be a recorded exchange", path.display()));
            let exchange: Exchange = serde_json::from_slice(without_byte_order_mark(&fs::read(&path)?)).map_err(|_| invalid())?;
            if exchange.vitalwire_exchange != FORMAT {
                return Err(invalid());
            }
            let RecordedRequest { method, path, query } = exchange.request;
            let response = ReplayedResponse::decode(exchange.response).ok_or_else(invalid)?;
            queues.entry(request_key(method, path, &query)).or_default().responses.push(response);
        }
        Ok(Self(Arc::new(Mutex::new(queues))))
    }

    pub(crate) fn respond(&self, request: &Request) -> Response {
        let path = request.uri().path();
        let path = path.strip_prefix(CARE).filter(|rest| rest.starts_with('/')).unwrap_or(path);
        let key = request_key(request.method().as_str().to_owned(), path.to_owned(), request.uri().query().unwrap_or_default());
        let next = self.0.lock().unwrap_or_else(PoisonError::into_inner).get_mut(&key).and_then(ResponseQueue::next);
        match next {
            Some(response) => response.into_response(),
            None => Problem::new(StatusCode::NOT_IMPLEMENTED, "no recorded exchange has this path and query").into_response(),
        }
    }
}

impl ReplayedResponse {
    fn decode(recorded: RecordedResponse) -> Option<Self> {
        let header = |(name, value): (String, String)| Some((name.parse().ok()?, value.parse().ok()?));
        let body = match recorded.body {
            None => Vec::new(),
            Some(Body::Json(json)) => json.get().as_bytes().to_vec(),
            Some(Body::Text(text)) => text.into_bytes(),
            Some(Body::Base64(text)) => BASE64.decode(text).ok()?,
        };
        let status = StatusCode::from_u16(recorded.status).ok().filter(|status| (200..600).contains(&status.as_u16()))?;
        Some(Self { status, headers: recorded.headers.into_iter().map(header).collect::<Option<_>>()?, body })
    }
}

impl IntoResponse for ReplayedResponse {
    fn into_response(self) -> Response {
        let mut response = Response::new(self.body.into());
        *response.status_mut() = self.status;
        response.headers_mut().extend(self.headers);
        response
    }
}

fn request_key(method: String, path: String, query: &str) -> RequestKey {
    let mut pairs: Vec<(String, String)> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    pairs.sort_unstable();
    (method, path, pairs)
}
