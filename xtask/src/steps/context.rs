//! What every step needs: folders, the sandbox, and running a command while its output is shown.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;

use super::count::Count;
use super::faults;
use super::sandbox::Sandbox;
use crate::build::target;
use crate::cargo;

/// How a step ended.
pub(crate) enum Outcome {
    /// Tests ran.
    Ran(Count),
    /// What others need is there.
    Done,
    /// A toolchain is missing; the text says which and how to get it.
    Missing(String),
}

/// Where things are.
pub(crate) struct Context {
    /// The workspace.
    pub(crate) root: PathBuf,
    /// Where cargo puts what it builds.
    pub(crate) target: PathBuf,
    /// The sandbox of all steps, started when the first needs it.
    sandbox: Mutex<Option<Sandbox>>,
}

impl Context {
    pub(crate) fn new(root: &Path) -> anyhow::Result<Self> {
        Ok(Self { root: root.to_path_buf(), target: target(root)?, sandbox: Mutex::new(None) })
    }

    /// Ends the sandbox.
    pub(crate) fn stop(self) -> anyhow::Result<()> {
        self.sandbox.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Sandbox::stop)
    }

    /// cargo, in the workspace.
    pub(crate) fn cargo(&self) -> Command {
        let mut command = cargo::command();
        command.current_dir(&self.root);
        command
    }

    /// A program, in a folder of the workspace, told where the sandbox is.
    pub(crate) fn program(&self, program: impl AsRef<OsStr>, folder: &str) -> anyhow::Result<Command> {
        let mut command = Command::new(program);
        self.told(command.current_dir(self.root.join(folder)))?;
        Ok(command)
    }

    /// A command, told where the sandbox is, and which of its users meet a fault.
    pub(crate) fn told<'a>(&self, command: &'a mut Command) -> anyhow::Result<&'a mut Command> {
        let mut sandbox = self.sandbox.lock().unwrap_or_else(PoisonError::into_inner);
        let sandbox = match &mut *sandbox {
            Some(sandbox) => sandbox,
            none => none.insert(Sandbox::start(&self.root)?),
        };
        command.envs(sandbox.environment());
        let faults = faults::arm(&self.root, &self.target, sandbox.ready()).context("switching the sandbox's faults on")?;
        Ok(command.env("VITALWIRE_FAULTS", faults))
    }
}

/// Whether a command ended well, and what it printed.
pub(crate) struct Printed {
    pub(crate) success: bool,
    pub(crate) output: String,
}

impl Printed {
    /// The count, with a failure of the command itself counted where no test says so.
    pub(crate) fn counted(&self, read: fn(&str) -> Count) -> Outcome {
        let mut count = read(&self.output);
        if !self.success && count.failed == 0 {
            count.failed = 1;
        }
        Outcome::Ran(count)
    }
}

/// Runs a command, shows its output as it comes and keeps it.
pub(crate) fn show(command: &mut Command) -> anyhow::Result<Printed> {
    let name = command.get_program().to_string_lossy().into_owned();
    let (reader, writer) = std::io::pipe()?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer)
        .spawn()
        .with_context(|| format!("{name} cannot be started"))?;
    // The command holds writing ends of the pipe too; the reader would wait for ever.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut output = String::new();
    for line in BufReader::new(reader).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        crate::say(&line);
        output.push_str(&line);
        output.push('\n');
    }
    Ok(Printed { success: child.wait()?.success(), output })
}
