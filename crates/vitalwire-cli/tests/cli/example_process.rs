//! Examples of the crates as processes.

use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use tempfile::TempDir;

use crate::common::{RunningSandbox, check_output, vitalwire};

/// Variable with the name of the example that the test `run_example` runs.
pub(crate) const NAME: &str = "EXAMPLE_TO_RUN";

/// Line before the output of an example. The test harness prints others before it.
pub(crate) const START: &str = "--- output of the example";

/// Folders with examples, from the folder of this crate.
pub(crate) const FOLDERS: [&str; 3] = ["../vitalwire/examples", "../vitalwire-cohort/examples", "../vitalwire-sync/examples"];

pub(crate) fn path(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(below)
}

/// An example with the folder in which it runs.
pub(crate) struct Example {
    name: &'static str,
    command: Command,
    pub(crate) folder: TempDir,
}

impl Example {
    pub(crate) fn new(name: &'static str, served: &RunningSandbox) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = Command::new(std::env::current_exe().expect("a path"));
        command.args(["--exact", "examples::run_example", "--ignored", "--nocapture"]).current_dir(folder.path());
        for (variable, value) in vitalwire().get_envs() {
            match value {
                Some(value) => command.env(variable, value),
                None => command.env_remove(variable),
            };
        }
        for (variable, field) in [("VITALWIRE_BASE_URL", "base_url"), ("VITALWIRE_TOKEN", "token"), ("APPLICATION_KEY", "application_key")]
        {
            command.env(variable, served.field(field));
        }
        command.env("APPLICATION_ID", served.ready["application_id"].to_string()).env("VITALWIRE_WEBHOOK_KEY", served.field("webhook_key"));
        command.env(NAME, name).env("LISTEN", "127.0.0.1:0").stdin(Stdio::piped()).stdout(Stdio::piped());
        Self { name, command, folder }
    }

    /// Adds a file of the guide.
    pub(crate) fn with_file(self, name: &str) -> Self {
        std::fs::copy(path("tests/cli/guide").join(name), self.folder.path().join(name)).expect("a file");
        self
    }

    /// Sets a variable of the environment.
    pub(crate) fn set(&mut self, variable: &str, value: &str) {
        self.command.env(variable, value);
    }

    /// Runs the example and returns what it prints.
    pub(crate) fn output(&mut self) -> String {
        self.run(0)
    }

    /// Like [`output`](Self::output), for an example that fails.
    pub(crate) fn failing_output(&mut self) -> String {
        self.run(1)
    }

    fn run(&mut self, code: i32) -> String {
        let output = self.command.spawn().expect("it starts").wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(code), "{}: {output:?}", self.name);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        text.split_once(&format!("{START}\n")).expect("a start").1.to_owned()
    }

    /// Compares what the example prints with its file.
    pub(crate) fn check_output(&mut self) {
        let printed = self.output();
        self.check(&printed);
    }

    /// Compares a text with the file of the example.
    pub(crate) fn check(&self, printed: &str) {
        let programs = FOLDERS.map(|folder| path(folder).join(self.name).with_extension("rs"));
        let program = programs.iter().find(|program| program.exists()).expect("an example");
        check_output(&program.with_extension("out"), printed);
    }

    /// Starts the example, and skips what the test harness prints.
    pub(crate) fn start(&mut self) -> RunningExample {
        let mut child = self.command.spawn().expect("it starts");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
        while next_line(&mut lines) != START {}
        RunningExample { child, lines }
    }
}

/// An example that serves or waits for input. It is ended when this value is dropped.
pub(crate) struct RunningExample {
    pub(crate) child: Child,
    lines: BufReader<ChildStdout>,
}

impl RunningExample {
    pub(crate) fn line(&mut self) -> String {
        next_line(&mut self.lines)
    }

    /// Returns the host and port that the example prints first.
    pub(crate) fn address(&mut self) -> String {
        let line = self.line();
        let url = line.strip_prefix("listening on http://").expect("a URL");
        url.split('/').next().expect("a host").to_owned()
    }
}

impl Drop for RunningExample {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn next_line(lines: &mut impl BufRead) -> String {
    let mut line = String::new();
    assert!(lines.read_line(&mut line).expect("text") > 0, "the example has ended");
    line.trim_end().to_owned()
}

/// Sends a request and returns the response, with its head.
pub(crate) fn send(address: &str, method: &str, path: &str, headers: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    let length = body.len();
    let request =
        format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}");
    stream.write_all(request.as_bytes()).expect("a request");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("a response");
    response
}
