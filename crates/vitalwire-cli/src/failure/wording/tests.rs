use vitalwire::upload::{Document, Image};

use super::*;

fn path_error(reason: &'static str) -> String {
    text(&Error::invalid_argument("path", reason))
}

#[tokio::test]
async fn no_text_gives_advice_for_programmers() {
    let base64 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk".repeat(9);
    let url = format!("data:image/png;base64,{base64}");
    let content = "HDL 1.4 mmol/L\n".repeat(400);
    let folder = tempfile::tempdir().expect("a folder");
    let huge = folder.path().join("huge");
    std::fs::File::create(&huge).and_then(|file| file.set_len(MAX_READ as u64 + 1)).expect("a sparse file");
    let mut texts = vec![text(&Image::from_bytes(base64.clone()).checked().expect_err("base64"))];
    for path in [base64.as_str(), &url, &content, huge.to_str().expect("text"), "/nowhere", "/"] {
        texts.push(text(&Image::from_path(path).await.expect_err("no picture")));
        texts.push(text(&Document::from_path(path).await.expect_err("no document")));
    }
    for text in texts {
        assert!(text.starts_with("invalid_argument: the"), "{text}");
        assert!(!text.contains("bytes") && !text.contains("argument ") && text.len() < 150, "{text}");
    }
    assert!(
        path_error("is larger than the limit for files; pass it as bytes").ends_with("the file is larger than the limit for files: 64 MiB")
    );
}

#[test]
fn errors_name_options_instead_of_arguments() {
    let text = text(&Error::invalid_argument("serving_size", "must be at least the documented minimum"));
    assert_eq!(text, "invalid_argument: --serving-size must be at least the documented minimum");
    assert_eq!(path_error("there is no such file"), "invalid_argument: there is no such file");
}

#[test]
fn a_missing_base_url_is_described_without_code() {
    for service in INTERFACE.services {
        let text = text(&Error::invalid_setting(service.base_url, service.no_base_url));
        assert_eq!(text, format!("configuration: no base URL is set for the {} service", service.name));
    }
}
