//! Tests of the texts from cargo-about's report, and of the rendered file.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::package;
use crate::notices::about::Report;
use crate::notices::artifacts::ARTIFACTS;
use crate::notices::linked::PackageId;
use crate::notices::render_template;

fn report(licences: Value) -> Report {
    serde_json::from_value(json!({ "overview": [], "crates": [], "licenses": licences })).unwrap()
}

fn found(id: &str, text: &str, path: Option<&str>, names: &[&str]) -> Value {
    let used_by: Vec<Value> = names.iter().map(|name| json!({ "crate": { "name": name, "version": "1.0.0" }, "path": null })).collect();
    json!({ "name": id, "id": id, "text": text, "source_path": path, "used_by": used_by })
}

fn ids(names: &[&str]) -> BTreeSet<PackageId> {
    names.iter().map(|name| ((*name).to_owned(), "1.0.0".to_owned())).collect()
}

#[test]
fn texts_that_differ_only_in_white_space_are_one() {
    let licences = json!([
        found("MIT", "Copyright A\r\n\r\nfree  of charge", Some("LICENSE"), &["a", "other"]),
        found("MIT", "Copyright A free of charge\n", Some("LICENSE"), &["b"]),
        found("MIT", "Copyright B free of charge", Some("LICENSE"), &["c"]),
        found("Zlib", "altered source versions", Some("LICENSE"), &["other"]),
    ]);
    let texts = report(licences).texts(&ids(&["a", "b", "c"])).unwrap();
    let shown: Vec<_> = texts.iter().map(|text| (text.text.as_str(), text.packages.clone())).collect();
    assert_eq!(shown, [("Copyright A\n\nfree  of charge", ids(&["a", "b"])), ("Copyright B free of charge", ids(&["c"]))]);
}

#[test]
fn a_package_without_a_text_is_an_error() {
    let report = report(json!([found("MIT", "free", None, &["a"])]));
    let error = report.texts(&ids(&["a", "b"])).unwrap_err().to_string();
    assert!(error.starts_with("cargo-about found no licence of b 1.0.0; state it in"), "{error}");
}

#[test]
fn authors_are_named_if_a_package_has_no_licence_file() {
    let [_, _, mobile, _] = ARTIFACTS;
    let mut named = package("a", "1.0.0", "MPL-2.0");
    named.authors = vec!["Some Body <some@example.org>".to_owned(), "Others".to_owned()];
    named.repository = Some("https://example.org/a".to_owned());
    let mut nameless = package("b", "1.0.0", "MIT/Apache-2.0");
    nameless.repository = Some("https://example.org/b".to_owned());
    let licences = json!([found("MPL-2.0", "the terms", None, &["a"]), found("MIT", "free", None, &["b"])]);
    let texts = report(licences).texts(&ids(&["a", "b"])).unwrap();
    let notices = [("Made with care.".to_owned(), vec!["a 1.0.0 (NOTICE)".to_owned()])];
    let text = render_template(&mobile, &["x86_64-unknown-linux-musl"], &[&named, &nameless], &texts, &notices).unwrap();
    for part in [
        "  a 1.0.0: MPL-2.0\n  b 1.0.0: MIT OR Apache-2.0\n",
        "without changes.\n\n  a 1.0.0: https://example.org/a\n\n2. Other software\n-----------------\n",
        "  a 1.0.0: Some Body, Others\n",
        "  b 1.0.0: the contributors of https://example.org/b\n",
        "\nmusl\n....\n",
        "  a 1.0.0 (NOTICE)\n\nMade with care.\n",
    ] {
        assert!(text.contains(part), "{part}\n---\n{text}");
    }
    assert!(!text.contains("some@example.org") && !text.contains("SQLite"), "{text}");
}
