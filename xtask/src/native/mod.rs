//! Native libraries for release.

mod library;
pub(crate) mod linker;
mod system;

pub(crate) use library::{Optimization, ReleaseLibrary, build_library, debug_variables, native_libraries};
pub(crate) use system::System;
