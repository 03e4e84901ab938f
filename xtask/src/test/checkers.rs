//! The checkers of workflows and of dependencies: programs inside wheels, of exact versions and by their hashes.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;

use super::step::{Context, must};

/// Names and hashes, in pip's form.
const LIST: &str = ".github/requirements.txt";

/// Whether python3 can make the environment: the newest of the checkers wants 3.11.
const SUITS: &str = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))";

/// Where there is no such python3.
const REMEDY: &str = "no python3 of 3.11 or newer with venv, which installs the checkers; on Debian: apt install python3-venv";

/// The folder with the programs, made anew when the list changes; why there is none otherwise.
pub(super) fn programs(context: &Context) -> anyhow::Result<Result<PathBuf, String>> {
    // Two steps ask for it.
    static MAKING: Mutex<()> = Mutex::new(());
    let _making = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
    let list = context.root.join(LIST);
    let at = context.target.join("python/checkers");
    // Written last: an environment that was left half made has none.
    let complete = at.join("complete");
    let wanted = std::fs::read_to_string(&list).with_context(|| format!("reading {LIST}"))?;
    if std::fs::read_to_string(&complete).ok().as_deref() != Some(wanted.as_str()) {
        if !suits() {
            return Ok(Err(REMEDY.to_owned()));
        }
        make(&at, &list)?;
        std::fs::write(&complete, wanted)?;
    }
    Ok(Ok(at.join("bin")))
}

fn suits() -> bool {
    let python = Command::new("python3").args(["-I", "-c", SUITS]).stdin(Stdio::null()).stderr(Stdio::null()).status();
    python.is_ok_and(|status| status.success())
}

fn make(at: &Path, list: &Path) -> anyhow::Result<()> {
    must(Command::new("python3").args(["-m", "venv", "--clear"]).arg(at))?;
    let mut install = Command::new(at.join("bin/pip"));
    install.args(["install", "--quiet", "--disable-pip-version-check", "--require-hashes", "--requirement"]).arg(list);
    must(&mut install).context("the checkers cannot be installed; they come from PyPI, once").map(drop)
}
