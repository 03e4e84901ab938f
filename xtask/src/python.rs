//! The Python package as users get it: the wheel, in a virtual environment made for it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;

use crate::test::step::must;

/// What the tests use beside the wheel. The package itself requires none of it: what is not the test runner is what it can hand data to.
const TEST_PACKAGES: [&str; 16] = [
    "pytest>=8.3",
    "duckdb>=1.1",
    "matplotlib>=3.9",
    "mypy>=1.18",
    "numpy>=2.0",
    "packaging>=25.0",
    "pandas>=2.2",
    "pandas-stubs>=2.2",
    "pillow>=11.0",
    "polars>=1.20",
    "pyarrow>=18.0",
    "tqdm>=4.66",
    "trustme>=1.2",
    "trove-classifiers",
    "types-tqdm>=4.66",
    "uvloop>=0.21",
];

/// Where the wheels of this workspace are put, below `target`.
pub(crate) const WHEELS: &str = "python/wheels";

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
    let clean = target.join("python/clean");
    let wheel = wheel(root, target, "bindings/python", "vitalwire-", &["--profile", "dev"])?;
    environment(&clean, &TEST_PACKAGES)?;
    // Nothing of the wheel before stays; and without an index nothing but the wheel can come, so that it requires no other package.
    must(Command::new(clean.join("bin/pip")).args(["uninstall", "--quiet", "--yes", "vitalwire"]))?;
    must(Command::new(clean.join("bin/pip")).args(["install", "--quiet", "--no-index"]).arg(wheel))?;
    Ok(made.insert(clean.join("bin/python")).clone())
}

/// Builds the wheel of the package in a folder, by the profile that its `pyproject.toml` names unless these options of maturin say otherwise:
/// a debug build shares what cargo has built. Its file's name starts as is said.
///
/// # Errors
/// Where it cannot be built.
pub(crate) fn wheel(root: &Path, target: &Path, package: &str, name: &str, options: &[&str]) -> anyhow::Result<PathBuf> {
    let tools = target.join("python/tools");
    environment(&tools, &["maturin>=1.16,<2"])?;
    let wheels = target.join(WHEELS);
    let built = || -> anyhow::Result<Vec<PathBuf>> {
        let files = std::fs::read_dir(&wheels)?.collect::<Result<Vec<_>, _>>()?;
        Ok(files
            .iter()
            .map(|file| file.path())
            .filter(|path| path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name)))
            .collect())
    };
    std::fs::create_dir_all(&wheels)?;
    for old in built()? {
        std::fs::remove_file(old)?;
    }
    let mut build = Command::new(tools.join("bin/maturin"));
    build.current_dir(root.join(package)).arg("build").args(options).args(["--locked", "--out"]).arg(&wheels);
    must(build.env("CARGO_TARGET_DIR", target))?;
    built()?.pop().context("maturin built no wheel")
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
    if !packages.is_empty() {
        must(Command::new(at.join("bin/pip")).args(["install", "--quiet", "--disable-pip-version-check"]).args(packages))?;
    }
    Ok(std::fs::write(complete, list)?)
}
