//! Reference pages of the headers for C and C++, by Doxygen.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use crate::language::Reference;
use crate::process::{execute, has};

pub(super) const REFERENCE: Reference = Reference {
    name: "c",
    missing: |_| Ok((!has("doxygen")).then_some("Doxygen is missing; on Debian: apt install doxygen")),
    build: pages,
};

/// Folder of the package. Paths in Doxygen's configuration are relative to it.
const FOLDER: &str = "bindings/c";
const CONFIGURATION: &str = "docs/Doxyfile";

fn pages(root: &Path, work: &Path) -> anyhow::Result<PathBuf> {
    let folder = root.join(FOLDER);
    let configuration = fs::read_to_string(folder.join(CONFIGURATION)).with_context(|| format!("reading {FOLDER}/{CONFIGURATION}"))?;
    let whole = work.join("Doxyfile");
    fs::write(&whole, format!("{configuration}\nOUTPUT_DIRECTORY = \"{}\"\n", work.display()))?;
    execute(Command::new("doxygen").arg(whole).current_dir(folder))?;
    Ok(work.join("html"))
}
