//! Native libraries for release.

mod library;
pub(crate) mod linker;

pub(crate) use library::{Aim, Built, library, native_libraries};
