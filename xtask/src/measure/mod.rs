//! The program `vitalwire-bench`: it measures the core, and runs the alternatives of programs in other languages.

mod affinity;
mod table;

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

pub(crate) use affinity::Cores;
pub(crate) use table::{Measurement, render};

use crate::build;

const PACKAGE: &str = "vitalwire-bench";

/// Benchmark programs of the core.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Program {
    /// Measures times.
    Timed,
    /// Counts allocations, which costs time.
    Memory,
}

/// Measures groups of the core.
///
/// # Errors
/// If the program cannot be built or fails.
pub(crate) fn measure_core(root: &Path, program: Program, groups: &[&str], cores: Cores, quick: bool) -> anyhow::Result<Vec<Measurement>> {
    let mut arguments: Vec<OsString> = vec!["--only".into(), groups.join(",").into()];
    arguments.extend((quick && program == Program::Timed).then(|| "--quick".into()));
    run(&mut command(root, program, cores, arguments)?)
}

/// Measures the alternatives of a program in another language.
///
/// # Errors
/// If a program cannot be built or fails.
pub(crate) fn measure_program(root: &Path, program: &Command, cores: Cores, quick: bool) -> anyhow::Result<Vec<Measurement>> {
    let mut arguments: Vec<OsString> = vec!["--payloads".into(), build::target(root)?.join("bench-payloads").into()];
    arguments.extend(quick.then(|| "--quick".into()));
    arguments.push("--".into());
    let [_, prefix] = cores.prefixes();
    arguments.extend(prefix.into_iter().map(OsString::from));
    arguments.push(program.get_program().to_owned());
    arguments.extend(program.get_args().map(OsString::from));
    let mut command = command(root, Program::Timed, cores, arguments)?;
    // A client reads the certificates that a variable names, which takes longer than the rest of its creation.
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.ends_with("_CA_BUNDLE") || name.starts_with("SSL_CERT_")) {
            command.env_remove(name);
        }
    }
    command.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.current_dir(program.get_current_dir().unwrap_or(root));
    run(&mut command)
}

fn command(root: &Path, program: Program, cores: Cores, arguments: Vec<OsString>) -> anyhow::Result<Command> {
    let built = build::build_package(root, PACKAGE, &["--profile", "bench", "--bins"])?;
    let path = built.program(match program {
        Program::Timed => PACKAGE,
        Program::Memory => "vitalwire-bench-memory",
    })?;
    let [prefix, _] = cores.prefixes();
    let words: Vec<OsString> = prefix.into_iter().map(OsString::from).chain([path.into()]).chain(arguments).collect();
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    Ok(command)
}

/// Runs a program and reads its lines.
fn run(program: &mut Command) -> anyhow::Result<Vec<Measurement>> {
    let output = program.stderr(Stdio::inherit()).output().context("a benchmark program cannot be started")?;
    ensure!(output.status.success(), "a benchmark program failed");
    String::from_utf8(output.stdout)?.lines().map(Measurement::read).collect()
}
