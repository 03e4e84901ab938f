//! Native libraries for release.

mod library;
pub(crate) mod linker;

pub(crate) use library::{Optimization, ReleaseLibrary, library, native_libraries};
