//! Context of a step: folders, the sandbox, and commands whose output is shown.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;

use super::count::Count;
use super::faults;
use super::sandbox::Sandbox;
use super::tls_server::TlsServer;
use crate::build::target;
use crate::cargo;

pub(crate) enum Outcome {
    /// Tests ran.
    Ran(Count),
    /// The preparation for other steps is complete.
    Done,
    /// A toolchain is missing. The text names the toolchain and says how to install it.
    Missing(String),
}

/// State that all steps share: folders and the sandbox.
pub(crate) struct Context {
    /// Folder of the workspace.
    pub(crate) root: PathBuf,
    /// Cargo's target folder.
    pub(crate) target: PathBuf,
    /// The sandbox shared by all steps, started when first needed.
    sandbox: Mutex<Option<Sandbox>>,
    /// The HTTPS server shared by all steps, started when first needed.
    tls_server: Mutex<Option<TlsServer>>,
}

impl Context {
    pub(crate) fn new(root: &Path) -> anyhow::Result<Self> {
        Ok(Self { root: root.to_path_buf(), target: target(root)?, sandbox: Mutex::new(None), tls_server: Mutex::new(None) })
    }

    pub(crate) fn stop(self) -> anyhow::Result<()> {
        self.sandbox.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Sandbox::stop)
    }

    /// Returns a cargo command in the workspace.
    pub(crate) fn cargo(&self) -> Command {
        let mut command = cargo::command();
        command.current_dir(&self.root);
        command
    }

    /// Returns a program in a folder of the workspace, with the sandbox's address.
    pub(crate) fn program(&self, program: impl AsRef<OsStr>, folder: &str) -> anyhow::Result<Command> {
        let mut command = Command::new(program);
        self.with_sandbox(command.current_dir(self.root.join(folder)))?;
        Ok(command)
    }

    /// Adds the sandbox's address and the users with faults to a command.
    pub(crate) fn with_sandbox<'a>(&self, command: &'a mut Command) -> anyhow::Result<&'a mut Command> {
        let mut sandbox = self.sandbox.lock().unwrap_or_else(PoisonError::into_inner);
        let sandbox = match &mut *sandbox {
            Some(sandbox) => sandbox,
            none => none.insert(Sandbox::start(&self.root)?),
        };
        command.envs(sandbox.environment());
        let faults = faults::inject(&self.root, &self.target, sandbox.ready()).context("enabling the sandbox's faults")?;
        Ok(command.env("VITALWIRE_FAULTS", faults))
    }

    /// Adds the address and the certificates of a server that requires a client certificate to a command.
    pub(crate) fn with_tls_server<'a>(&self, command: &'a mut Command) -> anyhow::Result<&'a mut Command> {
        let mut server = self.tls_server.lock().unwrap_or_else(PoisonError::into_inner);
        let server = match &mut *server {
            Some(server) => server,
            none => none.insert(TlsServer::start(&self.root)?),
        };
        Ok(command.envs(server.environment()))
    }
}

/// Whether a command succeeded, and its output.
pub(crate) struct CommandOutput {
    pub(crate) success: bool,
    pub(crate) output: String,
}

impl CommandOutput {
    /// Returns the count of tests. A failure of the command itself counts if no test failed.
    pub(crate) fn count_tests(&self, read: fn(&str) -> Count) -> Outcome {
        let mut count = read(&self.output);
        if !self.success && count.failed == 0 {
            count.failed = 1;
        }
        Outcome::Ran(count)
    }
}

/// Runs a command. Shows its output as it comes and keeps it.
pub(crate) fn run_and_show(command: &mut Command) -> anyhow::Result<CommandOutput> {
    let name = command.get_program().to_string_lossy().into_owned();
    let (reader, writer) = std::io::pipe()?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer)
        .spawn()
        .with_context(|| format!("{name} cannot be started"))?;
    // Close the command's writing ends of the pipe; otherwise the reader never ends.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut output = String::new();
    for line in BufReader::new(reader).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        crate::print_line(&line);
        output.push_str(&line);
        output.push('\n');
    }
    Ok(CommandOutput { success: child.wait()?.success(), output })
}
