//! pytest on the wheel, in a clean virtual environment, never on the source tree.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use crate::test::count::Count;
use crate::test::step::{Context, Outcome, has, must, show};

/// Builds the wheel, installs it into an environment made for it, and runs the tests there.
pub(in crate::test) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if !has("python3") {
        return Ok(Outcome::Missing("no python3".to_owned()));
    }
    let folder = context.target.join("python");
    let tools = folder.join("tools");
    if !tools.join("bin/maturin").is_file() {
        environment(&tools, &["maturin>=1.16,<2"])?;
    }
    let wheels = folder.join("wheels");
    if wheels.exists() {
        std::fs::remove_dir_all(&wheels)?;
    }
    let mut build = context.program(tools.join("bin/maturin"), "bindings/python");
    build.args(["build", "--profile", "dev", "--locked", "--out"]).arg(&wheels).env("CARGO_TARGET_DIR", &context.target);
    must(&mut build)?;
    let wheel = std::fs::read_dir(&wheels)?.next().context("maturin built no wheel")??.path();
    let clean = folder.join("clean");
    if clean.exists() {
        std::fs::remove_dir_all(&clean)?;
    }
    environment(&clean, &["pytest"])?;
    must(Command::new(clean.join("bin/pip")).args(["install", "--quiet", "--no-index", "--no-deps"]).arg(&wheel))?;
    // -I: neither the source tree nor the user's own packages are importable.
    let mut test = context.program(clean.join("bin/python"), ".");
    test.args(["-I", "-m", "pytest", "--color=no", "-q", "-p", "no:cacheprovider", "bindings/python/tests"]);
    Ok(show(&mut test)?.counted(Count::pytest))
}

/// Makes an environment with these packages.
pub(in crate::test) fn environment(at: &Path, packages: &[&str]) -> anyhow::Result<PathBuf> {
    must(Command::new("python3").args(["-m", "venv"]).arg(at))?;
    must(Command::new(at.join("bin/pip")).args(["install", "--quiet", "--disable-pip-version-check"]).args(packages))?;
    Ok(at.to_path_buf())
}
