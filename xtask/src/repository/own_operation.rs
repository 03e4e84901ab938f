//! Adds an invented operation only in `openapi/` and `tests/conformance/cases/` of a copy of the workspace, and runs all test steps there.
//! A failure reveals a list that is maintained by hand.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Context as _;

use crate::cargo;
use crate::folder;
use crate::process::execute;
use crate::steps::{Context, Count, Outcome, run_and_show};

/// Folder of the invented operation.
const INVENTED: &str = "crates/vitalwire-codegen/tests/fixtures/workouts";
/// Overlays and cases of the invented operation, and their destination folders.
const ADDED: [(&str, &str); 3] = [
    ("30-workouts.health.v3.yaml", "openapi/overlays"),
    ("30-workouts.care.v1.yaml", "openapi/overlays"),
    ("get.json", "tests/conformance/cases/workouts"),
];
/// The statements, to which the operation adds some.
const STATEMENTS: &str = "openapi/statements.toml";

/// Commands that write the files generated from `openapi/` and the cases.
const WRITTEN: [&[&str]; 4] = [&["codegen"], &["trace", "--write"], &["samples"], &["codegen"]];

/// Creates the copy, adds the operation, generates all files, and runs all steps.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    let folder = context.target.join("own-operation");
    let copy = folder.join("workspace");
    folder::remove(&copy)?;
    copy_workspace(&context.root, &copy)?;
    let invented = context.root.join(INVENTED);
    for (file, folder) in ADDED {
        let folder = copy.join(folder);
        fs::create_dir_all(&folder)?;
        fs::copy(invented.join(file), folder.join(file))?;
    }
    let statements = fs::read_to_string(copy.join(STATEMENTS))? + &fs::read_to_string(invented.join("statement.toml"))?;
    fs::write(copy.join(STATEMENTS), statements)?;
    let xtask = |arguments: &[&str]| {
        let mut command = cargo::clean_command("cargo");
        command.arg("xtask").args(arguments).current_dir(&copy).env("CARGO_TARGET_DIR", folder.join("target"));
        command
    };
    for arguments in WRITTEN {
        if !run_and_show(&mut xtask(arguments))?.success {
            return Ok(Outcome::Ran(Count::failed()));
        }
    }
    // The committed Kotlin API is for review, so it is updated only on request.
    run_and_show(xtask(&["test", "--only", "kotlin"]).env("VITALWIRE_BLESS", "1"))?;
    commit_all(&copy)?;
    Ok(run_and_show(&mut xtask(&["test", "--checks"]))?.count_tests(Count::total))
}

/// Copies all files of the workspace that git does not ignore.
fn copy_workspace(root: &Path, copy: &Path) -> anyhow::Result<()> {
    let files = execute(Command::new("git").args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(root))?;
    for file in files.split('\0').filter(|file| !file.is_empty()) {
        let (from, to) = (root.join(file), copy.join(file));
        // Skip files that were deleted but not yet committed.
        if !from.exists() {
            continue;
        }
        fs::create_dir_all(to.parent().context("the file has no folder")?)?;
        fs::copy(&from, &to).with_context(|| format!("copying {file}"))?;
    }
    Ok(())
}

/// Turns the copy into a repository, because crates are packaged from git's files.
fn commit_all(copy: &Path) -> anyhow::Result<()> {
    let git = |arguments: &[&str]| execute(Command::new("git").args(arguments).current_dir(copy)).map(drop);
    git(&["init", "--quiet"])?;
    git(&["add", "--all"])?;
    git(&["-c", "user.name=test", "-c", "user.email=test@example.invalid", "commit", "--quiet", "--message", "An invented operation"])
}
