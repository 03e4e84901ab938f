//! `cargo xtask release`: prepares a release, compares its public API, checks its tag, and rehearses it on this machine.

mod comparison;
mod inspection;
mod prepare;
mod public_api;
mod rehearsal;
mod server;
mod source;
mod tag;
mod wheel_tag;

use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args;

use crate::docs::install;
use crate::versions;
use public_api::Scope;
use rehearsal::Options;

/// Prepare a release, compare its public API, check its tag, or rehearse it; publishes nothing outside this machine.
#[derive(Debug, Args)]
#[group(id = "release", required = true, multiple = true)]
pub(crate) struct Release {
    /// Compare this tag, such as v0.1.0, with every manifest and the changelog. Also compare the public API with the last release, for
    /// languages whose comparison compiles nothing. With --rehearse, the tag of the clone.
    #[arg(long)]
    tag: Option<String>,
    /// Raise the version in every manifest, date the unreleased changes, and write install lines that name released packages.
    #[arg(long, value_name = "VERSION", conflicts_with_all = ["tag", "rehearse"])]
    prepare: Option<String>,
    /// Compare the public API of every language with the release of this tag. Fails if the version of --tag or of the workspace is too low.
    /// Defaults to the highest version that is tagged before this commit.
    #[arg(long, value_name = "TAG", num_args = 0..=1, conflicts_with_all = ["prepare", "rehearse"])]
    compare: Option<Option<String>>,
    /// Build every package from a clean clone, serve them from local registries, and install and use each one by its name.
    #[arg(long)]
    rehearse: bool,
    /// Build only packages for this system.
    #[arg(long, requires = "rehearse")]
    native: bool,
    /// Build only packages for this system and skip most optimization. Saves more than half of the time.
    #[arg(long, requires = "rehearse")]
    quick: bool,
    /// Build everything a second time in another folder, and compare the bytes.
    #[arg(long, requires = "rehearse")]
    twice: bool,
    /// Use prebuilt packages instead of building them. FOLDER contains a folder for each ecosystem: pypi, maven, c.
    #[arg(long, value_name = "FOLDER", requires = "rehearse", conflicts_with_all = ["native", "quick", "twice"])]
    packages: Option<PathBuf>,
    /// Rehearse only these ecosystems.
    #[arg(long, requires = "rehearse", value_delimiter = ',', value_parser = rehearsal::names())]
    only: Vec<String>,
}

impl Release {
    /// Runs the command in the workspace at `root`.
    ///
    /// # Errors
    /// If the tag does not match, or an ecosystem fails. The error names the place or the package.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        if let Some(version) = &self.prepare {
            return prepare::run(root, version);
        }
        let tag = match &self.tag {
            Some(tag) => tag.clone(),
            None => format!("v{}", versions::workspace(root)?),
        };
        if self.rehearse {
            let options = Options {
                native: self.native || self.quick,
                quick: self.quick,
                twice: self.twice,
                only: &self.only,
                packages: self.packages.as_deref(),
            };
            return rehearsal::run(root, &tag, &options);
        }
        if self.tag.is_some() {
            source::check_clean(root)?;
            tag::check(root, &tag)?;
            tag::check_header(root, &tag)?;
            ensure!(install::is_released(root)?, "{}: `released` must be true; run `cargo xtask release --prepare`", install::DATA);
            crate::print_line(&format!("{tag} is the version of every manifest and of the changelog"));
        }
        let release = self.compare.as_ref().and_then(Option::as_deref);
        let scope = if self.compare.is_some() { Scope::All } else { Scope::Fast };
        public_api::run(root, release, tag::version(&tag)?, scope)
    }
}
