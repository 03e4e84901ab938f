//! The sandbox for the languages' tests: the released program, in its own process.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::Value;

use crate::build;

/// Options with a fixed date, so that tests see the same data every day.
const OPTIONS: [&str; 4] = ["--seed", "7", "--today", "2025-11-20"];

/// Environment variables of the tests, and their fields in the sandbox's ready line.
const VARIABLES: [(&str, &str); 8] = [
    ("VITALWIRE_BASE_URL", "base_url"),
    ("VITALWIRE_CARE_BASE_URL", "care_base_url"),
    ("VITALWIRE_TOKEN", "token"),
    ("VITALWIRE_CARE_TOKEN", "care_token"),
    ("VITALWIRE_SLEEP_ID", "sleep_id"),
    // Names of the guides' programs, which sign and exchange.
    ("APPLICATION_ID", "application_id"),
    ("APPLICATION_KEY", "application_key"),
    ("VITALWIRE_WEBHOOK_KEY", "webhook_key"),
];

/// Maximum time to exit after its stdin is closed.
const EXIT_TIMEOUT: Duration = Duration::from_secs(20);

pub(crate) struct Sandbox {
    child: Child,
    ready: Value,
}

impl Sandbox {
    /// Builds and starts the sandbox.
    pub(crate) fn start(root: &Path) -> anyhow::Result<Self> {
        Self::start_with(root, &OPTIONS)
    }

    /// Starts the sandbox of a released program.
    pub(crate) fn start_released(program: &Path) -> anyhow::Result<Self> {
        Self::start_program(program, &OPTIONS)
    }

    /// Builds and starts the sandbox with these options.
    pub(crate) fn start_with(root: &Path, options: &[&str]) -> anyhow::Result<Self> {
        Self::start_program(&build::program(root, "vitalwire")?, options)
    }

    /// Starts the sandbox of a built program with these options.
    fn start_program(program: &Path, options: &[&str]) -> anyhow::Result<Self> {
        let mut child = Command::new(program)
            .args(["sandbox", "--ready-json"])
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("starting the sandbox")?;
        let output = child.stdout.take().context("the sandbox has no output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let ready = serde_json::from_str(&line).context("the sandbox did not start")?;
        Ok(Self { child, ready })
    }

    /// Returns its address, tokens and application key as environment variables.
    pub(crate) fn environment(&self) -> impl Iterator<Item = (&'static str, String)> {
        VARIABLES.into_iter().map(|(name, field)| match &self.ready[field] {
            Value::String(text) => (name, text.clone()),
            number => (name, number.to_string()),
        })
    }

    pub(crate) fn ready(&self) -> &Value {
        &self.ready
    }

    /// Stops it by closing its stdin, as the exit of a parent process does.
    pub(crate) fn stop(mut self) -> anyhow::Result<()> {
        drop(self.child.stdin.take());
        let started = Instant::now();
        while started.elapsed() < EXIT_TIMEOUT {
            if self.child.try_wait()?.is_some() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        bail!("the sandbox must exit within {EXIT_TIMEOUT:?} after its stdin is closed")
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        // `kill` has no effect after `stop`. If `stop` was not called, a step panicked.
        let _ = self.child.kill();
    }
}
