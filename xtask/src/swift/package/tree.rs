//! The released Swift package: a folder with its manifest at the root, and the archive of the XCFramework.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::library::Library;
use super::manifest::{self, Source};
use super::toolchain::LIBRARY;
use super::xcframework;
use crate::archive::zip;
use crate::digest::sha256;
use crate::folder;
use crate::notices;
use crate::swift::layout::{FOLDER, MANIFEST, MODULE};
use crate::versions;

/// Name of the folder, which SwiftPM uses as the package's name.
const TREE: &str = "vitalwire-swift";

const README: &str = "README.md";
const DEBUG_README: &str = include_str!("files/debug.md");
/// Settings of the Swift Package Index: the modules whose documentation it builds.
const INDEX: &str = ".spi.yml";
/// Heading of the README's last section, which is for the workspace only.
const WORKSPACE_ONLY: &str = "\n## Work on this package\n";

/// The written package and archive.
pub(super) struct Tree {
    pub(super) package: PathBuf,
    pub(super) archive: PathBuf,
    /// Archive of the libraries with line tables, in the layout of the XCFramework.
    pub(super) debug: PathBuf,
    /// SHA-256 of the archive, as printed by `swift package compute-checksum`.
    pub(super) checksum: String,
}

/// Writes the package and the archive below `out`. With a URL, the manifest refers to the archive. Otherwise the package contains the
/// XCFramework.
///
/// # Errors
/// If a file cannot be written, or the workspace's manifest has an unexpected form.
pub(super) fn write(root: &Path, libraries: &[Library], url: Option<&str>, out: &Path) -> anyhow::Result<Tree> {
    let clone = root.join(FOLDER);
    let name = format!("{MODULE}.xcframework");
    let made = out.join(&name);
    xcframework::write(root, libraries, &made)?;
    for licence in notices::FILES {
        fs::copy(clone.join(licence), made.join(licence)).with_context(|| format!("copying {licence}"))?;
    }
    fs::write(made.join(notices::BILL), notices::bill_of_materials(root, super::toolchain::PACKAGE)?)?;
    let files: Vec<_> = folder::contents(&made)?.into_iter().map(|(file, content)| (format!("{name}/{file}"), content)).collect();
    let bytes = zip::archive(&files)?;
    let archive = out.join(format!("{name}.zip"));
    fs::write(&archive, &bytes)?;
    let checksum = sha256(&bytes);

    let debug = write_debug(root, &made, libraries, out)?;

    let package = out.join(TREE);
    folder::remove(&package)?;
    let text = manifest::read(root)?;
    for folder in manifest::folders(&text)? {
        folder::copy(&clone.join(&folder), &package.join(folder))?;
    }
    for file in notices::FILES.into_iter().chain([INDEX]) {
        fs::copy(clone.join(file), package.join(file)).with_context(|| format!("copying {file}"))?;
    }
    let text_of_clone = fs::read_to_string(clone.join(README)).with_context(|| format!("reading {README}"))?;
    fs::write(package.join(README), readme(&text_of_clone)?)?;
    let source = match url {
        Some(url) => Source::Archive { url, checksum: &checksum },
        None => {
            folder::copy(&made, &package.join(&name))?;
            Source::Folder(&name)
        }
    };
    fs::write(package.join(MANIFEST), manifest::release_manifest(&text, &source)?)?;
    Ok(Tree { package, archive, debug, checksum })
}

/// Writes the archive of the libraries with line tables. `framework` has the licences and the bill of materials.
fn write_debug(root: &Path, framework: &Path, libraries: &[Library], out: &Path) -> anyhow::Result<PathBuf> {
    let name = format!("vitalwire-apple-debug-{}.zip", versions::workspace(root)?);
    let mut files = vec![(README.to_owned(), DEBUG_README.replace("ARCHIVE", &name).into_bytes())];
    for file in notices::FILES.into_iter().chain([notices::BILL]) {
        files.push((file.to_owned(), fs::read(framework.join(file))?));
    }
    for library in libraries {
        files.push((format!("{}/{LIBRARY}", library.slice.identifier), fs::read(&library.debug)?));
    }
    let debug = out.join(name);
    fs::write(&debug, zip::archive(&files)?)?;
    Ok(debug)
}

/// Returns the README of the package: without the section for the workspace, and with links to examples in the repository.
///
/// # Errors
/// If there is no such section.
fn readme(clone: &str) -> anyhow::Result<String> {
    let (text, _) = clone.split_once(WORKSPACE_ONLY).with_context(|| format!("{README} needs the section `{}`", WORKSPACE_ONLY.trim()))?;
    let examples = concat!("](", env!("CARGO_PKG_REPOSITORY"), "/blob/main/");
    Ok(text.replace("](Examples/", &format!("{examples}{FOLDER}/Examples/")))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::library::Sizes;
    use super::super::slices::SLICES;
    use super::*;
    use crate::archive::unpack;
    use crate::folder::files;

    /// Creates the package from libraries of a few bytes, and lists its files.
    fn made(url: Option<&str>, out: &Path) -> (Tree, Vec<String>) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let file = out.join("library.a");
        fs::write(&file, b"!<arch>\n").unwrap();
        let debug = out.join("debug.a");
        fs::write(&debug, b"!<arch>\n__DWARF").unwrap();
        let libraries: Vec<Library> =
            SLICES.iter().map(|slice| Library { slice, file: file.clone(), debug: debug.clone(), sizes: Sizes::default() }).collect();
        let tree = write(&root, &libraries, url, out).unwrap();
        let name = |path: PathBuf| path.strip_prefix(&tree.package).unwrap().to_str().unwrap().to_owned();
        let names = files(&tree.package).unwrap().into_iter().map(name).collect();
        (tree, names)
    }

    #[test]
    fn the_package_has_exactly_the_files_that_applications_need() {
        let out = tempfile::tempdir().unwrap();
        let (tree, names) = made(None, out.path());
        let has = |name: &str| names.iter().any(|known| known == name);
        assert!(has("Sources/Vitalwire/PrivacyInfo.xcprivacy") && has("Sources/VitalwireSandbox/Sandbox.swift"));
        let tops: BTreeSet<&str> = names.iter().filter_map(|name| name.split('/').next()).collect();
        let framework = format!("{MODULE}.xcframework");
        let expected = [INDEX, framework.as_str(), "LICENSE-APACHE", "LICENSE-MIT", MANIFEST, README, "Sources", "THIRD-PARTY-NOTICES.txt"];
        assert_eq!(tops, expected.into());
        assert!(has(&format!("{framework}/Info.plist")) && has(&format!("{framework}/LICENSE-MIT")));
        let manifest = fs::read_to_string(tree.package.join("Package.swift")).unwrap();
        assert!(manifest.contains(&format!("path: \"{framework}\"")), "{manifest}");
        let products = crate::swift::products::products(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap();
        let index = fs::read_to_string(tree.package.join(INDEX)).unwrap();
        assert!(index.contains(&format!("documentation_targets: [{}]\n", products.join(", "))), "{index}");
        for left in ["testTarget", "ConformanceRunner", "Examples", "Bench"] {
            assert!(!manifest.contains(left), "{left}");
        }
    }

    #[test]
    fn the_archive_with_line_tables_has_the_layout_of_the_framework() {
        let out = tempfile::tempdir().unwrap();
        let (tree, _) = made(None, out.path());
        let unpacked = tempfile::tempdir().unwrap();
        assert!(unpack(&tree.debug, unpacked.path()).unwrap());
        for slice in &SLICES {
            let path = Path::new(slice.identifier).join(LIBRARY);
            assert_eq!(fs::read(unpacked.path().join(&path)).unwrap(), b"!<arch>\n__DWARF");
            assert_eq!(fs::read(tree.package.join(format!("{MODULE}.xcframework")).join(path)).unwrap(), b"!<arch>\n");
        }
        let readme = fs::read_to_string(unpacked.path().join(README)).unwrap();
        assert!(readme.contains(&format!("unzip -o {} ", tree.debug.file_name().unwrap().display())), "{readme}");
    }

    #[test]
    fn a_package_for_linux_alone_has_no_library() {
        let out = tempfile::tempdir().unwrap();
        let tree =
            write(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &[], Some("https://downloads.example/a.zip"), out.path()).unwrap();
        let manifest = fs::read_to_string(tree.package.join("Package.swift")).unwrap();
        assert!(manifest.contains("platforms: [.iOS(") && manifest.contains("pkgConfig: \"vitalwire_uniffi\""), "{manifest}");
    }

    #[test]
    fn every_link_of_the_readme_leads_somewhere() {
        let out = tempfile::tempdir().unwrap();
        let (tree, _) = made(None, out.path());
        let clone = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let text = fs::read_to_string(tree.package.join(README)).unwrap();
        assert!(!text.contains("cargo xtask test"), "{text}");
        let mut examples = 0;
        for link in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()).filter(|link| !link.is_empty()) {
            let file = match link.strip_prefix(concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/")) {
                Some(path) => clone.join(path),
                None => tree.package.join(link),
            };
            examples += usize::from(link.contains("/Examples/"));
            assert!(file.exists(), "{link}");
        }
        assert!(examples > 1);
    }

    #[test]
    fn a_remote_archive_is_named_with_its_checksum() {
        let out = tempfile::tempdir().unwrap();
        let (tree, names) = made(Some("https://downloads.example/a.zip"), out.path());
        let sum = sha256(&fs::read(&tree.archive).unwrap());
        assert_eq!(tree.checksum, sum);
        let manifest = fs::read_to_string(tree.package.join("Package.swift")).unwrap();
        assert!(manifest.contains("https://downloads.example/a.zip") && manifest.contains(&sum), "{manifest}");
        assert!(!names.iter().any(|name| name.contains("xcframework")));
        // Builds must be reproducible, so that another machine gets the same checksum.
        let again = tempfile::tempdir().unwrap();
        assert_eq!(made(None, again.path()).0.checksum, sum);
    }
}
