//! Raw requests: any path of a service, with the token, timeouts, retries and limits of typed calls.

use std::fmt;
use std::future::{Future, IntoFuture};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, header};
use serde::Serialize;

use super::{BoxFuture, CallOptions, Client, RawResponse};
use crate::error::Error;
use crate::operation::{DeadlineClass, OperationMeta, RetryClass, ServiceMeta};
use crate::transport;

/// Replaces the path in errors, logs and events, because a path may contain ids.
const RAW_PATH: &str = "(raw)";

/// A request to any path of a service; made by [`Client::request`]. Send it with `.send().await` or `.await`.
///
/// Any 2xx status is a success. By default, GET, HEAD, OPTIONS, PUT and DELETE are retried, and other methods are not; change this with
/// [`retry_class`](Self::retry_class).
#[must_use = "a request does nothing until it is sent"]
pub struct RawRequest {
    client: Client,
    method: Method,
    service: &'static ServiceMeta,
    path: String,
    query: Vec<(String, String)>,
    body: Option<(Bytes, HeaderValue)>,
    retry: RetryClass,
    deadline: DeadlineClass,
    authenticated: bool,
    /// Headers, encoded query and body of another program's request.
    forwarded: Option<(HeaderMap, String, Bytes)>,
    options: CallOptions,
    invalid_argument: Option<(&'static str, &'static str)>,
}

impl RawRequest {
    pub(super) fn new(client: Client, method: Method, service: &'static ServiceMeta, path: String) -> Self {
        let retry = match method {
            Method::GET | Method::HEAD | Method::OPTIONS => RetryClass::Safe,
            Method::PUT | Method::DELETE => RetryClass::Idempotent,
            _ => RetryClass::Once,
        };
        Self {
            client,
            method,
            service,
            path,
            query: Vec::new(),
            body: None,
            retry,
            deadline: DeadlineClass::Short,
            authenticated: true,
            forwarded: None,
            options: CallOptions::default(),
            invalid_argument: None,
        }
    }

    /// Adds a query parameter.
    pub fn query(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.query.push((name.into(), value.into()));
        self
    }

    /// Adds a header. See [`CallOptions::header`].
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.options = self.options.header(name, value);
        self
    }

    /// Sets the body: a value serialized as JSON.
    pub fn json<T: Serialize + ?Sized>(mut self, value: &T) -> Self {
        match serde_json::to_vec(value) {
            Ok(body) => self.body = Some((Bytes::from(body), HeaderValue::from_static("application/json"))),
            // Drop the cause: it may contain the value.
            Err(_) => self.invalid_argument = Some(("body", "cannot be serialized as JSON")),
        }
        self
    }

    /// Sets the body: bytes of this content type.
    pub fn body(mut self, bytes: impl Into<Bytes>, content_type: &str) -> Self {
        match HeaderValue::try_from(content_type) {
            Ok(content_type) => self.body = Some((bytes.into(), content_type)),
            Err(_) => self.invalid_argument = Some(("content_type", "must be a valid header value")),
        }
        self
    }

    /// Sets whether the request may be retried. Defaults to the class of the HTTP method.
    pub fn retry_class(mut self, class: RetryClass) -> Self {
        self.retry = class;
        self
    }

    /// Sets which default timeouts apply. Defaults to [`DeadlineClass::Short`].
    pub fn deadline_class(mut self, class: DeadlineClass) -> Self {
        self.deadline = class;
        self
    }

    /// Sends the request without a token.
    pub fn unauthenticated(mut self) -> Self {
        self.authenticated = false;
        self
    }

    /// Forwards another program's request once: its headers with their credentials, its encoded query and its body. Sends no token of the client and
    /// returns the response whatever its status is. `Retry-After` does not pause other calls.
    #[doc(hidden)]
    pub fn forward(mut self, headers: HeaderMap, query: &str, body: Bytes) -> Self {
        self.authenticated = false;
        self.forwarded = Some((headers, query.to_owned(), body));
        self.options = self.options.max_retries(0).any_status();
        self
    }

    /// Sets all options at once, and replaces those set before, headers included.
    pub fn options(mut self, options: CallOptions) -> Self {
        self.options = options;
        self
    }

    /// Sends the request and returns the response without decoding it.
    ///
    /// # Errors
    /// * `invalid_argument` if the method, path, content type or body is invalid.
    /// * Errors of [`Call::send`](super::Call::send), except `decode`.
    pub async fn send(self) -> Result<RawResponse, Error> {
        let meta = self.meta();
        let request = self.build().map_err(|error| error.with_operation(&meta))?;
        let state = self.client.state().map_err(|error| error.with_operation(&meta))?;
        transport::execute(&state, &meta, Box::new(request), &self.options).await
    }

    /// Sends the request and blocks this thread until it completes.
    ///
    /// # Errors
    /// * Errors of [`send`](Self::send).
    /// * `configuration` if called inside an async runtime, whose thread must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn send_blocking(self) -> Result<RawResponse, Error> {
        crate::blocking::block_on(self.send())?
    }

    fn meta(&self) -> OperationMeta {
        OperationMeta {
            id: "raw",
            group: "raw",
            method_name: "request",
            service: self.service,
            http_method: method_name(&self.method),
            path: RAW_PATH,
            authenticated: self.authenticated,
            retry: self.retry,
            deadline: self.deadline,
            success: &[],
            max_request_bytes: None,
            array_params: &[],
            interface: self.client.interface(),
        }
    }

    fn build(&self) -> Result<reqwest::Request, Error> {
        if let Some((argument, reason)) = self.invalid_argument {
            return Err(Error::invalid_argument(argument, reason));
        }
        if self.method == Method::CONNECT {
            return Err(Error::invalid_argument("method", "must not be CONNECT"));
        }
        check_path(&self.path).map_err(|reason| Error::invalid_argument("path", reason))?;
        let state = self.client.state()?;
        let base = state.base_url(self.service)?.as_str();
        let outside = || Error::invalid_argument("path", "must stay below the base URL");
        let mut url = reqwest::Url::parse(&format!("{base}{}", self.path)).map_err(|_| outside())?;
        // The URL parser must not have normalized the path away from the base URL.
        if url.as_str().strip_prefix(base) != Some(self.path.as_str()) {
            return Err(outside());
        }
        if !self.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&self.query);
        }
        let mut request = reqwest::Request::new(self.method.clone(), url);
        if let Some((body, content_type)) = &self.body {
            request.headers_mut().insert(header::CONTENT_TYPE, content_type.clone());
            *request.body_mut() = Some(body.clone().into());
        }
        if let Some((headers, query, body)) = &self.forwarded {
            request.url_mut().set_query(Some(query.as_str()).filter(|query| !query.is_empty()));
            request.headers_mut().extend(headers.clone());
            *request.body_mut() = Some(body.clone().into());
        }
        Ok(request)
    }
}

/// Returns a method's name as a constant. A custom method could contain private data.
fn method_name(method: &Method) -> &'static str {
    const KNOWN: [&str; 8] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE"];
    KNOWN.into_iter().find(|name| *name == method.as_str()).unwrap_or("(other)")
}

/// Validates a raw path: absolute, percent-encoded, no query, no fragment, and no dot segments, not even encoded ones.
fn check_path(path: &str) -> Result<(), &'static str> {
    if !path.starts_with('/') || path.starts_with("//") {
        return Err("must begin with a single slash, without scheme and host");
    }
    let allowed = |b: u8| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/%".contains(&b);
    if !path.bytes().all(allowed) {
        return Err("contains characters that must be percent-encoded; pass a query with `query`");
    }
    for segment in path.split('/') {
        let decoded = percent_decode(segment).ok_or("a percent sign must be followed by two hexadecimal digits")?;
        if decoded.iter().any(u8::is_ascii_control) {
            return Err("must not contain an encoded control character");
        }
        if decoded.split(|b| matches!(b, b'/' | b'\\')).any(|part| part == b"." || part == b"..") {
            return Err("must not contain a dot segment");
        }
    }
    Ok(())
}

fn percent_decode(segment: &str) -> Option<Vec<u8>> {
    let digit = |b: u8| char::from(b).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut bytes = segment.bytes();
    let mut decoded = Vec::with_capacity(segment.len());
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            decoded.push(digit(bytes.next()?)? << 4 | digit(bytes.next()?)?);
        } else {
            decoded.push(byte);
        }
    }
    Some(decoded)
}

impl IntoFuture for RawRequest {
    type Output = Result<RawResponse, Error>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}

/// Redacted: shows no path, query or body.
impl fmt::Debug for RawRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawRequest")
            .field("method", &method_name(&self.method))
            .field("service", &self.service.name)
            .field("retry", &self.retry)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// Checks at compile time that the future is `Send`.
const _: fn(RawRequest) = |request| {
    fn threads<F: Future + Send>(_: F) {}
    threads(request.send());
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_paths_are_accepted() {
        for path in ["/", "/v3/userinfo", "/v3/sleeps/a%2Fb", "/v3/x/%20", "/v3/a..b/...", "/v3/x/;a=1,2", "/v3//x"] {
            assert_eq!(check_path(path), Ok(()), "{path}");
        }
    }

    #[test]
    fn hostile_paths_are_rejected() {
        for path in [
            "",
            "v3",
            "//evil.example/x",
            "https://evil.example/",
            "@evil.example",
            "/v3/../x",
            "/..",
            "/v3/.",
            "/v3/%2e%2E/x",
            "/v3/.%2e",
            "/v3/..%2fx",
            "/v3/..%5cx",
            "/v3\\..\\x",
            "/v3/a?b=c",
            "/v3/a#b",
            "/v3/a b",
            "/v3/a\r\nHost: x",
            "/v3/%0d%0a",
            "/v3/%00",
            "/v3/%zz",
            "/v3/%2",
            "/v3/caf\u{e9}",
        ] {
            assert!(check_path(path).is_err(), "{path:?}");
        }
    }
}
