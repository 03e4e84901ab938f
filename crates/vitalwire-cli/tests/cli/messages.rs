//! Error messages name the invalid file, option, limit or variable, in the terms of the command line.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::common::{RunningSandbox, run, vitalwire};
use crate::scripted::{Reply, ScriptedServer};

/// Texts for users of the library, which the program must not print.
const FORBIDDEN: [&str; 7] = ["argument ", "pass it", "pass the", "as bytes", "its people", "read the environment", "allow_plain_http"];

fn stderr(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).expect("UTF-8");
    for word in FORBIDDEN {
        assert!(!text.contains(word), "{word}: {text}");
    }
    text
}

/// Returns every command that reads a file, with this file name.
fn readers(file: &str) -> Vec<Command> {
    let body = tempfile::NamedTempFile::new().expect("a file");
    let (_, body) = body.keep().expect("a file");
    let body = body.to_str().expect("text").to_owned();
    let all: [&[&str]; 7] = [
        &["--sandbox", "nutrition", "upload", file],
        &["--sandbox", "labs", "upload", file],
        &["webhook", "verify", "--key-env", "KEY", "--signature", "00", file],
        &["webhook", "verify", "--key-file", file, "--signature", "00", &body],
        &["token", "1", "person-1", "--key-file", file, "--base-url", "http://127.0.0.1:1"],
        &["token", "1", "person-1", "--signature-file", file, "--base-url", "http://127.0.0.1:1"],
        &["sandbox", "--ready-json", "--replay", file],
    ];
    let command = |arguments: &&[&str]| {
        let mut command = vitalwire();
        command.args(*arguments).env("KEY", "CANARY-webhook-key");
        command
    };
    all.iter().map(command).collect()
}

#[test]
fn a_missing_file_is_named_with_the_same_exit_code_everywhere() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["lunch.jpg", "no folder/lunch.jpg", "ünïcode.pdf"] {
        let path = folder.path().join(name);
        let path = path.to_str().expect("text");
        for mut command in readers(path) {
            let output = command.output().expect("it starts");
            let stderr = stderr(&output);
            assert_eq!((output.status.code(), output.stdout.len()), (Some(10), 0), "{command:?}: {stderr}");
            assert!(
                stderr.starts_with(&format!("vitalwire: invalid_argument: {path}")) && stderr.to_lowercase().contains("no such file"),
                "{stderr}"
            );
        }
    }
    let user = ["user", "--config", "/nowhere/config.toml"];
    let output = run(&user);
    assert!(output.status.code() == Some(10) && stderr(&output).contains("/nowhere/config.toml cannot be read"), "{output:?}");
}

#[test]
fn a_file_that_cannot_be_sent_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).expect("a file");
        path.to_str().expect("text").to_owned()
    };
    let text = BASE64_STANDARD.encode(b"\x89PNG\r\n\x1a\nCANARY-CANARY-CANARY-CANARY".repeat(20));
    let (empty, encoded) = (write("empty.jpg", b""), write("encoded.jpg", text.as_bytes()));
    let url = write("url.jpg", format!("data:image/png;base64,{text}").as_bytes());
    let huge = write("huge.jpg", b"");
    std::fs::OpenOptions::new().write(true).open(&huge).and_then(|file| file.set_len(200 << 20)).expect("a sparse file");
    let directory = folder.path().to_str().expect("text").to_owned();
    for (path, rule) in [
        (&empty, "the file is empty"),
        (&encoded, "is base64 text; decode it into a file first"),
        (&url, "is a data URL; decode the base64 text after its comma into a file first"),
        (&huge, "is larger than the limit for files: 64 MiB"),
        (&directory, "is a directory"),
    ] {
        for command in ["nutrition", "labs"] {
            let output = run(&["--sandbox", command, "upload", path]);
            let stderr = stderr(&output);
            assert_eq!(output.status.code(), Some(10), "{stderr}");
            let lines: Vec<&str> = stderr.lines().collect();
            assert!(lines[0].starts_with(&format!("vitalwire: invalid_argument: {path}")) && lines[0].contains(rule), "{stderr}");
            assert_eq!(lines[1], "hint: nothing was sent", "the path is right: {stderr}");
        }
    }
    // Content that is passed instead of a path is not quoted.
    for content in [text.clone(), format!("data:image/png;base64,{text}"), "CANARY of a report, ".repeat(300)] {
        for command in ["nutrition", "labs"] {
            let output = run(&["--sandbox", command, "upload", &content]);
            let stderr = stderr(&output);
            assert!(output.status.code() == Some(10) && stderr.contains("into a file first") && !stderr.contains("CANARY"), "{stderr}");
            assert!(stderr.len() < 250 && !stderr.contains(&text[..40]), "{stderr}");
        }
    }
    // At most 100 characters of a path are quoted.
    let long = format!("/nowhere/{}/lunch.jpg", ["folder"; 40].join("/"));
    let output = run(&["--sandbox", "nutrition", "upload", &long]);
    let stderr = stderr(&output);
    let named = stderr.split(": ").nth(2).expect("a path");
    assert!(named.chars().count() == 100 && named.starts_with("/nowhere/folder/") && named.ends_with("/lunch.jpg"), "{stderr}");
}

#[test]
fn a_limit_of_the_service_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lunch.png");
    let mut picture = b"\x89PNG\r\n\x1a\n".to_vec();
    picture.resize(30 << 20, 0);
    std::fs::write(&path, picture).expect("a file");
    let path = path.to_str().expect("text");
    let output = run(&["--sandbox", "nutrition", "upload", path]);
    let local = stderr(&output);
    assert_eq!(output.status.code(), Some(12), "{local}");
    assert!(local.contains("hint: send a smaller picture: the service accepts about 7.5 MB") && !local.contains("--split-days"), "{local}");
    let large = ScriptedServer::json(&format!(r#"{{"application_user_id":"{}"}}"#, "x".repeat(5_000)));
    let output = large.command(&["user"]).env("VITALWIRE_MAX_RESPONSE_BYTES", "4000").output().expect("it starts");
    let response = stderr(&output);
    assert_eq!(output.status.code(), Some(12), "{response}");
    assert!(response.contains("the response is larger than VITALWIRE_MAX_RESPONSE_BYTES allows"), "{response}");
    assert!(response.contains("hint: set a larger VITALWIRE_MAX_RESPONSE_BYTES"), "{response}");
    // The service or a gateway rejects the size.
    std::fs::write(path, b"\x89PNG\r\n\x1a\n").expect("a file");
    let server = ScriptedServer::start(|_, _| Reply::Response(413, "text/html", "<html></html>".to_owned()));
    for (arguments, hint) in [
        (&["nutrition", "upload", path][..], "send a smaller picture: the service accepts about 7.5 MB, which is 10 MB of base64 text"),
        (&["labs", "upload", path], "send a smaller document: the service accepts about 7.5 MB, which is 10 MB of base64 text"),
        (&["stats", "daily", "--to", "2025-11-20"], "request a shorter range: --split-days"),
    ] {
        let stderr = stderr(&server.command(arguments).output().expect("it starts"));
        assert!(stderr.contains(&format!("hint: {hint}")) && (arguments[0] == "stats" || !stderr.contains("--split-days")), "{stderr}");
    }
}

#[test]
fn settings_have_the_names_of_the_command_line() {
    for (arguments, part) in [
        (&["user"][..], "no base URL is set for the health service, GET /v3/userinfo\nhint: set VITALWIRE_BASE_URL, --base-url"),
        (&["benefits", "1", "2", "3"], "/benefits\nhint: set VITALWIRE_CARE_BASE_URL, --care-base-url"),
        (&["user", "--base-url", "h.example"], "must begin with https:// or http://\nhint: the value comes from --base-url"),
        (&["user", "--base-url", "localhost:8080"], "must begin with https:// or http://"),
        (&["user", "--base-url", "ftp://h.example"], "must begin with https:// or http://"),
        (&["user", "--base-url", "http://h.example"], "or with VITALWIRE_ALLOW_PLAIN_HTTP=true"),
        (&["user", "--base-url", "https://h.example/v3"], "must not end in /v3"),
        (
            &["webhook", "verify", "--key-env", "NO_SUCH_KEY", "--signature", "00", "/dev/null"],
            "the environment variable NO_SUCH_KEY is not set",
        ),
        (&["token", "1", "u", "--signature-env", "NO_SUCH_SIG", "--base-url", "https://h.example"], "variable NO_SUCH_SIG is not set"),
    ] {
        let output = run(arguments);
        let stderr = stderr(&output);
        assert_eq!(output.status.code(), Some(10), "{arguments:?}: {stderr}");
        assert!(stderr.starts_with("vitalwire: configuration: ") && stderr.contains(part), "{arguments:?}: {stderr}");
    }
    let mut command = vitalwire();
    command.args(["user", "--base-url", "https://h.example"]).env("VITALWIRE_CA_FILE", "/nowhere/ca.pem");
    let missing = stderr(&command.output().expect("it starts"));
    assert!(missing.ends_with("hint: the value comes from the variable VITALWIRE_CA_FILE: /nowhere/ca.pem\n"), "{missing}");
    let mut command = vitalwire();
    command.args(["user", "--base-url", "https://h.example"]).env("VITALWIRE_TOKEN", "Bearer CANARY");
    let stderr = stderr(&command.output().expect("it starts"));
    assert!(stderr.contains("begins with `Bearer `; remove that") && !stderr.contains("CANARY"), "{stderr}");
}

/// A 404 response that is not about a record does not blame the id.
#[test]
fn a_wrong_base_url_is_not_reported_as_a_wrong_id() {
    let served = RunningSandbox::start(&["--seed", "7", "--today", "2025-11-21"]);
    let url = format!("{}/nothing", served.field("base_url"));
    for arguments in [&["user"][..], &["properties"], &["nutrition", "list"], &["labs", "list"], &["stats", "daily", "--to", "2025-11-20"]]
    {
        let mut command = vitalwire();
        command.args(arguments).args(["--base-url", &url]).env("VITALWIRE_TOKEN", served.field("token"));
        let output = command.output().expect("it starts");
        let stderr = stderr(&output);
        assert_eq!(output.status.code(), Some(12), "{stderr}");
        assert!(stderr.ends_with("hint: check the base URL: it must end before /v3 or /public\n"), "{stderr}");
    }
    let server = ScriptedServer::start(|_, _| Reply::problem(404, "{}"));
    // An https URL of a server without TLS.
    let mut command = vitalwire();
    let secure = served.field("base_url").replace("http://", "https://");
    command.args(["user", "--base-url", &secure]).env("VITALWIRE_TOKEN", "t").env("VITALWIRE_MAX_RETRIES", "0");
    let output = command.output().expect("it starts");
    assert!(output.status.code() == Some(14) && stderr(&output).contains("hint: check that the server supports https"), "{output:?}");
    let init = stderr(&server.command(&["integrations", "init-url", "oura"]).output().expect("it starts"));
    assert!(init.contains("the provider is unknown or not connected") && !init.contains(" id"), "{init}");
}

#[test]
fn a_failed_read_states_no_effect() {
    let id = "6f1c9a52-0000-4000-8000-000000000001";
    let reads: [&[&str]; 9] = [
        &["user"],
        &["properties"],
        &["sleep", "s-1"],
        &["stats", "daily", "--to", "2025-11-20"],
        &["stats", "interval"],
        &["nutrition", "get", id],
        &["nutrition", "wait", id],
        &["labs", "list"],
        &["integrations", "init-url", "oura"],
    ];
    for reply in [
        (|| Reply::Response(503, "text/html", String::new())) as fn() -> Reply,
        || Reply::Response(500, "text/html", String::new()),
        || Reply::json("{"),
        || Reply::NoResponse,
    ] {
        let server = ScriptedServer::start(move |_, _| reply());
        for read in reads {
            let mut command = server.command(read);
            let stderr = stderr(&command.env("VITALWIRE_TIMEOUT", "0.4").output().expect("it starts"));
            assert!(!stderr.contains("may have") && stderr.contains("\nhint: "), "{read:?}: {stderr}");
        }
    }
    let server = ScriptedServer::start(|_, _| Reply::Response(503, "text/html", String::new()));
    assert!(
        stderr(&server.command(&["user"]).output().expect("it starts")).ends_with("retry later, and quote the request id to its support\n")
    );
}

#[test]
fn an_address_in_use_is_named() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("session");
    for arguments in
        [&["sandbox", "--bind", &address][..], &["record", "--sandbox", "--bind", &address, "--to", folder.to_str().expect("text")]]
    {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(stderr(&output).starts_with(&format!("vitalwire: cannot listen on {address}: ")), "{output:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_token_command_that_hangs_is_named() {
    let server = ScriptedServer::json("{}");
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("config.toml");
    let text = format!("base_url = \"{}\"\ntimeout = 0.5\ntoken_command = [\"sleep\", \"CANARY\", \"30\"]\n", server.url);
    let text = text.replace("\"CANARY\", ", "");
    std::fs::write(&config, text).expect("a file");
    let mut command = vitalwire();
    let output = command.args(["user", "--config"]).arg(Path::new(&config)).output().expect("it starts");
    let stderr = stderr(&output);
    assert!(output.status.code() == Some(14) && server.requests().is_empty(), "{stderr}");
    assert!(stderr.contains("hint: the token command `sleep` has not ended"), "{stderr}");
}

/// Servers with TLS 1.2 reject a client without a certificate with the alert `handshake_failure` (RFC 5246 7.4.6).
#[test]
fn a_rejected_tls_handshake_may_be_due_to_a_missing_client_certificate() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("https://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
            let mut hello = [0; 4096];
            assert!(stream.read(&mut hello).expect("a hello") > 0);
            stream.write_all(&[21, 3, 3, 0, 2, 2, 40]).expect("an alert");
        }
    });
    let mut command = vitalwire();
    command.args(["user", "--base-url", &url]).env("VITALWIRE_TOKEN", "t").env("VITALWIRE_MAX_RETRIES", "0");
    let output = command.output().expect("it starts");
    let stderr = stderr(&output);
    assert_eq!(output.status.code(), Some(14), "{stderr}");
    assert!(stderr.contains("the server rejected the TLS handshake"), "{stderr}");
    assert!(stderr.contains("requires a client certificate (VITALWIRE_CLIENT_CERTIFICATE_FILE)"), "{stderr}");
}
