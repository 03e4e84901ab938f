//! Loads the OpenAPI specifications: reads files, applies overlays and expands short forms into one document per service.
//!
//! The reader of `vitalwire-codegen` runs the lint, so that all errors of a document are reported together.

mod expand;
mod finding;
mod lint;
mod load;
mod origin;
mod overlay;
mod pointer;
pub mod unit;

use std::path::{Path, PathBuf};

use serde_json::Value;

pub use finding::{Finding, Findings};
pub use lint::{lint, walk};
pub use origin::Origins;
pub use pointer::Pointer;

/// Maximum nesting depth of a document, before and after overlays. Ours are less than 20 deep.
const MAX_DEPTH: usize = 64;

/// Services of the interface: name in overlays and code, and path of the base specification.
pub const SERVICES: [(&str, &str); 2] = [("health", "openapi/health.v3.yaml"), ("care", "openapi/care.v1.yaml")];

/// Folder of our overlays. They are applied in the order of their names.
const OVERLAYS: &str = "openapi/overlays";

/// The specification of a service, with all overlays applied.
#[derive(Debug)]
pub struct Spec {
    /// Name of the service: `health` or `care`.
    pub service: &'static str,
    /// Path of the base file, relative to the workspace.
    pub path: &'static str,
    /// Document with overlays applied and short forms expanded.
    pub document: Value,
    /// Places that overlays wrote.
    pub origins: Origins,
}

/// All loaded specifications and overlays.
#[derive(Debug)]
pub struct Sources {
    /// Path relative to the workspace and text of every file, in the order applied.
    pub files: Vec<(String, String)>,
    /// Specifications, in the order of [`SERVICES`].
    pub specs: Vec<Spec>,
    /// Path and document of every overlay, in the order applied.
    pub overlays: Vec<(String, Value)>,
}

/// Displayed path and text of a file.
type Text = (String, String);

/// Loads the specifications of the workspace at `root`. Applies `extra_overlays` after our own.
///
/// # Errors
/// Returns all findings at once if a file cannot be read or an overlay does not apply.
pub fn load(root: &Path, extra_overlays: &[PathBuf]) -> Result<Sources, Findings> {
    let mut findings = Findings::default();
    let bases = SERVICES.map(|(_, path)| load::text(&root.join(path), path, &mut findings));
    let overlays = overlay_paths(root, extra_overlays, &mut findings)
        .into_iter()
        .filter_map(|(path, shown)| load::text(&path, &shown, &mut findings).map(|text| (shown, text)))
        .collect();
    assemble(bases, overlays, findings)
}

/// Loads specifications from texts: one for each of [`SERVICES`], and overlays as name and text in the order to apply.
///
/// # Errors
/// See [`load`].
pub fn from_texts(bases: [String; SERVICES.len()], overlays: Vec<Text>) -> Result<Sources, Findings> {
    assemble(bases.map(Some), overlays, Findings::default())
}

fn assemble(bases: [Option<String>; SERVICES.len()], texts: Vec<Text>, mut findings: Findings) -> Result<Sources, Findings> {
    let mut files = Vec::new();
    let mut specs = Vec::new();
    for ((service, path), text) in SERVICES.into_iter().zip(bases) {
        let Some(text) = text else { continue };
        if let Some(document) = load::document(&text, path, &mut findings) {
            files.push((path.to_owned(), text));
            specs.push(Spec { service, path, document, origins: Origins::default() });
        }
    }
    // Skip overlays if a specification is missing. Their unmatched targets would hide the cause.
    let whole = specs.len() == SERVICES.len();
    let mut overlays = Vec::new();
    for (shown, text) in texts {
        if let Some(document) = load::document(&text, &shown, &mut findings) {
            if whole {
                overlay::apply(&document, &shown, &mut specs, &mut findings);
            }
            files.push((shown.clone(), text));
            overlays.push((shown, document));
        }
    }
    for spec in &mut specs {
        expand::expand(spec, &mut findings);
    }
    findings.attribute(&specs);
    findings.into_result(Sources { files, specs, overlays })
}

fn overlay_paths(root: &Path, extra: &[PathBuf], findings: &mut Findings) -> Vec<(PathBuf, String)> {
    let mut paths: Vec<(PathBuf, String)> = match std::fs::read_dir(root.join(OVERLAYS)) {
        Ok(entries) => entries
            .filter_map(Result::ok)
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .filter(|name| Path::new(name).extension().is_some_and(|extension| extension == "yaml"))
            .map(|name| (root.join(OVERLAYS).join(&name), format!("{OVERLAYS}/{name}")))
            .collect(),
        Err(error) => {
            findings.push(Finding::new("file", OVERLAYS, Pointer::root(), format!("cannot be listed: {error}")));
            Vec::new()
        }
    };
    paths.sort();
    paths.extend(extra.iter().map(|path| (path.clone(), path.display().to_string())));
    paths
}
