//! Ways into private parts for the fuzz targets (`crates/vitalwire-fuzz`). No part of the API: anything here may change at any time.

use serde::de::DeserializeOwned;
pub use vitalwire_runtime::fuzzing::{problem, retry_after, retry_delay};

use crate::error::{Error, ProblemDetails};
use crate::generated::client::INTERFACE;
use crate::value::decode::{Decode, NullIsEmpty, from_slice};

/// Decodes an answer's body as every typed call does.
///
/// # Errors
/// [`ErrorKind::Decode`](crate::error::ErrorKind::Decode) where the body is not as described.
pub fn decode<T: DeserializeOwned>(body: &[u8]) -> Result<T, Error> {
    from_slice(body, INTERFACE.members).map_err(Error::unreadable)
}

/// Decodes the body of an answer that is a list.
///
/// # Errors
/// As [`decode`].
pub fn decode_list<T: Decode>(body: &[u8]) -> Result<Vec<T>, Error> {
    decode(body).map(|NullIsEmpty(items)| items)
}

/// The error of a refused request with these problem details.
#[must_use]
pub fn refused(problem: Option<ProblemDetails>) -> Error {
    vitalwire_runtime::fuzzing::refused(problem, &INTERFACE)
}
