//! Answers from memory instead of a service, for tests and previews of an application. All else of a call is real: local checks, tokens,
//! deadlines, retries, decoding, hooks, cancelling.

mod exchange;
mod folder;
mod script;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

pub use exchange::{Exchange, RecordedBody, RecordedRequest, RecordedResponse};
use script::Scripts;

use super::attempt::{Failed, Sent};
use super::retry::RetryDecision;
use crate::error::{Error, ErrorKind};
use crate::operation::OperationMeta;

/// The base URL of a service that is answered for and has none. Nothing is ever sent to it (RFC 2606 2).
pub(crate) const NO_SERVICE: &str = "https://answers.invalid";
/// The token of such a service.
pub(crate) const NO_TOKEN: &str = "answers";

/// One answer: plain data.
#[derive(Clone, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status; 0 for an attempt that makes no connection.
    pub status: u16,
    /// The headers.
    pub headers: Vec<(String, String)>,
    /// The body as it would be received. Health data, perhaps: `Debug` shows its length only.
    pub body: Bytes,
    /// Time before the answer.
    pub delay: Duration,
}

impl Answer {
    /// A status without a body.
    #[must_use]
    pub fn status(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Bytes::new(), delay: Duration::ZERO }
    }

    /// A JSON body with status 200.
    #[must_use]
    pub fn json(text: impl Into<Bytes>) -> Self {
        Self { body: text.into(), ..Self::status(200) }.header(header::CONTENT_TYPE.as_str(), "application/json")
    }

    /// A refusal with problem details (RFC 9457) that have this `detail`.
    #[must_use]
    pub fn problem(status: u16, detail: &str) -> Self {
        let body = serde_json::json!({ "status": status, "detail": detail }).to_string();
        Self { body: body.into(), ..Self::status(status) }.header(header::CONTENT_TYPE.as_str(), "application/problem+json")
    }

    /// No connection is made, as without a network.
    #[must_use]
    pub fn no_connection() -> Self {
        Self::status(0)
    }

    /// The same with another header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same with another status.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// The same after a time, which counts against the deadlines of the call.
    #[must_use]
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// As the HTTP library hands out a response; `None` if a service could not send it.
    fn response(&self) -> Option<reqwest::Response> {
        let mut headers = HeaderMap::with_capacity(self.headers.len());
        for (name, value) in &self.headers {
            headers.append(HeaderName::from_bytes(name.as_bytes()).ok()?, HeaderValue::from_str(value).ok()?);
        }
        let mut response = http::Response::new(self.body.clone());
        // Statuses below 200 are no answers yet, and those above 599 none of HTTP.
        *response.status_mut() = StatusCode::from_u16(self.status).ok().filter(|status| (200..600).contains(&status.as_u16()))?;
        *response.headers_mut() = headers;
        Some(response.into())
    }
}

/// The body and the headers are not shown.
impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer")
            .field("status", &self.status)
            .field("bytes", &self.body.len())
            .field("delay", &self.delay)
            .finish_non_exhaustive()
    }
}

/// One request that was answered from memory: an attempt. Its token is not kept.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Requested {
    /// The operation's id, for example `get_sleep`; `raw` for raw access.
    pub operation: &'static str,
    /// `GET`, `POST`, …
    pub http_method: String,
    /// The path below the base URL, percent-encoded.
    pub path: String,
    /// The query, decoded, in the order it was written.
    pub query: Vec<(String, String)>,
    /// The body; empty if there is none.
    pub body: Bytes,
}

/// Path, query and body are not shown.
impl fmt::Debug for Requested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Requested").field("operation", &self.operation).field("bytes", &self.body.len()).finish_non_exhaustive()
    }
}

/// The answers that a client gives instead of calling a service; see `ClientBuilder::answers`.
///
/// The answers of an operation are given in turn, one to each attempt; the last one stays. Clones share everything, so that a
/// test keeps one and gives the other to a client:
///
/// ```
/// use vitalwire_runtime::transport::{Answer, Answers};
///
/// let answers = Answers::new()
///     .on("get_user_info", Answer::status(503))
///     .on("get_user_info", Answer::json(r#"{"uid":"u-1"}"#));
/// assert!(answers.requested().is_empty());
/// ```
#[derive(Clone, Default)]
pub struct Answers {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    scripts: Scripts,
    requested: Vec<Requested>,
}

impl Answers {
    /// No answers yet: every call is an error that names its operation.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The recorded exchanges of a folder, as `vitalwire record` writes them. A request is answered by the exchanges that have its method,
    /// path and query, in turn.
    ///
    /// # Errors
    /// A configuration error if the folder cannot be read, has no exchange or one of another format.
    pub fn from_folder(folder: impl AsRef<Path>) -> Result<Self, Error> {
        let answers = Self::new();
        for (request, answer) in folder::read(folder.as_ref())? {
            answers.state().scripts.record(&request, answer);
        }
        Ok(answers)
    }

    /// Adds the next answer of an operation, by its id.
    #[must_use]
    pub fn on(self, operation: &str, answer: Answer) -> Self {
        self.add(operation, answer);
        self
    }

    /// Adds the next answer of an operation, also while clients use these answers.
    pub fn add(&self, operation: &str, answer: Answer) {
        self.state().scripts.add(operation, answer);
    }

    /// Forgets the answers of an operation, so that others can take their place.
    pub fn clear(&self, operation: &str) {
        self.state().scripts.clear(operation);
    }

    /// What was requested so far, attempt by attempt.
    #[must_use]
    pub fn requested(&self) -> Vec<Requested> {
        self.state().requested.clone()
    }

    /// Answers a request. `base_url` is its service's.
    pub(super) fn answer(
        &self,
        meta: &OperationMeta,
        base_url: &str,
        request: &reqwest::Request,
    ) -> impl Future<Output = Sent> + Send + use<> {
        let answer = self.next(meta, base_url, request);
        let unfit = unanswered(meta, "no service could send this answer: look at its status and headers");
        async move {
            let failed = |error| Failed { error, again: RetryDecision::Never };
            let answer = answer.map_err(failed)?;
            if !answer.delay.is_zero() {
                tokio::time::sleep(answer.delay).await;
            }
            if answer.status == 0 {
                let error = Error::with_reason(ErrorKind::Transport, "no connection could be made");
                return Err(Failed { error, again: RetryDecision::NeverLeft });
            }
            answer.response().ok_or_else(|| failed(unfit))
        }
    }

    /// Keeps a request, and takes its answer.
    fn next(&self, meta: &OperationMeta, base_url: &str, request: &reqwest::Request) -> Result<Answer, Error> {
        let address = request.url().as_str();
        let path = address.strip_prefix(base_url).unwrap_or(address).split('?').next().unwrap_or_default();
        let requested = Requested {
            operation: meta.id,
            http_method: request.method().as_str().to_owned(),
            path: path.to_owned(),
            query: request.url().query_pairs().into_owned().collect(),
            body: request.body().and_then(reqwest::Body::as_bytes).map(Bytes::copy_from_slice).unwrap_or_default(),
        };
        let mut state = self.state();
        let answer = state.scripts.next(&requested);
        state.requested.push(requested);
        answer.map_err(|reason| unanswered(meta, reason))
    }

    /// A thread that panicked meanwhile left nothing half done.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The operation is named as an argument, because raw access has no path template.
fn unanswered(meta: &OperationMeta, reason: &'static str) -> Error {
    Error::setting(format!("answers.{}", meta.id), reason)
}

/// Answers and requests are not shown.
impl fmt::Debug for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answers").field("requested", &self.state().requested.len()).finish_non_exhaustive()
    }
}
