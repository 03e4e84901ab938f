//! The Python packages.

mod bench;
mod public_api;
mod release;
mod test;
pub(crate) mod wheel;

use std::path::Path;

use crate::build::target;
use crate::ecosystem::Ecosystem;
use crate::language::{Bench, Language, Runner};
use crate::public_api::PublicApi;
use crate::pypi;
use crate::pypi::environment;
use crate::steps::{Context, Step};

pub(crate) struct Python;

const RUNNERS: [Runner; 2] = [
    Runner {
        name: "python",
        about: "The blocking client of the installed wheel",
        missing: |_| Ok(pypi::missing()),
        command: |root, _| runner(root, ""),
    },
    Runner {
        name: "python-async",
        about: "The asyncio client of the installed wheel",
        missing: |_| Ok(pypi::missing()),
        command: |root, _| runner(root, " --async"),
    },
];

impl Language for Python {
    fn prepare(&self, context: &Context) -> Vec<(&'static str, anyhow::Result<()>)> {
        let (root, target) = (&context.root, &context.target);
        vec![
            ("Python's tests", environment(root, target, "tests").map(drop)),
            ("Python's tools", environment(root, target, "tools").map(drop)),
            ("pyright", test::download(target)),
        ]
    }

    fn runners(&self) -> &'static [Runner] {
        &RUNNERS
    }

    fn tests(&self) -> &'static [Step] {
        &test::STEPS
    }

    fn public_api(&self) -> PublicApi {
        public_api::PUBLIC_API
    }

    fn ecosystems(&self) -> &'static [Ecosystem] {
        &release::ECOSYSTEMS
    }

    fn bench(&self) -> Option<Bench> {
        Some(bench::BENCH)
    }
}

/// Returns the command line of the conformance runner, with the wheel installed.
fn runner(root: &Path, style: &str) -> anyhow::Result<String> {
    let interpreter = wheel::interpreter(root, &target(root)?)?;
    let runner = root.join("bindings/python/tests/conformance/runner.py");
    // -E and -s: only the runner's folder and installed packages are importable. -B: no files are written into the folder.
    Ok(format!("{} -E -s -B {}{style}", interpreter.display(), runner.display()))
}
