//! `cargo xtask bom`: what is linked into each Python package, as CycloneDX, for its wheel. maturin would write it too, with the folder of
//! whoever builds in every reference.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::{Value, json};
use toml::Table;

use crate::process::must;
use crate::python::wheel::PACKAGES;

/// Write the bills of materials of the Python packages, from the lock file.
#[derive(Debug, Args)]
pub(crate) struct Bom {
    /// Write nothing; fail where a committed file is stale.
    #[arg(long)]
    check: bool,
}

impl Bom {
    /// That compares and writes nothing.
    pub(crate) fn checking() -> Self {
        Self { check: true }
    }

    /// Runs the command in the workspace at `root`.
    ///
    /// # Errors
    /// Where cargo does not know the packages, or a committed file is stale.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        if self.check {
            let stale = stale(root)?;
            return if stale.is_empty() { Ok(()) } else { bail!("{}", stale.join("\n")) };
        }
        for (path, text) in files(root)? {
            std::fs::write(root.join(&path), text).with_context(|| format!("writing {path}"))?;
        }
        Ok(())
    }
}

/// Committed files that are not what they should be: a line for each.
///
/// # Errors
/// Where cargo does not know the packages.
fn stale(root: &Path) -> anyhow::Result<Vec<String>> {
    let differs = |(path, text): &(String, String)| std::fs::read_to_string(root.join(path)).ok().as_ref() != Some(text);
    let stale = files(root)?.into_iter().filter(differs);
    Ok(stale.map(|(path, _)| format!("{path} is stale: run `cargo xtask bom` and commit the result")).collect())
}

/// (path, text) of each file.
fn files(root: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let lock = std::fs::read_to_string(root.join("Cargo.lock")).context("reading Cargo.lock")?;
    PACKAGES.iter().map(|folder| file(root, folder, &lock).with_context(|| format!("the bill of materials of {folder}"))).collect()
}

fn file(root: &Path, folder: &str, lock: &str) -> anyhow::Result<(String, String)> {
    let settings: Table = std::fs::read_to_string(root.join(folder).join("pyproject.toml"))?.parse()?;
    let maturin = &settings["tool"]["maturin"];
    let name = maturin["sbom"]["include"][0].as_str().context("`tool.maturin.sbom` includes no file")?;
    let manifest = maturin["manifest-path"].as_str().context("no manifest-path")?;
    let features: Vec<&str> =
        maturin.get("features").and_then(toml::Value::as_array).into_iter().flatten().filter_map(toml::Value::as_str).collect();
    let mut tree = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    tree.current_dir(root.join(folder)).args(["tree", "--quiet", "--locked", "--offline", "--manifest-path", manifest]);
    // Of every platform, as the package is: what its build tools link is not in it.
    tree.args([
        "--target",
        "all",
        "--edges",
        "normal,no-proc-macro",
        "--prefix",
        "depth",
        "--format",
        " {p}|{l}|",
        "--features",
        &features.join(","),
    ]);
    let text = bill(&must(&mut tree)?, &checksums(lock)?)?;
    Ok((format!("{folder}/{name}"), text))
}

/// SHA-256 of packages from the registry, by name and version.
fn checksums(lock: &str) -> anyhow::Result<BTreeMap<(String, String), String>> {
    let lock: Table = lock.parse()?;
    let packages = lock.get("package").and_then(toml::Value::as_array).context("Cargo.lock has no packages")?;
    let member = |package: &toml::Value, name: &str| Some(package.get(name)?.as_str()?.to_owned());
    Ok(packages
        .iter()
        .filter_map(|package| Some(((member(package, "name")?, member(package, "version")?), member(package, "checksum")?)))
        .collect())
}

/// The document of a tree, whose lines are depth, package and licence.
fn bill(tree: &str, checksums: &BTreeMap<(String, String), String>) -> anyhow::Result<String> {
    let mut components: BTreeMap<String, Value> = BTreeMap::new();
    let mut dependencies: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    // From the package itself down to the line before.
    let mut above: Vec<String> = Vec::new();
    let mut first = None;
    for line in tree.lines().filter(|line| !line.is_empty()) {
        let parsed = || {
            let (depth, rest) = line.split_once(' ')?;
            let (package, licence) = rest.split_once('|')?;
            let (name, rest) = package.split_once(" v")?;
            Some((depth.parse::<usize>().ok()?, name, rest.split_whitespace().next()?, licence.split_once('|')?.0))
        };
        let (depth, name, version, licence) = parsed().with_context(|| format!("cargo's tree has a line of another form: {line}"))?;
        let reference = format!("pkg:cargo/{name}@{}", version.replace('+', "%2B"));
        above.truncate(depth);
        if let Some(parent) = above.last() {
            dependencies.entry(parent.clone()).or_default().insert(reference.clone());
        }
        above.push(reference.clone());
        dependencies.entry(reference.clone()).or_default();
        let checksum = checksums.get(&(name.to_owned(), version.to_owned()));
        let component = component(&reference, name, version, licence, checksum.map(String::as_str));
        first.get_or_insert_with(|| (reference.clone(), component.clone()));
        components.insert(reference, component);
    }
    let (reference, own) = first.context("cargo's tree is empty")?;
    components.remove(&reference);
    let dependencies = dependencies.iter().map(|(reference, on)| json!({"ref": reference, "dependsOn": on}));
    // A line for each: a difference is readable.
    let lines = |values: Vec<String>| values.join(",\n    ");
    Ok(format!(
        "{{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.5\",\n  \"version\": 1,\n  \"metadata\": {{\"component\": {own}}},\n  \
         \"components\": [\n    {}\n  ],\n  \"dependencies\": [\n    {}\n  ]\n}}\n",
        lines(components.values().map(Value::to_string).collect()),
        lines(dependencies.map(|value| value.to_string()).collect())
    ))
}

fn component(reference: &str, name: &str, version: &str, licence: &str, checksum: Option<&str>) -> Value {
    let mut component = json!({"type": "library", "bom-ref": reference, "name": name, "version": version, "purl": reference});
    if !licence.is_empty() {
        // An older form of expressions has a stroke for OR.
        component["licenses"] = json!([{"expression": licence.replace('/', " OR ")}]);
    }
    if let Some(checksum) = checksum {
        component["hashes"] = json!([{"alg": "SHA-256", "content": checksum}]);
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "0 own v0.1.0 (/somewhere/crates/own)|MIT OR Apache-2.0|\n1 a v1.0.0|MIT/Apache-2.0|\n2 b v2.0.0+x.1||\n\
                        1 b v2.0.0+x.1|| (*)\n1 core v0.1.0 (/somewhere/crates/core)|MIT|\n2 a v1.0.0|MIT/Apache-2.0| (*)\n";

    #[test]
    fn a_tree_becomes_a_bill() {
        let lock = "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nchecksum = \"0a\"\n[[package]]\nname = \"own\"\nversion = \"0.1.0\"\n";
        let text = bill(TREE, &checksums(lock).unwrap()).unwrap();
        assert!(!text.contains("somewhere"), "{text}");
        let bill: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(bill["metadata"]["component"]["purl"], "pkg:cargo/own@0.1.0");
        let names: Vec<&str> = bill["components"].as_array().unwrap().iter().map(|component| component["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["a", "b", "core"]);
        assert_eq!(bill["components"][0]["licenses"], json!([{"expression": "MIT OR Apache-2.0"}]));
        assert_eq!(bill["components"][0]["hashes"], json!([{"alg": "SHA-256", "content": "0a"}]));
        assert_eq!(bill["components"][1]["bom-ref"], "pkg:cargo/b@2.0.0%2Bx.1");
        assert_eq!(
            bill["dependencies"],
            json!([
                {"ref": "pkg:cargo/a@1.0.0", "dependsOn": ["pkg:cargo/b@2.0.0%2Bx.1"]},
                {"ref": "pkg:cargo/b@2.0.0%2Bx.1", "dependsOn": []},
                {"ref": "pkg:cargo/core@0.1.0", "dependsOn": ["pkg:cargo/a@1.0.0"]},
                {"ref": "pkg:cargo/own@0.1.0", "dependsOn": ["pkg:cargo/a@1.0.0", "pkg:cargo/b@2.0.0%2Bx.1", "pkg:cargo/core@0.1.0"]},
            ])
        );
    }

    #[test]
    fn a_line_of_another_form_is_told() {
        let error = bill("0 own\n", &BTreeMap::new()).unwrap_err().to_string();
        assert_eq!(error, "cargo's tree has a line of another form: 0 own");
    }
}
