//! Published archives: builds each one, unpacks it outside the workspace and checks its contents. The step `python-shipped` compiles them:
//! the source distributions contain all published crates.

mod contents;
mod make;

use crate::cargo;
use crate::paths::{PrivatePaths, SearchScope};
use crate::process::has;
use crate::pypi;
use crate::steps::{Context, Count, Outcome};
use contents::Contents;

/// Builds and checks all archives. Each archive is a test.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = pypi::missing() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    if !has("tar") {
        return Ok(Outcome::Missing("tar is missing".to_owned()));
    }
    let folder = tempfile::Builder::new().prefix("vitalwire-archives-").tempdir()?;
    let members = cargo::members(&context.root)?;
    let places = PrivatePaths::new(&context.root, &context.target)?;
    let mut count = Count::default();
    crate::print_line(&format!("{:<32} {:>6} {:>10} {:>10}", "archive", "files", "unpacked", "packed"));
    for archive in make::build_all(context, folder.path(), &members)? {
        let contents = Contents::read(&archive)?;
        crate::print_line(&format!(
            "{:<32} {:>6} {:>7.0} kB {:>7.0} kB",
            archive.name,
            contents.files.len(),
            contents.bytes() as f64 / 1e3,
            archive.packed as f64 / 1e3
        ));
        let mut problems = contents.problems(&context.root)?;
        problems.extend(places.search(&archive.folder, SearchScope::Texts)?);
        problems.iter().for_each(|problem| crate::print_line(&format!("{}: {problem}", archive.name)));
        count += Count::from_check(problems.is_empty());
    }
    Ok(Outcome::Ran(count))
}
