//! Tokens, keys and files from pipes that nobody writes to, from endless devices, and from commands that leave a process behind.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::common::{output_within, vitalwire};
use crate::scripted::{Reply, ScriptedServer};

const USER: &str = r#"{"application_user_id":"u"}"#;
/// The timeout of calls in these tests, in seconds.
const TIMEOUT: &str = "2";
/// Maximum time for a command to end. Machines may be busy.
const PATIENCE: Duration = Duration::from_secs(20);

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("text")
}

/// Creates a pipe without a writer.
fn pipe(folder: &TempDir, name: &str) -> String {
    let path = folder.path().join(name);
    assert!(Command::new("mkfifo").args(["-m", "600"]).arg(&path).status().expect("mkfifo is there").success());
    path.to_str().expect("text").to_owned()
}

/// Writes a configuration file that sets the token, and returns its path.
fn config(folder: &TempDir, token: &str) -> String {
    let path = folder.path().join("config.toml");
    fs::write(&path, format!("{token}\n")).expect("a file");
    path.to_str().expect("text").to_owned()
}

/// Creates a command that reads its token from the configuration file.
fn command(server: &ScriptedServer, arguments: &[&str]) -> Command {
    let mut command = server.command(arguments);
    command.env_remove("VITALWIRE_TOKEN").env("VITALWIRE_TIMEOUT", TIMEOUT);
    command
}

fn start(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

/// Checks that a command ends by its timeout, and that the hint contains a text.
fn ends_by_timeout(command: &mut Command, hint: &str) {
    let begun = Instant::now();
    let output = output_within(PATIENCE, start(command));
    assert!(begun.elapsed() >= Duration::from_secs(2), "{output:?}");
    assert_eq!(output.status.code(), Some(14), "{output:?}");
    assert!(stderr(&output).starts_with("vitalwire: timeout: ") && stderr(&output).contains(hint), "{output:?}");
}

/// Interrupts a command after a moment, and checks that it ends at once without having sent anything.
fn is_interrupted(command: &mut Command) {
    let child = start(command.env("VITALWIRE_TIMEOUT", "60"));
    std::thread::sleep(Duration::from_millis(700));
    let begun = Instant::now();
    assert!(Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().expect("kill is there").success());
    let output = output_within(PATIENCE, child);
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?} {output:?}", begun.elapsed());
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(stderr(&output).starts_with("vitalwire: interrupted by Ctrl-C (SIGINT); nothing was sent"), "{output:?}");
}

/// Reads a file from a pipe that nobody writes to: each command ends by its timeout and by Ctrl-C.
#[test]
fn a_pipe_without_a_writer_ends_with_the_call() {
    let folder = TempDir::new().expect("a folder");
    let pipe = pipe(&folder, "scan.pdf");
    let config = config(&folder, "token_file = \"scan.pdf\"");
    let server = ScriptedServer::json(USER);
    for arguments in [
        &["user", "--config", &config][..],
        &["nutrition", "upload", &pipe],
        &["labs", "upload", &pipe],
        &["token", "1", "person-1", "--key-file", &pipe],
        &["token", "1", "person-1", "--signature-file", &pipe],
    ] {
        ends_by_timeout(&mut command(&server, arguments), "scan.pdf has not been read to its end");
        is_interrupted(&mut command(&server, arguments));
    }
    // A configuration has no timeout.
    is_interrupted(&mut command(&server, &["user", "--config", &pipe]));
    let child = start(vitalwire().args(["record", "--to"]).arg(folder.path().join("recording")).args(["--config", &pipe]));
    std::thread::sleep(Duration::from_millis(700));
    assert!(Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().expect("kill is there").success());
    assert_eq!(output_within(PATIENCE, child).status.code(), Some(130));
    is_interrupted(vitalwire().args(["webhook", "verify", "--signature", "00", "--key-file", &pipe, "-"]));
    assert!(server.requests().is_empty());
}

#[cfg(feature = "tables")]
#[test]
fn a_key_of_a_cohort_from_a_pipe_without_a_writer_ends_with_the_call() {
    let folder = TempDir::new().expect("a folder");
    let pipe = pipe(&folder, "key");
    let users = folder.path().join("users.csv");
    fs::write(&users, format!("user,application_id,key_file\nperson-1,7,{pipe}\n")).expect("a file");
    let fixed = folder.path().join("fixed.csv");
    fs::write(&fixed, "user,token\nperson-1,t\n").expect("a file");
    // No warning stands before the error.
    fs::set_permissions(&fixed, std::os::unix::fs::PermissionsExt::from_mode(0o600)).expect("a mode");
    let (users, fixed) = (users.to_str().expect("text"), fixed.to_str().expect("text"));
    let out = folder.path().join("out");
    let out = out.to_str().expect("text");
    let server = ScriptedServer::json(USER);
    let days = ["--tables", "daily", "--from", "2025-11-01", "--to", "2025-11-02"];
    for (at, arguments) in [
        &["cohort", "export", "--users", users, "--out", out][..],
        &["cohort", "plan", "--users", users],
        &["cohort", "export", "--users", fixed, "--out", out, "--pseudonym-key-file", &pipe],
        &["cohort", "plan", "--users", &pipe],
    ]
    .into_iter()
    .enumerate()
    {
        let arguments = [arguments, &days].concat();
        if at < 3 {
            ends_by_timeout(&mut command(&server, &arguments), "a key file has not been read to its end");
        }
        let child = start(&mut command(&server, &arguments));
        std::thread::sleep(Duration::from_millis(700));
        assert!(Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().expect("kill is there").success());
        assert_eq!(output_within(PATIENCE, child).status.code(), Some(130));
    }
    let sync = ["sync", "--users", fixed, "--kinds", "daily", "--state", out, "--out", out, "--secret-file", &pipe];
    ends_by_timeout(&mut command(&server, &sync), "a key file has not been read to its end");
    assert!(server.requests().is_empty());
}

/// Another user would read the output. Only root can give a pipe away.
#[test]
fn a_named_pipe_of_another_user_is_no_output() {
    let folder = TempDir::new().expect("a folder");
    let pipe = pipe(&folder, "out.json");
    if std::os::unix::fs::chown(&pipe, Some(65_533), None).is_err() {
        return;
    }
    let server = ScriptedServer::json(USER);
    for force in [&[][..], &["--force"]] {
        let output = output_within(PATIENCE, start(server.command(&["user", "--output", &pipe]).args(force)));
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(stderr(&output).starts_with("vitalwire: --output must not be a named pipe of another user: "), "{output:?}");
    }
    assert!(server.requests().is_empty());
}

/// 64 KiB is the limit of a token. Nothing after it is read.
#[test]
fn a_token_is_read_up_to_its_limit() {
    let server = ScriptedServer::json(USER);
    for (token, reason) in [
        ("token_file = \"/dev/zero\"", "the token file /dev/zero must not be larger than 64 KiB"),
        ("token_command = [\"yes\"]", "the token command must not print more than 64 KiB"),
        ("token_command = [\"sh\", \"-c\", \"yes & exit 0\"]", "the token command must not print more than 64 KiB"),
        ("token_command = [\"sh\", \"-c\", \"head -c 65537 /dev/zero; exit 0\"]", "the token command must not print more than 64 KiB"),
    ] {
        let folder = TempDir::new().expect("a folder");
        let config = config(&folder, token);
        let mut command = command(&server, &["user", "--config", &config]);
        let output = output_within(PATIENCE, start(command.env("VITALWIRE_TIMEOUT", "15")));
        assert_eq!(output.status.code(), Some(11), "{output:?}");
        assert!(stderr(&output).contains(reason), "{output:?}");
    }
    assert!(server.requests().is_empty());
}

/// A command has ended when it has ended, whatever its children do.
#[test]
fn a_token_command_may_leave_a_process_behind() {
    let server = ScriptedServer::json(USER);
    let folder = TempDir::new().expect("a folder");
    for script in [
        "sleep 30 & echo of-the-command",
        "(sleep 30 &) ; echo of-the-command",
        "echo of-the-command; sleep 30 &",
        // It closes its output before it ends.
        "echo of-the-command; exec >&-; sleep 1",
        "printf of-the-; sleep 0.3; echo command; sleep 30 2>&1 &",
    ] {
        let config = config(&folder, &format!("token_command = [\"sh\", \"-c\", \"{script}\"]"));
        let begun = Instant::now();
        let mut command = command(&server, &["user", "--config", &config]);
        // The process that is left keeps stderr of the test open too.
        let child = command.env("VITALWIRE_TIMEOUT", "20").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
        let output = output_within(PATIENCE, child);
        assert!(output.status.success() && begun.elapsed() < Duration::from_secs(10), "{script}: {output:?}");
    }
    assert!(server.requests().iter().all(|request| request.token() == "of-the-command"));
    assert_eq!(server.requests().len(), 5);
}

/// A program that reads stderr to its end does not wait for a process that the token command leaves behind.
#[test]
fn a_process_that_a_token_command_leaves_behind_does_not_keep_stderr_open() {
    let server = ScriptedServer::json(USER);
    let folder = TempDir::new().expect("a folder");
    let script = "echo a message >&2; sleep 30 & echo of-the-command";
    let config = config(&folder, &format!("token_command = [\"sh\", \"-c\", \"{script}\"]"));
    let begun = Instant::now();
    let mut command = command(&server, &["user", "--config", &config]);
    let output = output_within(PATIENCE, start(command.env("VITALWIRE_TIMEOUT", "20")));
    assert!(output.status.success() && begun.elapsed() < Duration::from_secs(10), "{output:?}");
    assert_eq!(stderr(&output), "a message\n");
}

/// On a terminal, Ctrl-C reaches the token command too. However the command ends, the program was interrupted.
#[test]
fn an_interruption_reaches_the_token_command_too() {
    use std::os::unix::process::CommandExt;
    let server = ScriptedServer::json(USER);
    for script in ["exec sleep 30", "trap 'exit 1' INT; while :; do sleep 0.1; done", "trap 'exit 0' INT; while :; do sleep 0.1; done"] {
        for arguments in [&["user"][..], &["labs", "list"], &["nutrition", "delete", "6f1c9a52-0000-4000-8000-000000000001"]] {
            let folder = TempDir::new().expect("a folder");
            let config = config(&folder, &format!("token_command = [\"sh\", \"-c\", \"{script}\"]"));
            let mut command = command(&server, &[arguments, &["--config", &config]].concat());
            let child = start(command.env("VITALWIRE_TIMEOUT", "60").process_group(0));
            std::thread::sleep(Duration::from_millis(700));
            let group = format!("-{}", child.id());
            assert!(Command::new("kill").args(["-s", "INT", "--", &group]).status().expect("kill is there").success());
            let output = output_within(PATIENCE, child);
            assert_eq!(output.status.code(), Some(130), "{script}: {output:?}");
            assert_eq!(stderr(&output), "vitalwire: interrupted by Ctrl-C (SIGINT); nothing was sent\n", "{script}");
        }
    }
    assert!(server.requests().is_empty());
}

/// The last part of such a path is a number.
#[test]
fn a_document_from_a_pipe_needs_a_name() {
    let answer = r#"{"lab_report":{"record_id":"r-1","status":"pending"}}"#;
    let server = ScriptedServer::start(move |_, _| Reply::json(answer));
    for path in ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"] {
        for (name, code) in [(&[][..], 2), (&["--name", "blood.pdf"], 0)] {
            let arguments = [&["labs", "upload", path], name].concat();
            let output = output_within(PATIENCE, start(server.command(&arguments).stdin(document())));
            assert_eq!(output.status.code(), Some(code), "{output:?}");
            assert!(code == 0 || stderr(&output).contains("the document needs a file name\nhint: set it with --name NAME"), "{output:?}");
        }
    }
    let requests = server.requests();
    assert_eq!(requests.len(), 3);
    assert!(requests.iter().all(|request| request.body.contains(r#""filename":"blood.pdf""#)));
}

/// Returns the readable end of a pipe with a document.
fn document() -> Stdio {
    let mut writer = Command::new("printf").arg("%%PDF-1.7\\n").stdout(Stdio::piped()).spawn().expect("printf is there");
    let stdout = writer.stdout.take().expect("a pipe");
    assert!(writer.wait().expect("it ends").success());
    stdout.into()
}

/// A path need not be UTF-8, and the scheme of a URL may be in capitals.
#[test]
fn a_picture_has_any_path_or_url() {
    use std::os::unix::ffi::OsStrExt;
    let at = "2025-11-21T12:00:00Z";
    let record = format!(r#"{{"record_id":"r-1","status":"pending","uploaded_at":"{at}","modified_at":"{at}"}}"#);
    let server = ScriptedServer::start(move |_, _| Reply::json(record.as_str()));
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join(Path::new(std::ffi::OsStr::from_bytes(b"caf\xff.png")));
    fs::write(&path, [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n']).expect("a file");
    let output = output_within(PATIENCE, start(server.command(&["nutrition", "upload"]).arg(&path)));
    assert!(output.status.success(), "{output:?}");
    let output = output_within(PATIENCE, start(&mut server.command(&["nutrition", "upload", "HTTPS://h.example/lunch.png"])));
    assert!(output.status.success(), "{output:?}");
    assert!(server.requests()[1].body.contains("h.example/lunch.png"), "{:?}", server.requests()[1]);
}
