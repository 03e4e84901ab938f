//! The Swift package's manifest: its platforms, and the release manifest made from the one in the workspace.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, ensure};

use super::macho::Version;
use crate::swift::layout::{FOLDER, MANIFEST};
use crate::swift::products::declared_names;

/// Comment before lines that are only in the workspace, up to the closing comment.
const WORKSPACE_ONLY: &str = "// In the clone only:";
const WORKSPACE_ONLY_END: &str = "// End of what is in the clone only.";

/// Declaration of the library in the workspace's manifest.
const LIBRARY: &str = ".systemLibrary(name: \"CVitalwireFFI\")";

/// Start of the package.
const PACKAGE: &str = "let package = Package(";

/// The source of the XCFramework in the released package.
pub(super) enum Source<'a> {
    /// A folder in the package.
    Folder(&'a str),
    /// A remote archive with its SHA-256.
    Archive { url: &'a str, checksum: &'a str },
}

/// Returns the minimum version of a system in the manifest: `.iOS(.v16)` or `.iOS("16.4")`.
///
/// # Errors
/// If the manifest does not name the system.
pub(super) fn minimum_version(manifest: &str, system: &str) -> anyhow::Result<Version> {
    let (_, after) = manifest.split_once(&format!(".{system}(")).with_context(|| format!("the Swift package must name {system}"))?;
    let version = after.split(')').next().unwrap_or_default().trim_matches(['.', 'v', '"']).replace('_', ".");
    let (major, minor) = version.split_once('.').unwrap_or((&version, "0"));
    let number = |text: &str| text.parse().with_context(|| format!("the Swift package's version of {system} must be a number"));
    Ok((number(major)?, number(minor)?))
}

/// Reads the workspace's manifest.
///
/// # Errors
/// If it cannot be read.
pub(super) fn read(root: &Path) -> anyhow::Result<String> {
    fs::read_to_string(root.join(FOLDER).join(MANIFEST)).with_context(|| format!("reading {MANIFEST}"))
}

/// Returns the folders of the released targets, in the workspace and in the package.
///
/// # Errors
/// If the manifest has an unexpected form.
pub(super) fn folders(manifest: &str) -> anyhow::Result<Vec<String>> {
    Ok(targets(manifest)?.into_iter().map(|target| format!("Sources/{target}")).collect())
}

/// Returns the names of the released targets.
///
/// # Errors
/// If the workspace's manifest has an unexpected form.
pub(super) fn targets(clone: &str) -> anyhow::Result<Vec<String>> {
    let kept = release_lines(clone)?.join("\n");
    Ok(declared_names(&kept, &[".systemLibrary", ".target"]).map(str::to_owned).collect())
}

/// Returns the release manifest. The library comes from `source`, and lines for the workspace are left out.
///
/// # Errors
/// If the workspace's manifest has an unexpected form.
pub(super) fn release_manifest(clone: &str, source: &Source) -> anyhow::Result<String> {
    let lines = release_lines(clone)?;
    for (what, from) in [("the library", LIBRARY), ("the package", PACKAGE)] {
        let times = lines.iter().filter(|line| line.contains(from)).count();
        ensure!(times == 1, "the Swift package's manifest must name {what} once as `{from}`, not {times} times");
    }
    let text = lines.join("\n") + "\n";
    Ok(text.replace(LIBRARY, "library").replace(PACKAGE, &format!("\n{}\n{PACKAGE}", library(source))))
}

fn release_lines(clone: &str) -> anyhow::Result<Vec<&str>> {
    let mut lines = Vec::new();
    let mut left_out = false;
    for line in clone.lines() {
        let trimmed = line.trim_start();
        left_out |= trimmed.starts_with(WORKSPACE_ONLY);
        if !left_out {
            lines.push(line);
        }
        left_out &= trimmed != WORKSPACE_ONLY_END;
    }
    ensure!(!left_out, "the Swift package's manifest needs the line `{WORKSPACE_ONLY_END}` after `{WORKSPACE_ONLY}`");
    Ok(lines)
}

/// Returns the library target. SwiftPM evaluates a manifest on the build machine.
fn library(source: &Source) -> String {
    let place = match source {
        Source::Folder(path) => format!("path: \"{path}\""),
        Source::Archive { url, checksum } => format!("url: \"{url}\", checksum: \"{checksum}\""),
    };
    format!(
        "// On Linux, the library is found by pkg-config: see README.md.\n\
         #if os(Linux)\n\
         let library = Target.systemLibrary(name: \"CVitalwireFFI\", pkgConfig: \"vitalwire_uniffi\")\n\
         #else\n\
         let library = Target.binaryTarget(name: \"CVitalwireFFI\", {place})\n\
         #endif\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST_TEXT: &str = "// swift-tools-version: 6.0\n\nimport PackageDescription\n\n// Layers.\n// In the clone only: flags.\n// More.\n\
                         // End of what is in the clone only.\nlet package = Package(\n    platforms: [.iOS(.v16), .macOS(\"13.4\")],\n    targets: [\n\
                         \x20       .systemLibrary(name: \"CVitalwireFFI\"),\n        .target(name: \"Vitalwire\"),\n        // In the clone only: tests.\n\
                         \x20       .testTarget(name: \"T\"),\n        // End of what is in the clone only.\n    ]\n)\n";

    #[test]
    fn versions_are_read() {
        assert_eq!(minimum_version(MANIFEST_TEXT, "iOS").unwrap(), (16, 0));
        assert_eq!(minimum_version(MANIFEST_TEXT, "macOS").unwrap(), (13, 4));
        assert_eq!(minimum_version(MANIFEST_TEXT, "tvOS").unwrap_err().to_string(), "the Swift package must name tvOS");
        assert!(minimum_version(".iOS(.vLatest)", "iOS").is_err());
    }

    #[test]
    fn the_release_manifest_has_the_library_and_no_test() {
        let made = release_manifest(MANIFEST_TEXT, &Source::Archive { url: "https://example.org/a.zip", checksum: "0a" }).unwrap();
        let expected = "// swift-tools-version: 6.0\n\nimport PackageDescription\n\n// Layers.\n\n\
                        // On Linux, the library is found by pkg-config: see README.md.\n#if os(Linux)\n\
                        let library = Target.systemLibrary(name: \"CVitalwireFFI\", pkgConfig: \"vitalwire_uniffi\")\n#else\n\
                        let library = Target.binaryTarget(name: \"CVitalwireFFI\", url: \"https://example.org/a.zip\", checksum: \"0a\")\n#endif\n\n\
                        let package = Package(\n    platforms: [.iOS(.v16), .macOS(\"13.4\")],\n    targets: [\n        library,\n\
                        \x20       .target(name: \"Vitalwire\"),\n    ]\n)\n";
        assert_eq!(made, expected);
    }

    #[test]
    fn only_released_targets_are_listed() {
        assert_eq!(targets(MANIFEST_TEXT).unwrap(), ["CVitalwireFFI", "Vitalwire"]);
    }

    #[test]
    fn a_library_in_the_package_is_named_by_its_path() {
        let made = release_manifest(MANIFEST_TEXT, &Source::Folder("C.xcframework")).unwrap();
        assert!(made.contains("binaryTarget(name: \"CVitalwireFFI\", path: \"C.xcframework\")"), "{made}");
    }

    #[test]
    fn a_manifest_of_another_form_is_an_error() {
        let error = |clone: &str| release_manifest(clone, &Source::Folder("a")).unwrap_err().to_string();
        assert!(
            error(&MANIFEST_TEXT.replace("CVitalwireFFI", "Other")).starts_with("the Swift package's manifest must name the library once")
        );
        assert!(error(&MANIFEST_TEXT.replace("// End of what is in the clone only.\n    ]", "    ]")).contains("needs the line"));
    }

    #[test]
    fn the_manifest_of_the_workspace_can_be_released() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let clone = std::fs::read_to_string(root.join("bindings/swift/Package.swift")).unwrap();
        let made = release_manifest(&clone, &Source::Folder("a")).unwrap();
        assert!(!made.contains("Tests") && !made.contains("-Xlinker"), "{made}");
    }
}
