//! Answers and errors of the generated requests.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use http::StatusCode;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::error::Error as CallError;
use crate::operation::{OperationMeta, RawResponse, Response, RetryClass};
use crate::transport::DecodeGuard;
use crate::value::decode::{self, Decode, DecodeFailure, Decoded, NullIsEmpty, SkippedItems};

/// An answer with a status of success.
pub struct Answer {
    pub(crate) response: RawResponse,
    pub(crate) meta: &'static OperationMeta,
    /// Keeps the body of what cannot be decoded.
    pub(crate) keep_raw: bool,
    /// Ends the decoding of a large body with the call.
    pub(crate) guard: Option<Box<DecodeGuard>>,
}

impl Answer {
    /// The status that the interface states for it.
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.meta.stated(self.response.status())).unwrap_or_default()
    }

    /// The answer cannot be decoded.
    fn undecoded(self, failure: DecodeFailure) -> CallError {
        let error = CallError::decode(&self.response.meta, failure.place, failure.reason);
        self.failed(error)
    }

    /// The answer was not decoded. What the call was to do it has done.
    fn failed(self, error: CallError) -> CallError {
        let error = error.effect(self.meta.effect());
        let error = if self.meta.retry == RetryClass::Once { error.of_record(record_id(&self.response.body)) } else { error };
        if self.keep_raw { error.with_body(self.response.body) } else { error }
    }
}

/// Largest body that is looked through for an id, in bytes: answers to uploads are small.
const MAX_LOOK: usize = 1 << 20;

/// The id of a record that was made, by an answer of which no more than that may be readable: at its top, or in what it wraps.
fn record_id(body: &[u8]) -> Option<String> {
    fn own(object: &str) -> (Option<String>, BTreeMap<String, &RawValue>) {
        let members: BTreeMap<String, &RawValue> = serde_json::from_str(object).unwrap_or_default();
        (members.get("record_id").and_then(|id| serde_json::from_str(id.get()).ok()), members)
    }
    let body = decode::without_byte_order_mark(body);
    let (id, members) = own(std::str::from_utf8(body.get(..MAX_LOOK).unwrap_or(body)).ok()?);
    id.or_else(|| members.values().find_map(|wrapped| own(wrapped.get()).0))
}

/// A decoded answer, still with its body.
pub struct ResponseValue<T> {
    decoded: Decoded<T>,
    response: RawResponse,
}

impl<T> ResponseValue<T> {
    /// Changes the value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> ResponseValue<U> {
        let Decoded { value, skipped } = self.decoded;
        ResponseValue { decoded: Decoded { value: change(value), skipped }, response: self.response }
    }

    /// The value, to be changed.
    pub fn value_mut(&mut self) -> &mut T {
        &mut self.decoded.value
    }

    pub(crate) fn into_response(self, keep_raw: bool) -> Response<T> {
        Response::new(self.decoded, self.response, keep_raw)
    }
}

impl<T: DeserializeOwned> ResponseValue<T> {
    /// Decodes an answer.
    pub async fn from_response(mut answer: Answer) -> Result<Self, Error<()>> {
        match DecodeGuard::run(answer.guard.take(), &answer.response.meta, || answer.response.decoded()) {
            Ok(Ok(decoded)) => Ok(Self { decoded, response: answer.response }),
            Ok(Err(failure)) => Err(answer.undecoded(failure).into()),
            Err(error) => Err(answer.failed(error).into()),
        }
    }
}

impl ResponseValue<()> {
    /// An answer without a body.
    pub fn empty(answer: Answer) -> Self {
        Self { decoded: Decoded { value: (), skipped: SkippedItems::default() }, response: answer.response }
    }
}

impl RawResponse {
    /// Decodes the body as a model, as a typed call does. List items that cannot be decoded are left out, unless the client or the call
    /// has [`strict_lists`](crate::client::CallOptions::strict_lists).
    ///
    /// # Errors
    /// Decode where the body is not as described, with the place in it.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, CallError> {
        let decoded = self.decoded().map_err(|failure| CallError::decode(&self.meta, failure.place, failure.reason))?;
        Ok(decoded.value)
    }

    /// Decodes the body; the list items that were left out come with the value.
    pub(crate) fn decoded<T: DeserializeOwned>(&self) -> Result<Decoded<T>, DecodeFailure> {
        decode::decode(&self.body, self.meta.interface.members, self.meta.strict_lists)
    }
}

/// A body that is a list; `null` is an empty one.
pub struct ListBody<T>(Vec<T>);

impl<T> ListBody<T> {
    /// Its items.
    pub fn into_items(self) -> Vec<T> {
        self.0
    }
}

impl<'de, T: Decode> Deserialize<'de> for ListBody<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        NullIsEmpty::deserialize(deserializer).map(|NullIsEmpty(items)| Self(items))
    }
}

/// How a generated request ends without a result. `E` is progenitor's error body, which our transport has read already.
pub enum Error<E> {
    /// The call failed.
    Failed(CallError),
    /// Not a failure: the caller asked for the answer as it came.
    Captured(RawResponse, Option<Box<DecodeGuard>>),
    /// A success whose status the operation does not state; the transport lets none through.
    UnexpectedResponse(Answer),
    /// Holds the type parameter.
    Never(PhantomData<E>, std::convert::Infallible),
}

impl<E> From<CallError> for Error<E> {
    fn from(error: CallError) -> Self {
        Self::Failed(error)
    }
}

/// A request that cannot be built: its body has no JSON form, or the URL is too long.
impl<E> From<reqwest::Error> for Error<E> {
    fn from(_: reqwest::Error) -> Self {
        Self::Failed(CallError::internal("the request could not be built"))
    }
}
