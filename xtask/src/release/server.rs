//! Serves local registries on this machine.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::Context as _;

/// A server of the files of all registries.
pub(super) struct Server {
    child: Child,
    pub(super) address: String,
}

impl Server {
    /// Starts a server for the files below a folder. Clients use its lists of files as an index.
    pub(super) fn start(folder: &Path) -> anyhow::Result<Self> {
        let log = folder.with_extension("log");
        // Remove the file first, because it could be a link to another file.
        let _ = fs::remove_file(&log);
        let log = fs::File::create(log)?;
        let mut child = Command::new("python3")
            .args(["-I", "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory"])
            .arg(folder)
            .arg("0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .context("python3 cannot be started")?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("the server has no output")?).read_line(&mut line)?;
        let address = line.split(['(', ')']).nth(1).map(|address| address.trim_end_matches('/').to_owned());
        let address = address.with_context(|| format!("the server did not start: {line}"));
        match address {
            Ok(address) => Ok(Self { child, address }),
            Err(error) => {
                let _ = child.kill();
                Err(error)
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
