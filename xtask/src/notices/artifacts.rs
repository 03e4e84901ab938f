//! Lists the release artifacts with linked code, their target systems, and the folders of their notices.

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
    /// Target systems, in groups.
    pub(super) targets: &'static [&'static [&'static str]],
    /// Generators whose templates are part of the source files.
    pub(super) generators: &'static [&'static str],
    /// Folders that get a copy of the notices.
    pub(super) folders: &'static [&'static str],
}

const DESKTOP: &[&str] = &[
    "aarch64-apple-darwin",
    "aarch64-pc-windows-msvc",
    "aarch64-unknown-linux-gnu",
    "aarch64-unknown-linux-musl",
    "x86_64-apple-darwin",
    "x86_64-pc-windows-msvc",
    "x86_64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
];

const MOBILE: &[&str] = &[
    "aarch64-apple-ios",
    "aarch64-apple-ios-sim",
    "aarch64-linux-android",
    "armv7-linux-androideabi",
    "i686-linux-android",
    "x86_64-apple-ios",
    "x86_64-linux-android",
];

pub(super) const ARTIFACTS: [Artifact; 4] = [
    Artifact {
        title: "the Python package vitalwire",
        krate: "vitalwire-python",
        pyproject: Some("bindings/python/pyproject.toml"),
        targets: &[DESKTOP],
        generators: &[],
        folders: &["bindings/python"],
    },
    Artifact {
        title: "the program vitalwire and the Python package vitalwire-sandbox",
        krate: "vitalwire-cli",
        pyproject: Some("bindings/python/sandbox/pyproject.toml"),
        targets: &[DESKTOP],
        generators: &[],
        // `vitalwire licenses` prints the notices in the first folder.
        folders: &["crates/vitalwire-cli", "bindings/python/sandbox"],
    },
    Artifact {
        title: "Vitalwire for Swift and Kotlin",
        krate: "vitalwire-uniffi",
        pyproject: None,
        targets: &[DESKTOP, MOBILE],
        generators: &["uniffi_bindgen"],
        folders: &["bindings/kotlin", "bindings/swift"],
    },
    Artifact {
        title: "Vitalwire for C and C++",
        krate: "vitalwire-c",
        pyproject: None,
        targets: &[DESKTOP],
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

    /// Returns all targets, in order.
    pub(super) fn targets(&self) -> Vec<&'static str> {
        let mut targets: Vec<&str> = self.targets.iter().flat_map(|targets| targets.iter().copied()).collect();
        targets.sort_unstable();
        targets
    }
}
