//! Archives: packed as tar and zip with the same bytes on every machine, and unpacked.

pub(crate) mod tar;
mod unpack;
pub(crate) mod zip;

pub(crate) use unpack::unpack;
