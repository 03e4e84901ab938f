//! The packages that cargo knows, and those that are linked into an artifact.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use cargo_metadata::Package;

use super::artifacts::Artifact;
use crate::cargo;
use crate::process::execute;

/// Name and version.
pub(super) type PackageId = (String, String);

/// Every package in the lock file.
pub(super) struct Packages(BTreeMap<PackageId, Package>);

impl Packages {
    /// Reads the manifests of all packages, and fetches missing sources.
    ///
    /// # Errors
    /// If missing sources cannot be fetched.
    pub(super) fn read(root: &Path) -> anyhow::Result<Self> {
        let metadata = match cargo::metadata(root).exec() {
            Ok(metadata) => metadata,
            Err(_) => {
                // Builds on this machine do not fetch packages of other platforms.
                crate::print_line("notices: fetching the sources of all packages");
                execute(cargo::command().current_dir(root).args(["fetch", "--locked"]))?;
                cargo::metadata(root).exec()?
            }
        };
        let key = |package: &Package| (package.name.to_string(), package.version.to_string());
        Ok(Self(metadata.packages.into_iter().map(|package| (key(&package), package)).collect()))
    }

    /// Lists the packages linked into an artifact for these targets, each with its depth in cargo's tree.
    ///
    /// The graph of `cargo metadata` has the features of the whole workspace, so it cannot be used.
    ///
    /// # Errors
    /// If cargo does not know the artifact's crate.
    pub(super) fn tree(&self, root: &Path, artifact: &Artifact, targets: &[&str]) -> anyhow::Result<Vec<(usize, &Package)>> {
        let settings = artifact.maturin(root)?;
        let mut tree = cargo::command();
        tree.current_dir(root).args(["tree", "--quiet", "--locked", "--offline", "--prefix", "depth", "--format", " {p}"]);
        tree.args(["--edges", "normal,no-proc-macro", "--package", artifact.krate]);
        tree.args(settings.features.iter().flat_map(|feature| ["--features", feature]));
        tree.args(settings.no_default_features.then_some("--no-default-features"));
        tree.args(targets.iter().flat_map(|target| ["--target", target]));
        let found = |line: &str| {
            let (depth, key) = parse(line)?;
            Some((depth, self.0.get(&key)?))
        };
        let package = |line: &str| found(line).with_context(|| format!("cargo's tree has an unknown package or form: {line}"));
        execute(&mut tree)?.lines().filter(|line| !line.is_empty()).map(package).collect()
    }

    /// Lists the third-party packages linked into an artifact for any of its targets, and the code generators whose templates it contains.
    ///
    /// # Errors
    /// If cargo does not know the artifact's crate.
    pub(super) fn linked(&self, root: &Path, artifact: &Artifact, targets: &[&str]) -> anyhow::Result<BTreeMap<&PackageId, &Package>> {
        let tree = self.tree(root, artifact, targets)?;
        let linked = |package: &Package| package.source.is_some() && tree.iter().any(|(_, linked)| *linked == package);
        let wrote = |package: &Package| artifact.generators.iter().any(|name| package.name == *name);
        Ok(self.0.iter().filter(|(_, package)| linked(package) || wrote(package)).collect())
    }
}

/// Parses a line of cargo's tree: `2 ring v0.17.14`, followed by the folder for our own packages.
fn parse(line: &str) -> Option<(usize, PackageId)> {
    let mut words = line.split(' ');
    let depth = words.next()?.parse().ok()?;
    Some((depth, (words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned())))
}
