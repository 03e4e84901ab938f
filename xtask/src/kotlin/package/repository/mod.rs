//! Writes the artifacts of the Kotlin package in the layout of a Maven repository.

mod documentation;
mod jar;
mod pom;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

use crate::archive::zip;
use crate::folder;
use crate::kotlin::maven::FOLDER;
use crate::kotlin::package::artifacts::CompiledArtifacts;
use crate::notices;
pub(super) use pom::Packaging;

/// The crate of the native library, and the library's name.
pub(super) const CRATE: &str = "vitalwire-uniffi";
pub(super) const LIBRARY: &str = "vitalwire_uniffi";

/// Folder of our artifacts in a repository.
const GROUP: &str = "dev/vitalwire";

/// Name of the POM that has the version of all artifacts.
pub(crate) const BOM: &str = "vitalwire-bom";

/// The generated bindings, which name each function that they call.
const BINDINGS: &str = "src/main/kotlin/generated/Ffi.kt";
const SERVER_BINDINGS: &str = "server/src/main/kotlin/generated/Ffi.kt";
const FUNCTION: &str = "external fun ";

/// The loader, which looks up a function that is not in the bindings.
const LOADER: &str = "src/main/kotlin/dev/vitalwire/NativeLibrary.kt";
const LOOKED_UP: &str = "getFunction(\"";

/// Java's description of a module, with the packages that it exports.
const MODULE_DESCRIPTOR: &str = "module-info.class";

/// Classifiers of archives, after the artifact's name and version.
const SOURCES: &str = "-sources";
const DOCUMENTATION: &str = "-javadoc";

/// Returns the native functions that the classes call, without those for servers.
///
/// # Errors
/// If the bindings cannot be read, or call none.
pub(super) fn functions(root: &Path) -> anyhow::Result<BTreeSet<String>> {
    let (called, looked_up) = (called_functions(&read(root, BINDINGS)?), looked_up_functions(&read(root, LOADER)?));
    ensure!(!called.is_empty() && !looked_up.is_empty(), "the bindings or the loader call no native function");
    Ok(called.into_iter().chain(looked_up).collect())
}

/// Returns the native functions that the classes call, with those for servers.
///
/// # Errors
/// If the bindings cannot be read, or call none.
pub(super) fn server_functions(root: &Path) -> anyhow::Result<BTreeSet<String>> {
    let mut all = functions(root)?;
    let server = called_functions(&read(root, SERVER_BINDINGS)?);
    ensure!(!server.is_empty() && server.is_disjoint(&all), "the bindings for servers must call functions of their own");
    all.extend(server);
    Ok(all)
}

fn read(root: &Path, file: &str) -> anyhow::Result<String> {
    fs::read_to_string(root.join(FOLDER).join(file)).with_context(|| format!("reading {file}"))
}

fn looked_up_functions(loader: &str) -> Vec<String> {
    loader.split(LOOKED_UP).skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
}

fn called_functions(bindings: &str) -> BTreeSet<String> {
    let lines = bindings.lines().filter_map(|line| line.trim_start().strip_prefix(FUNCTION));
    lines.filter_map(|rest| Some(rest.split_once('(')?.0.trim_matches('`').to_owned())).collect()
}

/// A folder in the layout of a Maven repository.
pub(super) struct Repository<'a> {
    /// Folder of the workspace.
    pub(super) root: &'a Path,
    pub(super) folder: &'a Path,
    pub(super) version: &'a str,
}

pub(super) struct Artifact<'a> {
    /// Folder of the POM and the sources in the package.
    pub(super) part: &'a str,
    /// Name in the workspace.
    pub(super) name: &'a str,
    /// Kind of file, which determines the differences from the POM in the workspace.
    pub(super) packaging: Packaging,
    /// Compiled classes and documentation.
    pub(super) compiled: &'a CompiledArtifacts,
}

impl Repository<'_> {
    /// Writes an artifact with its sources and documentation. `files` has the names in the archive.
    ///
    /// # Errors
    /// If a file is missing.
    pub(super) fn write(&self, artifact: &Artifact, files: Vec<(String, Vec<u8>)>) -> anyhow::Result<PathBuf> {
        let clone = self.root.join(FOLDER).join(artifact.part);
        let text = fs::read_to_string(clone.join("pom.xml")).with_context(|| format!("reading the POM in {}", clone.display()))?;
        let pom = pom::release_pom(&text, artifact.packaging)?;
        let folder = self.folder.join(GROUP).join(&pom.artifact).join(self.version);
        folder::remove(&folder)?;
        fs::create_dir_all(&folder)?;
        let path = |kind: &str, extension: &str| folder.join(format!("{}-{}{kind}.{extension}", pom.artifact, self.version));
        fs::write(path("", "pom"), &pom.text)?;
        let made = path("", artifact.packaging.extension());
        fs::write(&made, zip::archive(&files)?)?;
        if artifact.part.is_empty() {
            // Maven's plugin for CycloneDX uses the same name.
            fs::write(path("-cyclonedx", "json"), notices::bill_of_materials(self.root, CRATE)?)?;
        }
        let sources = jar::read(&clone.join("src/main/kotlin"))?;
        let documentation = documentation::pages(jar::read(&artifact.compiled.documentation(artifact.part))?)?;
        for (kind, files) in [(SOURCES, sources), (DOCUMENTATION, documentation)] {
            fs::write(path(kind, "jar"), zip::archive(&self.complete(&pom.artifact, files)?)?)?;
        }
        Ok(made)
    }

    /// Writes the POM with the version of all artifacts.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub(super) fn write_bom(&self) -> anyhow::Result<()> {
        let text = fs::read_to_string(self.root.join(FOLDER).join("bom/pom.xml")).context("reading the POM of all versions")?;
        let folder = self.folder.join(GROUP).join(BOM).join(self.version);
        fs::create_dir_all(&folder)?;
        Ok(fs::write(folder.join(format!("{BOM}-{}.pom", self.version)), text.replace("${project.version}", self.version))?)
    }

    /// Returns the files of a jar with an artifact's classes. The jar in an AAR has no licences, because the AAR has them and no file may
    /// exist twice in the `META-INF` folders that an application merges. It has no module descriptor, because Android has no modules.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(super) fn classes(&self, artifact: &Artifact) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
        let mut files = jar::read(&artifact.compiled.classes(artifact.part))?;
        if artifact.packaging == Packaging::Jar {
            return self.complete(artifact.name, files);
        }
        files.retain(|(name, _)| name != MODULE_DESCRIPTOR);
        files.push(jar::manifest(artifact.name, self.version));
        Ok(files)
    }

    /// Adds a manifest and licences to the files of an artifact's jar.
    fn complete(&self, artifact: &str, mut files: Vec<(String, Vec<u8>)>) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
        files.extend(self.licences()?.into_iter().map(|(name, text)| (format!("META-INF/{name}"), text)));
        files.push(jar::manifest(artifact, self.version));
        Ok(files)
    }

    /// Returns licences and notices by name.
    ///
    /// # Errors
    /// If a licence cannot be read.
    pub(super) fn licences(&self) -> anyhow::Result<Vec<(&'static str, Vec<u8>)>> {
        jar::licences(self.root)
    }
}
