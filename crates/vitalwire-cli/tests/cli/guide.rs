//! The commands that the site prints. `guide/*.sh` are run as they are; those that serve until Ctrl-C are `sandbox*.sh`.
#![cfg(all(unix, feature = "tables"))]

mod testing;

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{RunningSandbox, check_output, control, vitalwire};

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

/// Returns the files of the guide with an extension, in the order of their names.
fn files_with_extension(extension: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(FOLDER).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|found| found == extension)).collect();
    files.sort();
    files
}

/// Returns the names and texts of all scripts.
fn scripts() -> Vec<(String, String)> {
    let name = |file: &Path| file.file_stem().expect("a name").to_string_lossy().into_owned();
    files_with_extension("sh").iter().map(|file| (name(file), std::fs::read_to_string(file).expect("a script"))).collect()
}

/// Creates the files that the scripts name.
fn prepare(folder: &Path, served: &RunningSandbox) {
    for name in ["lunch.png", "report.pdf", "body.json"] {
        std::fs::copy(Path::new(FOLDER).join(name), folder.join(name)).expect("a file");
    }
    // The application of the sandbox has another id.
    let users = std::fs::read_to_string(Path::new(FOLDER).join("users.csv")).expect("a file");
    let users = users.replace(",1001,", &format!(",{},", served.ready["application_id"]));
    write_private(&folder.join("users.csv"), &users);
}

/// Writes a file that nobody else can change. The program reads no secrets, and names of programs, from others.
fn write_private(file: &Path, text: &str) {
    let mut options = vitalwire::private_files::create_options();
    options.write(true).open(file).and_then(|mut file| file.write_all(text.as_bytes())).expect("written");
}

/// Adds the service and the credentials that the scripts use.
fn with_service(mut command: Command, served: &RunningSandbox) -> Command {
    for (name, field) in [
        ("VITALWIRE_BASE_URL", "base_url"),
        ("VITALWIRE_TOKEN", "token"),
        ("VITALWIRE_WEBHOOK_KEY", "webhook_key"),
        ("APPLICATION_KEY", "application_key"),
    ] {
        command.env(name, served.field(field));
    }
    let body = std::fs::read(Path::new(FOLDER).join("body.json")).expect("a file");
    command.env("SIGNATURE", vitalwire::webhook::sign(&body, served.field("webhook_key")));
    command.env("APPLICATION_ID", served.ready["application_id"].to_string());
    command
}

/// Runs every script. If there is a file `NAME.out`, the script prints it.
#[test]
fn every_command_of_the_site_runs() {
    let scripts = scripts();
    assert!(scripts.len() >= 12, "{scripts:?}");
    for file in files_with_extension("out") {
        assert!(
            scripts.iter().any(|(name, _)| file.file_stem().is_some_and(|stem| stem == name.as_str())),
            "{}: no script",
            file.display()
        );
    }
    // Dates relative to today are those of this machine.
    let served = RunningSandbox::start(&[]);
    for (name, script) in scripts.iter().filter(|(name, _)| !name.starts_with("sandbox") && name != "install") {
        let folder = tempfile::tempdir().expect("a folder");
        prepare(folder.path(), &served);
        let output = with_service(shell(script, folder.path()), &served).output().expect("it starts");
        assert!(output.status.success(), "{name}: {output:?}");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("warning"), "{name}: {output:?}");
        let file = Path::new(FOLDER).join(name).with_extension("out");
        if file.exists() {
            check_output(&file, &String::from_utf8_lossy(&output.stdout));
        }
    }
}

/// A scheduler runs `sh nightly.sh`, without `-e`.
#[test]
fn a_nightly_export_that_reads_nobody_fails_although_the_dataset_is_recent() {
    let served = RunningSandbox::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    prepare(folder.path(), &served);
    let run = |application_key: &str| {
        let mut command = with_service(shell("exec sh nightly.sh", folder.path()), &served);
        command.env("APPLICATION_KEY", application_key).output().expect("it starts")
    };
    std::fs::copy(Path::new(FOLDER).join("nightly.sh"), folder.path().join("nightly.sh")).expect("a file");
    let first = run(&served.field("application_key"));
    assert!(first.status.success(), "{first:?}");
    let rejected = run("another-application-key");
    assert_eq!(rejected.status.code(), Some(11), "{rejected:?}");
    // The last command decides about a partial result.
    let users = std::fs::read_to_string(folder.path().join("users.csv")).expect("a file");
    write_private(&folder.path().join("users.csv"), &format!("{users}stranger,0,APPLICATION_KEY\n"));
    let partial = run(&served.field("application_key"));
    assert!(String::from_utf8_lossy(&partial.stderr).contains("could not be read"), "{partial:?}");
    assert!(String::from_utf8_lossy(&partial.stdout).contains("Coverage"), "{partial:?}");
    assert_ne!(partial.status.code(), Some(21), "{partial:?}");
}

/// The script ends with the exit code of the first command, and not with that of a request without a token.
#[test]
fn a_script_stops_when_it_gets_no_token() {
    let served = RunningSandbox::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let script = std::fs::read_to_string(Path::new(FOLDER).join("tokens.sh")).expect("a script");
    let fault = serde_json::json!({ "fault": "status; status=401; operation=exchange_token" });
    assert_eq!(control(&served, "POST", "/faults", &fault.to_string()).0, 201);
    let output = with_service(shell(&script, folder.path()), &served).output().expect("it starts");
    assert!(!output.status.success(), "{output:?}");
    let (_, log) = control(&served, "GET", "/requests", "");
    let requests: Vec<_> = log["requests"].as_array().expect("a list").iter().map(|request| &request["operation"]).collect();
    assert_eq!(requests, ["exchange_token"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.lines().filter(|line| line.starts_with("vitalwire: ")).count() == 1, "{stderr}");
}

/// Runs the commands that install the program, up to the compilation.
#[test]
fn the_program_is_installed_from_a_clone() {
    let folder = tempfile::tempdir().expect("a folder");
    let tools = folder.path().join("tools");
    std::fs::create_dir(&tools).expect("a folder");
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    for (name, text) in [
        ("git", format!("test \"$1 $2\" = 'clone https://github.com/vitalwire/vitalwire'\nln -s '{root}' vitalwire\n")),
        ("cargo", format!("RUSTC_BOOTSTRAP=1 '{cargo}' \"$@\" --root '{}' --offline -Zunstable-options --dry-run\n", tools.display())),
    ] {
        let mut options = OpenOptions::new();
        let mut file = options.write(true).create_new(true).mode(0o755).open(tools.join(name)).expect("a file");
        file.write_all(format!("#!/bin/sh -e\n{text}").as_bytes()).expect("written");
    }
    let script = std::fs::read_to_string(Path::new(FOLDER).join("install.sh")).expect("a script");
    let script = format!("PATH='{}':$PATH\n{script}", tools.display());
    let output = shell(&script, folder.path()).output().expect("it starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.contains("Installing vitalwire-cli") && stderr.contains("/bin/vitalwire"), "{stderr}");
}

/// Resolves the dependencies and features of the manifest that the site prints, next to a clone.
#[test]
fn the_manifest_of_the_site_is_valid() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let app = folder.path().join("app");
    std::fs::create_dir_all(app.join("src")).expect("a folder");
    std::os::unix::fs::symlink(&root, folder.path().join("vitalwire")).expect("a link");
    for (from, to) in [("crates/vitalwire-cli/tests/cli/guide/rust-app.toml", "Cargo.toml"), ("Cargo.lock", "Cargo.lock")] {
        std::fs::copy(root.join(from), app.join(to)).expect("a file");
    }
    std::fs::copy(root.join("crates/vitalwire/examples/first_night.rs"), app.join("src/main.rs")).expect("a file");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo).args(["tree", "--offline", "--depth", "1"]).current_dir(&app).output().expect("it starts");
    let stdout = String::from_utf8_lossy(&output.stdout);
    for name in ["vitalwire v", "vitalwire-sandbox v", "tokio v"] {
        assert!(stdout.contains(name), "{output:?}");
    }
}

/// After a release, the manifest of the site has versions in place of paths.
#[test]
fn the_released_manifest_of_the_site_is_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("a file");
    let manifest = read("crates/vitalwire-cli/tests/cli/guide/rust-app.toml");
    let released = manifest
        .replace("# The path of the clone.\n", "")
        .replace("{ path = \"../vitalwire/crates/vitalwire\", features", "{ version = \"{version}\", features")
        .replace("{ path = \"../vitalwire/crates/vitalwire-sandbox\" }", "\"{version}\"");
    assert!(!released.contains("path") && read("docs/install.toml").contains(&released), "{released}");
}

/// The configuration file that the site prints replaces a token that the service rejects.
#[test]
fn the_token_of_the_configuration_file_renews_itself() {
    // A token that is issued in the same second is the same.
    let served = RunningSandbox::start(&["--time-scale", "3600"]);
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("vitalwire")).expect("a folder");
    let text = std::fs::read_to_string(Path::new(FOLDER).join("tokens.toml")).expect("a file");
    let text = text.replace("https://health.example.org", &served.field("base_url"));
    let text = text.replace("\"1001\"", &format!("\"{}\"", served.ready["application_id"]));
    write_private(&folder.path().join("vitalwire/config.toml"), &text);
    let fault = serde_json::json!({ "fault": "status; status=401; operation=get_user_info" });
    assert_eq!(control(&served, "POST", "/faults", &fault.to_string()).0, 201);
    let mut command = shell("vitalwire user", folder.path());
    command.env("XDG_CONFIG_HOME", folder.path()).env("APPLICATION_KEY", served.field("application_key"));
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let (_, log) = control(&served, "GET", "/requests", "");
    let exchanges = log["requests"].as_array().expect("a list").iter().filter(|request| request["operation"] == "exchange_token");
    assert_eq!(exchanges.count(), 2, "{log}");
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
    let text = std::fs::read_to_string(Path::new(FOLDER).join("config.toml")).expect("a file");
    let file = folder.path().join("config.toml");
    write_private(&file, &text);
    for (profile, reason) in [("staging", "token_file"), ("production", "token_command")] {
        let mut command = vitalwire();
        command.arg("--config").arg(&file).args(["--profile", profile, "user"]).env("HOME", folder.path()).env("PATH", folder.path());
        let output = command.output().expect("it starts");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(10) && stderr.contains(reason), "{profile}: {:?} {stderr}", output.status);
    }
}
