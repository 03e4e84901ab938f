//! uniffi's bindings of the native library, and packages of the workspace with test-only bindings. Shared by Swift and Kotlin.

mod bindings;
pub(crate) mod lines;
mod package;
mod server;

pub(crate) use bindings::{FINGERPRINT, Generator, Probe, generate};
pub(crate) use package::{ProbePackage, library_folder, mirror, write};
pub(crate) use server::{FEATURE as SERVER_FEATURE, check_phone_library, declarations as server_declarations, is_server_function};
