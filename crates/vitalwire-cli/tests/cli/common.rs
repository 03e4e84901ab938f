//! The program under test, started as a user's shell or a test of another language would.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// The program, without settings of whoever runs the tests.
pub(crate) fn vitalwire() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vitalwire"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "TERM"] {
        command.env_remove(name);
    }
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(|name| name.starts_with("VITALWIRE_"))) {
        command.env_remove(name);
    }
    // Pictures are drawn in UTF-8 whatever the machine's locale.
    command.env_remove("LC_CTYPE").env("LC_ALL", "C.UTF-8");
    // Nobody has a configuration file there.
    command.env("XDG_CONFIG_HOME", std::env::temp_dir().join("vitalwire-no-configuration")).env("NO_PROXY", "127.0.0.1");
    command.stdin(Stdio::null());
    command
}

/// Runs it to its end.
pub(crate) fn run(arguments: &[&str]) -> Output {
    vitalwire().args(arguments).output().expect("the program starts")
}

/// `vitalwire sandbox --ready-json` under way.
pub(crate) struct Served {
    pub(crate) child: Child,
    /// Closing it asks the program to end.
    pub(crate) stdin: Option<ChildStdin>,
    pub(crate) ready: Value,
}

impl Served {
    /// Starts it and reads its line.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut command = vitalwire();
        command.args(["sandbox", "--ready-json"]).args(arguments);
        Self::by(command)
    }

    /// The same by a command that says it all.
    pub(crate) fn by(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let stdin = child.stdin.take();
        Self { child, stdin, ready: serde_json::from_str(&line).expect("JSON") }
    }

    pub(crate) fn text(&self, member: &str) -> String {
        self.ready[member].as_str().unwrap_or_else(|| panic!("no text {member}")).to_owned()
    }

    /// A client of the first person.
    pub(crate) fn client(&self) -> vitalwire::Client {
        let builder = vitalwire::Client::builder().base_url(self.text("base_url")).token(&self.text("token")).no_proxy();
        builder.care_base_url(self.text("care_base_url")).care_token(&self.text("care_token")).build().expect("a client")
    }

    /// Waits for its end, which is to come by itself: machines may be slow and busy.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        self.ended_within(Duration::from_secs(30))
    }

    /// Waits for its end; `None` if it still runs after that time.
    pub(crate) fn ended_within(&mut self, time: Duration) -> Option<ExitStatus> {
        let end = Instant::now() + time;
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return Some(status);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        None
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // Already gone unless a test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One request to a control route; status and answer.
pub(crate) fn control(served: &Served, method: &str, path: &str, body: &str) -> (u16, Value) {
    let base = served.text("base_url");
    let host = base.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).expect("a connection");
    let length = body.len();
    let request = format!(
        "{method} /_sandbox{path} HTTP/1.0\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).expect("a request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    (head[9..12].parse().expect("a status"), serde_json::from_str(body).expect("JSON"))
}
