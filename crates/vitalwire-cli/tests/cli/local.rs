//! Tokens, webhooks, manual pages and licences.

use std::io::Write;
use std::process::{Output, Stdio};

use crate::common::{RunningSandbox, run, vitalwire};

/// A body and its HMAC-SHA256 with the key `webhook-key-2025`, computed by another program.
const BODY: &str = r#"[{"application_user_id":"person-1","event_type":"steps"}]"#;
const SIGNATURE: &str = "693bb7af87a804d3dedb5d0846f975c2aeb8cf035475d5a4cdd9bb96b37610a2";

fn with_stdin(arguments: &[&str], variables: &[(&str, &str)], stdin: &str) -> Output {
    let mut command = vitalwire();
    command.args(arguments).envs(variables.iter().copied()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    // A program that rejects its command line does not read stdin.
    let _ = child.stdin.take().expect("a pipe").write_all(stdin.as_bytes());
    child.wait_with_output().expect("it ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

#[test]
fn a_key_and_its_signature_give_tokens_for_the_same_user() {
    let served = RunningSandbox::start(&["--seed", "7", "--today", "2025-11-21"]);
    let (base, key) = (served.field("base_url"), served.field("application_key"));
    let application = served.ready["application_id"].to_string();
    let service = [("VITALWIRE_BASE_URL", base.as_str()), ("VITALWIRE_PROXY", "none"), ("THE_KEY", &key)];
    let by_variable = with_stdin(&["token", &application, "person-1", "--key-env", "THE_KEY"], &service, "");
    // The line end is not part of the key.
    let by_stdin = with_stdin(&["token", &application, "person-1", "--key-file", "-"], &service, &format!("{key}\n"));
    let signature = vitalwire::webhook::sign("person-1", &key);
    let signed = with_stdin(&["token", &application, "person-1", "--signature-file", "-"], &service, &signature);
    for output in [by_variable, by_stdin, signed] {
        assert!(output.status.success(), "{output:?}");
        let token = text(&output.stdout);
        let user = with_stdin(&["user"], &[service[0], service[1], ("VITALWIRE_TOKEN", token.trim())], "");
        assert!(text(&user.stdout).contains("person-1"), "{user:?}");
    }
    let wrong = with_stdin(&["token", &application, "person-1", "--key-file", "-"], &service, "another-application-key");
    assert!(matches!(wrong.status.code(), Some(11..=12)) && wrong.stdout.is_empty(), "{wrong:?}");
    assert!(!text(&wrong.stderr).contains("another-application-key"));
    assert_eq!(run(&["token", "1", "person-1"]).status.code(), Some(2));
    assert_eq!(run(&["token", "1", "person-1", "--key-env", "A", "--key-file", "-"]).status.code(), Some(2));
}

#[test]
fn a_webhook_is_verified_and_decoded() {
    let verify = ["webhook", "verify", "--key-env", "THE_KEY", "--signature", SIGNATURE];
    let call = |more: &[&str], key: &str, body: &str| {
        let arguments: Vec<&str> = verify.iter().chain(more).copied().collect();
        with_stdin(&arguments, &[("THE_KEY", key)], body)
    };
    let fits = call(&["-"], "webhook-key-2025", BODY);
    assert!(fits.status.success(), "{fits:?}");
    let lines = text(&fits.stdout);
    assert!(lines.lines().any(|line| line.split_whitespace().take(3).eq(["valid", "person-1", "steps"])), "{lines}");
    let json = call(&["--format", "json", "--kind", "events", "-"], "webhook-key-2025", BODY);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(json[0]["event_type"], "steps");
    for (key, body) in [("another-webhook-key", BODY), ("webhook-key-2025", "[]"), ("webhook-key-2025", &format!("{BODY}\n"))] {
        let rejected = call(&["-"], key, body);
        assert_eq!((rejected.status.code(), rejected.stdout.len()), (Some(15), 0), "{rejected:?}");
        assert!(!text(&rejected.stderr).contains("person-1") && !text(&rejected.stderr).contains(key));
    }
    // The signature matches, but the body is of another kind.
    assert_eq!(call(&["--kind", "lab-report", "-"], "webhook-key-2025", BODY).status.code(), Some(15));
    assert_eq!(call(&["--base-url", "http://127.0.0.1:1", "-"], "webhook-key-2025", BODY).status.code(), Some(2));
    assert_eq!(run(&["webhook", "verify", "--signature", SIGNATURE, "-"]).status.code(), Some(2));
    assert_eq!(call(&["no-such-file"], "webhook-key-2025", "").status.code(), Some(10));
}

#[test]
fn a_key_may_have_a_byte_order_mark_and_a_line_end_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("key");
    for (key, wrong) in [
        ("webhook-key-2025\n", None),
        ("webhook-key-2025\r\n", None),
        ("\u{feff}webhook-key-2025\n\n", None),
        ("\"webhook-key-2025\"\n", Some("the webhook key is in quotes; remove them")),
        ("'webhook-key-2025'", Some("the webhook key is in quotes; remove them")),
        ("webhook-key-2025 \n", Some("the webhook key begins or ends with white space; remove it")),
        ("a", Some("a webhook key must be at least 16 bytes long")),
        ("Bearer webhook-key-2025", Some("the webhook key begins with `Bearer `; remove that")),
    ] {
        std::fs::write(&file, key).expect("a file");
        for source in [["--key-env", "THE_KEY"], ["--key-file", file.to_str().expect("text")]] {
            let arguments = [&["webhook", "verify", "--signature", SIGNATURE], &source[..], &["-"]].concat();
            let output = with_stdin(&arguments, &[("THE_KEY", key)], BODY);
            let stderr = text(&output.stderr);
            assert_eq!((output.status.success(), output.status.code() == Some(15)), (wrong.is_none(), false), "{key:?}: {stderr}");
            assert!(wrong.is_none_or(|wrong| stderr.contains(wrong)) && !stderr.contains("webhook-key"), "{stderr}");
        }
    }
    let service = [("VITALWIRE_BASE_URL", "http://127.0.0.1:1"), ("THE_KEY", "\"CANARY-application-key\"")];
    let output = with_stdin(&["token", "1", "person-1", "--key-env", "THE_KEY"], &service, "");
    let stderr = text(&output.stderr);
    assert!(!output.status.success() && stderr.contains("the application key is in quotes") && !stderr.contains("CANARY"), "{stderr}");
}

#[test]
fn a_webhook_with_a_byte_order_mark_is_decoded() {
    let body = format!("\u{feff}{BODY}");
    let signature = vitalwire::webhook::sign(&body, "webhook-key-2025");
    for format in ["table", "json"] {
        let arguments = ["webhook", "verify", "--key-env", "THE_KEY", "--signature", &signature, "--format", format, "-"];
        let output = with_stdin(&arguments, &[("THE_KEY", "webhook-key-2025")], &body);
        assert!(output.status.success() && text(&output.stdout).contains("person-1"), "{output:?}");
        assert!(!text(&output.stdout).contains('\u{feff}'), "{output:?}");
    }
}

#[test]
fn one_of_several_webhook_keys_must_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let (new, old) = (folder.path().join("new"), folder.path().join("old"));
    std::fs::write(&new, "the-next-webhook-key\n").expect("a file");
    std::fs::write(&old, "webhook-key-2025\n").expect("a file");
    let (new, old) = (new.to_str().expect("text"), old.to_str().expect("text"));
    let verify = |keys: &[&str]| {
        let arguments = [&["webhook", "verify", "--signature", SIGNATURE], keys, &["-"]].concat();
        with_stdin(&arguments, &[("NEW", "the-next-webhook-key"), ("OLD", "webhook-key-2025")], BODY).status.code()
    };
    assert_eq!(verify(&["--key-file", new, "--key-file", old]), Some(0));
    assert_eq!(verify(&["--key-env", "NEW", "--key-env", "OLD"]), Some(0));
    assert_eq!(verify(&["--key-env", "NEW", "--key-file", old]), Some(0));
    assert_eq!(verify(&["--key-env", "NEW", "--key-file", new]), Some(15));
    assert_eq!(verify(&["--key-env", "OLD", "--key-env", "NOT_SET"]), Some(10), "a key that is named has to be there");
    assert_eq!(verify(&["--key-file", "-"]), Some(2), "stdin cannot be both");
}

#[test]
fn manual_pages_are_printed_or_written_to_files() {
    let page = text(&run(&["man"]).stdout);
    assert!(page.contains(".TH vitalwire 1") && page.contains("EXIT STATUS"), "{page}");
    let folder = tempfile::tempdir().expect("a folder");
    let directory = folder.path().join("new/man1");
    let output = run(&["man", "--dir", directory.to_str().expect("text")]);
    let pages = std::fs::read_dir(&directory).expect("a directory").count();
    assert!(output.status.success() && pages > 15, "{pages}");
    assert!(std::fs::read_to_string(directory.join("vitalwire-sleep.1")).is_ok_and(|page| page.contains("Show one night")));
    let below_a_file = directory.join("vitalwire.1/man");
    let rejected = run(&["man", "--dir", below_a_file.to_str().expect("text")]);
    assert_eq!((rejected.status.code(), rejected.stdout.len()), (Some(1), 0));
    let stderr = String::from_utf8_lossy(&rejected.stderr);
    assert!(stderr.contains(&format!("the pages cannot be written to {}: ", below_a_file.display())), "{stderr}");
}

#[test]
fn the_licences_list_this_project_and_its_libraries() {
    let output = run(&["licenses"]);
    let page = text(&output.stdout);
    assert!(output.status.success() && output.stderr.is_empty());
    // This project, common licences, and libraries that are not packages.
    for line in ["Copyright (c) 2026 The Vitalwire contributors", "SQLite", "Rust standard library", "Apache-2.0", "MIT"] {
        assert!(page.lines().any(|found| found == line), "{line}");
    }
    for package in ["clap", "ring", "rusqlite", "rustls", "tokio", "zlib-rs"] {
        assert!(page.lines().any(|line| line.starts_with(&format!("  {package} "))), "{package}");
    }
    for wrong in [&["licenses", "--sandbox"][..], &["licenses", "--format", "json"], &["licenses", "--force"]] {
        assert_eq!(run(wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn a_closed_output_pipe_is_no_error() {
    let mut command = vitalwire();
    command.args(["completions", "zsh"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
