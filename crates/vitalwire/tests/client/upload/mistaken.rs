//! Tests of base64 text, data URLs and content that are passed instead of a path. They are rejected before a request and are in no text.

use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use vitalwire::Error;
use vitalwire::upload::{Document, Image, Upload};
use vitalwire_testkit::{Server, json};

use super::{JPEG, PDF, accepting_server, assert_invalid_argument, builder};

/// Part of the base64 text of a file that repeats `CANARY-PHOTO`.
const CANARY: &str = "Q0FOQVJZ";

fn base64_text(file: &[u8]) -> String {
    BASE64_STANDARD.encode([file, b"CANARY-PHOTO".repeat(20_000).as_slice()].concat())
}

/// Mistaken arguments with the expected advice.
fn mistakes() -> Vec<(String, &'static str)> {
    let (photo, document) = (base64_text(JPEG), base64_text(PDF));
    vec![
        (format!("data:image/jpeg;base64,{photo}"), "is a data URL; decode the base64 text after its comma"),
        (photo[..200].to_owned(), "is base64 text; decode it"),
        (photo, "is base64 text; decode it"),
        (document, "is base64 text; decode it"),
    ]
}

#[tokio::test]
async fn encoded_text_is_not_accepted_as_path_or_file() {
    for (text, reason) in mistakes() {
        let errors = [
            Image::from_path(&text).await.unwrap_err(),
            Document::from_path(&text).await.unwrap_err(),
            Upload::text(&text).into_image().await.unwrap_err(),
            Upload::path(Path::new("/home/app").join(text.trim_start_matches('/'))).into_document().await.unwrap_err(),
        ];
        for error in errors.iter().take(if text.starts_with('/') { 3 } else { 4 }) {
            assert_invalid_argument(error, "path", reason, CANARY);
        }
        assert_invalid_argument(&Image::from_url(&text).unwrap_err(), "body_url", reason, CANARY);
        assert_invalid_argument(&Image::from_bytes(text.clone()).checked().unwrap_err(), "image", reason, CANARY);
        assert_invalid_argument(&Image::from_bytes(text.clone()).without_metadata().unwrap_err(), "image", reason, CANARY);
        assert_invalid_argument(&Document::from_bytes(text, "x").checked().unwrap_err(), "document", reason, CANARY);
    }
    for content in ["CANARY 1.4 mmol/L\n".repeat(60_000), "Q0FOQVJZ ".repeat(30)] {
        assert_invalid_argument(&Document::from_path(&content).await.unwrap_err(), "path", "is not a path; pass the content", "CANARY");
    }
}

/// "Data" means "date" in several languages.
#[test]
fn a_text_that_begins_with_a_date_is_a_document() {
    for text in ["Data:21/11/2025,Glucosio,5.4", "data:2025/11/21,WBC,7.2"] {
        assert!(Document::from_bytes(text, "x.csv").checked().is_ok(), "{text}");
    }
    for text in ["DATA:Text/CSV,WBC", "data:;BASE64,V0JD"] {
        assert!(Document::from_bytes(text, "x.csv").checked().is_err(), "{text}");
    }
}

#[tokio::test]
async fn encoded_and_empty_files_are_errors_unless_client_side_validation_is_off() {
    let cases = mistakes().into_iter().chain([(String::new(), "the file is empty")]);
    for (text, reason) in cases {
        let server = accepting_server();
        let client = builder(&server).build().unwrap();
        let error: Error = client.nutrition_records().upload_image(Image::from_bytes(text.clone())).await.unwrap_err();
        assert_invalid_argument(&error, "body", reason, CANARY);
        let error = client.lab_reports().upload_document(Document::from_bytes(text.clone(), "x")).await.unwrap_err();
        assert_invalid_argument(&error, "body", reason, CANARY);
        let error = client.lab_reports().upload_document(Document::from_bytes(text.clone(), "x")).and_wait().await.unwrap_err();
        assert_invalid_argument(error.error(), "body", reason, CANARY);
        assert_eq!(server.count(), 0);
        let reports = Server::always(json(200, r#"{"lab_report":{"record_id":"r-1","status":"pending"}}"#));
        let unchecked = builder(&reports).client_side_validation(false).build().unwrap();
        unchecked.lab_reports().upload_document(Document::from_bytes(text, "x")).await.unwrap();
    }
}

/// Existing files can have almost any name.
#[tokio::test]
async fn an_existing_file_is_read_with_any_name() {
    let name = &BASE64_STANDARD.encode(PDF.repeat(20))[..200];
    let file = super::TempFile::new(name, PDF);
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
