//! From files to one document per service: load, overlay, expand. The lint is run with the reading of the documents (`ir`), so that
//! everything that is wrong with a document is said at once.

mod expand;
mod finding;
mod lint;
mod load;
mod overlay;
mod pointer;

use std::path::{Path, PathBuf};

use serde_json::Value;

pub(crate) use finding::{Finding, Findings};
pub(crate) use lint::{lint, walk};
pub(crate) use pointer::Pointer;

/// Deepest nesting of a document, and of a specification after its overlays; ours are below 20 deep.
const MAX_DEPTH: usize = 64;

/// A service of the interface: its name in overlays and code, and its base specification.
pub(crate) const SERVICES: [(&str, &str); 2] = [("health", "openapi/health.v3.yaml"), ("care", "openapi/care.v1.yaml")];

/// Where our overlays live; applied in the order of their names.
const OVERLAYS: &str = "openapi/overlays";

/// One service's specification with every overlay applied.
#[derive(Debug)]
pub(crate) struct Spec {
    /// `health` or `care`.
    pub(crate) service: &'static str,
    /// The base file, relative to the workspace.
    pub(crate) path: &'static str,
    /// The document after overlays and expansion.
    pub(crate) document: Value,
}

/// What the specifications are made from.
#[derive(Debug)]
pub(crate) struct Sources {
    /// (path relative to the workspace, text) of every file read, in the order applied.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests look at the order"))]
    pub(crate) files: Vec<(String, String)>,
    /// The specifications, in the order of [`SERVICES`].
    pub(crate) specs: Vec<Spec>,
    /// (path, document) of every overlay, in the order applied.
    pub(crate) overlays: Vec<(String, Value)>,
}

/// Loads the specifications of the workspace at `root`, with a user's own overlays after ours.
///
/// # Errors
/// All findings at once, where a file cannot be read or an overlay does not fit.
pub(crate) fn load(root: &Path, extra_overlays: &[PathBuf]) -> Result<Sources, Findings> {
    let mut findings = Findings::default();
    let mut files = Vec::new();
    let mut specs = Vec::new();
    for (service, path) in SERVICES {
        if let Some((text, document)) = load::document(&root.join(path), path, &mut findings) {
            files.push((path.to_owned(), text));
            specs.push(Spec { service, path, document });
        }
    }
    // Without every specification an overlay's targets match nothing: findings about those would only hide the cause.
    let whole = specs.len() == SERVICES.len();
    let mut overlays = Vec::new();
    for (path, shown) in overlay_paths(root, extra_overlays, &mut findings) {
        if let Some((text, document)) = load::document(&path, &shown, &mut findings) {
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
