//! Output on a terminal, which `script` of util-linux provides. Machines without `script` skip these tests.
#![cfg(target_os = "linux")]

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use vitalwire_testkit::{self as testkit, Server};

use crate::scripted::{Reply, ScriptedServer};

/// Returns the terminal output of a command and its exit code. `None` without `script`.
fn shown(command: &Command) -> Option<(String, Option<i32>)> {
    typed(command, "")
}

/// Like [`shown`], with typed lines.
fn typed(command: &Command, lines: &str) -> Option<(String, Option<i32>)> {
    typed_at(command, 80, || lines)
}

/// Like [`typed`], on a terminal with this many columns. `lines` returns when it is time to type.
fn typed_at<'a>(command: &Command, columns: usize, lines: impl FnOnce() -> &'a str) -> Option<(String, Option<i32>)> {
    let quoted = |text: &std::ffi::OsStr| format!("'{}'", text.to_str().expect("text"));
    let line: Vec<String> = [command.get_program()].into_iter().chain(command.get_args()).map(quoted).collect();
    let mut script = Command::new("script");
    let line = format!("stty columns {columns}; exec {}", line.join(" "));
    script.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm");
    // Progress is not drawn if CI is set.
    script.env_remove("CI");
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => script.env(name, value),
            None if name == "TERM" => &mut script,
            None => script.env_remove(name),
        };
    }
    let mut child = script.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    // Keep stdin open: its end would be typed too.
    let mut keyboard = child.stdin.take().expect("a pipe");
    keyboard.write_all(lines().as_bytes()).expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    drop(keyboard);
    Some((String::from_utf8(output.stdout).expect("UTF-8"), output.status.code()))
}

#[test]
fn progress_shows_the_delay_before_the_next_attempt() {
    let server = ScriptedServer::from(Server::with_script(|_, number| match number {
        0 => testkit::response(429, &[("retry-after", "4")], b""),
        _ => testkit::json(200, r#"{"application_user_id":"person-1"}"#),
    }));
    let Some((text, code)) = shown(server.command(&["user"]).env("VITALWIRE_MAX_RETRIES", "1")) else { return };
    assert_eq!(code, Some(0), "{text:?}");
    assert!(text.contains("calling the service, next attempt in 3s") && !text.contains("in 0s"), "{text:?}");
}

#[test]
fn progress_is_shown_on_terminals_and_cleared() {
    let server = ScriptedServer::start(|number, _| {
        // The first response takes long enough to show progress, on a busy machine too.
        std::thread::sleep(Duration::from_secs(if number == 0 { 3 } else { 1 }));
        Reply::json(r#"{"application_user_id":"person-1"}"#)
    });
    let command = server.command(&["user"]);
    let Some((text, code)) = shown(&command) else { return };
    assert_eq!(code, Some(0), "{text:?}");
    let (progress, response) = text.rsplit_once("\r\u{1b}[2K").unwrap_or_else(|| panic!("{text:?}"));
    assert!(progress.contains("calling the service") && !progress.contains("person-1"), "{text:?}");
    assert!(response.contains("person-1") && response.contains("\u{1b}[1m"), "{text:?}");
    let (dumb, _) = shown(server.command(&["user"]).env("TERM", "dumb")).expect("script is there");
    assert!(!dumb.contains("asking") && !dumb.contains('\u{1b}'), "{dumb:?}");
    let (quiet, _) = shown(server.command(&["user"]).env("NO_COLOR", "1")).expect("script is there");
    assert!(!quiet.contains("\u{1b}[1m") && quiet.contains("person-1"), "{quiet:?}");
    // Binary formats are not written to a terminal, and no request is sent.
    let requested = server.requests().len();
    let (binary, code) = shown(&server.command(&["stats", "daily", "--format", "parquet"])).expect("script is there");
    let hint = if cfg!(feature = "tables") { "name a file with --output FILE, or use a pipe" } else { "use --format json" };
    assert!(code == Some(2) && binary.contains(&format!("hint: {hint}")), "{binary:?}");
    assert_eq!(server.requests().len(), requested);
    // A pipe gets only the response.
    let mut piped = server.command(&["user"]);
    assert!(piped.output().expect("it starts").stderr.is_empty());
}

/// Returns the lines that a terminal with this many columns shows at the end. Handles only the control sequence that clears a line.
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
                // The cursor stays at the end of a full line until another character follows.
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

/// Reads a control sequence up to and including its final letter.
trait ControlSequence: Iterator<Item = char> + Sized {
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

impl<I: Iterator<Item = char>> ControlSequence for I {}

/// The terminal writes `^C` at the cursor, after the progress on the same line.
#[test]
fn ctrl_c_clears_the_progress() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lunch.png");
    std::fs::write(&path, [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n']).expect("a file");
    for columns in [40, 80] {
        for arguments in [&["user"][..], &["nutrition", "upload", path.to_str().expect("text"), "--wait"]] {
            let server = ScriptedServer::start(|_, _| Reply::NoResponse);
            let mut command = server.command(arguments);
            command.env("COLUMNS", columns.to_string());
            let typed = || {
                server.wait_for_request();
                // Wait until the progress is drawn.
                std::thread::sleep(Duration::from_millis(1_200));
                "\u{3}"
            };
            let Some((text, code)) = typed_at(&command, columns, typed) else { return };
            assert_eq!(code, Some(130), "{text:?}");
            assert!(text.contains(if arguments.len() > 1 { "sending" } else { "calling the service" }), "{text:?}");
            assert!(text.contains("^C"), "the terminal shows it: {text:?}");
            let screen = screen(&text, columns);
            let stderr = screen.concat();
            assert!(stderr.starts_with("vitalwire: ") && !stderr.contains("^C") && !stderr.contains("s  sending"), "{screen:#?}");
            assert!(!stderr.contains("calling") && stderr.contains("interrupted by Ctrl-C"), "{screen:#?}");
        }
    }
}

#[test]
fn ctrl_c_without_progress_ends_the_line() {
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
fn a_prompt_precedes_an_upload_of_an_unusual_format() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("letter.txt");
    std::fs::write(&path, "Dear Jane,").expect("a file");
    let path = path.to_str().expect("text");
    let question = format!("vitalwire: {path}: the file does not begin like a JPEG, PNG or WebP. Send it anyway? [y/N] ");
    for (lines, code, requests) in [("y\n", 0, 1), ("YES\n", 0, 1), ("n\n", 10, 0), ("\n", 10, 0), ("yesterday\n", 10, 0)] {
        let record = r#"{"record_id":"r-1","status":"pending","uploaded_at":"2025-11-21T12:00:00Z"}"#;
        let server = ScriptedServer::json(record);
        let Some((text, ended)) = typed(&server.command(&["nutrition", "upload", path]), lines) else { return };
        assert!(text.contains(&question), "{text:?}");
        assert_eq!((ended, server.requests().len()), (Some(code), requests), "{lines:?}: {text:?}");
        assert_eq!(text.contains("hint: nothing was sent\r\n"), requests == 0, "{text:?}");
    }
    // Ctrl-C ends the prompt too.
    let server = ScriptedServer::json("{}");
    let ctrl_c = || {
        std::thread::sleep(Duration::from_secs(3));
        "\u{3}"
    };
    let (text, code) = typed_at(&server.command(&["nutrition", "upload", path]), 80, ctrl_c).expect("script is there");
    assert_eq!((code, server.requests().len()), (Some(130), 0), "{text:?}");
    assert!(text.ends_with("^C\r\nvitalwire: interrupted by Ctrl-C (SIGINT); nothing was sent\r\n"), "{text:?}");
    // With `--any-format` there is no prompt.
    let server = ScriptedServer::json(r#"{"record_id":"r-1","status":"pending"}"#);
    let (text, _) = typed(&server.command(&["nutrition", "upload", path, "--any-format"]), "").expect("script is there");
    assert!(!text.contains("[y/N]") && server.requests().len() == 1, "{text:?}");
}

/// Texts of the service cannot control the terminal, in any format. Pipes and files get them unchanged.
#[test]
fn texts_of_the_service_do_not_control_the_terminal() {
    const ID: &str = "6f1c9a52-0000-4000-8000-000000000001";
    const AT: &str = "2025-11-21T12:00:00Z";
    // Sets the title, clears the screen, moves to the start of the line, and reverses the direction of the text.
    const STEERING: &str = "soup\u{1b}]0;x\u{7}\u{1b}[2J\u{1b}[31mred\rX\u{9b}2J\u{202e}\u{7f}end";
    let name = serde_json::to_string(STEERING).expect("JSON");
    let meal = format!(
        r#"{{"record_id":"{ID}","status":"completed","dish_name":{name},"uploaded_at":"{AT}","modified_at":"{AT}","consumed_at":"{AT}",
        "ingredients":[{{"name":{name},"portion_unit":{name}}}],"provider_slug":{name}}}"#
    );
    let report = format!(
        r#"{{"record_id":"{ID}","status":"completed","lab_name":{name},"uploaded_at":"{AT}","modified_at":"{AT}",
        "sections":[{{"name":{name},"results":[{{"biomarker_name":{name},"name":{name},"value_text":{name},"unit":{name}}}]}}]}}"#
    );
    let night = format!(
        r#"{{"sleep_id":"{ID}","modified_at":"{AT}","start_at_timestamp":"{AT}","end_at_timestamp":"{AT}","provider_slug":{name},
        "device_type":{name},"stages":[{{"stage":{name},"start_at":"{AT}","end_at":"{AT}"}}]}}"#
    );
    let days = format!(
        r#"{{"from_date":"2025-11-21","to_date":"2025-11-21","statistics":[{{"date":"2025-11-21","record_ids":[{name}],"values":{{"steps":1,{name}:2}}}}]}}"#
    );
    let problem = format!(r#"{{"title":{name},"detail":{name},"errors":[{{"message":{name},"location":{name}}}]}}"#);
    let server = ScriptedServer::start(move |_, request| match request.line.split(['?', ' ']).nth(1).unwrap_or_default() {
        path if path.contains("nutrition_records/") => Reply::json(&meal),
        path if path.ends_with("nutrition_records") => Reply::json(format!("[{meal}]")),
        path if path.contains("lab_reports/") => Reply::json(&report),
        path if path.ends_with("lab_reports") => Reply::json(format!("[{report}]")),
        path if path.contains("sleeps/") => Reply::json(&night),
        path if path.ends_with("daily") => Reply::json(&days),
        path if path.ends_with("userinfo") => Reply::json(format!(r#"{{"application_user_id":{name},"integrated_providers":[]}}"#)),
        _ => Reply::problem(422, &problem),
    });
    let commands: [&[&str]; 8] = [
        &["nutrition", "list"],
        &["nutrition", "get", ID],
        &["labs", "list", "--from", "2025-11-20"],
        &["labs", "get", ID],
        &["sleep", ID],
        &["stats", "daily", "--types", "steps", "--record-ids", "--from", "2025-11-21", "--to", "2025-11-21"],
        &["user"],
        &["integrations", "list"],
    ];
    let formats: &[&str] = if cfg!(feature = "tables") { &["table", "json", "csv"] } else { &["table", "json"] };
    let mut unchanged = Vec::new();
    for (command, format) in commands.iter().flat_map(|command| formats.iter().map(move |format| (*command, *format))) {
        for tty in [&[][..], &["--output", "/dev/tty"]] {
            let arguments = [command, &["--format", format], tty].concat();
            let mut caller = server.command(&arguments);
            caller.env("NO_COLOR", "1");
            let Some((text, _)) = shown(&caller) else { return };
            // The progress line is ours.
            let text = text.replace("\r\u{1b}[2K", "").replace("\r\n", "\n");
            let steering = text.find(|char: char| (char.is_control() && !"\n\t".contains(char)) || char == '\u{202e}');
            assert!(steering.is_none() && !text.is_empty(), "{arguments:?}: {text:?}");
        }
        let mut caller = server.command(&[command, &["--format", format]].concat());
        let piped = String::from_utf8(caller.output().expect("it starts").stdout).expect("UTF-8");
        if format == "csv" && piped.replace("\\;", ";").contains(STEERING) {
            unchanged.push(command[..2].join(" "));
        }
    }
    let tables = ["nutrition list", "nutrition get", "labs list", "labs get", &format!("sleep {ID}"), "stats daily"];
    assert_eq!(unchanged, if cfg!(feature = "tables") { &tables[..] } else { &[] }, "a pipe gets the bytes of the service");
}

#[test]
fn a_prompt_precedes_a_deletion() {
    const ID: &str = "6f1c9a52-0000-4000-8000-000000000001";
    let meal = r#"{"record_id":"6f1c9a52-0000-4000-8000-000000000001","status":"completed","dish_name":"soup","user_time_offset_minutes":660,
        "consumed_at":"2025-11-24T20:10:00Z","uploaded_at":"2025-11-25T12:00:00Z","modified_at":"2025-11-25T12:00:00Z"}"#;
    let deletes = |lines: &str, more: &[&str]| {
        let server = ScriptedServer::start(move |_, request| match request.line.starts_with("DELETE") {
            true => Reply::Response(204, "application/json", String::new()),
            false => Reply::json(meal),
        });
        let shown = typed(&server.command(&[&["nutrition", "delete", ID], more].concat()), lines)?;
        Some((shown, server.requests().len()))
    };
    // The meal was eaten on the 25th at 07:10 in Sydney.
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
