//! Oracles: properties that hold for any input. Each takes the function under test as an argument, so that tests can pass a faulty one.

pub mod decoding;
pub mod lossless;
pub mod memory;
pub mod text;

use vitalwire::Error;

/// Decodes a body.
pub type Decode<'a, T> = &'a dyn Fn(&[u8]) -> Result<T, Error>;
