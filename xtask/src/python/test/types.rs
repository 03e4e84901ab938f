//! What type checkers say of the installed package: mypy of it and of what uses it, its stubs against the module itself, and pyright of what
//! it shows.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::npm;
use crate::process::has;
use crate::steps::{Context, Count, show};

/// From the npm registry, since the package of that name on PyPI fetches this one when it first runs.
const PYRIGHT: &str = "pyright@1.1.414";
/// What uses the package, checked as users' code would be.
const USERS: [&str; 2] = ["bindings/python/tests", "bindings/python/bench"];

/// Each check counts as a test.
pub(super) fn check(context: &Context, interpreter: &Path) -> anyhow::Result<Count> {
    let mut count = Count::default();
    let mut tell = |success: bool| count += Count::of(success);
    let settings = "bindings/python/pyproject.toml";
    // -P: nothing of the current folder is importable, so the package is the installed one.
    let mypy = || {
        let mut mypy = Command::new(interpreter);
        mypy.current_dir(&context.root).args(["-P", "-m"]);
        mypy
    };
    let cache = context.target.join("python/mypy");
    tell(show(mypy().args(["mypy", "--config-file", settings, "--package", "vitalwire", "--cache-dir"]).arg(&cache))?.success);
    for folder in USERS {
        tell(show(mypy().args(["mypy", "--config-file", settings, "--cache-dir"]).arg(&cache).arg(folder))?.success);
    }
    tell(show(mypy().args(["mypy.stubtest", "--allowlist", "bindings/python/tests/stubtest.txt", "vitalwire"]))?.success);
    if has("npm") && has("node") {
        let mut pyright = Command::new(pyright(&context.target)?);
        // Outside of the workspace, whose folders would be looked through. It takes the interpreter that is first on PATH.
        let own = interpreter.parent().map(Path::to_path_buf);
        let others = std::env::var_os("PATH").unwrap_or_default();
        pyright.env("PATH", std::env::join_paths(own.into_iter().chain(std::env::split_paths(&others)))?);
        pyright.current_dir(folder(&context.target)).args(["--verifytypes", "vitalwire", "--ignoreexternal"]);
        tell(show(&mut pyright)?.success);
    } else if std::env::var_os("CI").is_some_and(|value| !value.is_empty()) {
        crate::say("pyright: no npm, and on CI that is a failure");
        tell(false);
    } else {
        crate::say("pyright: left out, no npm");
    }
    Ok(count)
}

/// Installs pyright where it can be.
///
/// # Errors
/// Where npm fails.
pub(super) fn load(target: &Path) -> anyhow::Result<()> {
    if has("npm") && has("node") { pyright(target).map(drop) } else { Ok(()) }
}

/// Where programs from the npm registry are.
fn folder(target: &Path) -> PathBuf {
    target.join("npm")
}

/// The program, installed below `target` unless it is there.
fn pyright(target: &Path) -> anyhow::Result<PathBuf> {
    npm::program(&folder(target), PYRIGHT, "pyright")
}
