//! Reads cases from their files.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::unique_names::UniqueNames;
use super::{FOLDER, Set};
use crate::case::{Case, Template};

/// Reads all cases of the workspace at `root`.
///
/// # Errors
///
/// If a file cannot be read, is not a list of cases and templates, has an object with a name twice, or has a case with the prefix of another
/// file.
pub fn read(root: &Path) -> anyhow::Result<Set> {
    let folder = root.join(FOLDER);
    let mut cases = Vec::new();
    for area in sorted(&folder.join("cases"))? {
        for file in sorted(&area)? {
            cases.extend(read_file(&area, &file)?);
        }
    }
    cases.sort_by(|one, other| one.id.cmp(&other.id));
    Ok(Set { folder, cases })
}

fn read_file(area: &Path, file: &Path) -> anyhow::Result<Vec<Case>> {
    let shown = format!("{}/{}", stem(area), stem(file));
    let text = std::fs::read_to_string(file).with_context(|| format!("reading {shown}"))?;
    serde_json::from_str::<UniqueNames>(&text).with_context(|| format!("reading {shown}"))?;
    let items: Vec<&RawValue> = serde_json::from_str(&text).with_context(|| format!("reading {shown}"))?;
    let cases = items.into_iter().map(read_item).collect::<Result<Vec<_>, _>>().with_context(|| format!("reading {shown}"))?.concat();
    let prefix = format!("{}.{}.", stem(area), stem(file));
    for case in &cases {
        ensure!(case.id.starts_with(&prefix), "{shown}: the id of `{}` does not start with `{prefix}`", case.id);
    }
    Ok(cases)
}

/// Returns a case, or the cases of a template. Lines in an error count from the start of the item.
fn read_item(item: &RawValue) -> anyhow::Result<Vec<Case>> {
    let Head { id, variants } = serde_json::from_str(item.get())?;
    if variants.is_some() {
        return serde_json::from_str::<Template>(item.get())?.expand();
    }
    let shown = id.as_ref().and_then(Value::as_str).unwrap_or("a case without an id").to_owned();
    Ok(vec![serde_json::from_str(item.get()).context(shown)?])
}

/// The fields by which an item is recognised.
#[derive(Deserialize)]
struct Head {
    id: Option<Value>,
    variants: Option<Value>,
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn sorted(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("reading the folder {}", stem(folder)))?;
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.sort();
    Ok(paths)
}

pub(super) fn statements(root: &Path) -> anyhow::Result<Vec<String>> {
    let text = std::fs::read_to_string(root.join("openapi/statements.toml")).context("reading the statements")?;
    let table: toml::Table = text.parse().context("reading the statements")?;
    let entries = table.get("statement").and_then(toml::Value::as_array).context("no statement")?;
    Ok(entries.iter().filter_map(|entry| entry.get("id")?.as_str().map(str::to_owned)).collect())
}
