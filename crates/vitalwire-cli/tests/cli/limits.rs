//! Limits of the system end in an error text.

#![cfg(unix)]

use std::process::{Command, Output};

use crate::common::vitalwire;
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
fn a_token_in_place_of_a_path_is_not_printed() {
    let server = ScriptedServer::json(USER);
    for token in ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJDQU5BUlkifQ.CANARY".to_owned(), "CANARY".repeat(20)] {
        let (_folder, path) = write_config(&format!("base_url = \"{}\"\ntoken_file = \"{token}\"\n", server.url));
        let output = user(&path, |_| {});
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(10), "{stderr}");
        assert!(stderr.contains("the token file (its path may be a token) cannot be read") && !stderr.contains("CANARY"), "{stderr}");
    }
    assert!(server.requests().is_empty());
}
