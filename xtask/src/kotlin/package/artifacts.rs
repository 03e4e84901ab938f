//! The Kotlin package and the artifacts beside it as they are shipped: their classes and their documentation.

use std::path::{Path, PathBuf};

use anyhow::ensure;

use crate::folder;
use crate::kotlin::maven::{FOLDER, maven, missing};
use crate::notices;
use crate::once::Once;
use crate::process::must;
use crate::uniffi::{mirror, write};

/// Artifacts: where each is in the package, and its name.
pub(crate) const PARTS: [(&str, &str); 3] =
    [("", "vitalwire"), ("testing", "vitalwire-testing"), ("serialization", "vitalwire-serialization")];

/// Where Dokka writes.
const DOCUMENTATION: &str = "target/dokkaJavadoc";

/// What was compiled.
#[derive(Clone)]
pub(crate) struct Shipped {
    /// The copy of the package that it was compiled in.
    package: PathBuf,
}

impl Shipped {
    /// The folder of an artifact's classes.
    pub(crate) fn classes(&self, part: &str) -> PathBuf {
        self.package.join(part).join("target/classes")
    }

    /// The folder of an artifact's documentation.
    pub(crate) fn documentation(&self, part: &str) -> PathBuf {
        self.package.join(part).join(DOCUMENTATION)
    }
}

/// Compiles every artifact and writes its documentation, in a copy without tests; once for each run of this program.
///
/// # Errors
/// Where Maven is missing or fails.
pub(crate) fn shipped(root: &Path, target: &Path) -> anyhow::Result<Shipped> {
    static MADE: Once<Shipped> = Once::new();
    MADE.get(|| compiled(root, target))
}

fn compiled(root: &Path, target: &Path) -> anyhow::Result<Shipped> {
    if let Some(what) = missing() {
        anyhow::bail!("{what}; install a JDK 17 and Maven");
    }
    let (clone, folder) = (root.join(FOLDER), target.join("kotlin-shipped"));
    let package = folder.join(PARTS[0].1);
    for (part, _) in PARTS {
        let (from, to) = (clone.join(part), package.join(part));
        // A class that is no more would stay.
        folder::remove(&to.join("target"))?;
        mirror(&from.join("src/main"), &to.join("src/main"), &[])?;
        write(&to.join("pom.xml"), &std::fs::read(from.join("pom.xml"))?)?;
    }
    for licence in notices::FILES {
        write(&package.join(licence), &std::fs::read(clone.join(licence))?)?;
    }
    // One build for all: artifacts beside the package are compiled with its classes, which are in no repository yet.
    write(&folder.join("pom.xml"), together().as_bytes())?;
    let parts = PARTS.map(|(part, _)| place(part)).join(",");
    must(maven(&folder).args(["--projects", &parts, "--activate-profiles", "documentation", "compile", "dokka:javadoc"]))?;
    let shipped = Shipped { package };
    for (part, name) in PARTS {
        ensure!(shipped.documentation(part).join("index.html").is_file(), "there is no documentation of {name}");
    }
    Ok(shipped)
}

/// A POM that builds all of them.
fn together() -> String {
    let modules: String = PARTS.iter().map(|(part, _)| format!("    <module>{}</module>\n", place(part))).collect();
    format!(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\">\n  <modelVersion>4.0.0</modelVersion>\n  <groupId>dev.vitalwire</groupId>\n  \
         <artifactId>together</artifactId>\n  <version>0</version>\n  <packaging>pom</packaging>\n  <modules>\n{modules}  </modules>\n</project>\n"
    )
}

/// An artifact's folder in the copy.
fn place(part: &str) -> String {
    if part.is_empty() { PARTS[0].1.to_owned() } else { format!("{}/{part}", PARTS[0].1) }
}
