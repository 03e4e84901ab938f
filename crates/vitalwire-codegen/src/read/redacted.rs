//! The hand-written records of the uniffi wrapper that show no values, read from its source.

use std::path::{Path, PathBuf};

use anyhow::Context;
use quote::ToTokens;

/// Where they are. What is generated below has tables of its own; the probe is not shipped.
const FOLDER: &str = "crates/vitalwire-uniffi/src";
const PROBE: &str = "probe.rs";

/// The records whose `Debug` is written by hand, sorted: they hold tokens, URLs, ids, dates, problem details or records, and whatever
/// prints them must show as little in the other languages.
///
/// # Errors
/// Where a file cannot be read.
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

/// The name of a record that exports a `Debug` which it does not derive.
fn record(item: &syn::Item) -> Option<String> {
    let syn::Item::Struct(item) = item else { return None };
    let attributes: Vec<String> = item.attrs.iter().map(|attribute| attribute.meta.to_token_stream().to_string()).collect();
    let derives = |word: &str| attributes.iter().any(|text| text.starts_with("derive") && text.contains(word));
    let exports = attributes.iter().any(|text| text.starts_with("uniffi :: export") && text.contains("Debug"));
    (exports && derives("uniffi :: Record") && !derives("Debug")).then(|| item.ident.to_string())
}
