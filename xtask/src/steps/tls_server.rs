//! The HTTPS server that requires a client certificate, for the languages' tests. It runs in its own process.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::Context as _;
use serde_json::Value;

use crate::build;

/// Environment variables of the tests, and their fields in the server's first line.
const VARIABLES: [(&str, &str); 3] = [
    ("VITALWIRE_TLS_URL", "url"),
    ("VITALWIRE_TLS_CA_CERTIFICATE", "ca_certificate"),
    ("VITALWIRE_TLS_CLIENT_CERTIFICATE", "client_certificate"),
];

pub(super) struct TlsServer {
    child: Child,
    ready: Value,
}

impl TlsServer {
    /// Builds and starts the server.
    pub(super) fn start(root: &Path) -> anyhow::Result<Self> {
        let mut command = Command::new(build::program(root, "vitalwire-tls-server")?);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("starting the TLS server")?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("the TLS server has no output")?).read_line(&mut line)?;
        let ready = serde_json::from_str(&line).context("the TLS server did not start")?;
        Ok(Self { child, ready })
    }

    /// Returns the server's URL and certificates as environment variables.
    pub(super) fn environment(&self) -> impl Iterator<Item = (&'static str, &str)> {
        VARIABLES.into_iter().map(|(name, field)| (name, self.ready[field].as_str().unwrap_or_default()))
    }
}

impl Drop for TlsServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
