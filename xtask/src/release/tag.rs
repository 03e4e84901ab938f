//! Compares a release's tag with all stated versions.

use std::path::Path;

use anyhow::{Context as _, ensure};

use crate::versions::{CHANGES, header, newest_change, newest_heading, stated_versions};

/// Checks that the manifests and the changelog at `root` state the version of a tag, and that the changelog has a date.
///
/// # Errors
/// If a place states another version. The error has a line for each.
pub(super) fn check(root: &Path, tag: &str) -> anyhow::Result<()> {
    let version = version(tag)?;
    let mut places = stated_versions(root)?;
    places.push((format!("{CHANGES}, newest heading"), newest_change(root)?));
    compare(tag, version, places)?;
    let heading = newest_heading(root)?;
    ensure!(
        heading.starts_with(&format!("{version} (")),
        "{tag} cannot be released:\n  {CHANGES}, newest heading: it must have a date, such as `## {version} (2026-12-31)`"
    );
    Ok(())
}

/// Checks that the manifests at `root` state the version of a tag.
///
/// # Errors
/// If one states another version. The error has a line for each.
pub(super) fn check_manifests(root: &Path, tag: &str) -> anyhow::Result<()> {
    let remedy = "set the version with `cargo xtask release --prepare`, or choose another tag";
    compare(tag, version(tag)?, stated_versions(root)?).map_err(|error| anyhow::anyhow!("{error}\n{remedy}"))
}

/// Checks that the C header at `root` states the version of a tag.
///
/// # Errors
/// If it states another version.
pub(super) fn check_header(root: &Path, tag: &str) -> anyhow::Result<()> {
    compare(tag, version(tag)?, vec![header(root)?]).context("run `cargo xtask codegen`")
}

fn compare(tag: &str, version: &str, places: Vec<(String, String)>) -> anyhow::Result<()> {
    let other = places.into_iter().filter(|(_, found)| found != version);
    let lines: Vec<String> = other.map(|(place, found)| format!("{place}: the version must be `{version}`, not `{found}`")).collect();
    ensure!(lines.is_empty(), "{tag} cannot be released:\n  {}", lines.join("\n  "));
    Ok(())
}

/// Returns the version in a tag.
///
/// # Errors
/// If the tag has another form.
pub(super) fn version(tag: &str) -> anyhow::Result<&str> {
    let version = tag.strip_prefix('v').filter(|version| numbers(version).is_ok());
    version.with_context(|| format!("the tag must be `v` and three numbers, such as v0.1.0, not `{tag}`"))
}

/// Returns the numbers of a version.
///
/// # Errors
/// If it does not have three numbers.
pub(super) fn numbers(version: &str) -> anyhow::Result<[u32; 3]> {
    let is_number = |part: &str| part.chars().all(|c| c.is_ascii_digit()) && (part == "0" || !part.starts_with('0'));
    let number = |part: &str| is_number(part).then(|| part.parse().ok()).flatten();
    let numbers: Option<Vec<u32>> = version.split('.').map(number).collect();
    let numbers = numbers.and_then(|numbers| numbers.try_into().ok());
    numbers.with_context(|| format!("a version must have three numbers, such as 0.1.0, not `{version}`"))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A checkout that is ready for v1.2.3.
    const FILES: [(&str, &str); 16] = [
        (
            "Cargo.toml",
            "[workspace.package]\nversion = \"1.2.3\"\n[workspace.dependencies]\nvitalwire = { path = \"c\", version = \"1.2.3\" }\n",
        ),
        ("CHANGELOG.md", "# Changelog\n\n## 1.2.3 (2026-01-31)\n\n## 1.2.2\n"),
        ("bindings/kotlin/pom.xml", "<artifactId>vitalwire</artifactId>\n  <version>1.2.3</version>"),
        ("bindings/kotlin/bom/pom.xml", "<artifactId>vitalwire-bom</artifactId>\n  <version>1.2.3</version>"),
        ("bindings/kotlin/server/pom.xml", "<artifactId>vitalwire-server</artifactId>\n  <version>1.2.3</version>"),
        ("bindings/kotlin/testing/pom.xml", "<artifactId>vitalwire-testing</artifactId>\n  <version>1.2.3</version>"),
        ("bindings/kotlin/serialization/pom.xml", "<artifactId>vitalwire-serialization</artifactId>\n  <version>1.2.3</version>"),
        ("bindings/kotlin/consent/pom.xml", "<artifactId>vitalwire-consent</artifactId>\n  <version>1.2.3</version>"),
        (
            "bindings/kotlin/README.md",
            "<artifactId>vitalwire</artifactId>\n  <version>1.2.3</version>\nimplementation(\"dev.vitalwire:vitalwire-android:1.2.3\")",
        ),
        ("bindings/kotlin/installed-android/gradle/libs.versions.toml", "[versions]\nvitalwire = \"1.2.3\"\n"),
        ("bindings/c/CMakeLists.txt", "project(vitalwire VERSION 1.2.3 LANGUAGES C)"),
        ("bindings/c/include/vitalwire.h", "#define VITALWIRE_VERSION \"1.2.3\"\n"),
        ("bindings/c/README.md", "find_package(Vitalwire 1.2.3 EXACT REQUIRED)"),
        ("bindings/swift/README.md", "Name: vitalwire_uniffi\nVersion: 1.2.3\n"),
        ("bindings/python/pyproject.toml", "dynamic = [\"version\"]\nsandbox = [\"vitalwire-sandbox==1.2.3\"]"),
        ("bindings/python/sandbox/pyproject.toml", "dynamic = [\"version\"]"),
    ];

    fn write(root: &Path, path: &str, content: &str) {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// Returns such a checkout.
    pub(in crate::release) fn ready() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        FILES.iter().for_each(|(path, content)| write(folder.path(), path, content));
        folder
    }

    fn problems(root: &Path, tag: &str) -> String {
        check(root, tag).map_or_else(|error| error.to_string(), |()| "none".to_owned())
    }

    #[test]
    fn an_invalid_tag_is_an_error() {
        for tag in ["1.2.3", "v1.2", "v1.2.3-rc1", "v1..3", "--all", ""] {
            let error = problems(Path::new("/nowhere"), tag);
            assert_eq!(error, format!("the tag must be `v` and three numbers, such as v0.1.0, not `{tag}`"));
        }
    }

    #[test]
    fn every_place_with_another_version_is_reported() {
        let folder = ready();
        assert_eq!(problems(folder.path(), "v1.2.3"), "none");
        let error = problems(folder.path(), "v1.2.4");
        let lines: Vec<&str> = error.lines().skip(1).map(str::trim).collect();
        let places = [
            "Cargo.toml",
            "Cargo.toml, dependency vitalwire",
            "bindings/kotlin/pom.xml",
            "bindings/kotlin/bom/pom.xml",
            "bindings/kotlin/server/pom.xml",
            "bindings/kotlin/testing/pom.xml",
            "bindings/kotlin/serialization/pom.xml",
            "bindings/kotlin/consent/pom.xml",
            "bindings/kotlin/README.md",
            "bindings/kotlin/README.md",
            "bindings/kotlin/installed-android/gradle/libs.versions.toml",
            "bindings/c/CMakeLists.txt",
            "bindings/c/README.md",
            "bindings/swift/README.md",
            "bindings/python/pyproject.toml",
            "bindings/python/pyproject.toml",
            "bindings/python/sandbox/pyproject.toml",
            "CHANGELOG.md, newest heading",
        ];
        assert_eq!(lines, places.map(|place| format!("{place}: the version must be `1.2.4`, not `1.2.3`")));
    }

    #[test]
    fn the_header_is_checked_alone() {
        let folder = ready();
        check_header(folder.path(), "v1.2.3").unwrap();
        write(folder.path(), "bindings/c/include/vitalwire.h", "#define VITALWIRE_VERSION \"1.2.2\"\n");
        assert_eq!(problems(folder.path(), "v1.2.3"), "none");
        let error = format!("{:#}", check_header(folder.path(), "v1.2.3").unwrap_err());
        let expected = "run `cargo xtask codegen`: v1.2.3 cannot be released:\n  bindings/c/include/vitalwire.h: the version must be `1.2.3`, not `1.2.2`";
        assert_eq!(error, expected);
    }

    #[test]
    fn the_newest_heading_needs_a_date() {
        let folder = ready();
        write(folder.path(), "CHANGELOG.md", "# Changelog\n\n## 1.2.3\n\n## 1.2.2 (2026-01-31)\n");
        let error = problems(folder.path(), "v1.2.3");
        let expected = "v1.2.3 cannot be released:\n  CHANGELOG.md, newest heading: it must have a date, such as `## 1.2.3 (2026-12-31)`";
        assert_eq!(error, expected);
    }

    #[test]
    fn unreleased_changes_are_an_error() {
        let folder = ready();
        write(folder.path(), "CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n* News\n\n## 1.2.3\n");
        let error = problems(folder.path(), "v1.2.3");
        assert_eq!(error, "v1.2.3 cannot be released:\n  CHANGELOG.md, newest heading: the version must be `1.2.3`, not `Unreleased`");
    }
}
