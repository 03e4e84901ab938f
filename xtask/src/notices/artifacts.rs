//! Release artifacts with linked code, and the folders of their notices.

use std::path::Path;

use anyhow::Context as _;
use serde::Deserialize;

/// A release artifact, such as a package or a program, that users install.
pub(super) struct Artifact {
    /// Title in the notices.
    pub(super) title: &'static str,
    /// Crate that it is built from.
    pub(super) krate: &'static str,
    /// Manifest with maturin's settings, if it is a Python package.
    pub(super) pyproject: Option<&'static str>,
    /// Whether it is built for phones too.
    pub(super) is_mobile: bool,
    /// Generators whose templates are part of the source files.
    pub(super) generators: &'static [&'static str],
    /// Folders that get a copy of the notices.
    pub(super) folders: &'static [&'static str],
}

pub(super) const ARTIFACTS: [Artifact; 4] = [
    Artifact {
        title: "the Python package vitalwire",
        krate: "vitalwire-python",
        pyproject: Some("bindings/python/pyproject.toml"),
        is_mobile: false,
        generators: &[],
        folders: &["bindings/python"],
    },
    Artifact {
        title: "the program vitalwire and the Python package vitalwire-sandbox",
        krate: "vitalwire-cli",
        pyproject: Some("bindings/python/sandbox/pyproject.toml"),
        is_mobile: false,
        generators: &[],
        // `vitalwire licenses` prints the notices in the first folder.
        folders: &["crates/vitalwire-cli", "bindings/python/sandbox"],
    },
    Artifact {
        title: "Vitalwire for Swift and Kotlin",
        krate: "vitalwire-uniffi",
        pyproject: None,
        is_mobile: true,
        generators: &["uniffi_bindgen"],
        folders: &["bindings/kotlin", "bindings/swift"],
    },
    Artifact {
        title: "Vitalwire for C and C++",
        krate: "vitalwire-c",
        pyproject: None,
        is_mobile: false,
        generators: &[],
        folders: &["bindings/c"],
    },
];

/// maturin's settings.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Maturin {
    pub(super) features: Vec<String>,
    pub(super) no_default_features: bool,
    pub(super) sbom: SbomSettings,
}

/// Names of the bills of materials in a wheel.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct SbomSettings {
    pub(super) include: Vec<String>,
}

impl Artifact {
    /// Reads maturin's settings. Other artifacts than Python packages get the defaults.
    ///
    /// # Errors
    /// If the manifest has no settings of maturin.
    pub(super) fn maturin(&self, root: &Path) -> anyhow::Result<Maturin> {
        let Some(path) = self.pyproject else { return Ok(Maturin::default()) };
        let manifest: toml::Table = std::fs::read_to_string(root.join(path)).with_context(|| format!("reading {path}"))?.parse()?;
        let own = manifest.get("tool").and_then(|tool| tool.get("maturin")).with_context(|| format!("{path} has no [tool.maturin]"))?;
        own.clone().try_into().with_context(|| format!("reading [tool.maturin] of {path}"))
    }

    /// Returns the systems for which it is built, from those of all artifacts.
    pub(super) fn targets<'a>(&self, all: &'a [String]) -> Vec<&'a str> {
        let is_phone = |target: &str| target.contains("-ios") || target.contains("-android");
        all.iter().map(String::as_str).filter(|target| self.is_mobile || !is_phone(target)).collect()
    }
}
