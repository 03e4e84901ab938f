//! Reads from the source of the uniffi wrapper which hand-written records hide their values.

use std::path::{Path, PathBuf};

use anyhow::Context;
use quote::ToTokens;

/// Folder of the sources. Subfolders are skipped: generated code has its own tables, and the probe is not shipped.
const FOLDER: &str = "crates/vitalwire-uniffi/src";
const PROBE: &str = "probe.rs";

/// Returns the sorted names of records with a hand-written `Debug`. They hold tokens, URLs, ids, dates, problem details or records, so
/// the printed forms in other languages must hide the same values.
///
/// # Errors
/// If a file cannot be read.
pub fn redacted(root: &Path) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for path in files(&root.join(FOLDER)).with_context(|| format!("reading {FOLDER}"))? {
        let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let file = syn::parse_file(&text).with_context(|| format!("parsing {}", path.display()))?;
        names.extend(file.items.iter().filter_map(record));
    }
    names.sort();
    Ok(names)
}

fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let paths = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    let source = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with(PROBE);
    Ok(paths.into_iter().filter(source).collect())
}

/// Returns the name of a record that exports a `Debug` and does not derive it.
fn record(item: &syn::Item) -> Option<String> {
    let syn::Item::Struct(item) = item else { return None };
    let attributes: Vec<String> = item.attrs.iter().map(|attribute| attribute.meta.to_token_stream().to_string()).collect();
    let derives = |word: &str| attributes.iter().any(|text| text.starts_with("derive") && text.contains(word));
    let exports = attributes.iter().any(|text| text.starts_with("uniffi :: export") && text.contains("Debug"));
    (exports && derives("uniffi :: Record") && !derives("Debug")).then(|| item.ident.to_string())
}
