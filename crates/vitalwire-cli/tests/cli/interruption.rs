//! Signals in every phase of every command: the exit code, the stated effect, and the command that continues.
//!
//! `--nocapture` prints the table of signals, phases and commands.
#![cfg(unix)]

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use vitalwire_testkit::{self as testkit, Server};

use crate::common::{RunningSandbox, control, output_within, vitalwire};
use crate::scripted::{Reply, ScriptedServer};

const SIGNALS: [(&str, i32); 3] = [("INT", 130), ("TERM", 143), ("HUP", 129)];
const ID: &str = "6f1c9a52-0000-4000-8000-000000000001";
const PNG: [u8; 8] = [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];
const RANGE: [&str; 10] = ["stats", "daily", "--types", "steps", "--from", "2025-01-01", "--to", "2025-03-31", "--split-days", "10"];

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn start(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

fn signal(name: &str, child: &Child) {
    assert!(Command::new("kill").args(["-s", name, &child.id().to_string()]).status().expect("kill is there").success());
}

/// Sends a signal when `is_time` returns true, and waits for the program to exit.
fn interrupt(name: &str, child: Child, is_time: impl Fn() -> bool) -> Output {
    let end = Instant::now() + Duration::from_secs(30);
    while !is_time() {
        assert!(Instant::now() < end, "it does not come so far");
        std::thread::sleep(Duration::from_millis(5));
    }
    signal(name, &child);
    output_within(Duration::from_secs(60), child)
}

fn picture(folder: &Path) -> String {
    let path = folder.join("lunch.png");
    fs::write(&path, PNG).expect("a file");
    path.to_str().expect("text").to_owned()
}

fn record(status: &str, more: &str) -> Reply {
    let at = "2025-11-21T12:00:00Z";
    Reply::json(format!(r#"{{"record_id":"{ID}","status":"{status}","uploaded_at":"{at}","modified_at":"{at}"{more}}}"#))
}

/// A command, and whether it may change data.
type Case<'a> = (&'a [&'a str], bool);

#[expect(clippy::print_stdout, reason = "for whoever reads the table")]
fn print_row(signal: &str, phase: &str, command: &[&str], output: &Output) {
    let shown: Vec<&str> = command.iter().map(|word| word.rsplit('/').next().unwrap_or(word)).collect();
    let stderr = text(&output.stderr).trim_end().replace('\n', " | ");
    println!("{signal}\t{phase}\t{}\t{}\t{}\t{stderr}", shown.join(" "), output.status.code().unwrap_or(-1), output.stdout.len());
}

fn check(signal: (&str, i32), phase: &str, command: &[&str], output: &Output, part: &str) {
    print_row(signal.0, phase, command, output);
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(signal.1), "{phase}, {command:?}: {stderr}");
    assert!(stderr.contains("vitalwire: interrupted by ") && stderr.contains(part), "{phase}, {command:?}: {stderr}");
    if command.contains(&"json") {
        let last: Value = serde_json::from_str(stderr.lines().last().unwrap_or_default()).expect("a line of JSON");
        assert_eq!((&last["exit_code"], &last["error"]), (&signal.1.into(), &"interrupted".into()), "{stderr}");
    }
}

#[test]
fn an_interrupted_call_states_its_effect() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = picture(folder.path());
    let cases: [Case; 17] = [
        (&["user"], false),
        (&["user", "--format", "json"], false),
        (&["properties"], false),
        (&["sleep", ID], false),
        (&["sleep", "--date", "2025-11-21"], false),
        (&["stats", "daily", "--types", "steps"], false),
        (&["stats", "interval"], false),
        (&["nutrition", "list"], false),
        (&["nutrition", "get", ID], false),
        (&["labs", "list"], false),
        (&["benefits", "c", "p", "1"], false),
        (&["integrations", "list"], false),
        (&["nutrition", "upload", &picture], true),
        (&["nutrition", "upload", &picture, "--format", "json"], true),
        (&["nutrition", "upload", &picture, "--wait"], true),
        (&["labs", "upload", &picture, "--wait", "--format", "json"], true),
        (&["nutrition", "update", ID, "--serving-size", "100"], true),
    ];
    let half =
        testkit::Reply::SendAndHang(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n{\"a\":".to_vec());
    let silence = testkit::Reply::SendAndHang(Vec::new());
    // One signal per phase and command, because signals differ only in the exit code. All run in parallel: an upload waits 2 s for a
    // response.
    std::thread::scope(|scope| {
        for (at, (phase, reply)) in [("waiting for the response", silence), ("reading", half)].into_iter().enumerate() {
            for (command, (arguments, writes)) in cases.iter().enumerate() {
                let reply = reply.clone();
                scope.spawn(move || {
                    let server = ScriptedServer::from(Server::always(reply));
                    let signal = SIGNALS[(at + command) % 3];
                    let output = interrupt(signal.0, start(&mut server.command(arguments)), || !server.requests().is_empty());
                    let part = if *writes { "the request was sent, and it may have taken effect" } else { "nothing was changed" };
                    check(signal, phase, arguments, &output, part);
                    let stderr = text(&output.stderr);
                    match arguments {
                        ["nutrition", "upload", ..] => assert!(stderr.contains("`vitalwire nutrition list"), "{stderr}"),
                        ["labs", "upload", ..] => assert!(stderr.contains("`vitalwire labs list"), "{stderr}"),
                        _ => {}
                    }
                    assert_eq!(server.requests().len(), 1);
                });
            }
        }
    });
}

#[test]
fn an_interruption_before_a_request_states_that_nothing_was_sent() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("config.toml");
    fs::write(&config, "token_command = [\"sleep\", \"60\"]\n").expect("a file");
    let config = config.to_str().expect("text");
    let picture = picture(folder.path());
    for (at, arguments) in [
        &["nutrition", "upload", "-"][..],
        &["labs", "upload", "-", "--name", "x", "--format", "json"],
        &["nutrition", "upload", &picture, "--config", config],
        &["user", "--config", config],
    ]
    .into_iter()
    .enumerate()
    {
        let server = ScriptedServer::start(|_, _| Reply::NoResponse);
        let mut command = server.command(arguments);
        command.stdin(Stdio::piped());
        if arguments.contains(&config) {
            command.env_remove("VITALWIRE_TOKEN");
        }
        let mut child = start(&mut command);
        // Keep stdin open and type nothing.
        let stdin = child.stdin.take();
        std::thread::sleep(Duration::from_millis(500));
        let output = interrupt(SIGNALS[at % 3].0, child, || true);
        check(SIGNALS[at % 3], "before sending", arguments, &output, "nothing was sent");
        assert!(server.requests().is_empty());
        drop(stdin);
    }
    // A command that calls no service.
    let mut command = vitalwire();
    let arguments = ["webhook", "verify", "--key-file", config, "--signature", "00", "-"];
    let mut child = start(command.args(arguments).stdin(Stdio::piped()));
    let stdin = child.stdin.take();
    std::thread::sleep(Duration::from_millis(500));
    let output = interrupt("TERM", child, || true);
    check(SIGNALS[1], "reading stdin", &arguments, &output, "nothing was sent");
    drop(stdin);
}

/// The response of an upload arrives before or shortly after the signal. The output names the record.
#[test]
fn an_interrupted_upload_with_a_response_names_its_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = picture(folder.path());
    let wait = format!("`vitalwire nutrition wait {ID}` continues to wait");
    for (at, (arguments, delay, requests, part)) in [
        (&["nutrition", "upload", &picture, "--wait"][..], 0, 2, wait.as_str()),
        (&["nutrition", "upload", &picture, "--wait", "--format", "json"], 0, 2, &wait),
        (&["nutrition", "upload", &picture, "--wait"], 1, 1, &wait),
        (&["nutrition", "upload", &picture], 1, 1, "the command completed"),
        (&["nutrition", "upload", &picture, "--format", "json"], 1, 1, "the command completed"),
    ]
    .into_iter()
    .enumerate()
    {
        let server = ScriptedServer::start(move |_, request| {
            let upload = request.line.starts_with("POST");
            std::thread::sleep(Duration::from_secs(if upload { delay } else { 0 }));
            record(if upload { "pending" } else { "processing" }, "")
        });
        let output = interrupt(SIGNALS[at % 3].0, start(&mut server.command(arguments)), || server.requests().len() >= requests);
        let phase = if delay == 0 { "waiting for the analysis" } else { "waiting for the response" };
        check(SIGNALS[at % 3], phase, arguments, &output, part);
        assert_eq!(text(&output.stdout).contains(ID), part == "the command completed", "{output:?}");
    }
    // A wait names only its own command.
    let server = ScriptedServer::start(move |_, _| record("processing", ""));
    let arguments = ["nutrition", "wait", ID];
    let output = interrupt("HUP", start(&mut server.command(&arguments)), || !server.requests().is_empty());
    check(SIGNALS[2], "waiting for the analysis", &arguments, &output, &wait);
}

/// Runs the printed command with a shell.
fn run_printed(served: &RunningSandbox, stderr: &str) -> Output {
    let line = stderr.split('`').nth(1).unwrap_or_else(|| panic!("no command: {stderr}"));
    let line = line.strip_prefix("vitalwire ").expect("the program");
    let mut command = Command::new("sh");
    command.args(["-c", &format!("\"$PROGRAM\" {line}")]).env("PROGRAM", env!("CARGO_BIN_EXE_vitalwire"));
    command.env("VITALWIRE_BASE_URL", served.field("base_url")).env("VITALWIRE_TOKEN", served.field("token"));
    command.env("XDG_CONFIG_HOME", "/nonexistent").env("NO_PROXY", "127.0.0.1").output().expect("it starts")
}

fn caller(served: &RunningSandbox, arguments: &[&str]) -> Command {
    let mut command = vitalwire();
    command.args(arguments).env("VITALWIRE_BASE_URL", served.field("base_url")).env("VITALWIRE_TOKEN", served.field("token"));
    command
}

#[test]
fn the_printed_command_finds_or_continues_the_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = folder.path().join("lunch.png");
    // The sandbox decodes this picture.
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 1, 1);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().and_then(|mut writer| writer.write_image_data(&[7])).expect("a picture");
    fs::write(&picture, &file).expect("a file");
    let picture = picture.to_str().expect("text");

    // The analysis takes a minute and ends after the interruption.
    let served = RunningSandbox::start(&["--today", "2025-11-21", "--processing", "60"]);
    let arguments = ["nutrition", "upload", picture, "--wait"];
    let child = start(&mut caller(&served, &arguments));
    std::thread::sleep(Duration::from_millis(1_500));
    let output = interrupt("INT", child, || true);
    check(SIGNALS[0], "waiting for the analysis", &arguments, &output, "the record exists");
    assert_eq!(control(&served, "POST", "/clock", r#"{"advance": 120}"#).0, 200);
    let printed = run_printed(&served, text(&output.stderr));
    assert!(printed.status.success() && text(&printed.stdout).contains("kcal"), "{printed:?}");

    // The meal is created, but the response does not arrive.
    let served = RunningSandbox::start(&["--fault", "slow; bytes=1; pause_ms=60000; operation=upload_nutrition_record"]);
    let meals = || -> Vec<String> {
        let list = caller(&served, &["nutrition", "list", "--format", "json"]).output().expect("it starts");
        let list = serde_json::from_slice::<Value>(&list.stdout).expect("JSON");
        list.as_array().expect("a list").iter().map(|meal| meal["record_id"].as_str().expect("an id").to_owned()).collect()
    };
    let before = meals();
    let arguments = ["nutrition", "upload", picture];
    let child = start(&mut caller(&served, &arguments));
    let output = interrupt("TERM", child, || meals().len() > before.len());
    check(SIGNALS[1], "reading", &arguments, &output, "it may have taken effect");
    let printed = run_printed(&served, text(&output.stderr));
    let made = meals().into_iter().find(|id| !before.contains(id)).expect("a new meal");
    assert!(printed.status.success() && text(&printed.stdout).contains(&made), "{printed:?}");

    // A range written to a file.
    let served =
        RunningSandbox::start(&["--today", "2025-11-21", "--fault", "delay; delay_ms=200; operation=daily_statistics; times=1000"]);
    let path = folder.path().join("it's a range.csv");
    let arguments = [&RANGE[..], &["--concurrency", "1", "--format", "json", "-o", path.to_str().expect("text")]].concat();
    let part = folder.path().join("it's a range.csv.part");
    let read = || fs::read_to_string(&part).map_or(0, |text| text.lines().count()) > 3;
    let output = interrupt("HUP", start(&mut caller(&served, &arguments)), read);
    check(SIGNALS[2], "between parts", &arguments, &output, "of 9 parts are kept in ");
    let printed = run_printed(&served, text(&output.stderr));
    assert!(printed.status.success(), "{printed:?}");
    let whole: Value = serde_json::from_slice(&fs::read(&path).expect("a file")).expect("JSON");
    assert!(whole["statistics"].as_array().is_some_and(|days| days.len() == 90) && !part.exists());
}

/// Without a file, the parts read so far are written, and the token reads the rest.
#[test]
fn the_completed_parts_are_written_to_a_pipe() {
    let formats: &[&str] = if cfg!(feature = "tables") { &["table", "json", "csv", "arrow", "parquet"] } else { &["table", "json"] };
    for (at, format) in formats.iter().enumerate() {
        let server = ScriptedServer::start(|number, request| {
            let value = |name: &str| request.line.split(['?', '&', ' ']).find_map(|pair| pair.strip_prefix(name)).unwrap_or_default();
            let (from, to) = (value("from_date="), value("to_date="));
            if number > 2 {
                return Reply::NoResponse;
            }
            Reply::json(format!(
                r#"{{"from_date":"{from}","to_date":"{to}","statistics":[{{"date":"{from}","values":{{"steps":4711}}}}]}}"#
            ))
        });
        let arguments = [&RANGE[..], &["--concurrency", "1", "--format", format]].concat();
        let output = interrupt(SIGNALS[at % 3].0, start(&mut server.command(&arguments)), || server.requests().len() > 3);
        check(SIGNALS[at % 3], "between parts", &arguments, &output, "parts written: 3, left: 6; `vitalwire stats daily --types steps ");
        assert!(!output.stdout.is_empty() && text(&output.stderr).contains(" --resume 'vwr1/"), "{output:?}");
        match *format {
            "csv" => assert_eq!(text(&output.stdout), "date,steps\r\n2025-01-01,4711\r\n2025-01-11,4711\r\n2025-01-21,4711\r\n"),
            "json" => assert_eq!(serde_json::from_slice::<Value>(&output.stdout).expect("JSON")["to_date"], "2025-01-30"),
            _ => {}
        }
    }
}

#[test]
fn a_second_signal_ends_the_command_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = picture(folder.path());
    let server = ScriptedServer::start(|_, _| Reply::NoResponse);
    let child = start(&mut server.command(&["nutrition", "upload", &picture, "--format", "json"]));
    let begun = Instant::now();
    let output = interrupt("TERM", child, || !server.requests().is_empty());
    assert!(begun.elapsed() > Duration::from_secs(2), "the command waits for a response");
    assert!(text(&output.stderr).starts_with("vitalwire: ending; a second signal ends it at once\n"), "{output:?}");
    let child = start(&mut server.command(&["nutrition", "upload", &picture, "--format", "json"]));
    while server.requests().len() < 2 {
        std::thread::sleep(Duration::from_millis(5));
    }
    signal("INT", &child);
    std::thread::sleep(Duration::from_millis(100));
    let begun = Instant::now();
    let output = interrupt("INT", child, || true);
    assert!(begun.elapsed() < Duration::from_secs(1), "{output:?}");
    check(SIGNALS[0], "a second signal", &["nutrition", "upload", "--format", "json"], &output, "`vitalwire nutrition list");
    assert!(text(&output.stderr).contains("a request may have been sent"), "{output:?}");
}

/// The reader of the output does not read. The message about the effect is printed anyway.
#[test]
fn a_blocked_output_does_not_hide_the_effect() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = picture(folder.path());
    // The record exceeds the buffer of a pipe.
    let long = "x".repeat(4 << 20);
    let more = format!(r#","dish_name":"{long}""#);
    let server =
        ScriptedServer::start(move |_, request| record(if request.line.starts_with("POST") { "pending" } else { "completed" }, &more));
    for (at, more) in [&["--format", "json"][..], &["--wait", "--format", "json"]].into_iter().enumerate() {
        let arguments = [&["nutrition", "upload", &picture], more].concat();
        let mut child = start(&mut server.command(&arguments));
        let mut pipe = child.stdout.take().expect("a pipe");
        pipe.read_exact(&mut [0]).expect("a first byte");
        let output = interrupt(SIGNALS[at].0, child, || true);
        check(SIGNALS[at], "writing", &arguments, &output, &format!("`vitalwire nutrition wait {ID}`"));
    }
}

#[test]
fn sandbox_record_and_demo_state_how_they_ended() {
    for (name, code) in SIGNALS {
        let mut command = vitalwire();
        let mut child = start(command.args(["sandbox", "--today", "2025-11-21"]));
        let mut stdout = child.stdout.take().expect("a pipe");
        stdout.read_exact(&mut [0]).expect("a first byte");
        let output = interrupt(name, child, || true);
        check((name, code), "serving", &["sandbox"], &output, "the sandbox has ended, and its data with it");
        // The signal arrives during the demo or before it.
        let mut command = vitalwire();
        let mut child = start(command.args(["demo", "--today", "2025-11-21"]));
        let mut stdout = child.stdout.take().expect("a pipe");
        stdout.read_exact(&mut [0]).expect("a first byte");
        let output = interrupt(name, child, || true);
        assert!(output.status.success() || output.status.code() == Some(code), "{output:?}");
        print_row(name, "walking", &["demo"], &output);
    }
}

/// Ignores SIGHUP, as under `nohup`.
#[test]
fn a_program_that_ignores_hang_ups_keeps_running() {
    let server = ScriptedServer::start(|_, _| {
        std::thread::sleep(Duration::from_millis(800));
        Reply::json(r#"{"application_user_id":"person-1"}"#)
    });
    let program = server.command(&["user"]);
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' HUP; exec \"$0\" user", env!("CARGO_BIN_EXE_vitalwire")]);
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    let output = interrupt("HUP", start(&mut shell), || !server.requests().is_empty());
    assert!(output.status.success() && output.stderr.is_empty() && text(&output.stdout).contains("person-1"), "{output:?}");
}
