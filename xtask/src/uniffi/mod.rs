//! uniffi's bindings of the native library, and packages of the workspace with test-only bindings. Shared by Swift and Kotlin.

mod bindings;
pub(crate) mod lines;
mod package;

pub(crate) use bindings::{FINGERPRINT, Generator, Probe, generate};
pub(crate) use package::{ProbePackage, library_folder, mirror, write};
