//! The response of a successful call.

use std::fmt;
use std::ops::Deref;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName};

use super::{Interface, OperationMeta, Projection};
use crate::value::decode::{Decoded, SkippedItem, SkippedItems};

/// Facts about a response, besides its body.
#[derive(Clone)]
#[non_exhaustive]
pub struct ResponseMetadata {
    /// The HTTP status.
    pub status: u16,
    /// The headers. They may contain private data, so `Debug` does not show them.
    pub headers: HeaderMap,
    /// The id that the service gave this request, as it came.
    pub request_id: Option<String>,
    /// Number of attempts.
    pub attempts: u32,
    /// Time from the start of the call to the end of the body, pauses included.
    pub elapsed: Duration,
    pub(crate) operation: Option<&'static str>,
    pub(crate) http_method: Option<&'static str>,
    pub(crate) path_template: Option<&'static str>,
    /// What the call requested of the response's tables.
    pub(crate) projection: Projection,
    pub(crate) interface: &'static Interface,
    /// The body, on request. In a box: most answers have none.
    pub(crate) raw: Option<Box<Bytes>>,
    /// Whether a list item that cannot be decoded is an error.
    pub(crate) strict_lists: bool,
    /// The list items that could not be decoded. In a box: most responses have none.
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
            raw: None,
            strict_lists: false,
            skipped: None,
        }
    }

    /// Notes the list items that were left out of the result, and tells the log how many.
    #[must_use]
    pub(crate) fn skipping(mut self, skipped: SkippedItems) -> Self {
        skipped.log(self.operation);
        self.skipped = (skipped.count() > 0).then(|| Box::new(skipped));
        self
    }

    /// The operation's id, such as `get_sleep`; `None` of a raw request.
    #[must_use]
    pub fn operation(&self) -> Option<&'static str> {
        self.operation
    }

    /// The body that the result was read from, if [`CallOptions::keep_raw`](crate::client::CallOptions::keep_raw) was set. Health data: `Debug`
    /// does not show it.
    #[must_use]
    pub fn raw(&self) -> Option<&Bytes> {
        self.raw.as_deref()
    }

    /// The list items that were left out, in one value.
    #[doc(hidden)]
    #[must_use]
    pub fn skipped(&self) -> Option<&SkippedItems> {
        self.skipped.as_deref()
    }

    /// The first 100 list items that could not be decoded and were left out of the result. Their JSON texts are health data: `Debug` does
    /// not show them.
    #[must_use]
    pub fn skipped_items(&self) -> &[SkippedItem] {
        self.skipped().map_or(&[], SkippedItems::as_slice)
    }

    /// Number of list items that could not be decoded and were left out of the result. It may exceed the number of
    /// [`skipped_items`](Self::skipped_items).
    #[must_use]
    pub fn skipped_count(&self) -> u64 {
        self.skipped().map_or(0, SkippedItems::count)
    }
}

/// Headers in which services and gateways send a request's id; the first one present counts. Made once, because names would be parsed for
/// every response.
static REQUEST_ID_HEADERS: [HeaderName; 5] = [
    HeaderName::from_static("x-request-id"),
    HeaderName::from_static("request-id"),
    HeaderName::from_static("x-correlation-id"),
    HeaderName::from_static("x-amzn-requestid"),
    HeaderName::from_static("cf-ray"),
];

/// The request id as it came, if it is readable text.
pub(crate) fn request_id(headers: &HeaderMap) -> Option<String> {
    let value = REQUEST_ID_HEADERS.iter().find_map(|name| headers.get(name))?;
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

/// A response as received: for raw access, and underneath every typed call.
#[derive(Clone)]
#[non_exhaustive]
pub struct RawResponse {
    /// Status, headers, attempts and time.
    pub meta: ResponseMetadata,
    /// The body, inflated. Health data: `Debug` shows its length only.
    pub body: Bytes,
}

impl RawResponse {
    /// The HTTP status.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.meta.status
    }

    /// The headers.
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

/// A result, with facts about its response. It dereferences to the result.
#[derive(Clone)]
pub struct Response<T> {
    value: T,
    meta: ResponseMetadata,
}

impl<T> Response<T> {
    /// Joins a decoded value with its response. The body is kept only on request.
    pub(crate) fn new(decoded: Decoded<T>, raw: RawResponse, keep_raw: bool) -> Self {
        let meta = raw.meta.skipping(decoded.skipped);
        Self { value: decoded.value, meta: ResponseMetadata { raw: keep_raw.then(|| Box::new(raw.body)), ..meta } }
    }

    /// Returns the result alone.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }

    /// Status, headers, request id, attempts and time.
    #[must_use]
    pub fn metadata(&self) -> &ResponseMetadata {
        &self.meta
    }

    /// The body the result was read from, if [`CallOptions::keep_raw`](crate::client::CallOptions::keep_raw) was set.
    #[must_use]
    pub fn raw(&self) -> Option<&Bytes> {
        self.meta.raw()
    }

    /// The first 100 list items that could not be decoded and were left out; see [`ResponseMetadata::skipped_items`].
    #[must_use]
    pub fn skipped_items(&self) -> &[SkippedItem] {
        self.meta.skipped_items()
    }

    /// Number of list items that could not be decoded and were left out.
    #[must_use]
    pub fn skipped_count(&self) -> u64 {
        self.meta.skipped_count()
    }

    /// The facts about the response, to be changed.
    pub(crate) fn meta_mut(&mut self) -> &mut ResponseMetadata {
        &mut self.meta
    }

    /// The value, to be changed.
    pub(crate) fn value_mut(&mut self) -> &mut T {
        &mut self.value
    }

    /// Returns the same response with another value.
    #[must_use]
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Response<U> {
        Response { value: change(self.value), meta: self.meta }
    }

    /// Returns the result and the facts about its response.
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

/// The items of an answer that holds a list.
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

/// Shows the value with its own `Debug`, which for our models is redacting.
impl<T: fmt::Debug> fmt::Debug for Response<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response").field("value", &self.value).field("meta", &self.meta).finish_non_exhaustive()
    }
}
