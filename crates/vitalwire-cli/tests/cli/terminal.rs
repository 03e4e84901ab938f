//! What only a terminal sees. `script` of util-linux is one; machines without it have nothing to look with.
#![cfg(target_os = "linux")]

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::scripted::{Reply, Scripted};

/// What a terminal shows of a command, and its exit code; `None` without `script`.
fn shown(command: &Command) -> Option<(String, Option<i32>)> {
    typed(command, "")
}

/// The same where these lines are typed.
fn typed(command: &Command, lines: &str) -> Option<(String, Option<i32>)> {
    typed_at(command, 80, || lines)
}

/// The same at a terminal of so many columns, where it is typed once it is time.
fn typed_at<'a>(command: &Command, columns: usize, lines: impl FnOnce() -> &'a str) -> Option<(String, Option<i32>)> {
    let quoted = |text: &std::ffi::OsStr| format!("'{}'", text.to_str().expect("text"));
    let line: Vec<String> = [command.get_program()].into_iter().chain(command.get_args()).map(quoted).collect();
    let mut script = Command::new("script");
    let line = format!("stty columns {columns}; exec {}", line.join(" "));
    script.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm");
    // On build machines no progress is drawn.
    script.env_remove("CI");
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => script.env(name, value),
            None if name == "TERM" => &mut script,
            None => script.env_remove(name),
        };
    }
    let mut child = script.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    // Kept open while it runs: its end would be typed too.
    let mut keyboard = child.stdin.take().expect("a pipe");
    keyboard.write_all(lines().as_bytes()).expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    drop(keyboard);
    Some((String::from_utf8(output.stdout).expect("UTF-8"), output.status.code()))
}

#[test]
fn progress_is_shown_to_terminals_and_wiped_away() {
    let server = Scripted::start(|number, _| {
        // The first is the one whose progress is to be seen, on a busy machine too.
        std::thread::sleep(Duration::from_secs(if number == 0 { 3 } else { 1 }));
        Reply::json(r#"{"application_user_id":"person-1"}"#)
    });
    let command = server.caller(&["user"]);
    let Some((text, code)) = shown(&command) else { return };
    assert_eq!(code, Some(0), "{text:?}");
    let (progress, answer) = text.rsplit_once("\r\u{1b}[2K").unwrap_or_else(|| panic!("{text:?}"));
    assert!(progress.contains("calling the service") && !progress.contains("person-1"), "{text:?}");
    assert!(answer.contains("person-1") && answer.contains("\u{1b}[1m"), "{text:?}");
    let (dumb, _) = shown(server.caller(&["user"]).env("TERM", "dumb")).expect("script is there");
    assert!(!dumb.contains("asking") && !dumb.contains('\u{1b}'), "{dumb:?}");
    let (quiet, _) = shown(server.caller(&["user"]).env("NO_COLOR", "1")).expect("script is there");
    assert!(!quiet.contains("\u{1b}[1m") && quiet.contains("person-1"), "{quiet:?}");
    // Nothing but text is written to a terminal, and nothing is asked for in vain.
    let asked = server.requests().len();
    let (binary, code) = shown(&server.caller(&["stats", "daily", "--format", "parquet"])).expect("script is there");
    let hint = if cfg!(feature = "tables") { "name a file with --output FILE, or use a pipe" } else { "--format json has all" };
    assert!(code == Some(2) && binary.contains(&format!("hint: {hint}")), "{binary:?}");
    assert_eq!(server.requests().len(), asked);
    // A pipe sees the answer alone.
    let mut piped = server.caller(&["user"]);
    assert!(piped.output().expect("it starts").stderr.is_empty());
}

/// The lines that a terminal of so many columns shows in the end. Control sequences but the one that clears a line are left out.
fn screen(text: &str, columns: usize) -> Vec<String> {
    let (mut lines, mut row, mut column) = (vec![Vec::new()], 0, 0);
    let mut rest = text.chars();
    while let Some(char) = rest.next() {
        match char {
            '\r' => column = 0,
            '\n' => row += 1,
            '\u{1b}' => {
                let sequence: String = rest.by_ref().skip(1).take_while_inclusive();
                if sequence == "2K" {
                    lines[row] = Vec::new();
                }
            }
            char => {
                // The cursor stays at the end of a full line until something follows.
                if column == columns {
                    (row, column) = (row + 1, 0);
                }
                lines.resize(lines.len().max(row + 1), Vec::new());
                let length = lines[row].len().max(column + 1);
                lines[row].resize(length, ' ');
                lines[row][column] = char;
                column += 1;
            }
        }
        lines.resize(lines.len().max(row + 1), Vec::new());
    }
    lines.into_iter().map(|line| line.into_iter().collect::<String>().trim_end().to_owned()).filter(|line| !line.is_empty()).collect()
}

/// The characters up to the letter that ends a control sequence, with it.
trait Sequence: Iterator<Item = char> + Sized {
    fn take_while_inclusive(self) -> String {
        let mut text = String::new();
        for char in self {
            text.push(char);
            if char.is_ascii_alphabetic() {
                break;
            }
        }
        text
    }
}

impl<I: Iterator<Item = char>> Sequence for I {}

/// The terminal writes `^C` where the cursor is: behind the progress, on the same line.
#[test]
fn ctrl_c_leaves_nothing_of_the_progress() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lunch.png");
    std::fs::write(&path, [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n']).expect("a file");
    for columns in [40, 80] {
        for arguments in [&["user"][..], &["nutrition", "upload", path.to_str().expect("text"), "--wait"]] {
            let server = Scripted::start(|_, _| Reply::Silence);
            let mut command = server.caller(arguments);
            command.env("COLUMNS", columns.to_string());
            let typed = || {
                server.wait_for_request();
                // The progress is drawn by now.
                std::thread::sleep(Duration::from_millis(1_200));
                "\u{3}"
            };
            let Some((text, code)) = typed_at(&command, columns, typed) else { return };
            assert_eq!(code, Some(130), "{text:?}");
            assert!(text.contains(if arguments.len() > 1 { "sending" } else { "calling the service" }), "{text:?}");
            assert!(text.contains("^C"), "the terminal shows it: {text:?}");
            let screen = screen(&text, columns);
            let told = screen.concat();
            assert!(told.starts_with("vitalwire: ") && !told.contains("^C") && !told.contains("s  sending"), "{screen:#?}");
            assert!(!told.contains("calling") && told.contains("interrupted by Ctrl-C"), "{screen:#?}");
        }
    }
}

#[test]
fn ctrl_c_without_progress_ends_its_line() {
    let mut command = crate::common::vitalwire();
    command.args(["sandbox", "--today", "2025-11-21"]);
    let ctrl_c = || {
        std::thread::sleep(Duration::from_secs(2));
        "\u{3}"
    };
    let Some((text, code)) = typed_at(&command, 80, ctrl_c) else { return };
    assert_eq!(code, Some(130), "{text:?}");
    let end = "Serving until Ctrl-C.\r\n^C\r\nvitalwire: interrupted by Ctrl-C (SIGINT); the sandbox has ended, and its data with it\r\n";
    assert!(text.ends_with(end), "{text:?}");
}

#[test]
fn who_sits_at_a_terminal_is_asked_before_an_unusual_file_is_sent() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("letter.txt");
    std::fs::write(&path, "Dear Jane,").expect("a file");
    let path = path.to_str().expect("text");
    let question = format!("vitalwire: {path}: the file is no JPEG, PNG or WebP, by its first bytes. Send it all the same? [y/N] ");
    for (lines, code, requests) in [("y\n", 0, 1), ("YES\n", 0, 1), ("n\n", 10, 0), ("\n", 10, 0), ("yesterday\n", 10, 0)] {
        let record = r#"{"record_id":"r-1","status":"pending","uploaded_at":"2025-11-21T12:00:00Z"}"#;
        let server = Scripted::json(record);
        let Some((text, ended)) = typed(&server.caller(&["nutrition", "upload", path]), lines) else { return };
        assert!(text.contains(&question), "{text:?}");
        assert_eq!((ended, server.requests().len()), (Some(code), requests), "{lines:?}: {text:?}");
        assert_eq!(text.contains("hint: nothing was sent\r\n"), requests == 0, "{text:?}");
    }
    // Ctrl-C is an answer too.
    let server = Scripted::json("{}");
    let ctrl_c = || {
        std::thread::sleep(Duration::from_millis(800));
        "\u{3}"
    };
    let (text, code) = typed_at(&server.caller(&["nutrition", "upload", path]), 80, ctrl_c).expect("script is there");
    assert_eq!((code, server.requests().len()), (Some(130), 0), "{text:?}");
    assert!(text.ends_with("^C\r\nvitalwire: interrupted by Ctrl-C (SIGINT); nothing was sent\r\n"), "{text:?}");
    // Nobody is asked what was answered before.
    let server = Scripted::json(r#"{"record_id":"r-1","status":"pending"}"#);
    let (text, _) = typed(&server.caller(&["nutrition", "upload", path, "--any-format"]), "").expect("script is there");
    assert!(!text.contains("[y/N]") && server.requests().len() == 1, "{text:?}");
}

#[test]
fn who_sits_at_a_terminal_is_asked_before_a_meal_is_deleted() {
    const ID: &str = "6f1c9a52-0000-4000-8000-000000000001";
    let meal = r#"{"record_id":"6f1c9a52-0000-4000-8000-000000000001","status":"completed","dish_name":"soup","user_time_offset_minutes":660,
        "consumed_at":"2025-11-24T20:10:00Z","uploaded_at":"2025-11-25T12:00:00Z","modified_at":"2025-11-25T12:00:00Z"}"#;
    let deletes = |lines: &str, more: &[&str]| {
        let server = Scripted::start(move |_, request| match request.line.starts_with("DELETE") {
            true => Reply::Answer(204, "application/json", String::new()),
            false => Reply::json(meal),
        });
        let shown = typed(&server.caller(&[&["nutrition", "delete", ID], more].concat()), lines)?;
        Some((shown, server.requests().len()))
    };
    // Eaten at 07:10 of the 25th in Sydney.
    let question = "vitalwire: Delete the meal \"soup\" of Tue 25 Nov 2025, 07:10 (UTC+11:00)? It cannot be restored. [y/N] ";
    for (lines, code, requests) in [("y\n", 0, 2), ("n\n", 16, 1), ("\n", 16, 1)] {
        let Some(((text, ended), sent)) = deletes(lines, &[]) else { return };
        assert!(text.contains(question), "{text:?}");
        assert_eq!((ended, sent), (Some(code), requests), "{lines:?}: {text:?}");
        assert_eq!(text.contains("cancelled: nothing was deleted"), requests == 1, "{text:?}");
    }
    let ((text, ended), sent) = deletes("", &["--yes"]).expect("script is there");
    assert!(!text.contains("[y/N]") && text.contains("Deleted the meal") && (ended, sent) == (Some(0), 2), "{text:?}");
}
