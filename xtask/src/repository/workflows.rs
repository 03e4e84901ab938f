//! Checks of the workflows with actionlint, shellcheck and zizmor, and with our own rules.

mod rules;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;
use serde_json::Value;

use crate::pypi;
use crate::steps::{Context, Count, Outcome, run_and_show};

/// Folder of the workflows.
const FOLDER: &str = ".github/workflows";

/// A file that only zizmor reads.
const UPDATES: &str = ".github/dependabot.yml";

/// Counts each file once per checker, and each rule once per file. Receives the names of the steps that the daily and the nightly workflow
/// must run.
pub(super) fn run(context: &Context, daily: &[&str], deep: &[&str]) -> anyhow::Result<Outcome> {
    if let Some(what) = pypi::missing() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    let programs = pypi::environment(&context.root, &context.target, "checkers")?.join("bin");
    let files = files(context)?;
    let mut count = Count::default();
    let mut check = |file: &str, command: &mut Command| -> anyhow::Result<()> {
        // Print the name, because neither checker prints files without findings.
        crate::print_line(&format!("{} {file}", Path::new(command.get_program()).file_name().unwrap_or_default().display()));
        count += Count::from_check(run_and_show(command.arg(file).current_dir(&context.root))?.success);
        Ok(())
    };
    for file in &files {
        let mut actionlint = Command::new(programs.join("actionlint"));
        // Disable optional checkers: a program on PATH would make results depend on the machine.
        check(file, actionlint.args(["-no-color", "-pyflakes=", "-shellcheck"]).arg(programs.join("shellcheck")))?;
    }
    for file in files.iter().map(String::as_str).chain([UPDATES]) {
        let mut zizmor = Command::new(programs.join("zizmor"));
        check(file, zizmor.args(["--offline", "--pedantic", "--quiet", "--no-progress", "--color=never"]))?;
    }
    for problems in check_rules(context, &files, daily, deep)? {
        for problem in &problems {
            crate::print_line(problem);
        }
        count += Count { passed: usize::from(problems.is_empty()), failed: problems.len(), flaky: 0 };
    }
    Ok(Outcome::Ran(count))
}

/// Returns the workflows' paths in the workspace, by name.
fn files(context: &Context) -> anyhow::Result<Vec<String>> {
    let entries = std::fs::read_dir(context.root.join(FOLDER)).with_context(|| format!("reading {FOLDER}"))?;
    let names = entries.map(|entry| Ok(PathBuf::from(entry?.file_name()))).collect::<anyhow::Result<Vec<_>>>()?;
    let mut files: Vec<String> = names
        .iter()
        .filter(|name| name.extension().is_some_and(|extension| extension == "yml" || extension == "yaml"))
        .map(|name| format!("{FOLDER}/{}", name.display()))
        .collect();
    files.sort();
    Ok(files)
}

/// Returns the findings of our own rules, a list per rule and file.
fn check_rules(context: &Context, files: &[String], daily: &[&str], deep: &[&str]) -> anyhow::Result<Vec<Vec<String>>> {
    let read = |file: &str| -> anyhow::Result<(String, Value)> {
        let text = std::fs::read_to_string(context.root.join(file)).with_context(|| format!("reading {file}"))?;
        Ok((file.to_owned(), serde_saphyr::from_str(&text).with_context(|| format!("reading {file}"))?))
    };
    let mut found = Vec::new();
    for file in files {
        let workflow = read(file)?;
        found.push(rules::jobs_without_timeout(&workflow));
        found.push(rules::unpinned_installs(&workflow));
        found.push(rules::unpinned_toolchain(&workflow).into_iter().collect());
    }
    let ci = read(&format!("{FOLDER}/ci.yml"))?;
    let nightly = read(&format!("{FOLDER}/nightly.yml"))?;
    found.push(rules::misplaced_steps(&ci, daily));
    found.push(rules::misplaced_steps(&nightly, deep));
    Ok(found)
}
