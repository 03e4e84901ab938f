//! Uploads, waits for an analysis, and changes of meals.

use std::fs;
use std::path::Path;
use std::process::Output;
#[cfg(unix)]
use std::process::{Command, Stdio};
#[cfg(unix)]
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use crate::common::run;
use crate::scripted::{Reply, Request, ScriptedServer};

const ID: &str = "6f1c9a52-0000-4000-8000-000000000001";
/// The signature of PNG files, as bytes and in base64.
const PNG: [u8; 8] = [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];
const PNG_BASE64: &str = "iVBORw0KGgo=";

fn record(status: &str, more: &str) -> Reply {
    let at = "2025-11-21T12:00:00Z";
    Reply::json(format!(r#"{{"record_id":"{ID}","status":"{status}","uploaded_at":"{at}","modified_at":"{at}"{more}}}"#))
}

/// Creates a service that accepts an upload. Polls return these statuses in sequence, then the last one forever.
fn service_with_statuses(statuses: &'static [(&'static str, &'static str)]) -> ScriptedServer {
    ScriptedServer::start(move |number, request| match request.line.split_once(' ') {
        Some(("POST", "/v3/nutrition_records")) => record("pending", ""),
        _ => {
            let (status, more) = statuses[number.saturating_sub(1).min(statuses.len() - 1)];
            record(status, more)
        }
    })
}

fn picture(folder: &Path) -> String {
    let path = folder.join("lunch.png");
    fs::write(&path, PNG).expect("a file");
    path.to_str().expect("text").to_owned()
}

fn body(request: &Request) -> Value {
    serde_json::from_str(&request.body).expect("JSON")
}

fn finish(server: &ScriptedServer, arguments: &[&str]) -> Output {
    server.command(arguments).output().expect("it starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn a_picture_is_sent_and_its_record_is_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = service_with_statuses(&[]);
    let output = finish(&server, &["nutrition", "upload", &picture(folder.path()), "--details", "--fields", "energy_kcal,salt_g"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert!(text(&output.stdout).contains(ID) && text(&output.stdout).contains("pending"), "{output:?}");
    let request = server.only_request();
    let sent = body(&request);
    assert_eq!(request.line, "POST /v3/nutrition_records");
    assert_eq!((sent["body"].as_str(), sent["include_ingredients"].as_bool()), (Some(PNG_BASE64), Some(true)));
    assert_eq!(sent["include_nutrition_fields"], serde_json::json!(["energy_kcal", "salt_g"]));
    assert!(sent.get("wait_on_process").is_none() && sent.get("country_code").is_none());
}

#[test]
fn metadata_of_a_picture_can_be_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lunch.png");
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 1, 1);
    encoder.add_text_chunk("Comment".to_owned(), "CANARY".to_owned()).expect("a text");
    encoder.write_header().and_then(|mut writer| writer.write_image_data(&[7])).expect("a picture");
    fs::write(&path, &file).expect("a file");
    let path = path.to_str().expect("text");
    for (more, tells) in [(&[][..], true), (&["--strip-metadata"], false)] {
        let server = service_with_statuses(&[]);
        assert!(finish(&server, &[&["nutrition", "upload", path], more].concat()).status.success());
        let sent = body(&server.only_request());
        let sent = BASE64_STANDARD.decode(sent["body"].as_str().expect("base64")).expect("base64");
        assert_eq!(sent.windows(6).any(|window| window == b"CANARY"), tells);
        assert_eq!(sent == file, tells);
        assert!(sent.starts_with(&PNG));
    }
    let server = service_with_statuses(&[]);
    let broken = finish(&server, &["nutrition", "upload", &picture(folder.path()), "--strip-metadata"]);
    assert!(broken.status.code() == Some(10) && server.requests().is_empty(), "{broken:?}");
    assert!(text(&broken.stderr).contains("hint: without --strip-metadata"), "{broken:?}");
}

#[test]
fn a_url_is_sent_as_a_url() {
    let server = service_with_statuses(&[]);
    let json = finish(&server, &["nutrition", "upload", "https://pictures.example.org/a.jpg", "--format", "json", "--mode", "fast"]);
    assert_eq!(serde_json::from_slice::<Value>(&json.stdout).expect("JSON")["record_id"], ID);
    let sent = body(&server.only_request());
    assert_eq!((sent["body_url"].as_str(), sent["analysis_mode"].as_str()), (Some("https://pictures.example.org/a.jpg"), Some("fast")));
    assert!(sent.get("body").is_none());
}

#[test]
fn wait_shows_the_final_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = picture(folder.path());
    for format in ["table", "json"] {
        let server = service_with_statuses(&[("processing", ""), ("completed", r#","dish_name":"soup","new_member":1.50"#)]);
        let output = finish(&server, &["nutrition", "upload", &path, "--wait", "--format", format]);
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let lines: Vec<String> = server.requests().into_iter().map(|request| request.line).collect();
        let read = format!("GET /v3/nutrition_records/{ID}");
        assert_eq!(lines, ["POST /v3/nutrition_records", &read, &read]);
        let output = text(&output.stdout);
        assert!(output.contains("soup") && !output.contains("processing"), "{output}");
        // JSON is printed as received, with unknown fields and all digits.
        assert_eq!(output.contains("\"new_member\": 1.50"), format == "json", "{output}");
    }
}

#[cfg(feature = "tables")]
#[test]
fn the_final_record_can_be_a_table() {
    let server = service_with_statuses(&[("completed", r#","dish_name":"soup","nutritional_fields":{"energy_kcal":120.5}"#)]);
    let output = finish(&server, &["nutrition", "wait", ID, "--format", "csv"]);
    let lines: Vec<&str> = text(&output.stdout).split_terminator("\r\n").collect();
    assert!(output.status.success() && lines.len() == 2, "{output:?}");
    assert!(lines[0].contains("energy_kcal") && lines[1].contains("soup") && lines[1].contains("120.5"), "{lines:?}");
}

#[test]
fn a_failed_analysis_is_shown_and_has_its_own_exit_code() {
    let server = service_with_statuses(&[("failed", r#","failure_reason":"Unable to identify food items""#)]);
    for format in ["table", "json"] {
        let output = finish(&server, &["nutrition", "wait", ID, "--format", format]);
        assert_eq!(output.status.code(), Some(20), "{output:?}");
        assert!(text(&output.stdout).contains("Unable to identify food items"), "{output:?}");
        assert!(text(&output.stderr).starts_with("vitalwire: the analysis failed\nhint: "), "{output:?}");
    }
}

#[test]
fn a_wait_that_times_out_names_the_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = service_with_statuses(&[("processing", "")]);
    let output = finish(&server, &["nutrition", "upload", &picture(folder.path()), "--wait", "--timeout", "0.5"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(14), 0), "{output:?}");
    let output = text(&output.stderr);
    assert!(
        output.starts_with("vitalwire: timeout: ") && output.contains(&format!("`vitalwire nutrition wait {ID}` continues")),
        "{output}"
    );
}

/// The hint names the setting whose time is over.
#[test]
fn a_wait_for_a_record_that_times_out_names_its_option() {
    let processing = service_with_statuses(&[("processing", "")]);
    let silent = ScriptedServer::start(|_, _| Reply::NoResponse);
    for command in ["nutrition", "labs"] {
        for server in [&processing, &silent] {
            let output = finish(server, &[command, "wait", ID, "--timeout", "0.5"]);
            assert_eq!(output.status.code(), Some(14), "{output:?}");
            assert!(text(&output.stderr).ends_with("hint: set a longer --timeout, in seconds\n"), "{output:?}");
        }
        let mut limited = silent.command(&[command, "wait", ID]);
        let output = limited.env("VITALWIRE_TIMEOUT", "0.5").output().expect("it starts");
        assert!(text(&output.stderr).ends_with("hint: set a longer VITALWIRE_TIMEOUT, in seconds\n"), "{output:?}");
    }
}

/// Other commands need the id, so every screen of one record has it.
#[test]
fn screens_of_a_record_have_its_id() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = picture(folder.path());
    let server = ScriptedServer::start(move |_, request| match request.line.starts_with("POST /v3/lab") {
        true => Reply::json(format!(r#"{{"lab_report":{{"record_id":"{ID}","status":"pending","uploaded_at":"2025-11-21T12:00:00Z"}}}}"#)),
        false => record("completed", r#","sections":[]"#),
    });
    for command in ["nutrition", "labs"] {
        for arguments in [&[command, "get", ID][..], &[command, "wait", ID], &[command, "upload", &picture, "--wait"]] {
            let output = finish(&server, arguments);
            assert!(output.status.success(), "{output:?}");
            assert!(text(&output.stdout).ends_with(&format!("\n\n  record {ID}\n")), "{output:?}");
        }
        let output = finish(&server, &[command, "upload", &picture]);
        let receipt = text(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(receipt.ends_with(&format!("`vitalwire {command} wait {ID}` shows it when its analysis has ended.")), "{receipt}");
    }
    let output = finish(&server, &["nutrition", "update", ID, "--serving-size", "250"]);
    assert!(text(&output.stdout).contains(&format!("`vitalwire nutrition get {ID}` shows")), "{output:?}");
}

#[test]
fn a_document_is_sent_with_its_own_or_another_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("jane-doe.txt");
    fs::write(&path, "%PDF-1.7").expect("a file");
    let path = path.to_str().expect("text");
    for (more, name) in [(&[][..], "jane-doe.txt"), (&["--name", "report.txt"], "report.txt")] {
        let server = ScriptedServer::start(|_, request| match request.line.starts_with("POST") {
            true => Reply::json(format!(r#"{{"lab_report":{{"record_id":"{ID}","status":"pending"}}}}"#)),
            false => Reply::json(format!(r#"{{"record_id":"{ID}","status":"completed","sections":[]}}"#)),
        });
        let output = finish(&server, &[&["labs", "upload", path, "--wait"], more].concat());
        assert!(output.status.success() && text(&output.stdout).contains("completed"), "{output:?}");
        let requests = server.requests();
        let sent = body(&requests[0]);
        assert_eq!((sent["filename"].as_str(), sent["body"].as_str()), (Some(name), Some("JVBERi0xLjc=")));
        assert_eq!(requests[1].line, format!("GET /v3/lab_reports/{ID}"));
        let again = finish(&server, &["labs", "wait", ID]);
        assert!(again.status.success() && server.requests().len() == 3, "{again:?}");
    }
}

#[test]
fn a_meal_is_changed() {
    let server = ScriptedServer::start(|_, _| record("updated", r#","dish_name":"soup","serving_size":250,"unit":"g""#));
    let output = finish(&server, &["nutrition", "update", ID, "--serving-size", "250"]);
    assert!(output.status.success() && text(&output.stdout).contains("soup, 250 g, updated"), "{output:?}");
    let request = server.only_request();
    assert_eq!(request.line, format!("PATCH /v3/nutrition_records/{ID}"));
    assert_eq!(body(&request)["serving_size"].as_f64(), Some(250.0));
    assert_eq!(finish(&server, &["nutrition", "update", ID, "--serving-size", "0"]).status.code(), Some(10));
    assert_eq!(server.requests().len(), 1, "what no serving can be is not sent");
}

#[test]
fn missing_arguments_are_reported() {
    for (arguments, code) in [
        (&["nutrition", "upload", "--base-url", "https://h.example"][..], 2),
        (&["labs", "upload", "--base-url", "https://h.example"], 2),
        (&["--sandbox", "nutrition", "upload", "/nowhere/lunch.jpg"], 10),
        (&["--sandbox", "labs", "upload", "/"], 10),
        (&["--sandbox", "nutrition", "upload", "--timeout", "3"], 2),
        (&["--sandbox", "nutrition", "wait", "x", "--timeout", "0"], 2),
        (&["nutrition", "update", ID], 2),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
        assert!(
            output.stdout.is_empty()
                && text(&output.stderr).contains("/nowhere/lunch.jpg: there is no such file") == arguments.contains(&"/nowhere/lunch.jpg"),
            "{output:?}"
        );
    }
}

#[test]
fn the_sandbox_has_default_files() {
    for (arguments, part) in
        [(&["nutrition", "upload", "--wait", "--details"][..], "Nutri-Score"), (&["labs", "upload", "--wait"], "completed")]
    {
        let output = run(&[&["--sandbox", "--seed", "7", "--today", "2025-11-21"], arguments].concat());
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        assert!(text(&output.stdout).contains(part), "{output:?}");
    }
}

/// The service has read the whole upload, but its outcome is unknown. The hint does not mention proxies.
#[test]
fn an_upload_that_may_have_arrived_is_not_retried() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = picture(folder.path());
    let eaten = ["nutrition", "upload", "--consumed-at", "2025-11-05T10:30:00Z"];
    // 10:30 in London is 22:30 of the day before at UTC-12, and after midnight of the next day at UTC+14.
    for (arguments, list) in [
        (&eaten[..], "vitalwire nutrition list --from 2025-11-04 --to 2025-11-06`"),
        (&eaten[..2], "vitalwire nutrition list --from 20"),
        (&["labs", "upload"], "vitalwire labs list --from 20"),
    ] {
        for reply in [|| Reply::Response(503, "application/json", "{}".to_owned()), || Reply::NoResponse] {
            let server = ScriptedServer::start(move |_, _| reply());
            let mut caller = server.command(&[arguments, &[path.as_str()]].concat());
            let output = caller.env("VITALWIRE_TIMEOUT", "0.5").output().expect("it starts");
            let output = text(&output.stderr);
            assert!(
                output.contains("it may have taken effect")
                    && output.contains(&format!("check with `{list}"))
                    && output.contains("` before you send it again"),
                "{output}"
            );
            assert!(!output.contains("proxy") && server.requests().len() == 1, "{output}");
            let mut caller = server.command(&[arguments, &[path.as_str(), "--format", "json"]].concat());
            let output = caller.env("VITALWIRE_TIMEOUT", "0.5").output().expect("it starts");
            let error: Value = serde_json::from_str(text(&output.stderr).lines().last().unwrap_or_default()).expect("a line of JSON");
            assert_eq!(
                (&error["may_have_taken_effect"], &error["is_transient"], &error["attempts"]),
                (&true.into(), &false.into(), &1.into())
            );
            assert_eq!(error["exit_code"], output.status.code().expect("no signal"), "{error}");
        }
    }
}

/// The response cannot be decoded, but it contains the id of the record.
#[test]
fn an_undecodable_upload_response_names_the_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = picture(folder.path());
    for (id, hint) in [
        (ID, format!("hint: the upload has arrived: `vitalwire nutrition wait {ID}` shows the record when its analysis has ended\n")),
        // In a shell, this id would run a command.
        ("a;b", "` before you send it again\n".to_owned()),
    ] {
        let server =
            ScriptedServer::start(move |_, _| Reply::Response(201, "application/json", format!(r#"{{"record_id":"{id}","status":7}}"#)));
        let output = finish(&server, &["nutrition", "upload", &path]);
        assert_eq!((output.status.code(), output.stdout.len(), server.requests().len()), (Some(15), 0, 1), "{output:?}");
        assert!(text(&output.stderr).ends_with(&hint), "{output:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_upload_states_its_effect() {
    let ended_by = |signal: &str, server: &ScriptedServer, arguments: &[&str], requests: usize| {
        let mut caller = server.command(arguments);
        let child = caller.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        while server.requests().len() < requests {
            std::thread::sleep(Duration::from_millis(10));
        }
        let kill = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().expect("kill is there");
        assert!(kill.success());
        child.wait_with_output().expect("it ends")
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = picture(folder.path());
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        for more in [&["--wait"][..], &["--wait", "--format", "json"]] {
            let waiting = service_with_statuses(&[("processing", "")]);
            let output = ended_by(signal, &waiting, &[&["nutrition", "upload", &path], more].concat(), 2);
            assert_eq!((output.status.code(), output.stdout.len()), (Some(code), 0), "{output:?}");
            assert!(text(&output.stderr).contains(&format!("`vitalwire nutrition wait {ID}` continues")), "{output:?}");
        }
        let hanging = ScriptedServer::start(|_, _| Reply::NoResponse);
        let output = ended_by(signal, &hanging, &["nutrition", "upload", &path], 1);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(code), 0), "{output:?}");
        assert!(text(&output.stderr).contains("before you send it again"), "{output:?}");
        let output = ended_by(signal, &hanging, &["user"], 2);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(text(&output.stderr).contains("reading was stopped, nothing was changed"), "{output:?}");
    }
}
