//! One version number in every manifest, and what else registries want of manifests.

mod manifests;

use std::path::Path;

use anyhow::Context as _;

use super::count::Count;
use super::step::{Context, Outcome};

/// Manifests that cannot take the version from the workspace: (path, text before the number).
const MANIFESTS: [(&str, &str); 3] = [
    ("bindings/kotlin/pom.xml", "<artifactId>vitalwire</artifactId>\n  <version>"),
    ("bindings/c/CMakeLists.txt", "project(vitalwire VERSION "),
    // The extra brings the program of the same release.
    ("bindings/python/pyproject.toml", "\"vitalwire-sandbox=="),
];

/// Compares each manifest with the workspace's version, and looks at what else it says.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    let version = workspace_version(&context.root)?;
    let mut count = Count::default();
    let mut check = |what: &str, found: &str| {
        if found == version {
            count.passed += 1;
        } else {
            count.failed += 1;
            crate::say(&format!("{what} has version `{found}`, the workspace `{version}`"));
        }
    };
    for (path, before) in MANIFESTS {
        let text = std::fs::read_to_string(context.root.join(path)).with_context(|| format!("reading {path}"))?;
        let found = text.split_once(before).map_or("", |(_, rest)| rest);
        let number: String = found.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        check(path, &number);
    }
    for path in ["bindings/python/pyproject.toml", "bindings/python/sandbox/pyproject.toml"] {
        let python = std::fs::read_to_string(context.root.join(path))?;
        check(path, if python.contains("dynamic = [\"version\"]") { &version } else { "a number of its own" });
    }
    let changes = std::fs::read_to_string(context.root.join("CHANGELOG.md"))?;
    let newest = changes.lines().find_map(|line| line.strip_prefix("## ")).unwrap_or_default();
    check("CHANGELOG.md", if newest == "Unreleased" { &version } else { newest });
    count += manifests::check(&context.root)?;
    Ok(Outcome::Ran(count))
}

fn workspace_version(root: &Path) -> anyhow::Result<String> {
    let manifest: toml::Table = std::fs::read_to_string(root.join("Cargo.toml"))?.parse()?;
    let version = manifest.get("workspace").and_then(|table| table.get("package")).and_then(|table| table.get("version"));
    Ok(version.and_then(toml::Value::as_str).context("the workspace has no version")?.to_owned())
}
