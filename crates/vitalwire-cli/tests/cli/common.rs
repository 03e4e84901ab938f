//! Helpers that start the program under test.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::{Once, mpsc};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Maximum time of all tests together. A test that waits for a program which does not end fails after it.
const MAX_TEST_TIME: Duration = Duration::from_secs(40 * 60);

/// Ends the tests after [`MAX_TEST_TIME`], and handles the signals that the tests were started to ignore, as under `nohup`: a program
/// inherits an ignored signal, but not a handled one.
#[expect(clippy::print_stderr, reason = "the last words of the tests")]
fn prepare_process() {
    static PREPARED: Once = Once::new();
    PREPARED.call_once(|| {
        std::thread::spawn(|| {
            std::thread::sleep(MAX_TEST_TIME);
            eprintln!("the tests that still run have waited too long");
            std::process::exit(1);
        });
        // The first test may run in a runtime of its own, which must not block.
        #[cfg(unix)]
        let handler = std::thread::spawn(|| {
            tokio::runtime::Builder::new_current_thread().enable_io().build().expect("a runtime").block_on(async {
                let _ = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup()).expect("a handler");
            });
        });
        #[cfg(unix)]
        handler.join().expect("a handler");
    });
}

/// Creates a command for the program, without the settings of the machine.
pub(crate) fn vitalwire() -> Command {
    prepare_process();
    let mut command = Command::new(env!("CARGO_BIN_EXE_vitalwire"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "TERM", "HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"] {
        command.env_remove(name).env_remove(name.to_ascii_lowercase());
    }
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(|name| name.starts_with("VITALWIRE_"))) {
        command.env_remove(name);
    }
    // Charts are drawn in UTF-8, whatever the machine's locale is.
    command.env_remove("LC_CTYPE").env("LC_ALL", "C.UTF-8");
    // This folder does not exist, so there is no configuration file.
    command.env("XDG_CONFIG_HOME", std::env::temp_dir().join("vitalwire-no-configuration")).env("NO_PROXY", "127.0.0.1");
    command.stdin(Stdio::null());
    command
}

pub(crate) fn run(arguments: &[&str]) -> Output {
    vitalwire().args(arguments).output().expect("the program starts")
}

/// Returns the output of a program. Ends it, and fails, if it has not ended in time.
#[cfg(unix)]
pub(crate) fn output_within(time: Duration, child: Child) -> Output {
    let (id, (sender, receiver)) = (child.id(), mpsc::channel());
    std::thread::spawn(move || drop(sender.send(child.wait_with_output())));
    let output = receiver.recv_timeout(time);
    if output.is_err() {
        Command::new("kill").args(["-s", "KILL", &id.to_string()]).status().expect("kill is there");
    }
    output.expect("it has not ended in time").expect("it ends")
}

/// A running `vitalwire sandbox --ready-json`.
pub(crate) struct RunningSandbox {
    pub(crate) child: Child,
    /// Stdin of the program. Closing it stops the program.
    pub(crate) stdin: Option<ChildStdin>,
    pub(crate) ready: Value,
}

impl RunningSandbox {
    /// Starts the program and reads its first line.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut command = vitalwire();
        command.args(["sandbox", "--ready-json"]).args(arguments);
        Self::start_command(command)
    }

    /// Like [`start`](Self::start), with a complete command.
    pub(crate) fn start_command(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let stdin = child.stdin.take();
        Self { child, stdin, ready: serde_json::from_str(&line).expect("JSON") }
    }

    pub(crate) fn field(&self, name: &str) -> String {
        self.ready[name].as_str().unwrap_or_else(|| panic!("no text {name}")).to_owned()
    }

    /// Creates a client for the first person.
    pub(crate) fn client(&self) -> vitalwire::Client {
        let builder = vitalwire::Client::builder().base_url(self.field("base_url")).token(&self.field("token")).no_proxy();
        builder.care_base_url(self.field("care_base_url")).care_token(&self.field("care_token")).build().expect("a client")
    }

    /// Waits up to 30 seconds for the program to exit. Machines may be slow or busy.
    pub(crate) fn exit_status(&mut self) -> Option<ExitStatus> {
        self.exit_status_within(Duration::from_secs(30))
    }

    /// Waits for the program to exit. Returns `None` if it still runs after this time.
    pub(crate) fn exit_status_within(&mut self, time: Duration) -> Option<ExitStatus> {
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

impl Drop for RunningSandbox {
    fn drop(&mut self) {
        // The program still runs only if the test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a request to a control route. Returns the status and the response.
pub(crate) fn control(served: &RunningSandbox, method: &str, path: &str, body: &str) -> (u16, Value) {
    let base = served.field("base_url");
    let host = base.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).expect("a connection");
    let length = body.len();
    let request = format!(
        "{method} /_sandbox{path} HTTP/1.0\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).expect("a request");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("a response");
    let (head, body) = response.split_once("\r\n\r\n").expect("a head");
    (head[9..12].parse().expect("a status"), serde_json::from_str(body).expect("JSON"))
}

/// Compares a text with a file. Marks of snippets in the file and the line ends of CSV are ignored. `VITALWIRE_BLESS=1` updates the file.
pub(crate) fn check_output(file: &Path, printed: &str) {
    let printed = printed.replace("\r\n", "\n");
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let expected: String = text.lines().filter(|line| !line.contains("--8<-- ")).flat_map(|line| [line, "\n"]).collect();
    if printed != expected && std::env::var_os("VITALWIRE_BLESS").is_some() {
        std::fs::write(file, printed).expect("written");
    } else {
        let name = file.file_name().expect("a name").to_string_lossy();
        assert!(
            printed == expected,
            "{name} differs; if it should, run the test with VITALWIRE_BLESS=1\n{printed}\ninstead of\n{expected}"
        );
    }
}
