//! Files that are no specification at all: a finding with what is wrong, and no panic.

use std::fs;

use super::{places, read, text, workspace};

/// The whole text of the one finding about a main specification of this text; its rule is `yaml`.
fn refused(health: &str) -> String {
    let workspace = workspace(health, &[]);
    assert_eq!(places(workspace.path()), [("yaml".to_owned(), "/".to_owned())], "{}", text(workspace.path()));
    text(workspace.path())
}

#[test]
fn a_key_that_stands_twice() {
    let text = refused(&read("base/health.yaml").replace("  version: 1.0.0\n", "  version: 1.0.0\n  version: 2.0.0\n"));
    assert!(text.contains("duplicate") && text.contains("version") && text.contains("line 5"), "{text}");
}

#[test]
fn no_yaml() {
    for wrong in ["\"open", "a: b: c: [", "- a\nb: c", "a: *nowhere", "{{{{", "%YAML 9.9\n---\na: b\n---\nc: d", "a: !secret b", "a: .inf"]
    {
        assert!(places(workspace(wrong, &[]).path())[0].0 == "yaml", "{wrong:?}");
    }
}

#[test]
fn no_object() {
    for wrong in ["", "# nothing\n", "just text", "- a\n- b\n", "42", "null"] {
        assert!(refused(wrong).contains("is not an object"), "{wrong:?}");
    }
}

#[test]
fn several_documents() {
    let two = format!("{}---\nopenapi: 3.0.3\n", read("base/health.yaml"));
    refused(&two);
}

/// Deep nesting in either style ends in a finding before the stack does.
#[test]
fn deep_nesting() {
    refused(&format!("openapi: {}{}", "[".repeat(50_000), "]".repeat(50_000)));
    let block: String = (0..5_000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    assert!(block.len() < 16 * 1024 * 1024);
    let workspace = workspace(&block, &[]);
    assert_eq!(places(workspace.path()).len(), 1, "{}", text(workspace.path()));
    let shallow: String = (0..100).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    refused(&shallow);
}

/// Anchors, aliases and merge keys: nine lines can stand for a billion values.
#[test]
fn aliases() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..10 {
        let items = vec![format!("*a{}", level - 1); 10].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{items}]\n"));
    }
    refused(&bomb);
    refused("a: &anchor b\n");
    refused("a:\n  <<: {b: c}\n");
}

#[test]
fn a_huge_file() {
    let workspace = workspace(&format!("openapi: 3.0.3\n# {}\n", "x".repeat(5 * 1024 * 1024)), &[]);
    assert_eq!(places(workspace.path()), [("file".to_owned(), "/".to_owned())]);
    assert!(text(workspace.path()).contains("larger than 4194304 bytes"));
}

/// Many small values: refused before the file ends.
#[test]
fn many_values() {
    let many: String = (0..200_000).map(|index| format!("k{index}: 1\n")).collect();
    assert!(many.len() < 4 * 1024 * 1024);
    refused(&many);
}

#[test]
fn no_text() {
    let workspace = workspace("", &[]);
    fs::write(workspace.path().join("openapi/health.v3.yaml"), b"openapi: 3.0.3\nx: \xff\xfe\n").unwrap();
    assert_eq!(places(workspace.path()), [("file".to_owned(), "/".to_owned())]);
    assert!(text(workspace.path()).contains("byte 18 is no UTF-8"), "{}", text(workspace.path()));
}

/// A missing specification is one finding: its overlays' targets are not searched for in what is left.
#[test]
fn no_file() {
    let workspace = workspace("", &[("10-more.yaml", &read("overlays/good.yaml"))]);
    fs::remove_file(workspace.path().join("openapi/health.v3.yaml")).unwrap();
    assert_eq!(places(workspace.path()), [("file".to_owned(), "/".to_owned())]);
    fs::remove_dir_all(workspace.path().join("openapi/overlays")).unwrap();
    assert_eq!(places(workspace.path()).len(), 2);
}

/// `yes` and a date are texts, as in YAML 1.2 and JSON; a status may be written without quotes.
#[test]
fn plain_texts() {
    let health = read("base/health.yaml").replace("\"200\"", "200").replace("A thing.", "yes").replace("The thing.", "2024-02-29");
    let workspace = workspace(&health, &[]);
    assert!(places(workspace.path()).is_empty(), "{}", text(workspace.path()));
    let (sources, _) = super::build(workspace.path()).unwrap();
    assert_eq!(sources.specs[0].document.pointer("/components/schemas/Thing/description"), Some(&"yes".into()));
}
