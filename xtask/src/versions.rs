//! Reads the version number of the workspace, and every other place that states it.

use std::path::Path;

use anyhow::Context as _;

/// Manifests that cannot inherit the workspace's version: (path, text before the number).
pub(crate) const MANIFESTS: [(&str, &str); 13] = [
    ("bindings/kotlin/pom.xml", "<artifactId>vitalwire</artifactId>\n  <version>"),
    ("bindings/kotlin/bom/pom.xml", "<artifactId>vitalwire-bom</artifactId>\n  <version>"),
    ("bindings/kotlin/server/pom.xml", "<artifactId>vitalwire-server</artifactId>\n  <version>"),
    ("bindings/kotlin/testing/pom.xml", "<artifactId>vitalwire-testing</artifactId>\n  <version>"),
    ("bindings/kotlin/serialization/pom.xml", "<artifactId>vitalwire-serialization</artifactId>\n  <version>"),
    ("bindings/kotlin/consent/pom.xml", "<artifactId>vitalwire-consent</artifactId>\n  <version>"),
    ("bindings/kotlin/README.md", "<artifactId>vitalwire</artifactId>\n  <version>"),
    ("bindings/kotlin/README.md", "dev.vitalwire:vitalwire-android:"),
    ("bindings/kotlin/installed-android/gradle/libs.versions.toml", "\nvitalwire = \""),
    ("bindings/c/CMakeLists.txt", "project(vitalwire VERSION "),
    ("bindings/c/README.md", "find_package(Vitalwire "),
    ("bindings/swift/README.md", "Version: "),
    // The extra installs the program of the same release.
    ("bindings/python/pyproject.toml", "\"vitalwire-sandbox=="),
];

/// The C header, into which `cargo xtask codegen` writes the version, and the text before the number.
const HEADER: (&str, &str) = ("bindings/c/include/vitalwire.h", "#define VITALWIRE_VERSION \"");

/// Path of the changelog.
pub(crate) const CHANGES: &str = "CHANGELOG.md";

/// Heading of unreleased changes.
pub(crate) const UNRELEASED: &str = "Unreleased";

/// Returns the workspace's version, which the crates inherit.
///
/// # Errors
/// If the workspace's manifest cannot be read.
pub(crate) fn workspace(root: &Path) -> anyhow::Result<String> {
    let version = manifest(root)?.get("package").and_then(|package| package.get("version")).cloned();
    Ok(version.as_ref().and_then(toml::Value::as_str).context("the workspace has no version")?.to_owned())
}

/// Returns every place that states the version, and the stated version.
///
/// # Errors
/// If a manifest cannot be read.
pub(crate) fn stated_versions(root: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let workspace_version = workspace(root)?;
    let mut stated = vec![("Cargo.toml".to_owned(), workspace_version.clone())];
    let manifest = manifest(root)?;
    for (name, dependency) in manifest.get("dependencies").and_then(toml::Value::as_table).into_iter().flatten() {
        if dependency.get("path").is_some()
            && let Some(version) = dependency.get("version").and_then(toml::Value::as_str)
        {
            let number = version.trim_start_matches('=').to_owned();
            stated.push((format!("Cargo.toml, dependency {name}"), number));
        }
    }
    for place in MANIFESTS {
        stated.push((place.0.to_owned(), number_after(root, place)?));
    }
    for path in ["bindings/python/pyproject.toml", "bindings/python/sandbox/pyproject.toml"] {
        let python = std::fs::read_to_string(root.join(path)).with_context(|| format!("reading {path}"))?;
        let dynamic = python.contains("dynamic = [\"version\"]");
        stated.push((path.to_owned(), if dynamic { workspace_version.clone() } else { "its own number".to_owned() }));
    }
    Ok(stated)
}

/// Returns the path of the C header, and the version that it states.
///
/// # Errors
/// If the header cannot be read.
pub(crate) fn header(root: &Path) -> anyhow::Result<(String, String)> {
    Ok((HEADER.0.to_owned(), number_after(root, HEADER)?))
}

/// Returns the number after a text in a file, or an empty text if it is not there.
fn number_after(root: &Path, (path, before): (&str, &str)) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(root.join(path)).with_context(|| format!("reading {path}"))?;
    let found = text.split_once(before).map_or("", |(_, rest)| rest);
    Ok(found.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect())
}

/// Returns the version in the changelog's newest heading, `## 0.1.0 (2026-01-31)`, or `Unreleased`.
///
/// # Errors
/// If the changelog cannot be read.
pub(crate) fn newest_change(root: &Path) -> anyhow::Result<String> {
    Ok(newest_heading(root)?.split(' ').next().unwrap_or_default().to_owned())
}

/// Returns the changelog's newest heading. Skips an empty section of unreleased changes.
///
/// # Errors
/// If the changelog cannot be read.
pub(crate) fn newest_heading(root: &Path) -> anyhow::Result<String> {
    let changes = std::fs::read_to_string(root.join(CHANGES)).with_context(|| format!("reading {CHANGES}"))?;
    let mut sections = changes.split("\n## ").skip(1).map(|section| section.split_once('\n').unwrap_or((section, "")));
    let newest = sections.find(|(heading, changes)| *heading != UNRELEASED || !changes.trim().is_empty());
    Ok(newest.map_or_else(String::new, |(heading, _)| heading.to_owned()))
}

/// Returns the table `workspace` of the workspace's manifest.
fn manifest(root: &Path) -> anyhow::Result<toml::Value> {
    let manifest: toml::Table = std::fs::read_to_string(root.join("Cargo.toml")).context("reading Cargo.toml")?.parse()?;
    manifest.get("workspace").cloned().context("Cargo.toml has no workspace")
}
