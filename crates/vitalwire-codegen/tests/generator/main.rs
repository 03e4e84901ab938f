//! The generator, over small specifications in `tests/fixtures/`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod c;
mod defaults;
mod diff;
mod faces;
mod golden;
mod kotlin;
mod names;
mod output;
mod overlays;
mod pitfalls;
mod swift;
mod templates;
mod yaml;

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use vitalwire_codegen::file::File;
use vitalwire_codegen::spec::{Findings, Sources};
use vitalwire_codegen::{format, ir, read as reading, spec, targets};

/// The workspace that these tests are part of.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// A file or folder of the fixtures.
fn fixture(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(path)
}

fn read(path: &str) -> String {
    fs::read_to_string(fixture(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A workspace with a specification for the main service, the fixtures' one for the other, and overlays.
fn workspace(health: &str, overlays: &[(&str, &str)]) -> TempDir {
    let workspace = tempfile::tempdir().unwrap();
    let openapi = workspace.path().join("openapi");
    fs::create_dir_all(openapi.join("overlays")).unwrap();
    fs::write(openapi.join("health.v3.yaml"), health).unwrap();
    fs::write(openapi.join("care.v1.yaml"), read("base/care.yaml")).unwrap();
    for (name, text) in overlays {
        fs::write(openapi.join("overlays").join(name), text).unwrap();
    }
    workspace
}

/// The sources and the IR of a workspace.
fn build(workspace: &Path) -> Result<(Sources, ir::Ir), Findings> {
    let sources = spec::load(workspace, &[])?;
    let mut ir = reading::build(&sources)?;
    ir.error_kinds = reading::error_kinds(root()).unwrap();
    ir.redacted = reading::redacted(root()).unwrap();
    Ok((sources, ir))
}

/// (rule, pointer) of everything that is wrong with a workspace; empty where nothing is.
fn places(workspace: &Path) -> Vec<(String, String)> {
    build(workspace).map_or_else(|findings| findings.places(), |_| Vec::new())
}

/// The whole text of what is wrong with a workspace.
fn text(workspace: &Path) -> String {
    build(workspace).map_or_else(|findings| findings.to_string(), |_| String::new())
}

/// The core's generated files of a workspace, formatted, without their marker lines.
fn core_files(workspace: &Path) -> Vec<File> {
    let (sources, ir) = build(workspace).unwrap_or_else(|findings| panic!("{findings}"));
    let mut files = targets::all(&ir, &sources).unwrap();
    files.retain(|file| file.path.starts_with("crates/vitalwire/"));
    files.iter_mut().for_each(|file| format::format(root(), file).unwrap());
    files
}
