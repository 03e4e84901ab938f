//! Responses and errors of generated requests.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use http::StatusCode;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::error::Error as CallError;
use crate::operation::{OperationMeta, RawResponse, Response, RetryClass};
use crate::transport::{DecodeGuard, UnsentRequest};
use crate::value::decode::{self, DecodeFailure, DecodedValue, FromBody, SkippedItems};

/// A response with a success status.
pub struct SuccessResponse {
    pub(crate) response: RawResponse,
    pub(crate) meta: &'static OperationMeta,
    /// Whether errors keep the body of a response that cannot be decoded.
    pub(crate) keep_body: bool,
    /// Interrupts decoding a large body when the call ends.
    pub(crate) guard: Option<Box<DecodeGuard>>,
}

impl SuccessResponse {
    /// Returns the success status that the interface declares.
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.meta.documented_status(self.response.status())).unwrap_or_default()
    }

    /// Creates the error for a response that cannot be decoded.
    fn decode_error(self, failure: DecodeFailure) -> CallError {
        let error = self.response.decode_error(failure);
        self.with_call_context(error)
    }

    fn with_call_context(self, error: CallError) -> CallError {
        self.response.add_context(error, self.meta, self.keep_body)
    }
}

/// Finds the id of a created record, even if the rest of the response cannot be decoded. Searches the top level, and the object that
/// wraps the record.
fn record_id(body: &[u8]) -> Option<String> {
    fn read_object(object: &str) -> (Option<String>, BTreeMap<String, &RawValue>) {
        let fields: BTreeMap<String, &RawValue> = serde_json::from_str(object).unwrap_or_default();
        (fields.get("record_id").and_then(|id| serde_json::from_str(id.get()).ok()), fields)
    }
    let body = String::from_utf8_lossy(decode::without_byte_order_mark(body));
    let (id, fields) = read_object(&body);
    id.or_else(|| fields.values().find_map(|wrapped| read_object(wrapped.get()).0))
}

/// A decoded response, with its body.
pub struct ResponseValue<T> {
    decoded: DecodedValue<T>,
    response: RawResponse,
}

impl<T> ResponseValue<T> {
    /// Converts the value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> ResponseValue<U> {
        let DecodedValue { value, skipped } = self.decoded;
        ResponseValue { decoded: DecodedValue { value: change(value), skipped }, response: self.response }
    }

    /// Returns a mutable reference to the value.
    pub fn value_mut(&mut self) -> &mut T {
        &mut self.decoded.value
    }

    pub(crate) fn into_response(self, keep_body: bool) -> Response<T> {
        Response::new(self.decoded, self.response, keep_body)
    }
}

impl<T: FromBody> ResponseValue<T> {
    /// Decodes a response.
    pub async fn from_response(received: SuccessResponse) -> Result<Self, Error<()>> {
        Ok(Self::decode(received)?)
    }

    /// Decodes a response.
    pub(crate) fn decode(mut received: SuccessResponse) -> Result<Self, CallError> {
        match DecodeGuard::run(received.guard.take(), &received.response.meta, || received.response.decoded()) {
            Ok(Ok(decoded)) => Ok(Self { decoded, response: received.response }),
            Ok(Err(failure)) => Err(received.decode_error(failure)),
            Err(error) => Err(received.with_call_context(error)),
        }
    }
}

impl ResponseValue<()> {
    /// Creates the value of a response without a body.
    pub fn empty(received: SuccessResponse) -> Self {
        Self { decoded: DecodedValue { value: (), skipped: SkippedItems::default() }, response: received.response }
    }
}

impl RawResponse {
    /// Decodes the body as a model, like a typed call. List items that cannot be decoded are skipped, unless the client or the call has
    /// [`strict_lists`](crate::client::CallOptions::strict_lists).
    ///
    /// # Errors
    /// `decode`, with the path in the body, if the body does not match the model.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, CallError> {
        let decoded = decode::decode_by_serde(&self.body, self.meta.interface.field_names, self.meta.strict_lists);
        decoded.map(|decoded| decoded.value).map_err(|failure| self.decode_error(failure))
    }

    /// Decodes the body. The result includes the list items that were skipped.
    pub(crate) fn decoded<T: FromBody>(&self) -> Result<DecodedValue<T>, DecodeFailure> {
        decode::decode(&self.body, self.meta.interface.field_names, self.meta.strict_lists)
    }

    /// Adds context to an error that occurs after a success: that the operation has taken effect, the id of the created record, and the
    /// body if the call keeps it.
    pub(crate) fn add_context(&self, error: CallError, meta: &OperationMeta, keep_body: bool) -> CallError {
        let error = error.with_effect(meta.effect());
        let error = if meta.retry == RetryClass::Once { error.with_record_id(record_id(&self.body)) } else { error };
        if keep_body { error.with_body(self.body.clone()) } else { error }
    }

    /// Creates the error of a body that cannot be decoded.
    pub(crate) fn decode_error(&self, failure: DecodeFailure) -> CallError {
        CallError::decode(&self.meta, failure.json_path, failure.reason)
    }
}

/// Outcome of a generated request other than a decoded response. `E` is progenitor's error body, which the transport has already read.
pub enum Error<E> {
    /// The call failed.
    Failed(CallError),
    /// Not a failure: the caller requested the response as received.
    Captured(RawResponse, Option<Box<DecodeGuard>>),
    /// Not a failure: the caller requested the request instead of sending it.
    Unsent(Box<UnsentRequest>),
    /// A success status that the operation does not declare. The transport never returns one.
    UnexpectedResponse(SuccessResponse),
    /// Uses the type parameter.
    Never(PhantomData<E>, std::convert::Infallible),
}

impl<E> From<CallError> for Error<E> {
    fn from(error: CallError) -> Self {
        Self::Failed(error)
    }
}

/// Converts the error of a request that cannot be built: its body has no JSON form, or the URL is too long.
impl<E> From<reqwest::Error> for Error<E> {
    fn from(_: reqwest::Error) -> Self {
        Self::Failed(CallError::internal("the request cannot be built"))
    }
}
