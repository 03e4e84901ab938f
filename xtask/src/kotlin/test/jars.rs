//! Tests the jars in a project outside the workspace, which takes them from a Maven repository and calls them from Kotlin and Java.

use std::path::Path;
use std::process::Command;

use super::class_paths;
use super::consumer::Consumer;
use crate::folder::files;
use crate::process::execute;
use crate::steps::{Context, Count, Outcome};

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
    count += class_paths::run(context, &consumer)?;
    Ok(Outcome::Ran(count))
}

/// Extensions of compiled files. Any other file among them, such as a font, may be third-party.
const COMPILED: [&str; 4] = [".class", ".kotlin_module", ".so", "/"];

/// Checks an archive with Java's own tool, and that it has licences and only compiled files or sources and documentation. Prints its metadata and native libraries.
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
    let is_known = |line: &&str| line.starts_with("META-INF/") || COMPILED.iter().any(|kind| line.ends_with(kind));
    let is_compiled = !["-sources.jar", "-javadoc.jar"].iter().any(|end| archive.to_string_lossy().ends_with(end));
    if let Some(other) = lines.iter().find(|line| is_compiled && !is_known(line)) {
        crate::print_line(&format!("{name} has {other}, whose licence is unknown"));
        return Ok(false);
    }
    Ok(valid.is_ok() && lines.first() == Some(&"META-INF/MANIFEST.MF") && licences.iter().all(|licence| lines.contains(licence)))
}
