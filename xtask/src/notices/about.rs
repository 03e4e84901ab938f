//! Runs cargo-about, which chooses a licence of each package and finds its text.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::linked::PackageId;
use crate::build::target;
use crate::cargo;
use crate::process::execute;

/// Version of cargo-about. It is built for this command only, because building it takes minutes.
pub(super) const VERSION: &str = "0.9.3";

/// Path of cargo-about's settings.
pub(super) const SETTINGS: &str = "xtask/src/notices/about.toml";

/// Licence texts of all packages of the workspace, as cargo-about prints them.
#[derive(Deserialize)]
pub(super) struct Report {
    licenses: Vec<Found>,
}

/// A text in a file, and the packages with this text.
#[derive(Deserialize)]
struct Found {
    id: String,
    text: String,
    /// Absent if the package has no file of this licence. The text is then a standard one.
    source_path: Option<String>,
    used_by: Vec<Use>,
}

#[derive(Deserialize)]
struct Use {
    #[serde(rename = "crate")]
    package: Package,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
}

/// A licence text and the packages of an artifact to which it applies.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct LicenceText {
    pub(super) id: String,
    pub(super) text: String,
    /// Whether the packages have no file with this text.
    pub(super) is_standard: bool,
    pub(super) packages: BTreeSet<PackageId>,
}

impl Report {
    /// Installs cargo-about below the target folder and runs it for the whole workspace.
    ///
    /// # Errors
    /// If it cannot be installed, or a package has a licence that the settings do not accept.
    pub(super) fn create(root: &Path) -> anyhow::Result<Self> {
        let folder = target(root)?.join("notices");
        crate::print_line(&format!("notices: installing cargo-about {VERSION}, which takes minutes the first time"));
        let mut install = cargo::command();
        install.current_dir(root).env_remove("RUSTC_WORKSPACE_WRAPPER").env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
        install.args(["install", "--quiet", "--locked", "--debug", "--features", "cli", "--root"]).arg(&folder);
        execute(install.arg(format!("cargo-about@{VERSION}")))?;
        crate::print_line("notices: reading the sources of all packages");
        let output = folder.join("about.json");
        let mut about = cargo::clean_command(folder.join("bin/cargo-about"));
        about.current_dir(root).args(["about", "generate", "--frozen", "--fail", "--workspace", "--all-features", "--format", "json"]);
        execute(about.args(["--config", SETTINGS, "--output-file"]).arg(&output))?;
        Ok(serde_json::from_slice(&std::fs::read(output)?)?)
    }

    /// Returns the texts that apply to some packages. Texts that differ only in white space are one text.
    ///
    /// # Errors
    /// If a package has no text.
    pub(super) fn texts(&self, packages: &BTreeSet<PackageId>) -> anyhow::Result<Vec<LicenceText>> {
        let mut texts: BTreeMap<(&str, String, bool), LicenceText> = BTreeMap::new();
        for found in &self.licenses {
            let names = found.used_by.iter().map(|used| (used.package.name.clone(), used.package.version.clone()));
            let names: BTreeSet<PackageId> = names.filter(|name| packages.contains(name)).collect();
            if names.is_empty() {
                continue;
            }
            let is_standard = found.source_path.is_none();
            let text = texts.entry((&found.id, words(&found.text), is_standard)).or_insert_with(|| LicenceText {
                id: found.id.clone(),
                text: found.text.replace("\r\n", "\n"),
                is_standard,
                packages: BTreeSet::new(),
            });
            text.packages.extend(names);
        }
        let texts: Vec<LicenceText> = texts.into_values().collect();
        let missing = packages.iter().find(|package| !texts.iter().any(|text| text.packages.contains(package)));
        match missing {
            Some((name, version)) => {
                anyhow::bail!("cargo-about found no licence of {name} {version}; state it in {SETTINGS}, as `clarify`")
            }
            None => Ok(texts),
        }
    }
}

/// Returns a text with single spaces between words.
pub(super) fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
