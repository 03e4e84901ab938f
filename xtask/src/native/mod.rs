//! Native libraries for release.

mod library;
pub(crate) mod linker;

pub(crate) use library::{Optimization, ReleaseLibrary, build_library, native_libraries};
