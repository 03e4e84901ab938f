//! The Python package beside what one would use instead: the release wheel, in an environment with the pinned rivals and in one that
//! holds nothing else. The measures themselves are in `bindings/python/bench`.

use std::path::Path;
use std::process::Command;

use super::server;
use crate::build::target;
use crate::process::must;
use crate::python;

const FOLDER: &str = "bindings/python/bench";

/// What measures the package, to be run.
///
/// # Errors
/// Where something cannot be built or installed.
pub(super) fn program(root: &Path, quick: bool) -> anyhow::Result<Command> {
    let server = server::program(root)?;
    let target = target(root)?;
    let folder = target.join("python/bench");
    let wheel = python::wheel(root, &target, "bindings/python", "vitalwire-")?;
    let (rivals, clean) = (python::environment(root, &target, "bench")?, python::bare_environment(root, &target)?);
    for environment in [&rivals, &clean] {
        let options = ["install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", "--force-reinstall"];
        must(Command::new(environment.join("bin/pip")).args(options).arg(&wheel))?;
    }
    let mut run = Command::new(rivals.join("bin/python"));
    // Nothing is written into the source tree.
    run.env("PYTHONDONTWRITEBYTECODE", "1").arg(root.join(FOLDER).join("run.py"));
    run.arg("--server").arg(server).arg("--payloads").arg(folder.join("payloads")).arg("--wheel").arg(wheel);
    run.arg("--clean").arg(clean.join("bin/python")).args(quick.then_some("--quick"));
    Ok(run)
}
