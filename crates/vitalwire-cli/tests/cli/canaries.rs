//! Canaries: no failure of any command prints a token, key, id or response.

use std::fs;
use std::process::Command;

use vitalwire_testkit::canary::{self, CANARY};

use crate::scripted::{Reply, ScriptedServer};

/// Bodies that are invalid for every operation.
const BODIES: [&str; 6] = [
    "<html>CANARY-7f3a</html>",
    "",
    "\"CANARY-7f3a\"",
    r#"{"CANARY-7f3a":["CANARY-7f3a"]}"#,
    r#"["CANARY-7f3a",{"record_id":{"CANARY-7f3a":1}}]"#,
    r#"{"record_id":"CANARY-7f3a","lab_report":"CANARY-7f3a","status":7,"statistics":{"CANARY-7f3a":1},"id":["CANARY-7f3a"],"#,
];

fn commands(server: &ScriptedServer, file: &str) -> Vec<Command> {
    let arguments: [&[&str]; 20] = [
        &["user"],
        &["properties"],
        &["sleep", CANARY],
        &["stats", "daily", "--types", CANARY, "--from", "2025-01-01", "--to", "2025-01-09"],
        &["stats", "daily", "--from", "2025-01-01", "--to", "2025-01-09", "--split-days", "3"],
        &["stats", "interval", "--providers", CANARY],
        &["nutrition", "list"],
        &["nutrition", "get", CANARY],
        &["nutrition", "upload", file],
        &["nutrition", "upload", file, "--wait"],
        &["nutrition", "wait", CANARY],
        &["nutrition", "update", CANARY, "--serving-size", "100"],
        &["nutrition", "delete", CANARY],
        &["labs", "list"],
        &["labs", "get", CANARY],
        &["labs", "upload", file, "--wait"],
        &["integrations", "init-url", CANARY, "--state", CANARY, "--redirect-uri", "https://app.example.com/CANARY-7f3a"],
        &["integrations", "delete", CANARY],
        &["benefits", CANARY, CANARY, CANARY],
        &["token", "1", CANARY, "--key-env", "THE_KEY"],
    ];
    let command = |arguments: &&[&str]| {
        let mut command = server.command(arguments);
        command.env("VITALWIRE_TOKEN", CANARY).env("VITALWIRE_CARE_TOKEN", CANARY).env("THE_KEY", CANARY);
        // Ids of another format are sent, so that a response can quote them.
        command.env("VITALWIRE_CLIENT_SIDE_VALIDATION", "false");
        // The log must not contain canaries either.
        command.env("RUST_LOG", "trace").env("RUST_BACKTRACE", "1");
        command
    };
    arguments.iter().map(command).collect()
}

#[test]
fn no_failure_prints_a_canary() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("CANARY-7f3a.png");
    fs::write(&file, b"\x89PNG\r\n\x1a\nCANARY-7f3a").expect("a file");
    let file = file.to_str().expect("text");
    let problem = format!(
        r#"{{"type":"{CANARY}","title":"{CANARY}","detail":"{CANARY}","instance":"{CANARY}","errors":[{{"location":"body.x","message":"refused","value":"{CANARY}"}}]}}"#
    );
    let mut replies: Vec<(u16, String)> =
        [302, 400, 401, 403, 404, 413, 418, 422, 429, 500, 503].map(|status| (status, problem.clone())).into();
    replies.extend(BODIES.map(|body| (200, body.to_owned())));
    for (status, body) in replies {
        let response = body.clone();
        let server = ScriptedServer::start(move |_, _| Reply::Response(status, "application/json", response.clone()));
        for mut command in commands(&server, file) {
            let output = command.output().expect("it starts");
            let stderr = String::from_utf8(output.stderr).expect("text");
            let code = output.status.code().expect("no signal");
            canary::assert_absent(&stderr);
            // Messages of the service are shown to the user who sent the input; see `rejections.rs`.
            assert!(code == 0 || (10..=20).contains(&code), "{status} {body}: {code} {stderr}");
            assert!(
                status == 200 || (code != 0 && output.stdout.is_empty()) || status == 404,
                "{status} {body}: {code} {:?}",
                command.get_args()
            );
        }
    }
}
