//! `cargo xtask package`: builds and checks the packages for application developers. The languages supply the subcommands.

use std::path::Path;

use anyhow::Context as _;
use clap::error::ErrorKind;
use clap::{ArgMatches, Args, FromArgMatches, Subcommand};

use crate::{language, languages};

/// Build a release package.
#[derive(Debug, Args)]
pub(crate) struct Package {
    #[command(subcommand)]
    command: PackageCommand,
}

/// A subcommand of a language, with its arguments.
#[derive(Clone, Debug)]
struct PackageCommand {
    name: String,
    arguments: ArgMatches,
}

/// Returns the subcommands of all languages, by name.
fn packages() -> Vec<&'static language::Package> {
    let mut packages: Vec<_> = languages::ALL.iter().flat_map(|language| language.packages()).collect();
    packages.sort_by_key(|package| package.name);
    packages
}

impl Package {
    /// Runs the command in the workspace at `root`.
    ///
    /// # Errors
    /// If a build or a check fails.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        let package = packages().into_iter().find(|package| package.name == self.command.name).context("there is no such package")?;
        (package.run)(&self.command.arguments, root)
    }
}

impl FromArgMatches for PackageCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (name, arguments) = matches.subcommand().ok_or_else(|| clap::Error::new(ErrorKind::MissingSubcommand))?;
        Ok(Self { name: name.to_owned(), arguments: arguments.clone() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for PackageCommand {
    fn augment_subcommands(command: clap::Command) -> clap::Command {
        let packages = packages().into_iter().map(|package| (package.arguments)(clap::Command::new(package.name)));
        command.subcommand_required(true).arg_required_else_help(true).subcommands(packages)
    }

    fn augment_subcommands_for_update(command: clap::Command) -> clap::Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        packages().iter().any(|package| package.name == name)
    }
}
