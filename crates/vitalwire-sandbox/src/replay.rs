//! Replays recorded exchanges instead of synthetic data. The README of `vitalwire-cli` describes the format.

use std::collections::HashMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::{fmt, fs, io};

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use http::{HeaderName, HeaderValue, StatusCode, header};
use serde::Deserialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::spec::Operation;
use crate::values::text::without_byte_order_mark;
use crate::web::problem::Problem;

/// Version of the format.
const FORMAT: u32 = 1;
/// Maximum size of a file, in bytes. `vitalwire record` writes at most two bodies of 64 MiB, encoded.
const MAX_FILE_BYTES: u64 = 256 << 20;
/// Maximum size of all files, in bytes.
const MAX_TOTAL_BYTES: u64 = 1 << 30;
/// Recorded headers that are sent: those that `vitalwire record` writes, and the clock. Others could set cookies or break the framing.
static SENT_HEADERS: [HeaderName; 3] = [header::CONTENT_TYPE, header::RETRY_AFTER, header::DATE];
/// Path prefix of the care service in a sandbox. Recordings do not contain it.
const CARE: &str = "/care";
const TOKEN_REQUIRED: &str = "the token of this replay is required; it also stands for every recorded token";
const PAGE: &str = "This server responds with recorded data, which may be that of real people.\n\
    Every request needs the token of this run, which `vitalwire sandbox --replay` printed.\n";

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

type ReplayedResponse = http::Response<Vec<u8>>;

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

/// Responses by request, and the token that gives access to them.
#[derive(Clone)]
pub(crate) struct Replay {
    queues: Arc<Mutex<HashMap<RequestKey, ResponseQueue>>>,
    token: Arc<str>,
}

impl fmt::Debug for Replay {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Replay")
    }
}

impl Replay {
    pub(crate) fn read(folder: &Path) -> io::Result<Self> {
        let paths = recorded_files(folder)?;
        if paths.is_empty() {
            return Err(io::Error::other("the folder must contain a recorded exchange"));
        }
        let mut queues: HashMap<RequestKey, ResponseQueue> = HashMap::new();
        let mut total = 0;
        for path in paths {
            let invalid = || io::Error::other(format!("{} must be a recorded exchange", path.display()));
            let file = read_file(&path)?;
            total += file.len() as u64;
            if total > MAX_TOTAL_BYTES {
                return Err(io::Error::other(format!("a recording must not be larger than {} MiB", MAX_TOTAL_BYTES >> 20)));
            }
            let exchange: Exchange = serde_json::from_slice(without_byte_order_mark(&file)).map_err(|_| invalid())?;
            if exchange.vitalwire_exchange != FORMAT {
                return Err(invalid());
            }
            let RecordedRequest { method, path, query } = exchange.request;
            let response = decode(exchange.response).ok_or_else(invalid)?;
            queues.entry(request_key(method, path, &query)).or_default().responses.push(response);
        }
        Ok(Self { queues: Arc::new(Mutex::new(queues)), token: new_token().into() })
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// Starts over with the first response to each request.
    pub(crate) fn rewind(&self) {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner).values_mut().for_each(|queue| queue.next = 0);
    }

    /// Returns a page without data instead of the sandbox's own, and rejects control requests without the token. `None` for others.
    pub(crate) fn respond_to_control(&self, request: &Request) -> Option<Response> {
        if request.uri().path() == "/" {
            return Some(PAGE.into_response());
        }
        self.check_token(request).err().map(IntoResponse::into_response)
    }

    fn check_token(&self, request: &Request) -> Result<(), Problem> {
        let bearer = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()?.split_once(' '));
        let is_known = bearer.is_some_and(|(scheme, token)| scheme.eq_ignore_ascii_case("bearer") && token.trim() == &*self.token);
        is_known.then_some(()).ok_or_else(|| Problem::new(StatusCode::UNAUTHORIZED, TOKEN_REQUIRED))
    }

    /// Returns the recorded response. Without the token, only operations that need none have one.
    pub(crate) fn respond(&self, request: &Request, operation: Option<&Operation>) -> Response {
        let needs_token = operation.is_none_or(|operation| operation.authenticated);
        if needs_token && let Err(problem) = self.check_token(request) {
            return problem.into_response();
        }
        let path = request.uri().path();
        let path = path.strip_prefix(CARE).filter(|rest| rest.starts_with('/')).unwrap_or(path);
        let key = request_key(request.method().as_str().to_owned(), path.to_owned(), request.uri().query().unwrap_or_default());
        let next = self.queues.lock().unwrap_or_else(PoisonError::into_inner).get_mut(&key).and_then(ResponseQueue::next);
        match next {
            Some(response) => response.map(Into::into),
            None => Problem::new(StatusCode::NOT_IMPLEMENTED, "no recorded exchange has this path and query").into_response(),
        }
    }
}

fn decode(recorded: RecordedResponse) -> Option<ReplayedResponse> {
    let header = |(name, value): (String, String)| Some((name.parse().ok()?, value.parse().ok()?));
    let mut response = ReplayedResponse::new(match recorded.body {
        None => Vec::new(),
        Some(Body::Json(json)) => json.get().as_bytes().to_vec(),
        Some(Body::Text(text)) => text.into_bytes(),
        Some(Body::Base64(text)) => BASE64.decode(text).ok()?,
    });
    *response.status_mut() = StatusCode::from_u16(recorded.status).ok().filter(|status| (200..600).contains(&status.as_u16()))?;
    let headers = recorded.headers.into_iter().map(header).collect::<Option<Vec<(HeaderName, HeaderValue)>>>()?;
    response.headers_mut().extend(headers.into_iter().filter(|(name, _)| SENT_HEADERS.contains(name)));
    Some(response)
}

/// Returns the files of a recording, in order. Fails for links, pipes and folders with the name of such a file.
fn recorded_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            if !entry.file_type()?.is_file() {
                return Err(io::Error::other(format!("{} must be a regular file", path.display())));
            }
            paths.push(path);
        }
    }
    paths.sort_unstable();
    Ok(paths)
}

fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    fs::File::open(path)?.take(MAX_FILE_BYTES + 1).read_to_end(&mut content)?;
    if content.len() as u64 > MAX_FILE_BYTES {
        return Err(io::Error::other(format!("{} must not be larger than {} MiB", path.display(), MAX_FILE_BYTES >> 20)));
    }
    Ok(content)
}

/// Returns an unpredictable token, made of random numbers of the operating system.
fn new_token() -> String {
    format!("replay-{}", Uuid::new_v4().simple())
}

fn request_key(method: String, path: String, query: &str) -> RequestKey {
    let mut pairs: Vec<(String, String)> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    pairs.sort_unstable();
    (method, path, pairs)
}
