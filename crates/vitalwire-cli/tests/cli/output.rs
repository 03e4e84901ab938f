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
    let text = format!("vitalwire: the file of --output exists already: {}\nhint: --force overwrites it\n", path.display());
    assert_eq!(stderr, text);
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
    use std::os::unix::fs::symlink;
    let server = ScriptedServer::json("{}");
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let picture = here.join("lunch.png");
    fs::write(&picture, [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n']).expect("a file");
    symlink(&picture, here.join("link")).expect("a link");
    symlink(here.join("real/none"), here.join("dangling")).expect("a link");
    symlink("loop", here.join("loop")).expect("a link");
    let long = "n".repeat(256);
    let before = fs::read_dir(here).expect("a folder").count();
    let commands = [
        &["nutrition", "upload", "PICTURE"][..],
        &["labs", "upload", "PICTURE"],
        &["user"],
        &["stats", "daily"],
        &["stats", "daily", "--from", "2025-01-01", "--to", "2025-03-31", "--split-days", "30"],
        &["nutrition", "list", "--format", "json"],
        &["sleep", "r-1"],
    ];
    for (output, force, reason, hint) in [
        ("lunch.png", false, "the file of --output exists already: ", "--force overwrites it"),
        ("", true, "--output must be a file, not a folder: ", "name a file in the folder"),
        ("new/", false, "--output must be a file, not a folder: ", "name a file in the folder"),
        ("new/.", true, "--output must be a file, not a folder: ", "name a file in the folder"),
        ("x.json/", true, "--output must be a file, not a folder: ", "name a file in the folder"),
        ("lunch.png/", true, "the file of --output cannot be written: ", "name another file"),
        ("lunch.png/x", true, "the file of --output cannot be written: ", "name another file"),
        ("none/d", true, "the folder of --output does not exist: ", "create it first"),
        ("dangling", false, "a link to a missing file cannot be written: ", "remove the link, or name another file"),
        ("dangling", true, "a link to a missing file cannot be written: ", "remove the link, or name another file"),
        ("dangling/", true, "--output must be a file, not a folder: ", "name a file in the folder"),
        ("loop", false, "the file of --output cannot be written: ", "name another file"),
        ("loop", true, "the file of --output cannot be written: ", "name another file"),
        (&long, false, "the file of --output cannot be written: ", "name another file"),
        #[cfg(target_os = "linux")]
        ("/proc/self/d", true, "no file can be created in /proc/self: ", "name a file in another folder"),
    ] {
        // `Path::join` would drop a dot at the end.
        let path = if output.starts_with('/') { output.to_owned() } else { format!("{}/{output}", here.display()) };
        for command in commands {
            let mut caller = server.command(&[]);
            caller.args(command.iter().map(|word| if *word == "PICTURE" { picture.as_os_str() } else { word.as_ref() }));
            let rejected = caller.arg("--output").arg(&path).args(force.then_some("--force")).output().expect("it starts");
            let stderr = String::from_utf8_lossy(&rejected.stderr);
            assert_eq!(rejected.status.code(), Some(1), "{output} {command:?}: {stderr}");
            let named = path.strip_suffix("/d").unwrap_or(&path);
            assert!(stderr.starts_with(&format!("vitalwire: {reason}")) && stderr.contains(named), "{output} {command:?}: {stderr}");
            assert!(stderr.contains(&format!("\nhint: {hint}\n")), "{output} {command:?}: {stderr}");
        }
    }
    for output in ["lunch.png", "link"] {
        let mut caller = server.command(&["labs", "upload"]);
        let rejected = caller.arg(&picture).arg("--force").arg("--output").arg(here.join(output)).output().expect("it starts");
        assert!(String::from_utf8_lossy(&rejected.stderr).contains("--output must not be an input file\nhint: name another file\n"));
    }
    assert!(server.requests().is_empty() && fs::read(&picture).expect("a file").len() == 8);
    assert_eq!(fs::read_dir(here).expect("a folder").count(), before);
}

#[cfg(all(unix, feature = "tables"))]
#[test]
fn cohorts_reject_an_invalid_output_before_a_request() {
    let server = ScriptedServer::json("{}");
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    fs::write(path("users.csv"), "user,token\na,tok-a\n").expect("a file");
    std::os::unix::fs::symlink("none", path("dangling")).expect("a link");
    let export = ["cohort", "export", "--tables", "daily", "--from", "2025-01-01", "--to", "2025-01-02", "--users"];
    let mut command = server.command(&export);
    let rejected = command.args([path("users.csv"), "--out".to_owned(), path("out"), "--output".to_owned(), path("dangling")]).output();
    let rejected = rejected.expect("it starts");
    assert_eq!((rejected.status.code(), server.requests().len()), (Some(1), 0), "{rejected:?}");
    assert!(String::from_utf8_lossy(&rejected.stderr).contains("a link to a missing file cannot be written: "), "{rejected:?}");
    assert!(!Path::new(&path("out")).exists());
}

/// Paths of stdout, stderr and other open files write to the open file and keep its content.
#[cfg(target_os = "linux")]
#[test]
fn open_files_keep_their_content() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    std::os::unix::fs::symlink("/dev/stdout", here.join("link")).expect("a link");
    let expected = run(&["--sandbox", "--seed", "7", "--today", "2025-11-21", "user", "--format", "json"]).stdout;
    let expected = String::from_utf8(expected).expect("text");
    for (output, redirection) in [
        ("/dev/stdout", ">f"),
        ("/dev/stdout --force", ">f"),
        ("/dev/fd/1", ">f"),
        ("/proc/self/fd/1", ">f"),
        ("link", ">f"),
        ("/dev/stderr", "2>f"),
        ("/dev/fd/3", "3>f"),
        ("/dev/stdout --force", ">>f"),
        ("link --force", ">>f"),
        ("/dev/stderr --force", "2>>f"),
        ("/dev/fd/3 --force", "3>>f"),
    ] {
        let keeps = redirection.contains(">>");
        fs::write(here.join("f"), "earlier\n").expect("a file");
        let script = format!("\"$0\" --sandbox --seed 7 --today 2025-11-21 user --format json --output {output} {redirection}");
        let mut shell = std::process::Command::new("sh");
        for (name, value) in vitalwire().get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        let done = shell.args(["-c", &script, env!("CARGO_BIN_EXE_vitalwire")]).current_dir(here).output().expect("it starts");
        assert!(done.status.success(), "{output} {redirection}: {done:?}");
        let written = fs::read_to_string(here.join("f")).expect("a file");
        let earlier = if keeps { "earlier\n" } else { "" };
        assert_eq!(written, format!("{earlier}{expected}"), "{output} {redirection}");
    }
    // A group of commands shares one offset.
    let script = "{ echo one; \"$0\" --sandbox --seed 7 --today 2025-11-21 user --format json --output /dev/stdout; echo two; } >g";
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_vitalwire")]).current_dir(here);
    assert!(shell.status().expect("it starts").success());
    assert_eq!(fs::read_to_string(here.join("g")).expect("a file"), format!("one\n{expected}two\n"));
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
