//! The commands that the site prints. `guide/*.sh` are run as they are; those that serve until Ctrl-C are `sandbox*.sh`.
#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::vitalwire;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/guide");

fn shell(script: &str, folder: &Path) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_vitalwire"));
    let path = format!("{}:{}", program.parent().expect("a folder").display(), std::env::var("PATH").expect("a path"));
    let mut command = Command::new("sh");
    for (name, value) in vitalwire().get_envs().filter_map(|(name, value)| Some((name, value?))) {
        command.env(name, value);
    }
    command.args(["-ec", script]).current_dir(folder).env("PATH", path).stdin(Stdio::null());
    command
}

fn scripts() -> Vec<(String, String)> {
    let files = std::fs::read_dir(FOLDER).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut scripts: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|extension| extension == "sh")).collect();
    scripts.sort();
    let name = |file: &Path| file.file_stem().expect("a name").to_string_lossy().into_owned();
    scripts.iter().map(|file| (name(file), std::fs::read_to_string(file).expect("a script"))).collect()
}

#[test]
fn every_command_of_the_site_runs() {
    let scripts = scripts();
    assert!(scripts.len() >= 4, "{scripts:?}");
    for (name, script) in scripts.iter().filter(|(name, _)| !name.starts_with("sandbox")) {
        let folder = tempfile::tempdir().expect("a folder");
        let output = shell(script, folder.path()).output().expect("it starts");
        assert!(output.status.success(), "{name}: {output:?}");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("warning"), "{name}: {output:?}");
    }
}

#[test]
fn every_sandbox_of_the_site_serves() {
    for (_, script) in scripts().iter().filter(|(name, _)| name.starts_with("sandbox")) {
        for line in script.lines().filter(|line| line.starts_with("vitalwire ")) {
            let folder = tempfile::tempdir().expect("a folder");
            // The port may be in use.
            let line = format!("exec {}", line.replace("127.0.0.1:8080", "127.0.0.1:0"));
            let mut child = shell(&line, folder.path()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
            let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
            assert!(lines.any(|line| line.starts_with("export VITALWIRE_TOKEN=")), "{line}");
            child.kill().expect("it runs");
            child.wait().expect("it ends");
        }
    }
}

/// The configuration file that the site prints is read, and selects the service and the credential of its profiles.
#[test]
fn the_configuration_file_of_the_site_is_valid() {
    let folder = tempfile::tempdir().expect("a folder");
    // The file names a program, so nobody else may be able to change it.
    let text = std::fs::read_to_string(Path::new(FOLDER).join("config.toml")).expect("a file");
    let file = folder.path().join("config.toml");
    let mut options = vitalwire::private_files::create_options();
    std::io::Write::write_all(&mut options.write(true).open(&file).expect("a file"), text.as_bytes()).expect("written");
    for (profile, reason) in [("staging", "token_file"), ("production", "token_command")] {
        let mut command = vitalwire();
        command.arg("--config").arg(&file).args(["--profile", profile, "user"]).env("HOME", folder.path()).env("PATH", folder.path());
        let output = command.output().expect("it starts");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(11) && stderr.contains(reason), "{profile}: {:?} {stderr}", output.status);
    }
}
