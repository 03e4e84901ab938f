//! Serves local registries on this machine.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::Context as _;

/// Serves the files below a folder, prints the port, and ends with its standard input: also if the rehearsal is killed.
const SCRIPT: &str = "import functools, http.server, sys, threading
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), handler)
print(server.server_port, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
";

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
            .args(["-I", "-c", SCRIPT])
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .context("python3 cannot be started")?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("the server has no output")?).read_line(&mut line)?;
        let port: u16 = line.trim().parse().context("the server of the registries did not start")?;
        Ok(Self { child, address: format!("http://127.0.0.1:{port}") })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    use super::*;

    #[test]
    fn files_are_served_until_the_server_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let registries = folder.path().join("registries");
        fs::create_dir(&registries).unwrap();
        fs::write(registries.join("a.whl"), "content").unwrap();
        let server = Server::start(&registries).unwrap();
        let address = server.address.trim_start_matches("http://").to_owned();
        let mut stream = TcpStream::connect(&address).unwrap();
        stream.write_all(b"GET /a.whl HTTP/1.0\r\n\r\n").unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        assert!(response.ends_with("\r\n\r\ncontent"), "{response}");
        drop(server);
        TcpStream::connect(address).unwrap_err();
    }
}
