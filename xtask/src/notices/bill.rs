//! Writes bills of materials: the packages linked into each artifact, as CycloneDX. maturin's own bills contain the path of the local folder
//! in every reference.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Context as _;
use cargo_metadata::Package;
use serde_json::{Value, json};
use toml::Table;

use super::artifacts::Artifact;
use super::linked::{PackageId, Packages};
use crate::committed::CommittedFile;

/// SHA-256 of registry packages, by name and version.
pub(super) struct Checksums(BTreeMap<PackageId, String>);

impl Checksums {
    /// Reads the lock file of the workspace at `root`.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn read(root: &Path) -> anyhow::Result<Self> {
        std::fs::read_to_string(root.join("Cargo.lock")).context("reading Cargo.lock")?.parse()
    }

    /// Returns the checksum of a package, if it is from a registry.
    pub(super) fn get(&self, id: &PackageId) -> Option<&str> {
        self.0.get(id).map(String::as_str)
    }
}

impl std::str::FromStr for Checksums {
    type Err = anyhow::Error;

    fn from_str(lock: &str) -> anyhow::Result<Self> {
        let lock: Table = lock.parse()?;
        let packages = lock.get("package").and_then(toml::Value::as_array).context("Cargo.lock has no packages")?;
        let text = |package: &toml::Value, name: &str| Some(package.get(name)?.as_str()?.to_owned());
        let entry = |package| Some(((text(package, "name")?, text(package, "version")?), text(package, "checksum")?));
        Ok(Self(packages.iter().filter_map(entry).collect()))
    }
}

/// Returns the bill of a Python package, which is committed because the source distribution contains it. `None` for other artifacts.
///
/// # Errors
/// If `pyproject.toml` includes no bill, or cargo does not know the package.
pub(super) fn committed_bill(
    root: &Path,
    packages: &Packages,
    artifact: &Artifact,
    checksums: &Checksums,
) -> anyhow::Result<Option<CommittedFile>> {
    let Some(pyproject) = artifact.pyproject else { return Ok(None) };
    let settings = artifact.maturin(root)?;
    let name = settings.sbom.include.first().with_context(|| format!("{pyproject}: `tool.maturin.sbom` includes no file"))?;
    let text = bill_of_materials(root, packages, artifact, checksums)?;
    Ok(Some(CommittedFile { path: pyproject.replace("pyproject.toml", name), text }))
}

/// Returns the bill of materials of an artifact.
///
/// # Errors
/// If cargo does not know the package.
pub(super) fn bill_of_materials(root: &Path, packages: &Packages, artifact: &Artifact, checksums: &Checksums) -> anyhow::Result<String> {
    // A source distribution is built on any platform.
    render(&packages.tree(root, artifact, &["all"])?, checksums)
}

/// Returns the document for a tree of packages with their depths.
fn render(tree: &[(usize, &Package)], checksums: &Checksums) -> anyhow::Result<String> {
    let mut components: BTreeMap<String, Value> = BTreeMap::new();
    let mut dependencies: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    // References from the root of the tree to the previous package.
    let mut above: Vec<String> = Vec::new();
    for (depth, package) in tree {
        let reference = reference(package);
        above.truncate(*depth);
        if let Some(parent) = above.last() {
            dependencies.entry(parent.clone()).or_default().insert(reference.clone());
        }
        above.push(reference.clone());
        dependencies.entry(reference.clone()).or_default();
        components.insert(reference, component(package, checksums));
    }
    let (_, root) = tree.first().context("cargo's tree is empty")?;
    let own = components.remove(&reference(root)).unwrap_or_default();
    let dependencies = dependencies.iter().map(|(reference, on)| json!({"ref": reference, "dependsOn": on}));
    // One line each keeps diffs readable.
    let lines = |values: Vec<String>| values.join(",\n    ");
    Ok(format!(
        "{{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.5\",\n  \"version\": 1,\n  \"metadata\": {{\"component\": {own}}},\n  \
         \"components\": [\n    {}\n  ],\n  \"dependencies\": [\n    {}\n  ]\n}}\n",
        lines(components.values().map(Value::to_string).collect()),
        lines(dependencies.map(|value| value.to_string()).collect())
    ))
}

/// Returns the package URL.
fn reference(package: &Package) -> String {
    format!("pkg:cargo/{}@{}", package.name, package.version.to_string().replace('+', "%2B"))
}

fn component(package: &Package, checksums: &Checksums) -> Value {
    let (id, reference) = ((package.name.to_string(), package.version.to_string()), reference(package));
    let mut component = json!({"type": "library", "bom-ref": reference, "name": id.0, "version": id.1, "purl": reference});
    if let Some(licence) = &package.license {
        // Old manifests use a slash for OR.
        component["licenses"] = json!([{"expression": licence.replace('/', " OR ")}]);
    }
    if let Some(checksum) = checksums.get(&id) {
        component["hashes"] = json!([{"alg": "SHA-256", "content": checksum}]);
    }
    component
}

#[cfg(test)]
mod tests {
    use super::super::tests::package;
    use super::*;

    #[test]
    fn a_tree_becomes_a_bill() {
        let own = package("own", "0.1.0", "MIT OR Apache-2.0");
        let a = package("a", "1.0.0", "MIT/Apache-2.0");
        let mut b = package("b", "2.0.0+x.1", "");
        b.license = None;
        let core = package("core", "0.1.0", "MIT");
        let checksums =
            "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nchecksum = \"0a\"\n[[package]]\nname = \"own\"\nversion = \"0.1.0\"\n";
        let tree = [(0, &own), (1, &a), (2, &b), (1, &b), (1, &core), (2, &a)];
        let bill: Value = serde_json::from_str(&render(&tree, &checksums.parse().unwrap()).unwrap()).unwrap();
        assert_eq!(bill["metadata"]["component"]["purl"], "pkg:cargo/own@0.1.0");
        let names: Vec<&str> = bill["components"].as_array().unwrap().iter().map(|component| component["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["a", "b", "core"]);
        assert_eq!(bill["components"][0]["licenses"], json!([{"expression": "MIT OR Apache-2.0"}]));
        assert_eq!(bill["components"][0]["hashes"], json!([{"alg": "SHA-256", "content": "0a"}]));
        assert_eq!(bill["components"][1]["bom-ref"], "pkg:cargo/b@2.0.0%2Bx.1");
        assert_eq!(bill["components"][1]["licenses"], Value::Null);
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
}
