//! Reference pages of the published crates, by rustdoc. `[workspace.lints.rustdoc]` denies invalid links and markup.

use std::path::{Path, PathBuf};

use anyhow::ensure;
use cargo_metadata::Package;

use crate::language::Reference;
use crate::process::execute;
use crate::{build, cargo, folder};

pub(super) const REFERENCE: Reference = Reference { name: "rust", missing: |_| Ok(None), build: pages };

fn pages(root: &Path, _: &Path) -> anyhow::Result<PathBuf> {
    let pages = build::target(root)?.join("doc");
    // Otherwise pages of other crates and of deleted names would remain.
    folder::remove(&pages)?;
    let mut rustdoc = cargo::command();
    rustdoc.current_dir(root).args(["doc", "--no-deps", "--all-features", "--locked"]);
    let members = cargo::members(root)?;
    let crates: Vec<&Package> = members.iter().filter(|member| is_published_library(member)).collect();
    ensure!(!crates.is_empty(), "the workspace has no published library");
    execute(rustdoc.args(crates.iter().flat_map(|member| ["--package", member.name.as_str()])))?;
    Ok(pages)
}

pub(super) fn is_published_library(member: &Package) -> bool {
    member.publish.is_none() && member.targets.iter().any(cargo_metadata::Target::is_lib)
}
