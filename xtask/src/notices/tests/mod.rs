//! Tests of notices: artifacts, licence texts, digests and committed files.

mod artifacts;
mod committed;
mod digest;
mod texts;

use cargo_metadata::Package;

/// A package whose manifest states a licence.
pub(super) fn package(name: &str, version: &str, licence: &str) -> Package {
    let manifest = serde_json::json!({
        "name": name, "version": version, "id": name, "license": licence, "dependencies": [], "targets": [], "features": {},
        "manifest_path": "/nowhere/one/Cargo.toml",
    });
    serde_json::from_value(manifest).unwrap()
}
