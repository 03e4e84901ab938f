//! Answers in files: whole or not at all, never over another file by default.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::{run, vitalwire};

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
