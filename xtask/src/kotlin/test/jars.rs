//! Tests the jars in a project outside the workspace, which takes them from a Maven repository and calls them from Kotlin and Java.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::class_paths;
use super::consumer::Consumer;
use crate::folder::files;
use crate::kotlin::package::repository::BOM;
use crate::process::execute;
use crate::steps::{Context, Count, Outcome};

/// Extensions of our own files and of files with notices. Any other file, such as a script or a font, may be third-party.
const KINDS: [&str; 10] = [
    ".class",
    ".kt",
    ".kotlin_module",
    ".html",
    "/MANIFEST.MF",
    "-list",
    ".so",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "THIRD-PARTY-NOTICES.txt",
];
/// Our style sheet.
const STYLE: &str = "stylesheet.css";

/// Counts each archive, read with Java's own tool, and each program as a test.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(missing) = Consumer::missing() {
        return Ok(missing);
    }
    let consumer = Consumer::build(context)?;
    let mut count = Count::default();
    for archive in files(&consumer.repository())?.iter().filter(|file| file.extension().is_some_and(|extension| extension == "jar")) {
        count += Count::from_check(is_valid_jar(archive)?);
    }
    count += check_lowest_versions(&consumer)?;
    count += class_paths::run(context, &consumer)?;
    Ok(Outcome::Ran(count))
}

/// Checks that the project has exactly the lowest supported versions, which our POMs state. Each dependency is a test.
fn check_lowest_versions(consumer: &Consumer) -> anyhow::Result<Count> {
    let mut count = Count::default();
    for file in files(&consumer.repository())?.iter().filter(|file| file.extension().is_some_and(|extension| extension == "pom")) {
        // The POM of all versions has no dependencies.
        if file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(BOM)) {
            continue;
        }
        for (artifact, version) in dependencies(&fs::read_to_string(file)?) {
            // Multiplatform libraries have another name for the JVM.
            let jars = [format!("{artifact}-{version}.jar"), format!("{artifact}-jvm-{version}.jar")];
            let found = consumer.paths.iter().any(|path| jars.iter().any(|jar| path.ends_with(jar)));
            crate::print_line(&format!("{artifact} {version}{}", if found { "" } else { " is not a dependency of the project" }));
            count += Count::from_check(found);
        }
    }
    Ok(count)
}

/// Returns name and version of the dependencies in a POM.
fn dependencies(pom: &str) -> Vec<(String, String)> {
    let transitive = pom.split("<dependency>").skip(1).filter(|text| !text.contains("<scope>provided</scope>"));
    let element = |text: &str, name: &str| Some(text.split_once(&format!("<{name}>"))?.1.split_once('<')?.0.to_owned());
    transitive.filter_map(|text| Some((element(text, "artifactId")?, element(text, "version")?))).collect()
}

/// Checks an archive with Java's own tool, and that it has licences and only known files. Prints its metadata and native libraries.
fn is_valid_jar(archive: &Path) -> anyhow::Result<bool> {
    let name = archive.file_name().unwrap_or_default().display();
    let listed = execute(Command::new("jar").arg("--list").arg("--file").arg(archive))?;
    let valid = execute(Command::new("jar").arg("--validate").arg("--file").arg(archive));
    if let Err(error) = &valid {
        crate::print_line(&format!("{error:#}"));
    }
    let lines: Vec<&str> = listed.lines().collect();
    let shown: Vec<&str> =
        lines.iter().copied().filter(|line| line.starts_with("META-INF/") || line.contains("vitalwire_uniffi")).collect();
    crate::print_line(&format!("{name}: {} files, among them {}", lines.len(), shown.join(" ")));
    let licences = ["META-INF/LICENSE-APACHE", "META-INF/LICENSE-MIT", "META-INF/THIRD-PARTY-NOTICES.txt"];
    let known = |line: &str| line == STYLE || line.ends_with('/') || KINDS.iter().any(|kind| line.ends_with(kind));
    if let Some(other) = lines.iter().find(|line| !known(line)) {
        crate::print_line(&format!("{name} has {other}, whose licence is unknown"));
        return Ok(false);
    }
    Ok(valid.is_ok() && lines.first() == Some(&"META-INF/MANIFEST.MF") && licences.iter().all(|licence| lines.contains(licence)))
}
