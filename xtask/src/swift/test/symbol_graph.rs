//! Symbol graphs, which the compiler writes for the modules that applications import.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use serde_json::Value;

/// The symbol graph of a module, or of its extensions of another module's types.
pub(super) struct Graph {
    pub(super) module: String,
    pub(super) extended_module: Option<String>,
    pub(super) value: Value,
}

/// Reads the graphs of these modules.
///
/// # Errors
/// If a graph cannot be read.
pub(super) fn graphs(folder: &Path, modules: &[&str]) -> anyhow::Result<Vec<Graph>> {
    let mut graphs = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let file = entry?.path();
        let name = file.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".symbols.json"));
        let Some((module, extended_module)) =
            name.map(|name| name.split_once('@').map_or((name, None), |(own, of)| (own, Some(of.to_owned()))))
        else {
            continue;
        };
        if modules.contains(&module) {
            graphs.push(Graph { module: module.to_owned(), extended_module, value: serde_json::from_str(&fs::read_to_string(&file)?)? });
        }
    }
    Ok(graphs)
}

/// Returns the path of a symbol: its parent types, then its name.
pub(super) fn path(symbol: &Value) -> Vec<&str> {
    symbol["pathComponents"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}
