//! Benchmarks of the Python package against its alternatives: the release wheel, in an environment with the pinned alternatives and in an
//! otherwise empty one. The measurements are in `bindings/python/bench`.

use std::path::Path;
use std::process::Command;

use crate::build::target;
use crate::language::Bench;
use crate::measure::{Cores, measure_program};
use crate::pypi;
use crate::python::wheel::wheel;

const FOLDER: &str = "bindings/python/bench";

/// The benchmark group of Python in `cargo xtask bench`.
pub(super) const BENCH: Bench = Bench {
    name: "python",
    about: "The Python package, compared with its alternatives. Needs python3 and PyPI; runs only if named",
    run: |root, quick| measure_program(root, &program(root)?, Cores::Apart, quick),
};

/// Returns the benchmark program.
///
/// # Errors
/// If something cannot be built or installed.
fn program(root: &Path) -> anyhow::Result<Command> {
    let target = target(root)?;
    let wheel = wheel(root, &target, "bindings/python", "vitalwire-")?;
    let (baselines, clean) = (pypi::environment(root, &target, "bench")?, pypi::bare_environment(root, &target)?);
    let mut run = Command::new(pypi::install_wheel(&baselines, &wheel)?);
    // Do not write into the source tree.
    run.env("PYTHONDONTWRITEBYTECODE", "1").arg(root.join(FOLDER).join("run.py"));
    run.arg(&wheel).arg(pypi::install_wheel(&clean, &wheel)?);
    Ok(run)
}
