//! Reproducible tar and zip archives, and unpacking.

pub(crate) mod tar;
mod unpack;
pub(crate) mod zip;

pub(crate) use unpack::unpack;
