//! Limits of the system end in an error text.

#![cfg(unix)]

use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::common::{output_within, vitalwire};
use crate::config::{USER, user, write_config};
use crate::scripted::ScriptedServer;

/// Runs the program with a limit of the shell.
fn run_limited(limit: &str, arguments: &[&str]) -> Output {
    let own = vitalwire();
    let mut command = Command::new("bash");
    command.args(["--norc", "-c", &format!("ulimit {limit}; exec \"$0\" \"$@\"")]).arg(own.get_program()).args(arguments);
    for (name, value) in own.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.output().expect("bash is there")
}

#[test]
fn too_few_open_files_are_an_error() {
    for limit in ["-n 7", "-n 8", "-n 10", "-n 12"] {
        let output = run_limited(limit, &["--sandbox", "user"]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{limit}: {stderr}");
        assert!(
            stderr.contains("too few files can be opened; raise the limit of open files (ulimit -n)") && !stderr.contains("panicked"),
            "{limit}: {stderr}"
        );
    }
}

#[test]
fn an_output_beyond_the_limit_of_file_sizes_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("d");
    let arguments = ["--sandbox", "stats", "daily", "--from", "2024-01-01", "--to", "2024-12-31", "--format", "json", "--output"];
    for parts in [&[][..], &["--split-days", "100"]] {
        let output = run_limited("-f 4", &[&arguments[..], &[path.to_str().expect("text")], parts].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains("written: File too large") && !path.exists(), "{stderr}");
    }
}

#[test]
fn a_secret_in_place_of_a_name_is_not_printed() {
    const HIDDEN: &str = "(name not shown: it may be a secret)";
    const KEY: &str = "3e26f1a99b7c4d5e8f00112233445566";
    for (arguments, part) in [
        (&["webhook", "verify", "--signature", "00", "/dev/null", "--key-env", KEY][..], HIDDEN),
        (&["webhook", "verify", "--signature", "00", "/dev/null", "--key-file", KEY], HIDDEN),
        (&["token", "1", "u", "--base-url", "https://h.example", "--key-env", KEY], HIDDEN),
        (&["token", "1", "u", "--base-url", "https://h.example", "--signature-env", KEY], HIDDEN),
        (&["user", "--profile", KEY], HIDDEN),
        (&["user", "--config", KEY], "(path not shown: it may be a token)"),
    ] {
        let output = vitalwire().args(arguments).output().expect("it starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(10), "{stderr}");
        assert!(stderr.contains(part) && !stderr.contains("3e26"), "{stderr}");
    }
}

#[test]
fn a_token_in_place_of_a_path_is_not_printed() {
    let server = ScriptedServer::json(USER);
    for token in ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJDQU5BUlkifQ.CANARY".to_owned(), "CANARY".repeat(20)] {
        let (_folder, path) = write_config(&format!("base_url = \"{}\"\ntoken_file = \"{token}\"\n", server.url));
        let output = user(&path, |_| {});
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(10), "{stderr}");
        assert!(
            stderr.contains("the token file (path not shown: it may be a token) cannot be read") && !stderr.contains("CANARY"),
            "{stderr}"
        );
    }
    assert!(server.requests().is_empty());
}

/// Files of settings that never end, or that nobody writes.
#[test]
fn settings_are_read_from_small_regular_files() {
    let server = ScriptedServer::json(USER);
    let folder = tempfile::tempdir().expect("a folder");
    let (pipe, large) = (folder.path().join("pipe"), folder.path().join("large"));
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    std::fs::File::create(&large).and_then(|file| file.set_len((4 << 20) + 1)).expect("a sparse file");
    for path in ["/dev/zero", pipe.to_str().expect("text"), large.to_str().expect("text"), folder.path().to_str().expect("text")] {
        let mut child = server.command(&["user"]);
        let child = child.env("VITALWIRE_CA_FILE", path).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let output = output_within(Duration::from_secs(60), child);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(10), "{path}: {stderr}");
        assert!(stderr.contains("must be a regular file of at most 4 MiB"), "{path}: {stderr}");
    }
    let mut child = server.command(&["user", "--config", "/dev/zero"]);
    let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let output = output_within(Duration::from_secs(60), child);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(10) && stderr.contains("/dev/zero must not be larger than 1 MiB"), "{stderr}");
    assert!(server.requests().is_empty());
}

/// A hostile recording for mock responses, as for the sandbox.
#[test]
fn mock_responses_are_read_from_regular_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("1.json");
    let error = || vitalwire::mock::MockResponses::from_folder(folder.path()).map(drop).expect_err("it is rejected").to_string();
    std::os::unix::fs::symlink("/dev/zero", &path).expect("a link");
    assert!(error().contains("must be a regular file"));
    std::fs::remove_file(&path).expect("removed");
    assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
    assert!(error().contains("must be a regular file"));
    std::fs::remove_file(&path).expect("removed");
    std::fs::File::create(&path).and_then(|file| file.set_len((256 << 20) + 1)).expect("a sparse file");
    assert!(error().contains("must not be larger than 256 MiB"));
}

/// The HTTP library reports an impossible length like a head that is too large.
#[test]
fn an_impossible_content_length_is_named() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-length: 18446744073709551615\r\n\r\n{}";
    let server: ScriptedServer = vitalwire_testkit::Server::always(vitalwire_testkit::Reply::SendAndHang(head.to_vec())).into();
    let output = server.command(&["user"]).output().expect("it starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(12), "{stderr}");
    assert!(stderr.contains("or states an impossible length") && stderr.contains("hint: check that the base URL is that of"), "{stderr}");
}
