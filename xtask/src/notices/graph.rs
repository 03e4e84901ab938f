//! What cargo knows: packages with their manifests, and which of them are linked into what is shipped.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use serde::Deserialize;

use super::artefacts::Artefact;

/// A package of the lock file, as its manifest describes it.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    /// The licence expression.
    pub(super) license: Option<String>,
    /// A licence text that the manifest names, relative to it.
    pub(super) license_file: Option<PathBuf>,
    pub(super) authors: Vec<String>,
    pub(super) repository: Option<String>,
    /// Nothing for members of the workspace.
    pub(super) source: Option<String>,
    /// Where it may be published; `None` says anywhere.
    pub(super) publish: Option<Vec<String>>,
    pub(super) manifest_path: PathBuf,
}

impl Package {
    /// Name and version.
    pub(super) fn label(&self) -> String {
        format!("{} {}", self.name, self.version)
    }

    /// Where its sources are.
    pub(super) fn folder(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(Path::new(""))
    }
}

/// Every package of the lock file, by name and version.
pub(super) struct Graph(BTreeMap<(String, String), Package>);

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

/// What maturin is told beside the crate.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
struct Maturin {
    features: Vec<String>,
    no_default_features: bool,
}

impl Graph {
    /// Asks cargo, and fetches the sources where some are missing.
    ///
    /// # Errors
    /// Where they cannot be fetched.
    pub(super) fn read(root: &Path) -> anyhow::Result<Self> {
        const METADATA: [&str; 5] = ["metadata", "--locked", "--offline", "--format-version", "1"];
        let json = match cargo(root, METADATA) {
            Ok(json) => json,
            Err(_) => {
                // Other platforms' packages are needed too, which no build of this machine has fetched.
                crate::say("notices: fetching the sources of all packages");
                cargo(root, ["fetch", "--locked"]).map_err(|error| unfetched(&error))?;
                cargo(root, METADATA)?
            }
        };
        let metadata: Metadata = serde_json::from_str(&json).context("cargo metadata printed what is not understood")?;
        Ok(Self(metadata.packages.into_iter().map(|package| ((package.name.clone(), package.version.clone()), package)).collect()))
    }

    /// Others' packages that are linked into an artefact, on any of its targets, and the generators that wrote parts of it.
    ///
    /// `cargo tree` and not the graph of `cargo metadata`: that one has the features of the whole workspace in every package.
    pub(super) fn linked(&self, root: &Path, artefact: &Artefact) -> anyhow::Result<Vec<&Package>> {
        let mut arguments = vec!["tree", "--locked", "--offline", "--prefix", "none", "--format", "{p}"];
        arguments.extend(["--edges", "normal,no-proc-macro", "--package", artefact.krate]);
        let maturin = artefact.pyproject.map_or_else(|| Ok(Maturin::default()), |path| Maturin::read(root, path))?;
        arguments.extend(maturin.features.iter().flat_map(|feature| ["--features", feature]));
        arguments.extend(maturin.no_default_features.then_some("--no-default-features"));
        arguments.extend(artefact.targets().into_iter().flat_map(|target| ["--target", target]));
        let mut packages = BTreeMap::new();
        for key in cargo(root, arguments)?.lines().filter_map(named) {
            let package = self.0.get(&key).with_context(|| format!("cargo tree names {} {}, cargo metadata does not", key.0, key.1))?;
            if package.source.is_some() {
                packages.insert(key, package);
            }
        }
        for name in artefact.written_by {
            packages.extend(self.0.iter().filter(|(key, _)| key.0 == *name).map(|(key, package)| (key.clone(), package)));
        }
        Ok(packages.into_values().collect())
    }

    /// Whether a package of that name is in the lock file.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.keys().any(|key| key.0 == name)
    }

    /// Folders of the members that a registry takes, relative to the workspace.
    pub(super) fn published(&self, root: &Path) -> Vec<String> {
        let ours = self.0.values().filter(|package| package.source.is_none() && package.publish.is_none());
        let folder = |package: &Package| package.folder().strip_prefix(root).ok().map(|path| path.to_string_lossy().replace('\\', "/"));
        ours.filter_map(folder).collect()
    }
}

impl Maturin {
    fn read(root: &Path, path: &str) -> anyhow::Result<Self> {
        let manifest: toml::Table = std::fs::read_to_string(root.join(path)).with_context(|| format!("reading {path}"))?.parse()?;
        let own = manifest.get("tool").and_then(|tool| tool.get("maturin")).with_context(|| format!("{path} has no [tool.maturin]"))?;
        own.clone().try_into().with_context(|| format!("reading [tool.maturin] of {path}"))
    }
}

/// Name and version in a line of `cargo tree`: `ring v0.17.14`, with a folder behind it where the package is ours.
fn named(line: &str) -> Option<(String, String)> {
    let mut words = line.split(' ');
    Some((words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned()))
}

/// What cargo lacks, with the remedy.
pub(super) fn unfetched(error: &anyhow::Error) -> anyhow::Error {
    let text = error.to_string();
    let remedy = if text.contains("--locked") {
        "Cargo.lock does not fit the manifests: run `cargo update --workspace` and commit it"
    } else {
        "run `cargo fetch --locked` where there is a network; after that none is needed"
    };
    anyhow::anyhow!("cargo cannot tell what is linked\n{text}\nremedy: {remedy}")
}

/// What cargo prints.
fn cargo<'a>(root: &Path, arguments: impl IntoIterator<Item = &'a str>) -> anyhow::Result<String> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let output = command.current_dir(root).args(arguments).output().context("cargo cannot be started")?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    String::from_utf8(output.stdout).context("cargo printed what is no text")
}
