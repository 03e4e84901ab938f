//! What an AAR holds.

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;

use super::abis::{Abi, MIN_SDK};
use super::toolchain::file;
use crate::archive::zip;
use crate::kotlin::package::repository::{Artifact, Repository};

/// Files that are the same in each.
const MANIFEST: &str = include_str!("files/AndroidManifest.xml");
const METADATA: &str = include_str!("files/aar-metadata.properties");
/// What applications that shrink their classes keep of these.
pub(crate) const RULES: &str = include_str!("files/proguard.txt");

/// Where Android's build tool looks for what an AAR asks of it.
const METADATA_PLACE: &str = "META-INF/com/android/build/gradle/aar-metadata.properties";

/// Where libraries are, by processor.
const LIBRARIES: &str = "jni/";

/// The files of an AAR with libraries.
///
/// # Errors
/// Where one cannot be read.
pub(super) fn files(repository: &Repository, artifact: &Artifact, libraries: &[(&Abi, PathBuf)]) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let classes = zip::inner(&repository.classes(artifact)?)?;
    let mut files: Vec<(String, Vec<u8>)> = vec![
        ("AndroidManifest.xml".to_owned(), MANIFEST.replace("@MIN_SDK@", &MIN_SDK.to_string()).into_bytes()),
        ("classes.jar".to_owned(), classes),
        ("proguard.txt".to_owned(), RULES.into()),
        // There are no resources.
        ("R.txt".to_owned(), Vec::new()),
        (METADATA_PLACE.to_owned(), METADATA.into()),
    ];
    files.extend(repository.licences()?.into_iter().map(|(name, text)| (format!("META-INF/{name}"), text)));
    for (abi, library) in libraries {
        let bytes = fs::read(library).with_context(|| format!("reading {}", library.display()))?;
        files.push((format!("{LIBRARIES}{}/{}", abi.name, file()), bytes));
    }
    Ok(files)
}

/// The bytes of an AAR without its libraries.
///
/// # Errors
/// Where its format cannot hold them.
pub(super) fn beyond_libraries(files: &[(String, Vec<u8>)]) -> anyhow::Result<usize> {
    let others: Vec<_> = files.iter().filter(|(name, _)| !name.starts_with(LIBRARIES)).cloned().collect();
    Ok(zip::archive(&others)?.len())
}
