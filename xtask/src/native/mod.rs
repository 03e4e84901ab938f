//! Native libraries for release.

pub(crate) mod emulator;
mod library;
pub(crate) mod linker;
mod system;

pub(crate) use library::{Optimization, ReleaseLibrary, build_library, debug_variables, native_libraries};
pub(crate) use system::System;
