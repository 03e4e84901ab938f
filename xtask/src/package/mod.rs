//! `cargo xtask package`: what is shipped to developers of applications, built, looked through and laid out. (`packages/` has the same
//! sources as tests compile them.)

pub(crate) mod android;
pub(crate) mod apple;
pub(crate) mod c;
pub(crate) mod jvm;
mod linker;
mod maven;
mod tar;
mod zip;

use std::path::Path;

use clap::{Args, Subcommand};

/// Build a package as it is shipped.
#[derive(Debug, Args)]
pub(crate) struct Package {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, Subcommand)]
enum Kind {
    Android(android::Android),
    Apple(apple::Apple),
    C(c::C),
    Jvm(jvm::Jvm),
}

impl Package {
    /// Runs the command in the workspace at `root`.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        match &self.kind {
            Kind::Android(android) => android.run(root),
            Kind::Apple(apple) => apple.run(root),
            Kind::C(c) => c.run(root),
            Kind::Jvm(jvm) => jvm.run(root),
        }
    }
}
