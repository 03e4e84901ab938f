//! An operation that is added in `openapi/` and `tests/conformance/cases/` alone: invented, put into a copy of the workspace, and taken through
//! every step of the tests there. What fails is a list that somebody typed.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Context as _;

use crate::cargo;
use crate::folder;
use crate::process::must;
use crate::steps::{Context, Count, Outcome, show};

/// Where the invented operation is.
const INVENTED: &str = "crates/vitalwire-codegen/tests/fixtures/workouts";
/// Its overlays and its cases, and the folders that they are put into.
const ADDED: [(&str, &str); 3] = [
    ("30-workouts.health.v3.yaml", "openapi/overlays"),
    ("30-workouts.care.v1.yaml", "openapi/overlays"),
    ("get.json", "tests/conformance/cases/workouts"),
];
/// What an integrator's statement becomes a part of.
const STATEMENTS: &str = "openapi/statements.toml";

/// What writes the files that follow from `openapi/` and the cases.
const WRITTEN: [&[&str]; 4] = [&["codegen"], &["trace", "--write"], &["samples"], &["codegen"]];

/// Makes the copy, adds the operation, generates, and runs all steps.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    let folder = context.target.join("own-operation");
    let copy = folder.join("workspace");
    folder::remove(&copy)?;
    copied(&context.root, &copy)?;
    let invented = context.root.join(INVENTED);
    for (file, folder) in ADDED {
        let folder = copy.join(folder);
        fs::create_dir_all(&folder)?;
        fs::copy(invented.join(file), folder.join(file))?;
    }
    let statements = fs::read_to_string(copy.join(STATEMENTS))? + &fs::read_to_string(invented.join("statement.toml"))?;
    fs::write(copy.join(STATEMENTS), statements)?;
    let xtask = |arguments: &[&str]| {
        let mut command = cargo::caller("cargo");
        command.arg("xtask").args(arguments).current_dir(&copy).env("CARGO_TARGET_DIR", folder.join("target"));
        command
    };
    for arguments in WRITTEN {
        if !show(&mut xtask(arguments))?.success {
            return Ok(Outcome::Ran(Count::failed()));
        }
    }
    // The committed API of Kotlin is read in review, and so written anew on demand alone.
    show(xtask(&["test", "--only", "kotlin"]).env("VITALWIRE_BLESS", "1"))?;
    committed(&copy)?;
    Ok(show(&mut xtask(&["test", "--checks"]))?.counted(Count::whole))
}

/// Copies what git knows of the workspace, or would know if it were added.
fn copied(root: &Path, copy: &Path) -> anyhow::Result<()> {
    let files = must(Command::new("git").args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(root))?;
    for file in files.split('\0').filter(|file| !file.is_empty()) {
        let (from, to) = (root.join(file), copy.join(file));
        // Deleted, and not committed yet.
        if !from.exists() {
            continue;
        }
        fs::create_dir_all(to.parent().context("a file has a folder")?)?;
        fs::copy(&from, &to).with_context(|| format!("copying {file}"))?;
    }
    Ok(())
}

/// Makes the copy a repository: what is published of a crate is what git knows.
fn committed(copy: &Path) -> anyhow::Result<()> {
    let git = |arguments: &[&str]| must(Command::new("git").args(arguments).current_dir(copy)).map(drop);
    git(&["init", "--quiet"])?;
    git(&["add", "--all"])?;
    git(&["-c", "user.name=test", "-c", "user.email=test@example.invalid", "commit", "--quiet", "--message", "An invented operation"])
}
