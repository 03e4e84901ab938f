//! What is shipped with code linked in, for which systems, and the folders its notices belong to.

use std::path::Path;

use anyhow::Context as _;
use serde::Deserialize;

/// Something a user installs.
pub(super) struct Artefact {
    /// What it is called in its notices.
    pub(super) title: &'static str,
    /// The crate it is built of.
    pub(super) krate: &'static str,
    /// The manifest with maturin's settings.
    pub(super) pyproject: Option<&'static str>,
    /// What it is built for.
    pub(super) targets: &'static [&'static [&'static str]],
    /// Generators whose templates are part of its source files.
    pub(super) written_by: &'static [&'static str],
    /// Where its notices are kept.
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

/// Everything that is shipped as a library or a program.
pub(super) const ARTEFACTS: [Artefact; 4] = [
    Artefact {
        title: "the Python package vitalwire",
        krate: "vitalwire-python",
        pyproject: Some("bindings/python/pyproject.toml"),
        targets: &[DESKTOP],
        written_by: &[],
        folders: &["bindings/python"],
    },
    Artefact {
        title: "the program vitalwire and the Python package vitalwire-sandbox",
        krate: "vitalwire-cli",
        pyproject: Some("bindings/python/sandbox/pyproject.toml"),
        targets: &[DESKTOP],
        written_by: &[],
        // `vitalwire licenses` prints the first.
        folders: &["crates/vitalwire-cli", "bindings/python/sandbox"],
    },
    Artefact {
        title: "Vitalwire for Swift and Kotlin",
        krate: "vitalwire-uniffi",
        pyproject: None,
        targets: &[DESKTOP, MOBILE],
        written_by: &["uniffi_bindgen"],
        folders: &["bindings/kotlin", "bindings/swift"],
    },
    Artefact {
        title: "Vitalwire for C and C++",
        krate: "vitalwire-c",
        pyproject: None,
        targets: &[DESKTOP],
        written_by: &[],
        folders: &["bindings/c"],
    },
];

/// Settings of maturin.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Maturin {
    pub(super) features: Vec<String>,
    pub(super) no_default_features: bool,
    pub(super) sbom: Bills,
}

/// Names of the bills of materials that go into a wheel.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Bills {
    pub(super) include: Vec<String>,
}

impl Artefact {
    /// Reads the settings of maturin; those of an artefact that is no Python package are the defaults.
    ///
    /// # Errors
    /// If the manifest has none.
    pub(super) fn maturin(&self, root: &Path) -> anyhow::Result<Maturin> {
        let Some(path) = self.pyproject else { return Ok(Maturin::default()) };
        let manifest: toml::Table = std::fs::read_to_string(root.join(path)).with_context(|| format!("reading {path}"))?.parse()?;
        let own = manifest.get("tool").and_then(|tool| tool.get("maturin")).with_context(|| format!("{path} has no [tool.maturin]"))?;
        own.clone().try_into().with_context(|| format!("reading [tool.maturin] of {path}"))
    }

    /// Every target, in order.
    pub(super) fn targets(&self) -> Vec<&'static str> {
        let mut targets: Vec<&str> = self.targets.iter().flat_map(|targets| targets.iter().copied()).collect();
        targets.sort_unstable();
        targets
    }
}
