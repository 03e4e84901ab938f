//! Access to private functions for the fuzz targets in `crates/vitalwire-fuzz`. Not part of the public API; may change at any time.

pub use vitalwire_runtime::fuzzing::{parse_problem, parse_retry_after, retry_delay};
pub use vitalwire_runtime::table::read_table_by_serde;

use crate::error::{Error, ProblemDetails};
use crate::generated::client::INTERFACE;
use crate::value::decode::{self, Decode, FromBody, NullableList, SkippedItems, from_slice};

/// Decodes a response body as a typed call does.
///
/// # Errors
/// [`ErrorKind::Decode`](crate::error::ErrorKind::Decode) if the body does not match the model.
pub fn decode<T: FromBody>(body: &[u8]) -> Result<T, Error> {
    from_slice(body, INTERFACE.field_names).map_err(Error::from_decode_failure)
}

/// Decodes a response body that is a list.
///
/// # Errors
/// Same as `decode`.
pub fn decode_list<T: Decode>(body: &[u8]) -> Result<Vec<T>, Error> {
    decode(body).map(|NullableList(items)| items)
}

/// A decoded value with the list items that were skipped, or the error.
pub type Decoded<T> = Result<(T, SkippedItems), Error>;

/// Decodes a response body as a typed call does, and by serde only. Both must be equal.
pub fn decode_twice<T: FromBody>(body: &[u8]) -> [Decoded<T>; 2] {
    let names = INTERFACE.field_names;
    [decode::decode(body, names, false), decode::decode_by_serde(body, names, false)]
        .map(|decoded| decoded.map(|decoded| (decoded.value, decoded.skipped)).map_err(Error::from_decode_failure))
}

/// Decodes a response body that is a list twice; see `decode_twice`.
pub fn decode_list_twice<T: Decode>(body: &[u8]) -> [Decoded<Vec<T>>; 2] {
    decode_twice(body).map(|decoded| decoded.map(|(NullableList(items), skipped)| (items, skipped)))
}

/// Creates the error of a rejected request with these problem details.
#[must_use]
pub fn rejected_request_error(problem: Option<ProblemDetails>) -> Error {
    vitalwire_runtime::fuzzing::rejected_request_error(problem, &INTERFACE)
}
