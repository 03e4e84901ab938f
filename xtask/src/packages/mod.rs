//! The packages of C, Kotlin and Swift, each compiled once, for tests and conformance cases; and what of them is shipped.

pub(crate) mod c;
pub(crate) mod kotlin;
pub(crate) mod shipped;
pub(crate) mod swift;
pub(crate) mod uniffi;
