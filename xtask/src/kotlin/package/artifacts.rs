//! Release build of the Kotlin package and its companion artifacts: classes and documentation.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::ensure;

use crate::folder;
use crate::kotlin::maven::{FOLDER, maven, missing};
use crate::notices;
use crate::process::execute;
use crate::uniffi::{mirror, write};

/// The artifacts: folder in the package, and name.
pub(crate) const PARTS: [(&str, &str); 5] = [
    ("", "vitalwire"),
    ("server", "vitalwire-server"),
    ("testing", "vitalwire-testing"),
    ("serialization", "vitalwire-serialization"),
    CONSENT,
];

/// The artifact for apps, which the repository of the AAR also contains.
pub(crate) const CONSENT: (&str, &str) = ("consent", "vitalwire-consent");

/// Output folder of Dokka.
const DOCUMENTATION: &str = "target/dokkaJavadoc";

#[derive(Clone)]
pub(crate) struct CompiledArtifacts {
    /// The copy of the package in which they were compiled.
    package: PathBuf,
}

impl CompiledArtifacts {
    /// Returns the folder of an artifact's classes.
    pub(crate) fn classes(&self, part: &str) -> PathBuf {
        self.package.join(part).join("target/classes")
    }

    /// Returns the folder of an artifact's documentation.
    pub(crate) fn documentation(&self, part: &str) -> PathBuf {
        self.package.join(part).join(DOCUMENTATION)
    }
}

/// Compiles every artifact and its documentation in a copy without tests, once per process and target folder.
///
/// # Errors
/// If Maven is missing or fails.
pub(crate) fn compile_artifacts(root: &Path, target: &Path) -> anyhow::Result<CompiledArtifacts> {
    static CACHE: Mutex<BTreeMap<PathBuf, CompiledArtifacts>> = Mutex::new(BTreeMap::new());
    let mut compiled = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(compiled) = compiled.get(target) {
        return Ok(compiled.clone());
    }
    Ok(compiled.entry(target.to_path_buf()).or_insert(compile(root, target)?).clone())
}

fn compile(root: &Path, target: &Path) -> anyhow::Result<CompiledArtifacts> {
    if let Some(what) = missing() {
        anyhow::bail!("{what}; install a JDK 17 and Maven");
    }
    let folder = target.join("kotlin-shipped");
    execute(copy(root, &folder)?.args(["compile", "dokka:javadoc"]))?;
    let compiled = CompiledArtifacts { package: folder.join(PARTS[0].1) };
    for (part, name) in PARTS {
        ensure!(compiled.documentation(part).join("index.html").is_file(), "Dokka wrote no documentation of {name}");
    }
    Ok(compiled)
}

/// Copies every artifact without tests into a folder. Returns a Maven command for all of them.
///
/// # Errors
/// If a source cannot be copied.
pub(in crate::kotlin) fn copy(root: &Path, folder: &Path) -> anyhow::Result<Command> {
    let (clone, package) = (root.join(FOLDER), folder.join(PARTS[0].1));
    for (part, _) in PARTS {
        let (from, to) = (clone.join(part), package.join(part));
        // Otherwise classes of deleted sources would remain.
        folder::remove(&to.join("target"))?;
        mirror(&from.join("src/main"), &to.join("src/main"), &[])?;
        write(&to.join("pom.xml"), &std::fs::read(from.join("pom.xml"))?)?;
    }
    for licence in notices::FILES {
        write(&package.join(licence), &std::fs::read(clone.join(licence))?)?;
    }
    // Build all artifacts together: the companions need the package's classes, which are in no repository yet.
    write(&folder.join("pom.xml"), aggregate_pom().as_bytes())?;
    let parts = PARTS.map(|(part, _)| module_folder(part)).join(",");
    let mut maven = maven(folder);
    maven.args(["--projects", &parts, "--activate-profiles", "release"]);
    Ok(maven)
}

fn aggregate_pom() -> String {
    let modules: String = PARTS.iter().map(|(part, _)| format!("    <module>{}</module>\n", module_folder(part))).collect();
    format!(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\">\n  <modelVersion>4.0.0</modelVersion>\n  <groupId>dev.vitalwire</groupId>\n  \
         <artifactId>together</artifactId>\n  <version>0</version>\n  <packaging>pom</packaging>\n  <modules>\n{modules}  </modules>\n</project>\n"
    )
}

/// Returns an artifact's folder in the copy.
fn module_folder(part: &str) -> String {
    if part.is_empty() { PARTS[0].1.to_owned() } else { format!("{}/{part}", PARTS[0].1) }
}
