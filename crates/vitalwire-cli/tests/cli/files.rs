//! Files of an unusual format are not sent without confirmation, because a mistyped path may name a private file.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use crate::scripted::{Reply, ScriptedServer};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
const PDF: &[u8] = b"%PDF-1.7";
const WEBP: &[u8] = b"RIFF\x04\0\0\0WEBPVP8 ";
/// A text file, whose format cannot be recognized by its first bytes.
const LETTER: &[u8] = b"Dear Jane,";

fn server() -> ScriptedServer {
    ScriptedServer::start(|_, request| {
        let record = r#""record_id":"r-1","status":"pending","uploaded_at":"2025-11-21T12:00:00Z""#;
        Reply::json(match request.line.as_str() {
            "POST /v3/lab_reports" => format!(r#"{{"lab_report":{{{record}}}}}"#),
            _ => format!("{{{record}}}"),
        })
    })
}

fn send(server: &ScriptedServer, arguments: &[&str]) -> Output {
    server.command(arguments).output().expect("it starts")
}

fn piped(server: &ScriptedServer, arguments: &[&str], bytes: &[u8]) -> Output {
    let mut command = server.command(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    // A program that rejects its command line does not read stdin.
    let _ = child.stdin.take().expect("a pipe").write_all(bytes);
    child.wait_with_output().expect("it ends")
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("UTF-8")
}

/// Returns the file that was sent last.
fn sent_file(server: &ScriptedServer) -> Vec<u8> {
    let requests = server.requests();
    let body: Value = serde_json::from_str(&requests.last().expect("a request").body).expect("JSON");
    BASE64_STANDARD.decode(body["body"].as_str().expect("base64")).expect("base64")
}

fn file(folder: &Path, bytes: &[u8]) -> String {
    let path = folder.join("file");
    fs::write(&path, bytes).expect("a file");
    path.to_str().expect("text").to_owned()
}

#[test]
fn unusual_formats_are_sent_only_with_any_format() {
    let folder = tempfile::tempdir().expect("a folder");
    let pictures = "the file does not begin like a JPEG, PNG or WebP";
    let documents = "the file does not begin like a PDF, JPEG or PNG";
    for (command, rejection, bytes) in [
        (["nutrition", "upload"], pictures, LETTER),
        // The client recognizes these formats and would reject them itself.
        (["nutrition", "upload"], pictures, PDF),
        (["labs", "upload"], documents, LETTER),
        (["labs", "upload"], documents, WEBP),
    ] {
        let path = file(folder.path(), bytes);
        let server = server();
        let output = send(&server, &[&command[..], &[&path]].concat());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(10), 0), "{output:?}");
        assert_eq!(
            stderr(&output),
            format!("vitalwire: invalid_argument: {path}: {rejection}\nhint: nothing was sent; --any-format sends the file anyway\n")
        );
        assert!(server.requests().is_empty());
        let output = send(&server, &[&command[..], &[&path, "--any-format"]].concat());
        assert!(output.status.success(), "{output:?}");
        assert_eq!(sent_file(&server), bytes);
    }
}

#[test]
fn usual_formats_are_sent_without_confirmation() {
    let folder = tempfile::tempdir().expect("a folder");
    let jpeg = b"\xff\xd8\xff\xe0";
    for (command, kinds) in [(["nutrition", "upload"], [PNG, jpeg, WEBP]), (["labs", "upload"], [PNG, jpeg, PDF])] {
        for bytes in kinds {
            let server = server();
            let output = send(&server, &[&command[..], &[&file(folder.path(), bytes)]].concat());
            assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
            assert_eq!(sent_file(&server), bytes);
        }
    }
}

/// `--any-format` concerns only formats: a picture that is too large is still rejected.
#[test]
fn any_format_keeps_the_other_checks() {
    let folder = tempfile::tempdir().expect("a folder");
    let large = [PNG, &vec![0; 10 << 20]].concat();
    let server = server();
    let output = send(&server, &["nutrition", "upload", &file(folder.path(), &large), "--any-format"]);
    assert!(output.status.code() == Some(12) && server.requests().is_empty(), "{output:?}");
}

#[test]
fn empty_and_unreadable_files_are_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let empty = file(folder.path(), b"");
    let nowhere = folder.path().join("nowhere");
    for command in [["nutrition", "upload"], ["labs", "upload"]] {
        for (path, text) in [
            (empty.as_str(), ": the file is empty\n"),
            (nowhere.to_str().expect("text"), ": there is no such file\n"),
            (folder.path().to_str().expect("text"), " is a directory\n"),
        ] {
            for more in [&[][..], &["--any-format"]] {
                let server = server();
                let output = send(&server, &[&command[..], &[path], more].concat());
                assert_eq!(output.status.code(), Some(10), "{output:?}");
                assert!(stderr(&output).starts_with(&format!("vitalwire: invalid_argument: {path}{text}")), "{output:?}");
                assert!(server.requests().is_empty() && !stderr(&output).contains("any-format"));
            }
        }
    }
}

#[test]
fn encoded_text_is_rejected_and_not_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let photo = BASE64_STANDARD.encode([b"\xff\xd8\xff\xe0".as_slice(), b"CANARY-PHOTO".repeat(500).as_slice()].concat());
    let report = BASE64_STANDARD.encode([b"%PDF-1.7\n".as_slice(), b"CANARY-PHOTO".repeat(500).as_slice()].concat());
    let url = format!("data:image/jpeg;base64,{photo}");
    for (text, reason) in [(&photo, "is base64 text; decode it"), (&report, "is base64 text; decode it"), (&url, "is a data URL; decode")] {
        for command in [&["nutrition", "upload"][..], &["labs", "upload", "--name", "a.pdf"]] {
            let server = server();
            let saved = file(folder.path(), text.as_bytes());
            let outputs = [
                send(&server, &[command, &[text]].concat()),
                send(&server, &[command, &[&saved]].concat()),
                piped(&server, &[command, &["-"]].concat(), text.as_bytes()),
            ];
            for output in &outputs {
                assert_eq!(output.status.code(), Some(10), "{output:?}");
                assert!(stderr(output).contains(reason) && !stderr(output).contains("Q0FOQVJZ"), "{output:?}");
                assert!(output.stdout.is_empty(), "{output:?}");
            }
            assert!(server.requests().is_empty());
        }
    }
}

#[test]
fn a_file_can_be_read_from_stdin() {
    let server = server();
    let output = piped(&server, &["nutrition", "upload", "-"], PNG);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(sent_file(&server), PNG);
    let output = piped(&server, &["labs", "upload", "-", "--name", "blood.pdf"], PDF);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(sent_file(&server), PDF);
    assert!(server.requests()[1].body.contains(r#""filename":"blood.pdf""#));
    for (arguments, bytes, code, text) in [
        (&["nutrition", "upload", "-"][..], LETTER, 10, "the file does not begin like a JPEG, PNG or WebP"),
        (&["nutrition", "upload", "-"], b"", 10, "invalid_argument: stdin: the file is empty\nhint: pipe the content"),
        (&["labs", "upload", "-"], PDF, 2, "the document needs a file name\nhint: set it with --name NAME"),
    ] {
        let output = piped(&server, arguments, bytes);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(stderr(&output).contains(text), "{output:?}");
    }
    assert_eq!(server.requests().len(), 2);
}
