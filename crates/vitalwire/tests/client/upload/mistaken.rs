//! Arguments that are base64 text, data URLs or content in place of a path: refused before anything is sent, and shown in no text.

use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use vitalwire::Error;
use vitalwire::upload::{Document, Image, Upload};
use vitalwire_testkit::{Server, json};

use super::{JPEG, PDF, builder, refused, taken};

/// Occurs in the base64 text of a file that repeats `CANARY-PHOTO`, and in that of its base64 text.
const CANARY: &str = "Q0FOQVJZ";

fn text_of(file: &[u8]) -> String {
    BASE64_STANDARD.encode([file, b"CANARY-PHOTO".repeat(20_000).as_slice()].concat())
}

/// Arguments that people pass by mistake, and the remedies in the errors.
fn mistakes() -> Vec<(String, &'static str)> {
    let (photo, document) = (text_of(JPEG), text_of(PDF));
    vec![
        (format!("data:image/jpeg;base64,{photo}"), "is a data URL; decode the base64 text after its comma"),
        (photo[..200].to_owned(), "is base64 text; decode it"),
        (photo, "is base64 text; decode it"),
        (document, "is base64 text; decode it"),
    ]
}

#[tokio::test]
async fn encoded_text_is_neither_a_path_nor_a_file() {
    for (text, reason) in mistakes() {
        let errors = [
            Image::from_path(&text).await.unwrap_err(),
            Document::from_path(&text).await.unwrap_err(),
            Upload::text(&text).into_image().await.unwrap_err(),
            Upload::path(Path::new("/home/app").join(text.trim_start_matches('/'))).into_document().await.unwrap_err(),
        ];
        for error in errors.iter().take(if text.starts_with('/') { 3 } else { 4 }) {
            refused(error, "path", reason, CANARY);
        }
        refused(&Image::from_url(&text).unwrap_err(), "body_url", reason, CANARY);
        refused(&Image::from_bytes(text.clone()).checked().unwrap_err(), "image", reason, CANARY);
        refused(&Image::from_bytes(text.clone()).without_metadata().unwrap_err(), "image", reason, CANARY);
        refused(&Document::from_bytes(text, "x").checked().unwrap_err(), "document", reason, CANARY);
    }
    for content in ["CANARY 1.4 mmol/L\n".repeat(60_000), "Q0FOQVJZ ".repeat(30)] {
        refused(&Document::from_path(&content).await.unwrap_err(), "path", "is not a path; pass the content", "CANARY");
    }
}

#[tokio::test]
async fn calls_refuse_encoded_bytes_and_empty_ones_unless_local_checks_are_off() {
    let cases = mistakes().into_iter().chain([(String::new(), "the file is empty")]);
    for (text, reason) in cases {
        let server = taken();
        let client = builder(&server).build().unwrap();
        let error: Error = client.nutrition_records().upload_image(Image::from_bytes(text.clone())).await.unwrap_err();
        refused(&error, "body", reason, CANARY);
        let error = client.lab_reports().upload_document(Document::from_bytes(text.clone(), "x")).await.unwrap_err();
        refused(&error, "body", reason, CANARY);
        let error = client.lab_reports().upload_document(Document::from_bytes(text.clone(), "x")).and_wait().await.unwrap_err();
        refused(error.error(), "body", reason, CANARY);
        assert_eq!(server.count(), 0);
        let reports = Server::always(json(200, r#"{"lab_report":{"record_id":"r-1","status":"pending"}}"#));
        let unchecked = builder(&reports).local_checks(false).build().unwrap();
        unchecked.lab_reports().upload_document(Document::from_bytes(text, "x")).await.unwrap();
    }
}

/// A real file can have almost any name.
#[tokio::test]
async fn a_file_that_exists_is_read_whatever_its_name_looks_like() {
    let name = &BASE64_STANDARD.encode(PDF.repeat(20))[..200];
    let file = super::Scratch::new(name, PDF);
    assert_eq!(Document::from_path(&file.0).await.unwrap().filename(), name);
}

#[test]
fn a_quoted_path_has_at_most_a_hundred_characters() {
    let long = format!("/home/{}/lunch.jpg", "ü/".repeat(100));
    let quoted = Upload::path(&long).quotable_path().unwrap();
    assert_eq!(quoted.chars().count(), 100);
    assert!(quoted.starts_with("/home/ü/") && quoted.ends_with("ü//lunch.jpg") && quoted.contains('…'), "{quoted}");
    assert_eq!(Upload::path("lunch.jpg").quotable_path().as_deref(), Some("lunch.jpg"));
    assert_eq!(Upload::bytes(PDF).quotable_path(), None);
}
