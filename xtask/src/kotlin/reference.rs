//! Reference pages of the artifacts, by Dokka, with its scripts and search.

use std::path::{Path, PathBuf};

use super::maven;
use super::package::artifacts::{PARTS, copy};
use crate::folder;
use crate::language::Reference;
use crate::process::execute;

pub(super) const REFERENCE: Reference = Reference {
    name: "kotlin",
    missing: |_| Ok(maven::missing().map(|_| "Maven or a JDK is missing; on Debian: apt install maven default-jdk-headless")),
    build: pages,
};

/// Dokka's output folder of an artifact.
const WRITTEN: &str = "target/dokka";

fn pages(root: &Path, work: &Path) -> anyhow::Result<PathBuf> {
    let (sources, pages) = (work.join("sources"), work.join("pages"));
    execute(copy(root, &sources)?.args(["compile", "dokka:dokka"]))?;
    for (part, name) in PARTS {
        folder::copy(&sources.join(PARTS[0].1).join(part).join(WRITTEN), &pages.join(name))?;
    }
    Ok(pages)
}
