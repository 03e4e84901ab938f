//! Answers and errors of the generated requests.

use std::marker::PhantomData;

use http::StatusCode;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use crate::client::{RawResponse, Response};
use crate::error::Error as CallError;
use crate::value::decode::{self, Decode, NullIsEmpty};

/// An answer with a status of success.
pub struct Answer(pub(crate) RawResponse);

impl Answer {
    pub(crate) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.0.status()).unwrap_or_default()
    }
}

/// A decoded answer, still with its body.
pub struct ResponseValue<T> {
    value: T,
    response: RawResponse,
}

impl<T> ResponseValue<T> {
    pub(crate) fn map<U>(self, change: impl FnOnce(T) -> U) -> ResponseValue<U> {
        ResponseValue { value: change(self.value), response: self.response }
    }

    pub(crate) fn value_mut(&mut self) -> &mut T {
        &mut self.value
    }

    pub(crate) fn into_response(self, keep_raw: bool) -> Response<T> {
        Response::new(self.value, self.response, keep_raw)
    }
}

impl<T: DeserializeOwned> ResponseValue<T> {
    pub(crate) async fn from_response(answer: Answer) -> Result<Self, Error<()>> {
        let Answer(response) = answer;
        match decode::from_slice(&response.body) {
            Ok(value) => Ok(Self { value, response }),
            Err(failure) => Err(CallError::decode(&response.meta, failure.place, failure.reason).into()),
        }
    }
}

impl ResponseValue<()> {
    pub(crate) fn empty(answer: Answer) -> Self {
        Self { value: (), response: answer.0 }
    }
}

/// A body that is a list; `null` is an empty one.
pub(crate) struct ListBody<T>(Vec<T>);

impl<T> ListBody<T> {
    pub(crate) fn into_items(self) -> Vec<T> {
        self.0
    }
}

impl<'de, T: Decode<'de>> Deserialize<'de> for ListBody<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        NullIsEmpty::deserialize(deserializer).map(|NullIsEmpty(items)| Self(items))
    }
}

/// How a generated request ends without a result. `E` is progenitor's error body, which our transport has read already.
pub enum Error<E> {
    /// The call failed.
    Failed(CallError),
    /// Not a failure: the caller asked for the answer as it came.
    Captured(RawResponse),
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
