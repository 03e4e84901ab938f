//! The Python package as users get it: the wheel, in a virtual environment made for it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;

use crate::test::step::must;

/// The interpreter of an environment that holds the wheel of this workspace, pytest, and nothing else. Made once for each run of this
/// program, however many steps ask for it.
///
/// # Errors
/// Where the wheel cannot be built or installed.
pub(crate) fn interpreter(root: &Path, target: &Path) -> anyhow::Result<PathBuf> {
    static MADE: Mutex<Option<PathBuf>> = Mutex::new(None);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(interpreter) = &*made {
        return Ok(interpreter.clone());
    }
    let folder = target.join("python");
    let clean = folder.join("clean");
    let wheel = wheel(root, target, &folder, &["--profile", "dev"])?;
    if clean.exists() {
        std::fs::remove_dir_all(&clean)?;
    }
    environment(&clean, &["pytest"])?;
    must(Command::new(clean.join("bin/pip")).args(["install", "--quiet", "--no-index", "--no-deps"]).arg(wheel))?;
    Ok(made.insert(clean.join("bin/python")).clone())
}

/// Builds the wheel with these options of maturin, into a folder that is emptied before.
///
/// # Errors
/// Where it cannot be built.
pub(crate) fn wheel(root: &Path, target: &Path, folder: &Path, options: &[&str]) -> anyhow::Result<PathBuf> {
    let tools = target.join("python/tools");
    if !tools.join("bin/maturin").is_file() {
        environment(&tools, &["maturin>=1.16,<2"])?;
    }
    let wheels = folder.join("wheels");
    if wheels.exists() {
        std::fs::remove_dir_all(&wheels)?;
    }
    let mut build = Command::new(tools.join("bin/maturin"));
    build.current_dir(root.join("bindings/python")).arg("build").args(options).args(["--locked", "--out"]).arg(&wheels);
    must(build.env("CARGO_TARGET_DIR", target))?;
    Ok(std::fs::read_dir(&wheels)?.next().context("maturin built no wheel")??.path())
}

/// Makes an environment with these packages.
///
/// # Errors
/// Where there is no python3, or a package cannot be had.
pub(crate) fn environment(at: &Path, packages: &[&str]) -> anyhow::Result<()> {
    must(Command::new("python3").args(["-m", "venv"]).arg(at))?;
    if !packages.is_empty() {
        must(Command::new(at.join("bin/pip")).args(["install", "--quiet", "--disable-pip-version-check"]).args(packages))?;
    }
    Ok(())
}
