//! `cargo xtask conformance`: the cases of `tests/conformance` in each language, and a matrix of what holds.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use crate::build::{self, target};
use crate::packages::{c, kotlin, swift};
use crate::python;

/// Play the conformance cases in each language and judge what comes of them.
#[derive(Debug, Args)]
pub(crate) struct Conformance {
    /// Only these languages; several may be given with commas between.
    #[arg(long, value_name = "LANG,..", value_delimiter = ',')]
    only: Vec<Language>,
    /// Only the cases whose id fits this pattern.
    #[arg(long, value_name = "GLOB", default_value = "*")]
    case: String,
}

/// A language with a runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Language {
    /// The calls that are awaited.
    Rust,
    /// The calls that block.
    RustBlocking,
    /// The installed wheel, its blocking client.
    Python,
    /// The installed wheel, its client for `asyncio`.
    PythonAsync,
    /// The façade over uniffi, on a JVM.
    Kotlin,
    /// The C binding.
    C,
    /// The header for C++ over it.
    Cpp,
    /// The Swift package.
    Swift,
}

const PACKAGE: &str = "vitalwire-conformance";

impl Language {
    /// The name of its run, its ledger and its column.
    fn name(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::RustBlocking => "rust-blocking",
            Self::Python => "python",
            Self::PythonAsync => "python-async",
            Self::Kotlin => "kotlin",
            Self::C => "c",
            Self::Cpp => "cpp",
            Self::Swift => "swift",
        }
    }

    /// What is missing to build its runner.
    fn missing(self, root: &Path) -> anyhow::Result<Option<&'static str>> {
        Ok(match self {
            Self::Rust | Self::RustBlocking => None,
            Self::Python | Self::PythonAsync => python::missing(),
            Self::Kotlin => kotlin::missing(),
            Self::C | Self::Cpp => c::missing(),
            Self::Swift => swift::missing(root)?,
        })
    }

    /// The command of its runner, built.
    fn runner(self, root: &Path, program: &Path) -> anyhow::Result<String> {
        let program = program.display();
        Ok(match self {
            Self::Rust => format!("{program} rust"),
            Self::RustBlocking => format!("{program} rust --blocking"),
            Self::Python | Self::PythonAsync => {
                let interpreter = python::interpreter(root, &target(root)?)?;
                let runner = root.join("bindings/python/tests/conformance/runner.py");
                // -E and -s: beside the runner's own folder only what is installed is importable. -B: its folder stays as it is.
                let style = if self == Self::PythonAsync { " --async" } else { "" };
                format!("{} -E -s -B {}{style}", interpreter.display(), runner.display())
            }
            Self::Kotlin => format!("java @{}", kotlin::conformance_runner(root)?.display()),
            Self::C => c::conformance_runners(root)?.join("conformance").display().to_string(),
            Self::Cpp => c::conformance_runners(root)?.join("conformance_cpp").display().to_string(),
            Self::Swift => swift::conformance_runner(root)?,
        })
    }
}

impl Conformance {
    /// Runs the command in the workspace at `root`.
    ///
    /// # Errors
    /// Where something cannot be built, or a case fails.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        let status = self.command(root)?.status().with_context(|| format!("{PACKAGE} cannot be started"))?;
        if status.success() { Ok(()) } else { bail!("{PACKAGE} ended with {status}") }
    }

    /// All cases in all languages.
    pub(crate) fn all() -> Self {
        Self { only: Vec::new(), case: "*".to_owned() }
    }

    /// The judge with its runners, built.
    pub(crate) fn command(&self, root: &Path) -> anyhow::Result<Command> {
        let program = build::program(root, PACKAGE)?;
        let on_ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
        let mut command = judge(root, &program, &self.case);
        for language in Language::value_variants().iter().filter(|language| self.only.is_empty() || self.only.contains(language)) {
            match language.missing(root)? {
                None => drop(command.arg("--runner").arg(format!("{}={}", language.name(), language.runner(root, &program)?))),
                // Left out of a run of all languages, unless it is the one that must be whole.
                Some(what) if self.only.is_empty() && !on_ci => crate::say(&format!("{}: left out, {what}", language.name())),
                Some(what) => bail!("{}: {what}", language.name()),
            }
        }
        Ok(command)
    }
}

/// The judge with the runners of C and C++ in a folder, under another program, such as one that watches their memory.
pub(crate) fn c_under(root: &Path, runners: &Path, program: &str, case: &str) -> anyhow::Result<Command> {
    let mut command = judge(root, &build::program(root, PACKAGE)?, case);
    for (name, file) in [("c", "conformance"), ("cpp", "conformance_cpp")] {
        command.arg("--runner").arg(format!("{name}={program} {}", runners.join(file).display()));
    }
    Ok(command)
}

/// The judge without runners.
fn judge(root: &Path, program: &Path, case: &str) -> Command {
    let mut command = Command::new(program);
    command.arg("--root").arg(root).args(["run", "--case", case]);
    command
}
