//! Failed calls: the exit code, one line on stderr, an optional hint, and no private data.

use std::process::Output;
use std::time::Duration;

use crate::common::{run, vitalwire};
use crate::scripted::{Reply, ScriptedServer};

/// A text in every token, body and id of these tests. It must not be printed.
const CANARY: &str = "CANARY-7f3a";

/// Checks stderr: one line, and optionally a hint.
fn checked_stderr(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).expect("text");
    // With --format json, the last line is a JSON object.
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('{')).collect();
    assert!(matches!(lines.len(), 1 | 2), "{text}");
    assert!(lines[0].starts_with("vitalwire: "), "{text}");
    assert!(lines.get(1).is_none_or(|hint| hint.starts_with("hint: ")), "{text}");
    assert!(output.stdout.is_empty(), "a failed call writes no response");
    assert!(!text.contains(CANARY), "{text}");
    text
}

fn run_against(server: &ScriptedServer, arguments: &[&str]) -> Output {
    server.command(arguments).env("VITALWIRE_TOKEN", CANARY).output().expect("it starts")
}

#[test]
fn each_status_has_the_exit_code_of_its_error_kind() {
    // Statuses of the interface and others, with the documented exit codes.
    for (status, code, kind) in [
        (400, 12, "invalid_request"),
        (401, 11, "authentication"),
        (403, 11, "permission"),
        (404, 12, "not_found"),
        (408, 14, "timeout"),
        (413, 12, "too_large"),
        (418, 13, "unexpected_status"),
        (422, 12, "invalid_request"),
        (429, 13, "rate_limited"),
        (500, 13, "service"),
        (503, 13, "service"),
    ] {
        let problem = format!(
            r#"{{"status":{status},"title":"{CANARY}","detail":"{CANARY}","errors":[{{"location":"path.x","value":"{CANARY}"}}]}}"#
        );
        let server = ScriptedServer::start(move |_, _| Reply::problem(status, problem.clone()));
        for format in ["table", "json"] {
            let output = run_against(&server, &["sleep", CANARY, "--format", format]);
            assert_eq!(output.status.code(), Some(code), "{status}: {output:?}");
            let checked_stderr = checked_stderr(&output);
            assert!(checked_stderr.starts_with(&format!("vitalwire: {kind}: ")) && checked_stderr.contains("\nhint: "), "{checked_stderr}");
        }
    }
}

/// No token is involved in the exchange, and nobody supports a recording.
#[test]
fn hints_fit_the_exchange_and_a_recording() {
    for (status, arguments, hint) in [
        (401, &["token", "1", "person-1", "--signature-env", "KEY"][..], "the signature or key, the application id and the user id do not"),
        (404, &["token", "1", "person-1", "--key-env", "KEY"], "the signature or key, the application id and the user id do not"),
        (501, &["sleep", "s-1"], "a replayed recording has only the requests that were recorded"),
    ] {
        let server = ScriptedServer::start(move |_, _| Reply::problem(status, format!(r#"{{"status":{status}}}"#)));
        let output = server.command(arguments).env("KEY", "an-application-key-of-32-letters").output().expect("it starts");
        let stderr = checked_stderr(&output);
        assert!(stderr.contains("\nhint: ") && stderr.contains(hint) && !stderr.contains("VITALWIRE_TOKEN"), "{stderr}");
    }
}

/// The library's own error of a number does not state the rule.
#[test]
fn an_invalid_number_is_reported_with_its_option_and_rule() {
    let whole = "must be a whole number";
    let range = ["stats", "daily", "--types", "steps"];
    for (arguments, option, text, rule) in [
        (&range[..], "--split-days", "0", "must be a whole number of at least 1"),
        (&range, "--split-days", "-1", "must be a whole number of at least 1"),
        (&range, "--concurrency", "65", "must be a whole number from 1 to 64"),
        (&["nutrition", "update", "m-1"], "--serving-size", "much", "must be a number"),
        (&["nutrition", "wait", "m-1"], "--timeout", "-1", "must be a number of seconds above 0"),
        (&["token"], "", "CANARY", whole),
        #[cfg(feature = "tables")]
        (&["cohort", "plan", "--tables", "daily"], "--lookback-days", "-1", whole),
        #[cfg(feature = "tables")]
        (&["cohort", "plan", "--tables", "daily"], "--in-flight", "many", whole),
        #[cfg(feature = "tables")]
        (&["cohort", "plan", "--tables", "daily"], "--per-second", "inf", "must be a number"),
        #[cfg(feature = "tables")]
        (&["cohort", "coverage", "out"], "--fail-without-data-for", "0", "must be a whole number of at least 1"),
    ] {
        let output = vitalwire().args(arguments).args([option, text].iter().filter(|word| !word.is_empty())).output().expect("it starts");
        let stderr = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(option) && stderr.lines().next().is_some_and(|line| line.ends_with(rule)), "{arguments:?}: {stderr}");
    }
}

#[test]
fn invalid_responses_are_decode_errors() {
    for body in [format!("<html>{CANARY}</html>"), String::new(), format!(r#"{{"sleep_id":"{CANARY}""#)] {
        let server = ScriptedServer::start(move |_, _| Reply::Response(200, "text/html", body.clone()));
        for format in ["table", "json"] {
            let output = run_against(&server, &["sleep", "x", "--format", format]);
            assert_eq!(output.status.code(), Some(15), "{output:?}");
            assert!(checked_stderr(&output).starts_with("vitalwire: decode"));
        }
    }
}

/// The hint names the variable of the timeout that expired.
#[test]
fn an_expired_timeout_names_its_own_variable() {
    let server = ScriptedServer::start(|_, _| Reply::NoResponse);
    for variable in ["VITALWIRE_ATTEMPT_TIMEOUT", "VITALWIRE_TIMEOUT"] {
        let output = server.command(&["user"]).env(variable, "0.3").output().expect("it starts");
        let stderr = checked_stderr(&output);
        assert!(stderr.starts_with("vitalwire: timeout: "), "{stderr}");
        assert!(stderr.ends_with(&format!("hint: set a longer {variable}, in seconds\n")), "{stderr}");
    }
    // No setting of the client makes the service wait longer.
    let server = ScriptedServer::start(|_, _| Reply::problem(408, "{}"));
    let stderr = checked_stderr(&server.command(&["user"]).output().expect("it starts"));
    assert!(stderr.ends_with("hint: the service ended the request: retry later\n"), "{stderr}");
}

#[test]
fn connection_failures_are_transport_errors() {
    let server = ScriptedServer::start(|_, _| Reply::NoResponse);
    let output = server.command(&["user"]).env("VITALWIRE_TIMEOUT", "2").env("VITALWIRE_TOKEN", CANARY).output().expect("it starts");
    assert_eq!(output.status.code(), Some(14));
    assert!(checked_stderr(&output).starts_with("vitalwire: timeout: ") && server.closed_within(Duration::from_secs(20)).is_some());
    // Nothing listens on port 1 of this machine.
    let mut command = vitalwire();
    command.args(["user", "--base-url", "http://127.0.0.1:1"]).env("VITALWIRE_MAX_RETRIES", "0").env("VITALWIRE_TOKEN", CANARY);
    let output = command.output().expect("it starts");
    assert_eq!(output.status.code(), Some(14));
    assert!(checked_stderr(&output).starts_with("vitalwire: transport: "));
}

#[test]
fn missing_settings_are_reported_before_a_request() {
    for (arguments, code, part) in [
        (&["user"][..], 10, "VITALWIRE_BASE_URL"),
        (&["user", "--base-url", "https://h.example"], 10, "VITALWIRE_TOKEN"),
        (&["user", "--base-url", "ftp://CANARY-7f3a"], 10, "the value comes from --base-url"),
        (&["user", "--base-url", "http://h.example"], 10, "the value comes from --base-url"),
        (&["benefits", "1", "2", "3"], 10, "VITALWIRE_CARE_BASE_URL"),
        (&["benefits", "1", "2", "3", "--care-base-url", "https://h.example"], 10, "VITALWIRE_CARE_TOKEN"),
        (&["user", "--sandbox", "--output", "/"], 1, "--output must be a file, not a folder"),
        (&["user", "--profile", "x"], 10, "no profile `x`; there are no profiles"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
        assert!(checked_stderr(&output).contains(part), "{arguments:?}: {output:?}");
    }
}

#[cfg(unix)]
mod signals {
    use std::io::Read;
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    use crate::scripted::{Reply, ScriptedServer};

    fn signal(child: &Child, name: &str) {
        let kill = Command::new("kill").args(["-s", name, &child.id().to_string()]).status().expect("kill is there");
        assert!(kill.success());
    }

    #[test]
    fn ctrl_c_closes_the_connection_and_leaves_no_file() {
        for (name, code) in [("INT", 130), ("TERM", 143)] {
            let server = ScriptedServer::start(|_, _| Reply::NoResponse);
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("user.json");
            let mut command = server.command(&["user", "--format", "json", "--output", path.to_str().expect("text")]);
            let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
            server.wait_for_request();
            let sent = Instant::now();
            signal(&child, name);
            let output = child.wait_with_output().expect("it ends");
            assert_eq!(output.status.code(), Some(code));
            assert!(output.stdout.is_empty(), "{output:?}");
            // The connection is closed long before the deadline of the call.
            let closed_at = server.closed_within(Duration::from_secs(20)).expect("the connection is closed");
            assert!(closed_at - sent < Duration::from_secs(10));
            assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
        }
    }

    #[test]
    fn ctrl_c_ends_a_blocked_write() {
        // The body exceeds the buffer of a pipe, and only its first byte is read.
        let body = format!(r#"{{"application_user_id":"{}"}}"#, "x".repeat(4 << 20));
        let server = ScriptedServer::json(&body);
        let mut command = server.command(&["user", "--format", "json"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut pipe = child.stdout.take().expect("a pipe");
        pipe.read_exact(&mut [0]).expect("a first byte");
        signal(&child, "INT");
        let end = Instant::now() + Duration::from_secs(30);
        let status = loop {
            if let Some(status) = child.try_wait().expect("a child") {
                break status;
            }
            assert!(Instant::now() < end, "it does not end");
            std::thread::sleep(Duration::from_millis(10));
        };
        assert_eq!(status.code(), Some(130));
    }
}
