//! Published archives: builds each one, unpacks it outside the workspace, checks its contents, and builds it with the versions of the
//! committed lock file and no network. Third-party crates come from the workspace's build, in which they have the same features
//! ([`stubs`]). Our own crates are compiled.

mod archive;
mod compile;
mod contents;
mod make;
mod stubs;

use crate::cargo;
use crate::paths::{PrivatePaths, SearchScope};
use crate::process::has;
use crate::pypi;
use crate::steps::{Context, Count, Outcome};
use contents::Contents;

/// Builds, checks and compiles all archives. Each archive is a test.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = pypi::missing() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    if !has("tar") {
        return Ok(Outcome::Missing("tar is missing".to_owned()));
    }
    // Use a folder outside the workspace: cargo searches all parent folders for a workspace and settings.
    let folder = tempfile::Builder::new().prefix("vitalwire-archives-").tempdir()?;
    let members = cargo::members(&context.root)?;
    let archives = make::build_all(context, folder.path(), &members)?;
    let places = PrivatePaths::new(&context.root, &context.target)?;
    let mut problems: Vec<Vec<String>> = Vec::new();
    crate::print_line(&format!("{:<32} {:>6} {:>10} {:>10}", "archive", "files", "unpacked", "packed"));
    for archive in &archives {
        let contents = Contents::read(archive)?;
        crate::print_line(&format!(
            "{:<32} {:>6} {:>7.0} kB {:>7.0} kB",
            archive.name,
            contents.files.len(),
            contents.bytes() as f64 / 1e3,
            archive.packed as f64 / 1e3
        ));
        let mut found = contents.problems(&context.root)?;
        found.extend(places.search(&archive.folder, SearchScope::Texts)?);
        problems.push(found);
    }
    let compiled = compile::compile_all(context, folder.path(), &archives, &members, &places)?;
    let mut count = Count::default();
    for ((archive, mut found), failure) in archives.iter().zip(problems).zip(compiled) {
        found.extend(failure);
        if found.is_empty() {
            count.passed += 1;
            continue;
        }
        count.failed += 1;
        found.iter().for_each(|problem| crate::print_line(&format!("{}: {problem}", archive.name)));
    }
    Ok(Outcome::Ran(count))
}
