//! How each language's tests are built and run.

pub(super) mod c;
pub(super) mod kotlin;
pub(super) mod python;
pub(super) mod rust;
pub(super) mod swift;
