//! How each language's tests are built and run.

pub(crate) mod c;
pub(crate) mod kotlin;
pub(super) mod python;
pub(super) mod rust;
pub(crate) mod swift;
mod uniffi;
