//! What only a terminal sees. `script` of util-linux is one; machines without it have nothing to look with.
#![cfg(target_os = "linux")]

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::scripted::{Reply, Scripted};

/// What a terminal shows of a command, and its exit code; `None` without `script`.
fn shown(command: &Command) -> Option<(String, Option<i32>)> {
    let quoted = |text: &std::ffi::OsStr| format!("'{}'", text.to_str().expect("text"));
    let line: Vec<String> = [command.get_program()].into_iter().chain(command.get_args()).map(quoted).collect();
    let mut script = Command::new("script");
    script.args(["-qec", &line.join(" "), "/dev/null"]).env("TERM", "xterm").stdin(Stdio::null());
    // On build machines no progress is drawn.
    script.env_remove("CI");
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => script.env(name, value),
            None if name == "TERM" => &mut script,
            None => script.env_remove(name),
        };
    }
    let output = script.output().ok()?;
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
    assert!(progress.contains("asking the service") && !progress.contains("person-1"), "{text:?}");
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
