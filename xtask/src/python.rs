//! The Python package as users get it: the wheel, in a virtual environment made for it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;

use crate::test::step::must;

/// What the tests use beside the wheel. The package itself requires none of it: what is not the test runner is what it can hand data to.
const TEST_PACKAGES: [&str; 10] = [
    "pytest>=8.3",
    "duckdb>=1.1",
    "matplotlib>=3.9",
    "numpy>=2.0",
    "pandas>=2.2",
    "pillow>=11.0",
    "polars>=1.20",
    "pyarrow>=18.0",
    "tqdm>=4.66",
    "uvloop>=0.21",
];

/// The interpreter of an environment that holds the wheel of this workspace and what tests use. The wheel is built and installed once for each
/// run of this program, however many steps ask for it.
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
    let wheel = wheel(root, target, &folder)?;
    environment(&clean, &TEST_PACKAGES)?;
    // Nothing of the wheel before stays; and without an index nothing but the wheel can come, so that it requires no other package.
    must(Command::new(clean.join("bin/pip")).args(["uninstall", "--quiet", "--yes", "vitalwire"]))?;
    must(Command::new(clean.join("bin/pip")).args(["install", "--quiet", "--no-index"]).arg(wheel))?;
    Ok(made.insert(clean.join("bin/python")).clone())
}

fn wheel(root: &Path, target: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    let tools = folder.join("tools");
    environment(&tools, &["maturin>=1.16,<2"])?;
    let wheels = folder.join("wheels");
    if wheels.exists() {
        std::fs::remove_dir_all(&wheels)?;
    }
    let mut build = Command::new(tools.join("bin/maturin"));
    build.current_dir(root.join("bindings/python")).args(["build", "--profile", "dev", "--locked", "--out"]).arg(&wheels);
    must(build.env("CARGO_TARGET_DIR", target))?;
    Ok(std::fs::read_dir(&wheels)?.next().context("maturin built no wheel")??.path())
}

/// Makes an environment with these packages, unless there is one already.
///
/// # Errors
/// Where there is no python3, or a package cannot be had.
pub(crate) fn environment(at: &Path, packages: &[&str]) -> anyhow::Result<()> {
    // Written last: an environment that was left half made has none.
    let complete = at.join("complete");
    let list = packages.join("\n");
    if std::fs::read_to_string(&complete).ok().as_deref() == Some(list.as_str()) {
        return Ok(());
    }
    if at.exists() {
        std::fs::remove_dir_all(at)?;
    }
    must(Command::new("python3").args(["-m", "venv"]).arg(at))?;
    must(Command::new(at.join("bin/pip")).args(["install", "--quiet", "--disable-pip-version-check"]).args(packages))?;
    Ok(std::fs::write(complete, list)?)
}
