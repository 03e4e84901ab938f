//! Virtual environments with exact packages from PyPI, for tests and for tools that PyPI has. The lists of packages are in `xtask/python`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;

use crate::folder;
use crate::once::Once;
use crate::process::must;

/// Lists of packages with their exact versions and hashes, for every Python from 3.11 on. `NAME.in` says what is wanted, and the first lines of
/// `NAME.txt` how it is made of that.
const LISTS: &str = "xtask/python";

/// Whether python3 can make the environments: the newest of the packages want 3.11.
const SUITS: &str = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))";

/// What is missing to run anything in Python.
pub(crate) fn missing() -> Option<&'static str> {
    let python = Command::new("python3").args(["-I", "-c", SUITS]).stdin(Stdio::null()).stderr(Stdio::null()).status();
    (!python.is_ok_and(|status| status.success())).then_some("no python3 of 3.11 or newer with venv; on Debian: apt install python3-venv")
}

/// The folder of an environment with exactly the packages of a list, made unless it is there.
///
/// # Errors
/// Where there is no python3, or a package cannot be had.
pub(crate) fn environment(root: &Path, target: &Path, list: &str) -> anyhow::Result<PathBuf> {
    let file = root.join(LISTS).join(list).with_extension("txt");
    let packages = std::fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
    environment_of(root, target, list, &packages, Some(&file))
}

/// The folder of an environment without any package.
///
/// # Errors
/// Where there is no python3.
pub(crate) fn bare_environment(root: &Path, target: &Path) -> anyhow::Result<PathBuf> {
    environment_of(root, target, "bare", "", None)
}

fn environment_of(root: &Path, target: &Path, name: &str, packages: &str, file: Option<&Path>) -> anyhow::Result<PathBuf> {
    // One at a time: a second step that needs the same must not find it half made.
    static MAKING: Mutex<()> = Mutex::new(());
    let _one = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
    let at = target.join("python").join(name);
    made(&at, packages, || {
        // --seed: tests make environments of their own by this one's pip.
        must(uv(root, target)?.args(["venv", "--quiet", "--seed", "--python", "python3"]).arg(&at))?;
        let Some(file) = file else { return Ok(()) };
        let mut install = uv(root, target)?;
        install.args(["pip", "install", "--quiet", "--require-hashes", "--python"]).arg(at.join("bin/python"));
        must(install.arg("--requirement").arg(file)).map(drop)
    })?;
    Ok(at)
}

/// uv, which installs in seconds what takes pip minutes.
///
/// # Errors
/// If it cannot be installed.
pub(crate) fn uv(root: &Path, target: &Path) -> anyhow::Result<Command> {
    static MADE: Once<PathBuf> = Once::new();
    let program = MADE.get(|| {
        let at = target.join("python/uv");
        let packages = root.join(LISTS).join("uv.txt");
        made(&at, &std::fs::read_to_string(&packages)?, || {
            must(Command::new("python3").args(["-m", "venv"]).arg(&at))?;
            let pip = ["install", "--quiet", "--disable-pip-version-check", "--require-hashes", "--requirement"];
            must(Command::new(at.join("bin/pip")).args(pip).arg(packages)).map(drop)
        })?;
        Ok(at.join("bin/uv"))
    })?;
    let mut uv = Command::new(program);
    // Certificates that the machine trusts, such as a company's own; and no interpreter but those that are there.
    uv.env("UV_SYSTEM_CERTS", "1").env("UV_PYTHON_DOWNLOADS", "never").env("UV_NO_CONFIG", "1");
    Ok(uv)
}

/// Makes an environment unless there is one of the same list.
fn made(at: &Path, list: &str, make: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    // Written last: an environment that was left half made has none.
    let complete = at.join("complete");
    if std::fs::read_to_string(&complete).ok().as_deref() == Some(list) {
        return Ok(());
    }
    folder::remove(at)?;
    make().with_context(|| format!("{} cannot be made; it needs python3 with its module venv and, the first time, PyPI", at.display()))?;
    Ok(std::fs::write(complete, list)?)
}
