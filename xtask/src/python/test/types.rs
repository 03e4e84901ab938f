//! Type checks of the installed package: mypy for it and its users, its stubs against the module, and pyright for its public API.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::npm;
use crate::process::{has, on_ci};
use crate::steps::{Context, Count, run_and_show};

/// The npm package of pyright. The PyPI package would download it on its first run.
const PYRIGHT: &str = "pyright@1.1.414";
/// Folders whose code uses the package. They are checked like a user's code.
const USERS: [&str; 3] = ["bindings/python/tests", "bindings/python/bench", "bindings/python/guide"];

/// Arguments of the interpreter for the comparison of the stubs with the module.
const STUBTEST: [&str; 5] = ["-P", "bindings/python/tests/stubtest.py", "--allowlist", "bindings/python/tests/stubtest.txt", "vitalwire"];

/// Counts each check as a test.
pub(super) fn check(context: &Context, interpreter: &Path) -> anyhow::Result<Count> {
    let mut count = Count::default();
    let mut record = |success: bool| count += Count::from_check(success);
    let settings = "bindings/python/pyproject.toml";
    // -P: the current folder is not importable, so the installed package is used.
    let mypy = || {
        let mut mypy = Command::new(interpreter);
        mypy.current_dir(&context.root).args(["-P", "-m"]);
        mypy
    };
    let cache = context.target.join("python/mypy");
    record(run_and_show(mypy().args(["mypy", "--config-file", settings, "--package", "vitalwire", "--cache-dir"]).arg(&cache))?.success);
    for folder in USERS {
        record(run_and_show(mypy().args(["mypy", "--config-file", settings, "--cache-dir"]).arg(&cache).arg(folder))?.success);
    }
    record(run_and_show(Command::new(interpreter).current_dir(&context.root).args(STUBTEST))?.success);
    if has("npm") && has("node") {
        let mut pyright = Command::new(pyright(&context.target)?);
        // Run outside the workspace, whose folders would be searched. pyright uses the first interpreter on PATH.
        let own = interpreter.parent().map(Path::to_path_buf);
        let others = std::env::var_os("PATH").unwrap_or_default();
        pyright.env("PATH", std::env::join_paths(own.into_iter().chain(std::env::split_paths(&others)))?);
        pyright.current_dir(folder(&context.target)).args(["--verifytypes", "vitalwire", "--ignoreexternal"]);
        record(run_and_show(&mut pyright)?.success);
    } else if on_ci() {
        crate::print_line("pyright failed: npm is missing, which CI must have");
        record(false);
    } else {
        crate::print_line("pyright: skipped, npm is missing");
    }
    Ok(count)
}

/// Installs pyright, if possible.
///
/// # Errors
/// If npm fails.
pub(super) fn download(target: &Path) -> anyhow::Result<()> {
    if has("npm") && has("node") { pyright(target).map(drop) } else { Ok(()) }
}

/// Returns the folder of programs from the npm registry.
fn folder(target: &Path) -> PathBuf {
    target.join("npm")
}

/// Returns the path of pyright. Installs pyright below `target` if necessary.
fn pyright(target: &Path) -> anyhow::Result<PathBuf> {
    npm::program(&folder(target), PYRIGHT, "pyright")
}
