//! The Swift package as it is distributed: a tree with its manifest at the root, and the archive of the XCFramework.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sha2::{Digest as _, Sha256};

use super::library::Library;
use super::manifest::{self, Source};
use super::{FOLDER, MODULE, xcframework};
use crate::package::zip;
use crate::unpack::files;

/// What the tree has of the package in the clone beside the manifest.
pub(super) const FOLDERS: [&str; 4] = ["Sources/CVitalwireFFI", "Sources/VitalwireFFI", "Sources/Vitalwire", "Sources/VitalwireTesting"];

/// The tree: SwiftPM takes a folder's name for the package's.
const TREE: &str = "vitalwire-swift";

/// Licences go with the library, too.
const LICENCES: [&str; 3] = ["LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY-NOTICES.txt"];

/// What was written.
pub(super) struct Tree {
    /// The package's folder.
    pub(super) package: PathBuf,
    pub(super) archive: PathBuf,
    /// SHA-256 of the archive, as `swift package compute-checksum` prints it.
    pub(super) checksum: String,
}

/// Writes the package and the archive below `out`. Where an address of the archive is given, the manifest names that; else the package
/// holds the XCFramework itself.
///
/// # Errors
/// Where a file cannot be written, or the manifest of the clone is not as it was.
pub(super) fn write(root: &Path, libraries: &[Library], url: Option<&str>, out: &Path) -> anyhow::Result<Tree> {
    let clone = root.join(FOLDER);
    let name = format!("{MODULE}.xcframework");
    let made = out.join(&name);
    xcframework::write(root, libraries, &made)?;
    for licence in LICENCES {
        fs::copy(clone.join(licence), made.join(licence)).with_context(|| format!("copying {licence}"))?;
    }
    let bytes = zip::archive(&contents(&made, &name)?)?;
    let archive = out.join(format!("{name}.zip"));
    fs::write(&archive, &bytes)?;
    let checksum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();

    let package = out.join(TREE);
    if package.exists() {
        fs::remove_dir_all(&package)?;
    }
    for folder in FOLDERS {
        copy(&clone.join(folder), &package.join(folder))?;
    }
    for file in LICENCES.iter().chain(&["README.md"]) {
        fs::copy(clone.join(file), package.join(file)).with_context(|| format!("copying {file}"))?;
    }
    let source = match url {
        Some(url) => Source::Archive { url, checksum: &checksum },
        None => {
            copy(&made, &package.join(&name))?;
            Source::Folder(&name)
        }
    };
    let mut systems: Vec<&str> = libraries.iter().map(|library| library.slice.platform.manifest).collect();
    systems.dedup();
    let text = fs::read_to_string(clone.join("Package.swift"))?;
    fs::write(package.join("Package.swift"), manifest::distributed(&text, &systems, &source)?)?;
    Ok(Tree { package, archive, checksum })
}

/// Every file below a folder, by its name in an archive that has the folder at its top.
fn contents(folder: &Path, top: &str) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let file = |path: PathBuf| -> anyhow::Result<_> {
        let inner = path.strip_prefix(folder)?.to_str().context("a file's name is no text")?;
        Ok((format!("{top}/{inner}"), fs::read(&path)?))
    };
    files(folder)?.into_iter().map(file).collect()
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    for file in files(from).with_context(|| format!("reading {}", from.display()))? {
        let place = to.join(file.strip_prefix(from)?);
        fs::create_dir_all(place.parent().unwrap_or(to))?;
        fs::copy(&file, place)?;
    }
    Ok(())
}
