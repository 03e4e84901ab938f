//! A replay keeps recorded data from other users and pages, and rejects damaged recordings.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{RunningSandbox, run, vitalwire};

fn exchange(path: &str, headers: &Value, body: &Value) -> String {
    let response = json!({ "status": 200, "took_ms": 1, "headers": headers, "body": body });
    json!({ "vitalwire_exchange": 1, "request": { "method": "GET", "path": path }, "response": response }).to_string()
}

/// Returns the status and the whole response, in lower case.
fn get(base_url: &str, path: &str, token: Option<&str>) -> (u16, String) {
    let host = base_url.trim_start_matches("http://").trim_end_matches("/care");
    let mut stream = TcpStream::connect(host).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
    let authorization = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{authorization}\r\n").expect("a request");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("a response");
    (response[9..12].parse().expect("a status"), response.to_ascii_lowercase())
}

#[test]
fn recorded_data_needs_the_token_and_is_no_page_of_the_sandbox() {
    let folder = TempDir::new().expect("a folder");
    let headers = json!([
        ["content-type", "text/html"],
        ["retry-after", "7"],
        ["set-cookie", "a=b"],
        ["access-control-allow-origin", "*"],
        ["content-length", "999999"],
        ["transfer-encoding", "chunked"],
        ["content-security-policy", "default-src *"],
        ["x-synthetic-data", "true"]
    ]);
    std::fs::write(folder.path().join("1.json"), exchange("/v3/userinfo", &headers, &json!({ "text": "<script>CANARY</script>" })))
        .expect("a file");
    let served = RunningSandbox::start(&["--replay", folder.path().to_str().expect("text")]);
    assert_eq!(served.ready["synthetic"], false);
    let (base, token) = (served.field("base_url"), served.field("token"));
    let guessed = RunningSandbox::start(&[]).field("token");
    for (token, path) in [
        (None, "/v3/userinfo"),
        (Some("any"), "/v3/userinfo"),
        (Some(&guessed), "/v3/userinfo"),
        (None, "/v3/unknown"),
        (None, "/care/v3/userinfo"),
    ] {
        let (status, text) = get(&base, path, token.map(|token: &str| token));
        assert!(status == 401 && !text.contains("canary"), "{path}: {text}");
    }
    let (status, text) = get(&base, "/v3/userinfo", Some(&token));
    assert!(status == 200 && text.ends_with("<script>canary</script>"), "{text}");
    for header in [
        "x-synthetic-data: false",
        "x-recorded: true",
        "content-security-policy: sandbox; default-src 'none'",
        "x-content-type-options: nosniff",
        "content-type: text/html",
        "retry-after: 7",
        "content-length: 23",
    ] {
        assert!(text.contains(&format!("\r\n{header}\r\n")), "{header}: {text}");
    }
    for name in ["set-cookie", "access-control", "transfer-encoding", "default-src *", "data: true"] {
        assert!(!text.contains(name), "{name}: {text}");
    }
    // The sandbox's own routes need it too.
    for path in ["/_sandbox/state", "/_sandbox/requests", "/_sandbox/webhooks", "/_sandbox/files/page.js"] {
        let (status, text) = get(&base, path, None);
        assert!(status == 401 && text.contains("the token of this replay is required"), "{path}: {text}");
        let (status, text) = get(&base, path, Some(&token));
        assert!(status == 200 && !text.contains(&token.to_ascii_lowercase()) && !text.contains("canary"), "{path}");
    }
    let (status, text) = get(&base, "/", None);
    assert!(status == 200 && text.contains("recorded data") && text.contains("x-synthetic-data: false"), "{text}");
    for word in ["synthetic:", "curl", "user-", "<", "canary", &token.to_ascii_lowercase()] {
        assert!(!text.contains(word), "{word}: {text}");
    }
    // Another run has another token.
    let again = RunningSandbox::start(&["--replay", folder.path().to_str().expect("text")]);
    assert_ne!(again.field("token"), token);
    assert_eq!(again.field("care_token"), again.field("token"));
}

#[test]
fn the_introduction_of_a_replay_has_its_token_and_does_not_call_it_synthetic() {
    let folder = TempDir::new().expect("a folder");
    std::fs::write(folder.path().join("1.json"), exchange("/v3/userinfo", &json!([]), &json!({ "json": {} }))).expect("a file");
    let mut command = vitalwire();
    let mut child = command.args(["sandbox", "--replay"]).arg(folder.path()).stdout(Stdio::piped()).spawn().expect("it starts");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map(|line| line.expect("text"));
    let text = lines.take_while(|line| !line.starts_with("Serving")).collect::<Vec<_>>().join("\n");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert!(!text.contains("synthetic") && text.contains("may be that of real people"), "{text}");
    let value =
        |name: &str| text.lines().find_map(|line| line.strip_prefix(&format!("export VITALWIRE_{name}="))).expect("a variable").to_owned();
    assert_eq!(value("TOKEN"), value("CARE_TOKEN"));
    assert!(value("TOKEN").len() > 32 && value("BASE_URL").starts_with("http://127.0.0.1:"), "{text}");
}

/// Writes a part of a hostile recording.
type Damage = fn(&Path);

#[test]
fn damaged_recordings_are_rejected_with_the_reason() {
    const REASONS: [(&str, Damage, &str); 9] = [
        ("not JSON", |path| std::fs::write(path, "CANARY").expect("a file"), "1.json must be a recorded exchange"),
        ("deep", |path| std::fs::write(path, "[".repeat(2_000_000)).expect("a file"), "1.json must be a recorded exchange"),
        ("another version", |path| std::fs::write(path, "{\"vitalwire_exchange\":2}").expect("a file"), "must be a recorded exchange"),
        (
            "a header value",
            |path| std::fs::write(path, exchange("/", &json!([["retry-after", "a\nCANARY: b"]]), &Value::Null)).expect("a file"),
            "1.json must be a recorded exchange",
        ),
        (
            "a header name",
            |path| std::fs::write(path, exchange("/", &json!([["x: CANARY", "b"]]), &Value::Null)).expect("a file"),
            "1.json must be a recorded exchange",
        ),
        (
            "base64",
            |path| std::fs::write(path, exchange("/", &json!([]), &json!({ "base64": "CANARY!" }))).expect("a file"),
            "1.json must be a recorded exchange",
        ),
        (
            "a large file",
            |path| std::fs::File::create(path).and_then(|file| file.set_len((256 << 20) + 1)).expect("a sparse file"),
            "1.json must not be larger than 256 MiB",
        ),
        ("a folder", |path| std::fs::create_dir(path).expect("a folder"), "1.json must be a regular file"),
        ("no file", |_| {}, "the folder must contain a recorded exchange"),
    ];
    for (name, damage, reason) in REASONS {
        check(name, damage, reason);
    }
    #[cfg(unix)]
    {
        check("a link", |path| std::os::unix::fs::symlink("/dev/zero", path).expect("a link"), "1.json must be a regular file");
        let pipe: Damage = |path| assert!(std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
        check("a pipe", pipe, "1.json must be a regular file");
    }
}

fn check(name: &str, damage: Damage, reason: &str) {
    let folder = TempDir::new().expect("a folder");
    damage(&folder.path().join("1.json"));
    let output = run(&["sandbox", "--replay", folder.path().to_str().expect("text")]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(10), "{name}: {stderr}");
    assert!(stderr.contains(reason) && !stderr.contains("CANARY") && stderr.len() < 500, "{name}: {stderr}");
}
