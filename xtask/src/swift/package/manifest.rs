//! The Swift package's manifest: what it says of systems, and the one that is distributed, made of the one in the clone.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, ensure};

use super::macho::Version;
use crate::swift::places::{FOLDER, MANIFEST};
use crate::swift::products::named;

/// Lines from here on, to the second one, are in the clone only.
const CLONE_BEGINS: &str = "// In the clone only:";
const CLONE_ENDS: &str = "// End of what is in the clone only.";

/// How the clone's manifest names the library.
const LIBRARY: &str = ".systemLibrary(name: \"CVitalwireFFI\")";

/// Where the package begins.
const PACKAGE: &str = "let package = Package(";

/// Where systems are named, in one line.
const PLATFORMS: &str = "    platforms: [";

/// Where the distributed package has the XCFramework from.
pub(super) enum Source<'a> {
    /// A folder in the package.
    Folder(&'a str),
    /// An archive somewhere else, with its SHA-256.
    Archive { url: &'a str, checksum: &'a str },
}

/// The oldest version of a system that the manifest says: `.iOS(.v16)` or `.iOS("16.4")`.
///
/// # Errors
/// Where it names no such system.
pub(super) fn oldest(manifest: &str, system: &str) -> anyhow::Result<Version> {
    let (_, after) = manifest.split_once(&format!(".{system}(")).with_context(|| format!("the Swift package names no {system}"))?;
    let version = after.split(')').next().unwrap_or_default().trim_matches(['.', 'v', '"']).replace('_', ".");
    let (major, minor) = version.split_once('.').unwrap_or((&version, "0"));
    let number = |text: &str| text.parse().with_context(|| format!("the Swift package's version of {system} is no number"));
    Ok((number(major)?, number(minor)?))
}

/// The clone's manifest.
///
/// # Errors
/// Where it cannot be read.
pub(super) fn read(root: &Path) -> anyhow::Result<String> {
    fs::read_to_string(root.join(FOLDER).join(MANIFEST)).with_context(|| format!("reading {MANIFEST}"))
}

/// The folders of the targets that are distributed, in the clone and in the package.
///
/// # Errors
/// Where the clone's manifest is not as it was.
pub(super) fn folders(manifest: &str) -> anyhow::Result<Vec<String>> {
    Ok(targets(manifest)?.into_iter().map(|target| format!("Sources/{target}")).collect())
}

/// The targets that are distributed, by name.
///
/// # Errors
/// Where the clone's manifest is not as this function knows it.
pub(super) fn targets(clone: &str) -> anyhow::Result<Vec<String>> {
    let kept = kept(clone)?.join("\n");
    Ok(named(&kept, &[".systemLibrary", ".target"]).map(str::to_owned).collect())
}

/// The manifest that is distributed: the library comes from `source`, only these systems are named, and what is in the clone only is left
/// out.
///
/// # Errors
/// Where the clone's manifest is not as this function knows it.
pub(super) fn distributed(clone: &str, systems: &[&str], source: &Source) -> anyhow::Result<String> {
    let lines = kept(clone)?;
    for (what, from) in [("the library", LIBRARY), ("the package", PACKAGE), ("systems", PLATFORMS)] {
        let times = lines.iter().filter(|line| line.contains(from)).count();
        ensure!(times == 1, "the Swift package's manifest names {what} {times} times as `{from}`");
    }
    let lines = lines.into_iter().map(|line| {
        if line.contains(LIBRARY) {
            return Ok(line.replace(LIBRARY, "library"));
        }
        if line.starts_with(PACKAGE) {
            return Ok(format!("\n{}\n{line}", library(source)));
        }
        if line.starts_with(PLATFORMS) { platforms(line, systems) } else { Ok(line.to_owned()) }
    });
    Ok(lines.collect::<anyhow::Result<Vec<_>>>()?.join("\n") + "\n")
}

/// The lines of the clone's manifest that are not in the clone only.
fn kept(clone: &str) -> anyhow::Result<Vec<&str>> {
    let mut lines = Vec::new();
    let mut left_out = false;
    for line in clone.lines() {
        let trimmed = line.trim_start();
        left_out |= trimmed.starts_with(CLONE_BEGINS);
        if !left_out {
            lines.push(line);
        }
        left_out &= trimmed != CLONE_ENDS;
    }
    ensure!(!left_out, "the Swift package's manifest has no line `{CLONE_ENDS}` after `{CLONE_BEGINS}`");
    Ok(lines)
}

/// The target that is the library. SwiftPM evaluates a manifest where it builds.
fn library(source: &Source) -> String {
    let place = match source {
        Source::Folder(path) => format!("path: \"{path}\""),
        Source::Archive { url, checksum } => format!("url: \"{url}\", checksum: \"{checksum}\""),
    };
    format!(
        "// On Linux, the library is found by pkg-config: README.md says how.\n\
         #if os(Linux)\n\
         let library = Target.systemLibrary(name: \"CVitalwireFFI\", pkgConfig: \"vitalwire_uniffi\")\n\
         #else\n\
         let library = Target.binaryTarget(name: \"CVitalwireFFI\", {place})\n\
         #endif\n"
    )
}

/// The line of systems with those alone that there is a slice for.
fn platforms(line: &str, systems: &[&str]) -> anyhow::Result<String> {
    let list = line.trim_start_matches(PLATFORMS).trim_end_matches("],");
    let kept: Vec<&str> = list.split(", ").filter(|entry| systems.iter().any(|system| entry.starts_with(&format!(".{system}(")))).collect();
    ensure!(kept.len() == systems.len(), "the Swift package's manifest does not name all of {}", systems.join(", "));
    Ok(format!("{PLATFORMS}{}],", kept.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLONE: &str = "// swift-tools-version: 6.0\n\nimport PackageDescription\n\n// Layers.\n// In the clone only: flags.\n// More.\n\
                         // End of what is in the clone only.\nlet package = Package(\n    platforms: [.iOS(.v16), .macOS(\"13.4\")],\n    targets: [\n\
                         \x20       .systemLibrary(name: \"CVitalwireFFI\"),\n        .target(name: \"Vitalwire\"),\n        // In the clone only: tests.\n\
                         \x20       .testTarget(name: \"T\"),\n        // End of what is in the clone only.\n    ]\n)\n";

    #[test]
    fn versions_are_read() {
        assert_eq!(oldest(CLONE, "iOS").unwrap(), (16, 0));
        assert_eq!(oldest(CLONE, "macOS").unwrap(), (13, 4));
        assert_eq!(oldest(CLONE, "tvOS").unwrap_err().to_string(), "the Swift package names no tvOS");
        assert!(oldest(".iOS(.vLatest)", "iOS").is_err());
    }

    #[test]
    fn the_distributed_manifest_has_the_library_and_no_test() {
        let made = distributed(CLONE, &["iOS"], &Source::Archive { url: "https://example.org/a.zip", checksum: "0a" }).unwrap();
        let expected = "// swift-tools-version: 6.0\n\nimport PackageDescription\n\n// Layers.\n\n\
                        // On Linux, the library is found by pkg-config: README.md says how.\n#if os(Linux)\n\
                        let library = Target.systemLibrary(name: \"CVitalwireFFI\", pkgConfig: \"vitalwire_uniffi\")\n#else\n\
                        let library = Target.binaryTarget(name: \"CVitalwireFFI\", url: \"https://example.org/a.zip\", checksum: \"0a\")\n#endif\n\n\
                        let package = Package(\n    platforms: [.iOS(.v16)],\n    targets: [\n        library,\n\
                        \x20       .target(name: \"Vitalwire\"),\n    ]\n)\n";
        assert_eq!(made, expected);
    }

    #[test]
    fn the_targets_are_those_that_are_distributed() {
        assert_eq!(targets(CLONE).unwrap(), ["CVitalwireFFI", "Vitalwire"]);
    }

    #[test]
    fn the_folder_is_named() {
        let made = distributed(CLONE, &["iOS", "macOS"], &Source::Folder("C.xcframework")).unwrap();
        assert!(made.contains("binaryTarget(name: \"CVitalwireFFI\", path: \"C.xcframework\")"), "{made}");
        assert!(made.contains("platforms: [.iOS(.v16), .macOS(\"13.4\")],"), "{made}");
    }

    #[test]
    fn a_manifest_of_another_shape_is_refused() {
        let refused = |clone: &str, systems: &[&str]| distributed(clone, systems, &Source::Folder("a")).unwrap_err().to_string();
        assert!(
            refused(&CLONE.replace("CVitalwireFFI", "Other"), &[]).starts_with("the Swift package's manifest names the library 0 times")
        );
        assert!(refused(&CLONE.replace("// End of what is in the clone only.\n    ]", "    ]"), &[]).contains("has no line"));
        assert!(refused(CLONE, &["iOS", "tvOS"]).ends_with("does not name all of iOS, tvOS"));
    }

    /// The real one, whatever is added to it.
    #[test]
    fn the_manifest_of_the_clone_can_be_distributed() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let clone = std::fs::read_to_string(root.join("bindings/swift/Package.swift")).unwrap();
        let made = distributed(&clone, &["iOS", "macOS"], &Source::Folder("a")).unwrap();
        assert!(!made.contains("Tests") && !made.contains("-Xlinker"), "{made}");
    }
}
