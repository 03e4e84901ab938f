//! From files to one document per service: load, overlay, expand. The lint is run with the reading of the documents (`ir`), so that
//! everything that is wrong with a document is said at once.

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

/// Deepest nesting of a document, and of a specification after its overlays; ours are below 20 deep.
const MAX_DEPTH: usize = 64;

/// A service of the interface: its name in overlays and code, and its base specification.
pub const SERVICES: [(&str, &str); 2] = [("health", "openapi/health.v3.yaml"), ("care", "openapi/care.v1.yaml")];

/// Where our overlays live; applied in the order of their names.
const OVERLAYS: &str = "openapi/overlays";

/// One service's specification with every overlay applied.
#[derive(Debug)]
pub struct Spec {
    /// `health` or `care`.
    pub service: &'static str,
    /// The base file, relative to the workspace.
    pub path: &'static str,
    /// The document after overlays and expansion.
    pub document: Value,
    /// What overlays wrote of it.
    pub origins: Origins,
}

/// What the specifications are made from.
#[derive(Debug)]
pub struct Sources {
    /// (path relative to the workspace, text) of every file read, in the order applied.
    pub files: Vec<(String, String)>,
    /// The specifications, in the order of [`SERVICES`].
    pub specs: Vec<Spec>,
    /// (path, document) of every overlay, in the order applied.
    pub overlays: Vec<(String, Value)>,
}

/// A document to be read: its path as it is shown, and its text.
type Text = (String, String);

/// Loads the specifications of the workspace at `root`, with a user's own overlays after ours.
///
/// # Errors
/// All findings at once, where a file cannot be read or an overlay does not fit.
pub fn load(root: &Path, extra_overlays: &[PathBuf]) -> Result<Sources, Findings> {
    let mut findings = Findings::default();
    let bases = SERVICES.map(|(_, path)| load::text(&root.join(path), path, &mut findings));
    let overlays = overlay_paths(root, extra_overlays, &mut findings)
        .into_iter()
        .filter_map(|(path, shown)| load::text(&path, &shown, &mut findings).map(|text| (shown, text)))
        .collect();
    assemble(bases, overlays, findings)
}

/// The specifications of texts instead of files: one for each of [`SERVICES`], and overlays as (name, text) in the order to apply.
///
/// # Errors
/// As for [`load`].
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
    // Without every specification an overlay's targets match nothing: findings about those would only hide the cause.
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
