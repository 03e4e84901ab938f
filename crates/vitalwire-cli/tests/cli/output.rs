//! Answers in files: whole or not at all, never over another file by default.

use std::fs;
use std::path::Path;
use std::process::Output;
#[cfg(target_os = "linux")]
use std::process::Stdio;

use crate::common::{run, vitalwire};
#[cfg(target_os = "linux")]
use crate::scripted::Reply;
#[cfg(unix)]
use crate::scripted::Scripted;

fn user_into(path: &Path, more: &[&str]) -> Output {
    let mut command = vitalwire();
    command.args(["--sandbox", "--seed", "7", "--today", "2025-11-21", "user", "--output"]).arg(path).args(more);
    command.output().expect("the program starts")
}

#[test]
fn a_file_holds_what_a_pipe_would() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, more) in [("table", &[][..]), ("json", &["--format", "json"]), ("coloured", &["--color", "always"])] {
        let path = folder.path().join(name);
        let output = user_into(&path, more);
        assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
        let piped = run(&[&["--sandbox", "--seed", "7", "--today", "2025-11-21", "user"], more].concat());
        let written = fs::read(&path).expect("a file");
        assert!(!written.is_empty() && !written.contains(&0x1b), "{name}");
        assert!(name == "coloured" || written == piped.stdout, "{name}");
        assert_eq!(user_into(Path::new("-"), more).stdout, piped.stdout);
    }
}

#[test]
fn another_file_is_replaced_by_force_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("user.txt");
    fs::write(&path, "old").expect("a file");
    let refused = user_into(&path, &[]);
    let told = String::from_utf8(refused.stderr).expect("text");
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(told, "vitalwire: the file of --output exists already\nhint: --force overwrites it\n");
    assert_eq!(fs::read_to_string(&path).expect("a file"), "old");
    assert!(user_into(&path, &["--force"]).status.success());
    assert!(fs::read_to_string(&path).expect("a file").contains("person-1"));
    let nowhere = user_into(&folder.path().join("none/user.txt"), &["--force"]);
    assert_eq!((nowhere.status.code(), fs::read_dir(folder.path()).expect("a folder").count()), (Some(1), 1));
}

/// `/dev/full` takes nothing: as a disk without room.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_without_room_is_an_error() {
    for format in ["table", "json"] {
        let output = user_into(Path::new("/dev/full"), &["--format", format]);
        let told = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.starts_with("vitalwire: the output cannot be written: "), "{told}");
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
        let piped = vitalwire().args(["--sandbox", "user", "--format", format]).stdout(full).output().expect("the program starts");
        assert_eq!(piped.status.code(), Some(1), "{piped:?}");
    }
}

/// The record is there, and nothing else has its id.
#[cfg(target_os = "linux")]
#[test]
fn an_upload_whose_answer_cannot_be_written_is_named() {
    const ID: &str = "6f1c9a52-0000-4000-8000-000000000001";
    const AT: &str = "2025-11-21T12:00:00Z";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file");
    fs::write(&path, [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n']).expect("a file");
    let record = |status: &str| format!(r#"{{"record_id":"{ID}","status":"{status}","uploaded_at":"{AT}","modified_at":"{AT}"}}"#);
    let server = Scripted::start(move |_, request| {
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
            let mut caller = server.caller(&[command, "upload"]);
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
        // Nobody reads any more.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let closed = start(writer.into());
        for output in [full, closed] {
            let told = String::from_utf8(output.stderr).expect("text");
            assert_eq!(output.status.code(), Some(1), "{command} {more:?}: {told}");
            assert!(told.starts_with("vitalwire: the output cannot be written: "), "{told}");
            assert!(told.contains(&format!("`vitalwire {command} wait {ID}`")), "{command} {more:?}: {told}");
            let json = told.lines().last().filter(|_| more.contains(&"json")).map(serde_json::from_str::<serde_json::Value>);
            assert!(json.is_none_or(|json| json.expect("JSON")["exit_code"] == 1), "{told}");
        }
    }
    // A reader of what was there before may go away.
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = server.caller(&["nutrition", "get", ID]).stdout(Stdio::from(writer)).stderr(Stdio::piped()).output().expect("it starts");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

/// Nothing is sent whose answer cannot be kept.
#[cfg(unix)]
#[test]
fn outputs_that_would_fail_are_refused_before_anything_is_sent() {
    let server = Scripted::json("{}");
    let folder = tempfile::tempdir().expect("a folder");
    let picture = folder.path().join("lunch.png");
    fs::write(&picture, [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n']).expect("a file");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&picture, &link).expect("a link");
    let here = folder.path();
    for (output, force, told) in [
        (picture.as_path(), false, "the file of --output exists already\nhint: --force overwrites it\n"),
        (&picture, true, "--output is the file that is read\nhint: name another file\n"),
        (&link, true, "--output is the file that is read\nhint: name another file\n"),
        (here, true, "--output is a folder\nhint: name a file in it\n"),
        (&here.join("none/d"), true, "the folder of --output does not exist\nhint: create it first\n"),
        #[cfg(target_os = "linux")]
        (Path::new("/proc/self/d"), true, "no file can be created in /proc/self: "),
    ] {
        for command in ["nutrition", "labs"] {
            let mut caller = server.caller(&[command, "upload"]);
            caller.arg(&picture).arg("--output").arg(output).args(force.then_some("--force"));
            let refused = caller.output().expect("it starts");
            assert_eq!(refused.status.code(), Some(1), "{refused:?}");
            assert!(String::from_utf8_lossy(&refused.stderr).contains(told), "{refused:?}");
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
fn a_file_where_none_can_be_meant_is_refused() {
    for arguments in
        [&["demo", "-o", "x"][..], &["sandbox", "-o", "x"], &["man", "--dir", ".", "-o", "x"], &["--sandbox", "user", "--force"]]
    {
        assert_eq!(run(arguments).status.code(), Some(2), "{arguments:?}");
    }
}
