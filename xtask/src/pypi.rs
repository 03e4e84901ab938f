//! Virtual environments with exact packages from PyPI, for tests and for tools. The lists of packages are in `xtask/python`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;

use crate::folder;
use crate::once::Once;
use crate::process::execute;

/// Lists of packages with their exact versions and hashes, for Python 3.11 and later. `NAME.in` has the requirements, and the first lines
/// of `NAME.txt` the command that creates it.
const LISTS: &str = "xtask/python";

/// Checks that python3 can create the environments. Some packages need Python 3.11.
const VERSION_CHECK: &str = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))";

/// Returns the missing tool, with the command that installs it.
pub(crate) fn missing() -> Option<&'static str> {
    let python = Command::new("python3").args(["-I", "-c", VERSION_CHECK]).stdin(Stdio::null()).stderr(Stdio::null()).status();
    (!python.is_ok_and(|status| status.success()))
        .then_some("Python 3.11 or newer with venv is missing; on Debian: apt install python3-venv")
}

/// Returns the folder of an environment with exactly the packages in a list. Creates it if necessary.
///
/// # Errors
/// If there is no python3, or a package cannot be installed.
pub(crate) fn environment(root: &Path, target: &Path, list: &str) -> anyhow::Result<PathBuf> {
    let file = root.join(LISTS).join(list).with_extension("txt");
    let packages = std::fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
    create_environment(root, target, list, &packages, Some(&file))
}

/// Returns the folder of an environment without packages.
///
/// # Errors
/// If there is no python3.
pub(crate) fn bare_environment(root: &Path, target: &Path) -> anyhow::Result<PathBuf> {
    create_environment(root, target, "bare", "", None)
}

/// Installs a wheel without its dependencies into an environment, and returns the environment's interpreter.
///
/// # Errors
/// If pip fails.
pub(crate) fn install_wheel(environment: &Path, wheel: &Path) -> anyhow::Result<PathBuf> {
    let options = ["install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", "--force-reinstall"];
    execute(Command::new(environment.join("bin/pip")).args(options).arg(wheel))?;
    Ok(environment.join("bin/python"))
}

fn create_environment(root: &Path, target: &Path, name: &str, packages: &str, file: Option<&Path>) -> anyhow::Result<PathBuf> {
    // Lock, so that no other step finds an incomplete environment.
    static LOCK: Mutex<()> = Mutex::new(());
    let _guard = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    let at = target.join("python").join(name);
    create_once(&at, packages, || {
        // --seed: tests create their own environments with this one's pip.
        execute(uv(root, target)?.args(["venv", "--quiet", "--seed", "--python", "python3"]).arg(&at))?;
        let Some(file) = file else { return Ok(()) };
        let mut install = uv(root, target)?;
        install.args(["pip", "install", "--quiet", "--require-hashes", "--python"]).arg(at.join("bin/python"));
        execute(install.arg("--requirement").arg(file)).map(drop)
    })?;
    Ok(at)
}

/// Returns a command of uv, which installs in seconds what takes pip minutes.
///
/// # Errors
/// If it cannot be installed.
pub(crate) fn uv(root: &Path, target: &Path) -> anyhow::Result<Command> {
    static CACHE: Once<PathBuf> = Once::new();
    let program = CACHE.get(|| {
        let at = target.join("python/uv");
        let packages = root.join(LISTS).join("uv.txt");
        create_once(&at, &std::fs::read_to_string(&packages)?, || {
            execute(Command::new("python3").args(["-m", "venv"]).arg(&at))?;
            let pip = ["install", "--quiet", "--disable-pip-version-check", "--require-hashes", "--requirement"];
            execute(Command::new(at.join("bin/pip")).args(pip).arg(packages)).map(drop)
        })?;
        Ok(at.join("bin/uv"))
    })?;
    let mut uv = Command::new(program);
    // Trust the machine's certificates, such as a company's own, and use only installed interpreters.
    uv.env("UV_SYSTEM_CERTS", "1").env("UV_PYTHON_DOWNLOADS", "never").env("UV_NO_CONFIG", "1");
    Ok(uv)
}

/// Creates an environment, unless there is one with the same list.
fn create_once(at: &Path, list: &str, make: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    // This file is written last, so an incomplete environment does not have it.
    let complete = at.join("complete");
    if std::fs::read_to_string(&complete).ok().as_deref() == Some(list) {
        return Ok(());
    }
    folder::remove(at)?;
    make().with_context(|| format!("cannot create {}: python3 needs its module venv and, the first time, PyPI", at.display()))?;
    Ok(std::fs::write(complete, list)?)
}
