//! Facts missing from manifests, in `additions.toml`: linked software that is not a package, and licences of packages.

use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

use super::artifacts::Artifact;
use super::entry::Entry;
use super::expression::Licences;
use super::graph::Graph;

/// Path of `additions.toml`.
const FILE: &str = "xtask/src/notices/additions.toml";

/// Content of `additions.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Additions {
    #[serde(default)]
    addition: Vec<Addition>,
    #[serde(default)]
    licence: Vec<Licence>,
}

/// Linked software that is not a package.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Addition {
    pub(super) title: String,
    pub(super) text: String,
    /// Licences whose texts the software needs.
    #[serde(default)]
    pub(super) licences: Licences,
    /// The package that contains the software. Without a package, every artifact contains it.
    package: Option<String>,
    /// Substring of the target names whose builds contain the software.
    target: Option<String>,
}

/// The licence of a package whose manifest does not name it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Licence {
    package: String,
    expression: String,
    /// The source of this information, for readers of the file.
    #[serde(rename = "reason")]
    _reason: String,
}

impl Additions {
    /// Reads `additions.toml`.
    ///
    /// # Errors
    /// If it is missing or invalid.
    pub(super) fn read(root: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(root.join(FILE)).with_context(|| format!("reading {FILE}"))?;
        toml::from_str(&text).with_context(|| format!("reading {FILE}"))
    }

    /// Returns a finding for each package in the file that is no longer used.
    pub(super) fn unused(&self, graph: &Graph) -> impl Iterator<Item = String> {
        let named = self.addition.iter().filter_map(|addition| addition.package.as_ref());
        let gone = named.chain(self.licence.iter().map(|licence| &licence.package)).filter(|package| !graph.has(package));
        gone.map(|package| format!("{package}: it is not in Cargo.lock\n  remedy: remove it from {FILE}"))
    }

    /// Returns the stated licence of a package.
    pub(super) fn licence(&self, package: &str) -> Option<&str> {
        self.licence.iter().find(|licence| licence.package == package).map(|licence| licence.expression.as_str())
    }

    /// Returns the additions that an artifact with these packages contains.
    pub(super) fn for_artifact<'a>(&'a self, artifact: &'a Artifact, entries: &'a [&Entry<'_>]) -> impl Iterator<Item = &'a Addition> {
        self.addition.iter().filter(move |addition| {
            let linked = |package: &String| entries.iter().any(|entry| entry.package.name == *package);
            let built = |part: &String| artifact.targets().iter().any(|target| target.contains(part.as_str()));
            addition.package.as_ref().is_none_or(linked) && addition.target.as_ref().is_none_or(built)
        })
    }
}
