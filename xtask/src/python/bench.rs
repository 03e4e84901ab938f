//! Benchmarks of the Python package against its alternatives: the release wheel, in an environment with the pinned alternatives and in an
//! otherwise empty one. The measurements are in `bindings/python/bench`.

use std::path::Path;
use std::process::Command;

use crate::build::target;
use crate::language::Bench;
use crate::measure::{measure, server_program};
use crate::process::execute;
use crate::pypi;
use crate::python::wheel::wheel;

const FOLDER: &str = "bindings/python/bench";

/// The benchmark group of Python in `cargo xtask bench`.
pub(super) const BENCH: Bench = Bench {
    name: "python",
    about: "The Python package, compared with its alternatives. Needs python3 and PyPI; runs only if named",
    run: |root, quick| measure(&mut program(root, quick)?),
};

/// Returns the benchmark program.
///
/// # Errors
/// If something cannot be built or installed.
fn program(root: &Path, quick: bool) -> anyhow::Result<Command> {
    let server = server_program(root)?;
    let target = target(root)?;
    let folder = target.join("python/bench");
    let wheel = wheel(root, &target, "bindings/python", "vitalwire-")?;
    let (baselines, clean) = (pypi::environment(root, &target, "bench")?, pypi::bare_environment(root, &target)?);
    for environment in [&baselines, &clean] {
        let options = ["install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", "--force-reinstall"];
        execute(Command::new(environment.join("bin/pip")).args(options).arg(&wheel))?;
    }
    let mut run = Command::new(baselines.join("bin/python"));
    // Do not write into the source tree.
    run.env("PYTHONDONTWRITEBYTECODE", "1").arg(root.join(FOLDER).join("run.py"));
    run.arg("--server").arg(server).arg("--payloads").arg(folder.join("payloads")).arg("--wheel").arg(wheel);
    run.arg("--clean").arg(clean.join("bin/python")).args(quick.then_some("--quick"));
    Ok(run)
}
