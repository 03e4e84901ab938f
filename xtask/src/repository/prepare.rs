//! Downloads and compilation for all steps, in parallel.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::contract;
use crate::process::execute;
use crate::pypi::environment;
use crate::steps::{Context, Outcome};
use crate::{build, languages};

/// Disk space for a run from scratch, in GiB: cargo's output, environments, a Swift toolchain.
const NEEDED: u64 = 16;

/// Compiles the workspace once for all steps.
pub(super) fn build(context: &Context) -> anyhow::Result<Outcome> {
    check_space(&context.target)?;
    build::build_all(&context.root)?;
    Ok(Outcome::Done)
}

/// Downloads packages and toolchains, so that no step waits for them later. The step that needs a missing tool reports it.
pub(super) fn download(context: &Context) -> anyhow::Result<Outcome> {
    let mut downloads: Vec<_> = languages::ALL.iter().flat_map(|language| language.prepare(context)).collect();
    downloads.push(("schemathesis", environment(&context.root, &context.target, "schemathesis").map(drop)));
    downloads.push(("the contract's tools", contract::download(context)));
    for (what, result) in &downloads {
        if let Err(error) = result {
            crate::print_line(&format!("{what}: {error:#}"));
        }
    }
    Ok(Outcome::Done)
}

/// Checks for disk space, because a full disk causes many misleading errors.
fn check_space(target: &Path) -> anyhow::Result<()> {
    // An existing build already uses the space.
    if cfg!(windows) || target.join("debug").exists() {
        return Ok(());
    }
    let text = execute(Command::new("df").args(["-P", "-k"]).arg(target))?;
    let free = free_kib(&text).context("df does not list the target folder")? / (1 << 20);
    ensure!(free >= NEEDED, "{} needs {NEEDED} GiB of free space and has {free}; set CARGO_TARGET_DIR to another folder", target.display());
    Ok(())
}

/// Parses the free KiB in the output of POSIX `df -P -k`: the fourth cell of the second line.
fn free_kib(text: &str) -> Option<u64> {
    text.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_space_is_the_fourth_cell() {
        let text =
            "Filesystem     1024-blocks     Used Available Capacity Mounted on\n/dev/vda         263174212 12000000  83886080      13% /\n";
        assert_eq!(free_kib(text), Some(83_886_080));
        assert_eq!(free_kib("df: no such folder"), None);
    }
}
