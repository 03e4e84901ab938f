//! Contents of an AAR.

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;

use super::abis::{Abi, MIN_SDK};
use super::toolchain::file_name;
use crate::archive::zip;
use crate::kotlin::package::repository::{Artifact, Repository};

/// Android manifest, which is the same in every AAR.
const MANIFEST: &str = include_str!("files/AndroidManifest.xml");
const METADATA: &str = include_str!("files/aar-metadata.properties");
/// R8 rules for applications.
pub(crate) const RULES: &str = include_str!("files/proguard.txt");

/// Classes and methods that Android compiles when an application is installed.
const PROFILE: &str = include_str!("files/baseline-prof.txt");

/// Path at which the Android Gradle plugin reads an AAR's requirements.
const METADATA_PATH: &str = "META-INF/com/android/build/gradle/aar-metadata.properties";

/// Folder of native libraries, by ABI.
const LIBRARIES: &str = "jni/";

/// Returns the files of an AAR with libraries.
///
/// # Errors
/// If a file cannot be read, or the baseline profile names a class that the AAR lacks.
pub(super) fn files(repository: &Repository, artifact: &Artifact, libraries: &[(&Abi, PathBuf)]) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let classes = repository.classes(artifact)?;
    check_profile(PROFILE, classes.iter().map(|(name, _)| name.as_str()))?;
    let classes = zip::archive_uncompressed(&classes)?;
    let mut files: Vec<(String, Vec<u8>)> = vec![
        ("AndroidManifest.xml".to_owned(), MANIFEST.replace("@MIN_SDK@", &MIN_SDK.to_string()).into_bytes()),
        ("classes.jar".to_owned(), classes),
        ("proguard.txt".to_owned(), RULES.into()),
        ("baseline-prof.txt".to_owned(), PROFILE.into()),
        // The AAR has no resources.
        ("R.txt".to_owned(), Vec::new()),
        (METADATA_PATH.to_owned(), METADATA.into()),
    ];
    files.extend(repository.licences()?.into_iter().map(|(name, text)| (format!("META-INF/{name}"), text)));
    for (abi, library) in libraries {
        let bytes = fs::read(library).with_context(|| format!("reading {}", library.display()))?;
        files.push((format!("{LIBRARIES}{}/{}", abi.name, file_name()), bytes));
    }
    Ok(files)
}

/// Checks that each rule of a profile about our classes selects one of these classes.
fn check_profile<'a>(profile: &str, classes: impl Iterator<Item = &'a str> + Clone) -> anyhow::Result<()> {
    for rule in profile.lines().filter(|rule| rule.starts_with("HSPLdev/vitalwire/")) {
        let class = rule.split(';').next().unwrap_or_default().trim_start_matches("HSPL");
        let selects = |name: &str| match class.strip_suffix("**") {
            Some(start) => name.starts_with(start),
            None => name.strip_suffix(".class") == Some(class),
        };
        anyhow::ensure!(classes.clone().any(selects), "the baseline profile names a class that does not exist: {class}");
    }
    Ok(())
}

/// Returns the size of an AAR without its libraries.
///
/// # Errors
/// If the archive format cannot hold the files.
pub(super) fn size_without_libraries(files: &[(String, Vec<u8>)]) -> anyhow::Result<usize> {
    let others: Vec<_> = files.iter().filter(|(name, _)| !name.starts_with(LIBRARIES)).cloned().collect();
    Ok(zip::archive(&others)?.len())
}

#[cfg(test)]
mod tests {
    use super::check_profile;

    #[test]
    fn a_profile_names_existing_classes() {
        let check = |profile| check_profile(profile, ["dev/vitalwire/Calls.class"].into_iter()).map_err(|error| error.to_string());
        assert_eq!(
            check("# Code.\nHSPLcom/sun/jna/**;->**(**)**\nHSPLdev/vitalwire/Call**;->**(**)**\nHSPLdev/vitalwire/Calls;->a()V"),
            Ok(())
        );
        let missing = Err("the baseline profile names a class that does not exist: dev/vitalwire/Call".to_owned());
        assert_eq!(check("HSPLdev/vitalwire/Call;->**(**)**"), missing);
    }
}
