//! Tests of the generator with small specifications in `tests/fixtures/`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod c;
mod cohort;
mod defaults;
mod diff;
mod features;
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

/// Returns the workspace of these tests.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

fn fixture(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(path)
}

fn read(path: &str) -> String {
    fs::read_to_string(fixture(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Creates a workspace with this specification of the main service, the fixture for the other service, and overlays.
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

/// Builds the sources and the IR of a workspace.
fn build(workspace: &Path) -> Result<(Sources, ir::Ir), Findings> {
    let sources = spec::load(workspace, &[])?;
    let mut ir = reading::build(&sources)?;
    ir.error_kinds = reading::error_kinds(root()).unwrap();
    Ok((sources, ir))
}

/// Returns rule and pointer of each finding in a workspace.
fn places(workspace: &Path) -> Vec<(String, String)> {
    build(workspace).map_or_else(|findings| findings.places(), |_| Vec::new())
}

/// Returns the text of all findings in a workspace.
fn text(workspace: &Path) -> String {
    build(workspace).map_or_else(|findings| findings.to_string(), |_| String::new())
}

/// Returns the generated files of the client crate for a workspace, formatted and without marker lines.
fn core_files(workspace: &Path) -> Vec<File> {
    let (sources, ir) = build(workspace).unwrap_or_else(|findings| panic!("{findings}"));
    let mut files = targets::all(&ir, &sources).unwrap();
    files.retain(|file| file.path.starts_with("crates/vitalwire/"));
    files.iter_mut().for_each(|file| format::format(root(), file).unwrap());
    files
}
