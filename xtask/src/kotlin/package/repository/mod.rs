//! Artifacts of the Kotlin package, laid out as in a Maven repository: a build tool takes the folder for one.

mod archives;
mod documentation;
mod pom;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

use crate::archive::zip;
use crate::folder;
use crate::kotlin::maven::FOLDER;
use crate::kotlin::package::artifacts::Shipped;
use archives::Content;
pub(super) use pom::Form;

/// The crate whose library the classes call, and that library's name.
pub(super) const CRATE: &str = "vitalwire-uniffi";
pub(super) const LIBRARY: &str = "vitalwire_uniffi";

/// Where artifacts of ours are in a repository.
const GROUP: &str = "dev/vitalwire";

/// What uniffi generates: it names each function that it calls.
const BINDINGS: &str = "src/main/kotlin/generated/Ffi.kt";
const FUNCTION: &str = "external fun ";

/// What an archive is for, after the artifact's name and version.
const SOURCES: &str = "-sources";
const DOCUMENTATION: &str = "-javadoc";

/// The native functions that the classes call.
///
/// # Errors
/// Where the bindings cannot be read, or name none.
pub(super) fn functions(root: &Path) -> anyhow::Result<BTreeSet<String>> {
    let path = root.join(FOLDER).join(BINDINGS);
    let functions = called(&fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?);
    ensure!(!functions.is_empty(), "the bindings call no native function");
    Ok(functions)
}

fn called(bindings: &str) -> BTreeSet<String> {
    let lines = bindings.lines().filter_map(|line| line.trim_start().strip_prefix(FUNCTION));
    lines.filter_map(|rest| Some(rest.split_once('(')?.0.trim_matches('`').to_owned())).collect()
}

/// A folder that is a Maven repository.
pub(super) struct Repository<'a> {
    /// The workspace.
    pub(super) root: &'a Path,
    pub(super) folder: &'a Path,
    pub(super) version: &'a str,
}

/// An artifact.
pub(super) struct Artifact<'a> {
    /// The folder of its POM and sources, from the package's.
    pub(super) part: &'a str,
    /// What the clone calls it.
    pub(super) name: &'a str,
    /// How it differs from what the clone's POM says.
    pub(super) form: Form,
    /// What it was compiled to.
    pub(super) shipped: &'a Shipped,
}

impl Repository<'_> {
    /// Writes an artifact beside its sources and its documentation. Of `files`, each has its name in the archive.
    ///
    /// # Errors
    /// Where something is missing.
    pub(super) fn write(&self, artifact: &Artifact, files: Vec<(String, Vec<u8>)>) -> anyhow::Result<PathBuf> {
        let clone = self.root.join(FOLDER).join(artifact.part);
        let text = fs::read_to_string(clone.join("pom.xml")).with_context(|| format!("reading the POM in {}", clone.display()))?;
        let pom = pom::distributed(&text, artifact.form)?;
        let folder = self.folder.join(GROUP).join(&pom.artifact).join(self.version);
        folder::remove(&folder)?;
        fs::create_dir_all(&folder)?;
        let place = |kind: &str, extension: &str| folder.join(format!("{}-{}{kind}.{extension}", pom.artifact, self.version));
        fs::write(place("", "pom"), &pom.text)?;
        let made = place("", artifact.form.packaging());
        fs::write(&made, zip::archive(&files)?)?;
        let (mut sources, mut documentation) =
            (Content::new(self.root, self.version, &pom.artifact), Content::new(self.root, self.version, &pom.artifact));
        sources.folder(&clone.join("src/main/kotlin"))?;
        documentation.documentation(&artifact.shipped.documentation(artifact.part))?;
        for (kind, content) in [(SOURCES, sources), (DOCUMENTATION, documentation)] {
            fs::write(place(kind, "jar"), zip::archive(&content.files()?)?)?;
        }
        Ok(made)
    }

    /// The files of a jar of an artifact's classes; within an AAR, which has the licences, without those: what a jar has in `META-INF`
    /// comes into applications, where nothing may be twice.
    ///
    /// # Errors
    /// Where one cannot be read.
    pub(super) fn classes(&self, artifact: &Artifact) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
        let mut content = Content::new(self.root, self.version, artifact.name);
        content.folder(&artifact.shipped.classes(artifact.part))?;
        if artifact.form == Form::Aar { Ok(content.alone()) } else { content.files() }
    }

    /// Licences and notices by their names.
    ///
    /// # Errors
    /// Where one cannot be read.
    pub(super) fn licences(&self) -> anyhow::Result<Vec<(&'static str, Vec<u8>)>> {
        archives::licences(self.root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_read_from_the_bindings() {
        let text = "internal object UniffiLib {\n    external fun uniffi_a_fn_b(`handle`: Long,\n    ): Long\n    external fun `ffi_a`(\n    ): Int\n    fun c() = 1\n";
        assert_eq!(called(text), ["ffi_a".to_owned(), "uniffi_a_fn_b".to_owned()].into());
    }
}
