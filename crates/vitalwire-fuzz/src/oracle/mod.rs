//! What must hold, whatever the input. Each takes what it judges as an argument, so that the tests can hand in something broken.

pub mod answer;
pub mod kept;
pub mod memory;
pub mod text;

use vitalwire::Error;

/// Decodes a body.
pub type Decode<'a, T> = &'a dyn Fn(&[u8]) -> Result<T, Error>;
