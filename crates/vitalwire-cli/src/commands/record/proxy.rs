//! Forwards requests to the service and records each exchange.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use vitalwire::client::Service;
use vitalwire::http::{HeaderMap, HeaderName, Method, StatusCode, header};
use vitalwire::mock::{Exchange, RecordedBody, RecordedRequest, RecordedResponse};
use vitalwire::operation::{DeadlineClass, OperationMeta};
use vitalwire::{Client, ErrorKind};
use vitalwire_sandbox::{ForeignSource, check_request_source};

use super::replace::{Replacements, is_form};
use crate::failure::warn;
use crate::output::check::create_temporary;

/// Maximum size of a forwarded body, in bytes: the default response limit of a client.
const MAX_BODY_BYTES: usize = 64 << 20;
/// Response headers that are recorded. Clients read no others, and others may contain ids.
static RECORDED_HEADERS: [HeaderName; 2] = [header::CONTENT_TYPE, header::RETRY_AFTER];
/// Hop-by-hop headers (RFC 9110 7.6.1), and headers that the client writes.
static HOP_BY_HOP: [HeaderName; 9] = [
    header::EXPECT,
    header::PROXY_AUTHORIZATION,
    header::HOST,
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::TRANSFER_ENCODING,
    header::TE,
    header::UPGRADE,
    header::ACCEPT_ENCODING,
];

/// State shared by all requests.
pub(super) struct Recorder {
    client: Client,
    /// Base URL of the recorder.
    own_url: String,
    folder: PathBuf,
    files: Mutex<RecordedFiles>,
}

#[derive(Default)]
struct RecordedFiles {
    replacements: Replacements,
    /// Number of the last exchange.
    number: usize,
    written: Vec<PathBuf>,
}

impl Recorder {
    pub(super) fn new(client: Client, own_url: String, folder: PathBuf) -> Arc<Self> {
        Arc::new(Self { client, own_url, folder, files: Mutex::default() })
    }

    /// Routes all paths to the proxy.
    pub(super) fn router(self: &Arc<Self>) -> Router {
        Router::new().fallback(forward).with_state(Arc::clone(self))
    }

    /// Returns the number of recorded exchanges.
    pub(super) fn count(&self) -> usize {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).written.len()
    }

    async fn exchange(&self, request: Request) -> Result<Response, Rejection> {
        check_request_source(&self.own_url, &request).map_err(|source| match source {
            ForeignSource::Host => (StatusCode::MISDIRECTED_REQUEST, "unknown host: use the printed base URL".to_owned()),
            ForeignSource::Origin => (StatusCode::FORBIDDEN, "requests from pages of other origins are rejected".to_owned()),
        })?;
        let (parts, body) = request.into_parts();
        let too_large = |_| (StatusCode::PAYLOAD_TOO_LARGE, "the request is too large to be recorded".to_owned());
        let body = axum::body::to_bytes(body, MAX_BODY_BYTES).await.map_err(too_large)?;
        let (path, query) = (parts.uri.path(), parts.uri.query().unwrap_or_default());
        let operation = operation(&parts.method, path);
        let is_care = operation.is_some_and(|operation| operation.service.name == Service::Care.as_str());
        let sent = self.client.request(parts.method.clone(), if is_care { Service::Care } else { Service::Health }, path);
        let sent = sent.deadline_class(operation.map_or(DeadlineClass::Short, |operation| operation.deadline));
        let response = sent.forward(end_to_end_headers(&parts.headers), query, body.clone()).await.map_err(|error| {
            let status = match error.kind() {
                ErrorKind::InvalidArgument => StatusCode::BAD_REQUEST,
                ErrorKind::Timeout => StatusCode::GATEWAY_TIMEOUT,
                _ => StatusCode::BAD_GATEWAY,
            };
            // It contains no data and no token.
            (status, error.to_string())
        })?;
        let (status, headers) = (response.status(), response.headers());
        let took_ms = u64::try_from(response.meta.elapsed.as_millis()).unwrap_or(u64::MAX);

        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let before = files.replacements.count();
        let credentials = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        if let Some(token) = credentials.and_then(|value| value.split_once(' ')).map(|(_, token)| token.trim()) {
            files.replacements.credential(token);
        }
        files.replacements.headers(&parts.headers);
        files.replacements.headers(headers);
        let mut written = None;
        // Run twice: first to learn all values, which may precede the field that identifies them, then to write.
        for _ in 0..2 {
            let values = &mut files.replacements;
            let request = RecordedRequest {
                method: parts.method.to_string(),
                path: values.path(path, operation.map(|operation| operation.path)),
                query: values.query(query),
                body: record_body(values, &body),
            };
            let recorded_header = |name: &HeaderName| Some((name.to_string(), headers.get(name)?.to_str().ok()?.to_owned()));
            let response = RecordedResponse {
                status,
                took_ms,
                headers: RECORDED_HEADERS.iter().filter_map(recorded_header).collect(),
                body: record_body(values, &response.body),
            };
            written = Exchange::new(request, response).to_text();
        }
        files.number += 1;
        let name = format!("{:05}-{}.json", files.number, operation.map_or("other", |operation| operation.id));
        let path = self.folder.join(name);
        let text = files.replacements.redact(&written.unwrap_or_default());
        if files.replacements.count() > before {
            files.replace_in_earlier();
        }
        match write(&path, &text) {
            Ok(()) => files.written.push(path),
            Err(_) => warn("an exchange could not be written: check the folder and the free space of the disk"),
        }
        drop(files);

        let mut forwarded = Response::new(Body::from(response.body.clone()));
        *forwarded.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
        *forwarded.headers_mut() = end_to_end_headers(headers);
        Ok(forwarded)
    }
}

impl RecordedFiles {
    /// Replaces new ids in earlier files, which may contain an id that was not known to be one.
    fn replace_in_earlier(&self) {
        for path in &self.written {
            let Ok(text) = fs::read_to_string(path) else { continue };
            let replaced = self.replacements.redact(&text);
            if replaced != text && write(path, &replaced).is_err() {
                warn("an exchange could not be rewritten: the folder may still contain an id");
            }
        }
    }
}

/// Status and text of the response to a request that is not forwarded or gets no response.
type Rejection = (StatusCode, String);

async fn forward(State(recorder): State<Arc<Recorder>>, request: Request) -> Response {
    recorder.exchange(request).await.unwrap_or_else(|(status, reason)| {
        warn(&format!("an exchange was not recorded: {reason}"));
        (status, reason).into_response()
    })
}

fn operation(method: &Method, path: &str) -> Option<&'static OperationMeta> {
    vitalwire::OPERATIONS.iter().copied().find(|operation| {
        let mut parts = path.split('/');
        operation.http_method == method.as_str()
            && operation.path.split('/').all(|name| parts.next().is_some_and(|part| name.starts_with('{') || name == part))
            && parts.next().is_none()
    })
}

fn end_to_end_headers(headers: &HeaderMap) -> HeaderMap {
    let options = headers.get_all(header::CONNECTION).iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    let named: Vec<HeaderName> = options.filter_map(|name| name.trim().parse().ok()).collect();
    let mut headers = headers.clone();
    for name in HOP_BY_HOP.iter().chain(&named) {
        headers.remove(name);
    }
    headers
}

fn record_body(values: &mut Replacements, body: &Bytes) -> Option<RecordedBody> {
    let Ok(text) = std::str::from_utf8(body) else { return RecordedBody::from_bytes(&values.bytes(body)) };
    // Keep a byte order mark, and replace ids after it as in any JSON body.
    let json = text.strip_prefix('\u{feff}').unwrap_or(text);
    let replaced = match serde_json::from_str::<serde::de::IgnoredAny>(json) {
        Ok(_) if json.len() < text.len() => format!("\u{feff}{}", values.json(json)),
        Ok(_) => values.json(json),
        Err(_) if is_form(text.trim_end()) => values.query(text.trim_end()),
        Err(_) => values.text(text),
    };
    RecordedBody::from_bytes(replaced.as_bytes())
}

/// Writes a file that only its owner can read, completely or not at all. Replaces a link or pipe that another user put in its place.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = create_temporary(path)?;
    file.write_all(text.as_bytes())?;
    file.persist(path).map(drop).map_err(|error| error.error)
}
