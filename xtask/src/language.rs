//! The interface of a language: its tools, generated bindings, conformance runners, test steps, packages, public API, benchmarks and
//! reference pages.

use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args};
use vitalwire_codegen::file::File;

use crate::ecosystem::Ecosystem;
use crate::measure::Measurement;
use crate::public_api::PublicApi;
use crate::steps::{Context, Step};

/// A language of the workspace. Commands call languages through this trait only; `languages.rs` lists them.
pub(crate) trait Language: Sync {
    /// Downloads toolchains and dependencies, so that no step waits for the network. Returns the name and result of each download. The
    /// step that needs a missing tool reports it.
    fn prepare(&self, _: &Context) -> Vec<(&'static str, anyhow::Result<()>)> {
        Vec::new()
    }

    /// Runs the third-party generators of the language.
    ///
    /// # Errors
    /// If the wrapper crate cannot be read or built.
    fn generate(&self, _root: &Path) -> anyhow::Result<Vec<File>> {
        Ok(Vec::new())
    }

    /// Runners of the conformance cases.
    fn runners(&self) -> &'static [Runner];

    /// Steps of `cargo xtask test`.
    fn tests(&self) -> &'static [Step];

    /// Subcommands of `cargo xtask package`.
    fn packages(&self) -> &'static [Package] {
        &[]
    }

    /// Ecosystems in which the language's packages are released.
    fn ecosystems(&self) -> &'static [Ecosystem] {
        &[]
    }

    /// Returns the comparison of the language's public API, for releases.
    fn public_api(&self) -> PublicApi;

    /// Benchmark group in `cargo xtask bench`, if the language has one.
    fn bench(&self) -> Option<Bench> {
        None
    }

    /// Reference pages for `cargo xtask docs --references`. Python has none, because the site itself contains its pages.
    fn reference(&self) -> Option<Reference> {
        None
    }
}

/// A runner of the conformance cases.
pub(crate) struct Runner {
    /// Name of the runner, of its ledger and of its column in the matrix.
    pub(crate) name: &'static str,
    /// Help text.
    pub(crate) about: &'static str,
    /// Returns the missing tool, if any.
    pub(crate) missing: fn(&Path) -> anyhow::Result<Option<&'static str>>,
    /// Builds the runner and returns its command line. Receives the workspace and the judge's program.
    pub(crate) command: fn(&Path, &Path) -> anyhow::Result<String>,
}

/// A subcommand of `cargo xtask package`.
pub(crate) struct Package {
    pub(crate) name: &'static str,
    pub(crate) arguments: fn(clap::Command) -> clap::Command,
    /// Runs the subcommand in the workspace.
    pub(crate) run: fn(&ArgMatches, &Path) -> anyhow::Result<()>,
}

/// The arguments of a subcommand of `cargo xtask package`.
pub(crate) trait PackageArguments: Args {
    /// Builds the package in the workspace at `root`.
    ///
    /// # Errors
    /// If something cannot be built or must not be released.
    fn run(&self, root: &Path) -> anyhow::Result<()>;
}

impl Package {
    pub(crate) const fn new<A: PackageArguments>(name: &'static str) -> Self {
        Self { name, arguments: A::augment_args, run: parse_and_run::<A> }
    }
}

fn parse_and_run<A: PackageArguments>(matches: &ArgMatches, root: &Path) -> anyhow::Result<()> {
    A::from_arg_matches(matches)?.run(root)
}

/// A group of `cargo xtask bench`, which runs only when it is named.
pub(crate) struct Bench {
    pub(crate) name: &'static str,
    /// Help text.
    pub(crate) about: &'static str,
    /// Builds and runs the benchmark programs. The flag requests fewer and shorter rounds.
    pub(crate) run: fn(&Path, bool) -> anyhow::Result<Vec<Measurement>>,
}

/// Pages about every public name, written by a third-party documentation tool.
#[derive(Clone, Copy)]
pub(crate) struct Reference {
    /// Folder of the pages in the site, below `reference/`.
    pub(crate) name: &'static str,
    /// Returns the missing tool with the remedy, if any.
    pub(crate) missing: fn(&Path) -> anyhow::Result<Option<&'static str>>,
    /// Builds the pages of a workspace, and returns their folder. Receives the workspace and an empty folder for the tool's files.
    pub(crate) build: fn(&Path, &Path) -> anyhow::Result<PathBuf>,
}
