//! The public API in the code and stubs of the package, which griffe compares.

use std::process::Command;

use crate::build::target;
use crate::process::execute;
use crate::public_api::{Change, Checkouts, PublicApi, parse_changes};
use crate::pypi;

pub(super) const PUBLIC_API: PublicApi = PublicApi { name: "Python", compiles: false, missing: |_| Ok(pypi::missing()), changes };

/// Folder of the package's code.
const FOLDER: &str = "bindings/python/python";
/// Script that prints the changes.
const SCRIPT: &str = include_str!("public_api.py");

fn changes(checkouts: &Checkouts) -> anyhow::Result<Vec<Change>> {
    let environment = pypi::environment(checkouts.after, &target(checkouts.after)?, "api")?;
    let folders = [checkouts.before, checkouts.after].map(|root| root.join(FOLDER));
    parse_changes(&execute(Command::new(environment.join("bin/python")).args(["-I", "-c", SCRIPT]).args(folders))?)
}
