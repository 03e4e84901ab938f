//! Native libraries for release.

mod library;
pub(crate) mod linker;

pub(crate) use library::{Optimization, ReleaseLibrary, build_library, debug_variables, native_libraries};
