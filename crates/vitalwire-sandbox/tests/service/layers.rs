//! Layers of the crate's modules. A module uses only modules of lower layers.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Layers from bottom to top.
const LAYERS: [&[&str]; 11] = [
    &["values", "spec"],
    &["store", "reference", "outbound", "tokens", "people"],
    &["clock", "web", "analysis", "sources", "consent"],
    &["records", "replay", "requests", "uploads", "request_bodies"],
    &["webhooks", "faults"],
    &["integrations", "processing"],
    &["app"],
    &["routes", "page"],
    &["control"],
    &["gateway", "server"],
    &["router"],
];
/// Module above all layers.
const TOP: &str = "sandbox";

#[test]
fn modules_use_only_lower_layers() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let modules = modules(&source);
    let listed: Vec<&str> = LAYERS.into_iter().flatten().copied().chain([TOP]).collect();
    assert_eq!(modules, listed.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>());
    let layer = |name: &str| LAYERS.iter().position(|layer| layer.contains(&name)).unwrap_or(LAYERS.len());
    let mut upward = Vec::new();
    for module in &modules {
        for file in files(&source, module) {
            let text = fs::read_to_string(&file).unwrap();
            // Unit tests may use any module.
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            for used in used(code) {
                if modules.contains(&used) && used != *module && layer(&used) >= layer(module) {
                    upward.push(format!("{} uses {used}", file.strip_prefix(&source).unwrap().display()));
                }
            }
        }
    }
    assert!(upward.is_empty(), "{upward:#?}");
}

/// Returns the modules that `lib.rs` declares.
fn modules(source: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(source.join("lib.rs")).unwrap();
    text.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')).map(str::to_owned).collect()
}

/// Returns the files of a module, without those that contain only tests.
fn files(source: &Path, module: &str) -> Vec<PathBuf> {
    let single = source.join(format!("{module}.rs"));
    if single.exists() {
        return vec![single];
    }
    let mut found = Vec::new();
    within(&source.join(module), &mut found).unwrap();
    found
}

fn within(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if name == "tests" || name == "plausibility" {
            continue;
        }
        if path.is_dir() { within(&path, found)? } else { found.push(path) }
    }
    Ok(())
}

/// Returns the names after `crate::`, including those in braces.
fn used(code: &str) -> BTreeSet<String> {
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    let name = |text: &str| text.trim().chars().take_while(|char| char.is_alphanumeric() || *char == '_').collect::<String>();
    text.split("crate::")
        .skip(1)
        .flat_map(|rest| match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default().split(',').map(name).collect::<Vec<_>>(),
            None => vec![name(rest)],
        })
        .collect()
}
