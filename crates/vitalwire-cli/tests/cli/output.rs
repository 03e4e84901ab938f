//! Responses in files: complete or not at all, and never over an existing file by default.

use std::fs;
use std::path::Path;
use std::process::Output;
#[cfg(target_os = "linux")]
use std::process::Stdio;

use crate::common::{run, vitalwire};
#[cfg(target_os = "linux")]
use crate::scripted::Reply;
#[cfg(unix)]
use crate::scripted::ScriptedServer;

fn write_user_to(path: &Path, more: &[&str]) -> Output {
    let mut command = vitalwire();
    command.args(["--sandbox", "--seed", "7", "--today", "2025-11-21", "user", "--output"]).arg(path).args(more);
    command.output().expect("the program starts")
}

#[test]
fn a_file_has_the_same_bytes_as_a_pipe() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, more) in [("table", &[][..]), ("json", &["--format", "json"]), ("coloured", &["--color", "always"])] {
        let path = folder.path().join(name);
        let output = write_user_to(&path, more);
        assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
        let piped = run(&[&["--sandbox", "--seed", "7", "--today", "2025-11-21", "user"], more].concat());
        let written = fs::read(&path).expect("a file");
        assert!(!written.is_empty() && !written.contains(&0x1b), "{name}");
        assert!(name == "coloured" || written == piped.stdout, "{name}");
        assert_eq!(write_user_to(Path::new("-"), more).stdout, piped.stdout);
    }
}

#[test]
fn an_existing_file_is_replaced_only_with_force() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("user.txt");
    fs::write(&path, "old").expect("a file");
    let rejected = write_user_to(&path, &[]);
    let stderr = String::from_utf8(rejected.stderr).expect("text");
    assert_eq!(rejected.status.code(), Some(1));
    assert_eq!(stderr, "vitalwire: the file of --output exists already\nhint: --force overwrites it\n");
    assert_eq!(fs::read_to_string(&path).expect("a file"), "old");
    assert!(write_user_to(&path, &["--force"]).status.success());
    assert!(fs::read_to_string(&path).expect("a file").contains("person-1"));
    let nowhere = write_user_to(&folder.path().join("none/user.txt"), &["--force"]);
    assert_eq!((nowhere.status.code(), fs::read_dir(folder.path()).expect("a folder").count()), (Some(1), 1));
}

/// `/dev/full` behaves like a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    for format in ["table", "json"] {
        let output = write_user_to(Path::new("/dev/full"), &["--format", format]);
        let stderr = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(stderr.starts_with("vitalwire: the output cannot be written: "), "{stderr}");
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
        let piped = vitalwire().args(["--sandbox", "user", "--format", format]).stdout(full).output().expect("the program starts");
        assert_eq!(piped.status.code(), Some(1), "{piped:?}");
    }
}

/// The record exists, and only the message contains its id.
#[cfg(target_os = "linux")]
#[test]
fn an_upload_whose_response_cannot_be_written_is_named() {
    const ID: &str = "6f1c9a52-0000-4000-8000-000000000001";
    const AT: &str = "2025-11-21T12:00:00Z";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file");
    fs::write(&path, [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n']).expect("a file");
    let record = |status: &str| format!(r#"{{"record_id":"{ID}","status":"{status}","uploaded_at":"{AT}","modified_at":"{AT}"}}"#);
    let server = ScriptedServer::start(move |_, request| {
        let status = if request.line.starts_with("POST") { "pending" } else { "completed" };
        let record = record(status);
        Reply::json(if request.line.contains("lab_reports") && status == "pending" {
            format!(r#"{{"lab_report":{record}}}"#)
        } else {
            record
        })
    });
    for (command, more) in
        ["nutrition", "labs"].into_iter().flat_map(|command| [&[][..], &["--format", "json"], &["--wait"]].map(|more| (command, more)))
    {
        let start = |output: Stdio| {
            let mut caller = server.command(&[command, "upload"]);
            caller
                .arg(&path)
                .args(more)
                .stdout(output)
                .stderr(Stdio::piped())
                .spawn()
                .expect("it starts")
                .wait_with_output()
                .expect("it ends")
        };
        let full = start(fs::OpenOptions::new().write(true).open("/dev/full").expect("a device").into());
        // The pipe has no reader.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let closed = start(writer.into());
        for output in [full, closed] {
            let stderr = String::from_utf8(output.stderr).expect("text");
            assert_eq!(output.status.code(), Some(1), "{command} {more:?}: {stderr}");
            assert!(stderr.starts_with("vitalwire: the output cannot be written: "), "{stderr}");
            assert!(stderr.contains(&format!("`vitalwire {command} wait {ID}`")), "{command} {more:?}: {stderr}");
            let json = stderr.lines().last().filter(|_| more.contains(&"json")).map(serde_json::from_str::<serde_json::Value>);
            assert!(json.is_none_or(|json| json.expect("JSON")["exit_code"] == 1), "{stderr}");
        }
    }
    // A closed pipe is not an error for a read.
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = server.command(&["nutrition", "get", ID]).stdout(Stdio::from(writer)).stderr(Stdio::piped()).output().expect("it starts");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

/// No request is sent if its response cannot be written.
#[cfg(unix)]
#[test]
fn invalid_outputs_are_rejected_before_a_request() {
    let server = ScriptedServer::json("{}");
    let folder = tempfile::tempdir().expect("a folder");
    let picture = folder.path().join("lunch.png");
    fs::write(&picture, [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n']).expect("a file");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&picture, &link).expect("a link");
    let here = folder.path();
    for (output, force, stderr) in [
        (picture.as_path(), false, "the file of --output exists already\nhint: --force overwrites it\n"),
        (&picture, true, "--output must not be an input file\nhint: name another file\n"),
        (&link, true, "--output must not be an input file\nhint: name another file\n"),
        (here, true, "--output must be a file, not a folder\nhint: name a file in the folder\n"),
        (&here.join("none/d"), true, "the folder of --output does not exist\nhint: create it first\n"),
        #[cfg(target_os = "linux")]
        (Path::new("/proc/self/d"), true, "no file can be created in /proc/self: "),
    ] {
        for command in ["nutrition", "labs"] {
            let mut caller = server.command(&[command, "upload"]);
            caller.arg(&picture).arg("--output").arg(output).args(force.then_some("--force"));
            let rejected = caller.output().expect("it starts");
            assert_eq!(rejected.status.code(), Some(1), "{rejected:?}");
            assert!(String::from_utf8_lossy(&rejected.stderr).contains(stderr), "{rejected:?}");
        }
    }
    assert!(server.requests().is_empty() && fs::read(&picture).expect("a file").len() == 8);
}

#[test]
fn a_failed_call_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("night.json");
    let mut command = vitalwire();
    command.args(["--sandbox", "sleep", "00000000-0000-4000-8000-000000000000", "--format", "json", "-o"]).arg(&path);
    assert_eq!(command.output().expect("it starts").status.code(), Some(12));
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn invalid_output_options_are_rejected() {
    for arguments in
        [&["demo", "-o", "x"][..], &["sandbox", "-o", "x"], &["man", "--dir", ".", "-o", "x"], &["--sandbox", "user", "--force"]]
    {
        assert_eq!(run(arguments).status.code(), Some(2), "{arguments:?}");
    }
}
