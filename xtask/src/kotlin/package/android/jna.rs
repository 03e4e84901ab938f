//! Downloads and checks JNA for Android, which every application needs. JNA's libraries must load on the same devices as ours.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::abis::Abi;
use super::{checks, elf};
use crate::archive::unpack;
use crate::kotlin::maven::{FOLDER, maven};
use crate::process::execute;

/// JNA's library.
const LIBRARY: &str = "libjnidispatch.so";

/// Property of the package's POM with JNA's version.
const VERSION: &str = "<jna.version>";

/// Downloads the AAR of the version in the package's POM and unpacks it below a folder.
///
/// # Errors
/// If Maven cannot download it.
pub(crate) fn download(root: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    let pom = fs::read_to_string(root.join(FOLDER).join("pom.xml"))?;
    let version = version(&pom).context("the package's POM has no jna.version")?;
    let mut copy = maven(&root.join(FOLDER));
    copy.args(["dependency:copy", &format!("-Dartifact=net.java.dev.jna:jna:{version}:aar")]);
    execute(copy.arg(format!("-DoutputDirectory={}", folder.display())))?;
    let into = folder.join("jna");
    unpack(&folder.join(format!("jna-{version}.aar")), &into)?;
    Ok(into)
}

/// Returns the problems of JNA's library for a processor.
///
/// # Errors
/// If there is no library.
pub(super) fn findings(unpacked: &Path, abi: &Abi) -> anyhow::Result<Vec<String>> {
    let file = unpacked.join("jni").join(abi.name).join(LIBRARY);
    let library = elf::read(&fs::read(&file).with_context(|| format!("JNA has no library for {}", abi.name))?)?;
    Ok(checks::check_loadable(&library, abi, false).into_iter().map(|found| format!("JNA: {found}")).collect())
}

fn version(pom: &str) -> Option<&str> {
    pom.split_once(VERSION)?.1.split('<').next()
}
