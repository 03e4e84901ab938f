//! Responses of successful calls.

use std::fmt;
use std::ops::Deref;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName};

use super::{Interface, OperationMeta, Projection};
use crate::value::decode::{DecodedValue, SkippedItem, SkippedItems};

/// Metadata of a response.
#[derive(Clone)]
#[non_exhaustive]
pub struct ResponseMetadata {
    /// HTTP status.
    pub status: u16,
    /// Headers. They may contain private data, so `Debug` does not show them.
    pub headers: HeaderMap,
    /// Id that the service gave the request, unchanged.
    pub request_id: Option<String>,
    /// Number of attempts.
    pub attempts: u32,
    /// Time from the start of the call to the end of the body, including the delays between attempts.
    pub elapsed: Duration,
    pub(crate) operation: Option<&'static str>,
    pub(crate) http_method: Option<&'static str>,
    pub(crate) path_template: Option<&'static str>,
    /// Projection of the call onto the response's tables.
    pub(crate) projection: Projection,
    pub(crate) interface: &'static Interface,
    /// Body, if `keep_body` was set. Boxed, because most responses have none.
    pub(crate) body: Option<Box<Bytes>>,
    /// Whether a list item that cannot be decoded is an error.
    pub(crate) strict_lists: bool,
    /// List items that could not be decoded. Boxed, because most responses have none.
    skipped: Option<Box<SkippedItems>>,
}

impl ResponseMetadata {
    pub(crate) fn new(meta: &OperationMeta, status: u16, headers: HeaderMap) -> Self {
        Self {
            status,
            request_id: request_id(&headers),
            headers,
            attempts: 0,
            elapsed: Duration::ZERO,
            operation: Some(meta.id),
            http_method: Some(meta.http_method),
            path_template: Some(meta.path),
            projection: Projection::default(),
            interface: meta.interface,
            body: None,
            strict_lists: false,
            skipped: None,
        }
    }

    /// Adds the skipped list items and logs their number.
    #[must_use]
    pub(crate) fn with_skipped(mut self, skipped: SkippedItems) -> Self {
        skipped.log(self.operation);
        self.skipped = (skipped.count() > 0).then(|| Box::new(skipped));
        self
    }

    /// Returns the id of the operation, such as `get_sleep`. Returns `None` for a raw request.
    #[must_use]
    pub fn operation(&self) -> Option<&'static str> {
        self.operation
    }

    /// Returns the body of the response, if [`CallOptions::keep_body`](crate::client::CallOptions::keep_body) was set. It contains health
    /// data, so `Debug` does not show it.
    #[must_use]
    pub fn body(&self) -> Option<&Bytes> {
        self.body.as_deref()
    }

    /// Returns the skipped list items with their count.
    #[doc(hidden)]
    #[must_use]
    pub fn skipped(&self) -> Option<&SkippedItems> {
        self.skipped.as_deref()
    }

    /// Returns the first 100 list items that could not be decoded and were left out of the value. Their JSON texts are health data, so
    /// `Debug` does not show them.
    #[must_use]
    pub fn skipped_items(&self) -> &[SkippedItem] {
        self.skipped().map_or(&[], SkippedItems::as_slice)
    }

    /// Returns the number of list items that could not be decoded and were left out of the value. It may exceed the number of
    /// [`skipped_items`](Self::skipped_items).
    #[must_use]
    pub fn skipped_count(&self) -> u64 {
        self.skipped().map_or(0, SkippedItems::count)
    }
}

/// Headers in which services and gateways send a request id, by precedence. A static, because header names would otherwise be parsed for
/// every response.
static REQUEST_ID_HEADERS: [HeaderName; 5] = [
    HeaderName::from_static("x-request-id"),
    HeaderName::from_static("request-id"),
    HeaderName::from_static("x-correlation-id"),
    HeaderName::from_static("x-amzn-requestid"),
    HeaderName::from_static("cf-ray"),
];

/// Returns the request id unchanged, if it is visible ASCII.
pub(crate) fn request_id(headers: &HeaderMap) -> Option<String> {
    // One pass over the few headers of a response. A lookup per name would hash each name.
    let precedence = |name: &HeaderName| REQUEST_ID_HEADERS.iter().position(|known| known == name);
    let (_, value) = headers.iter().filter_map(|(name, value)| Some((precedence(name)?, value))).min_by_key(|(position, _)| *position)?;
    value.to_str().ok().map(str::to_owned).filter(|id| !id.is_empty())
}

impl fmt::Debug for ResponseMetadata {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseMetadata")
            .field("status", &self.status)
            .field("operation", &self.operation)
            .field("attempts", &self.attempts)
            .field("elapsed", &self.elapsed)
            .field("skipped", &self.skipped_count())
            .finish_non_exhaustive()
    }
}

/// A response that is not decoded. Returned by [`Call::raw`](crate::client::Call::raw) and
/// [`RawRequest::send`](crate::client::RawRequest::send).
#[derive(Clone)]
#[non_exhaustive]
pub struct RawResponse {
    /// Status, headers, attempts and time.
    pub meta: ResponseMetadata,
    /// Body, decompressed. It contains health data, so `Debug` shows its length only.
    pub body: Bytes,
}

impl RawResponse {
    /// Returns the HTTP status.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.meta.status
    }

    /// Returns the headers.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        &self.meta.headers
    }
}

impl fmt::Debug for RawResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawResponse").field("meta", &self.meta).field("bytes", &self.body.len()).finish()
    }
}

/// A decoded response: the value with its metadata. Dereferences to the value.
#[derive(Clone)]
pub struct Response<T> {
    value: T,
    meta: ResponseMetadata,
}

impl<T> Response<T> {
    /// Combines a decoded value with its response. Keeps the body only if `keep_body` is set.
    pub(crate) fn new(decoded: DecodedValue<T>, raw: RawResponse, keep_body: bool) -> Self {
        let meta = raw.meta.with_skipped(decoded.skipped);
        Self { value: decoded.value, meta: ResponseMetadata { body: keep_body.then(|| Box::new(raw.body)), ..meta } }
    }

    /// Returns the value without the metadata.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }

    /// Returns the metadata: status, headers, request id, attempts and time.
    #[must_use]
    pub fn metadata(&self) -> &ResponseMetadata {
        &self.meta
    }

    /// Returns the body of the response, if [`CallOptions::keep_body`](crate::client::CallOptions::keep_body) was set.
    #[must_use]
    pub fn body(&self) -> Option<&Bytes> {
        self.meta.body()
    }

    /// Returns the first 100 list items that could not be decoded and were left out. See [`ResponseMetadata::skipped_items`].
    #[must_use]
    pub fn skipped_items(&self) -> &[SkippedItem] {
        self.meta.skipped_items()
    }

    /// Returns the number of list items that could not be decoded and were left out.
    #[must_use]
    pub fn skipped_count(&self) -> u64 {
        self.meta.skipped_count()
    }

    pub(crate) fn meta_mut(&mut self) -> &mut ResponseMetadata {
        &mut self.meta
    }

    pub(crate) fn value_mut(&mut self) -> &mut T {
        &mut self.value
    }

    /// Converts the value and keeps the metadata.
    #[must_use]
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Response<U> {
        Response { value: change(self.value), meta: self.meta }
    }

    /// Returns the value and the metadata.
    #[must_use]
    pub fn into_parts(self) -> (T, ResponseMetadata) {
        (self.value, self.meta)
    }
}

impl<T> Deref for Response<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// Iterates over the items of a list response.
impl<T: IntoIterator> IntoIterator for Response<T> {
    type Item = T::Item;
    type IntoIter = T::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        self.value.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a Response<T>
where
    &'a T: IntoIterator,
{
    type Item = <&'a T as IntoIterator>::Item;
    type IntoIter = <&'a T as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        self.value.into_iter()
    }
}

/// Shows the value with its own `Debug`, which is redacted for the models of this library.
impl<T: fmt::Debug> fmt::Debug for Response<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response").field("value", &self.value).field("meta", &self.meta).finish_non_exhaustive()
    }
}
