//! Files that are not specifications. Each causes a finding, and no panic.

use std::fs;

use super::{places, read, text, workspace};

/// Returns the text of the only finding about a main specification. Its rule is `yaml`.
fn yaml_finding(health: &str) -> String {
    let workspace = workspace(health, &[]);
    assert_eq!(places(workspace.path()), [("yaml".to_owned(), "/".to_owned())], "{}", text(workspace.path()));
    text(workspace.path())
}

#[test]
fn a_duplicate_key_is_reported() {
    let text = yaml_finding(&read("base/health.yaml").replace("  version: 1.0.0\n", "  version: 1.0.0\n  version: 2.0.0\n"));
    assert!(text.contains("duplicate") && text.contains("version") && text.contains("line 5"), "{text}");
}

#[test]
fn invalid_yaml_is_reported() {
    for wrong in ["\"open", "a: b: c: [", "- a\nb: c", "a: *nowhere", "{{{{", "%YAML 9.9\n---\na: b\n---\nc: d", "a: !secret b", "a: .inf"]
    {
        assert!(places(workspace(wrong, &[]).path())[0].0 == "yaml", "{wrong:?}");
    }
}

#[test]
fn a_document_that_is_not_an_object_is_reported() {
    for wrong in ["", "# nothing\n", "just text", "- a\n- b\n", "42", "null"] {
        assert!(yaml_finding(wrong).contains("must be an object"), "{wrong:?}");
    }
}

#[test]
fn several_documents_are_reported() {
    let two = format!("{}---\nopenapi: 3.0.3\n", read("base/health.yaml"));
    yaml_finding(&two);
}

/// Neither nested flow sequences nor nested block mappings may overflow the stack.
#[test]
fn deep_nesting_is_reported() {
    yaml_finding(&format!("openapi: {}{}", "[".repeat(50_000), "]".repeat(50_000)));
    let block: String = (0..5_000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    assert!(block.len() < 16 * 1024 * 1024);
    let workspace = workspace(&block, &[]);
    assert_eq!(places(workspace.path()).len(), 1, "{}", text(workspace.path()));
    let shallow: String = (0..100).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    yaml_finding(&shallow);
}

/// Nine lines with aliases can expand to a billion values.
#[test]
fn anchors_aliases_and_merge_keys_are_reported() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..10 {
        let items = vec![format!("*a{}", level - 1); 10].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{items}]\n"));
    }
    yaml_finding(&bomb);
    yaml_finding("a: &anchor b\n");
    yaml_finding("a:\n  <<: {b: c}\n");
}

#[test]
fn a_huge_file_is_reported() {
    let workspace = workspace(&format!("openapi: 3.0.3\n# {}\n", "x".repeat(5 * 1024 * 1024)), &[]);
    assert_eq!(places(workspace.path()), [("file".to_owned(), "/".to_owned())]);
    assert!(text(workspace.path()).contains("larger than 4194304 bytes"));
}

#[test]
fn too_many_values_are_reported() {
    let many: String = (0..200_000).map(|index| format!("k{index}: 1\n")).collect();
    assert!(many.len() < 4 * 1024 * 1024);
    yaml_finding(&many);
}

#[test]
fn a_file_that_is_not_utf_8_is_reported() {
    let workspace = workspace("", &[]);
    fs::write(workspace.path().join("openapi/health.v3.yaml"), b"openapi: 3.0.3\nx: \xff\xfe\n").unwrap();
    assert_eq!(places(workspace.path()), [("file".to_owned(), "/".to_owned())]);
    assert!(text(workspace.path()).contains("byte 18 is not UTF-8"), "{}", text(workspace.path()));
}

/// The targets of its overlays are not searched for in the other specification.
#[test]
fn a_missing_specification_is_one_finding() {
    let workspace = workspace("", &[("10-more.yaml", &read("overlays/good.yaml"))]);
    fs::remove_file(workspace.path().join("openapi/health.v3.yaml")).unwrap();
    assert_eq!(places(workspace.path()), [("file".to_owned(), "/".to_owned())]);
    fs::remove_dir_all(workspace.path().join("openapi/overlays")).unwrap();
    assert_eq!(places(workspace.path()).len(), 2);
}

/// `yes` and dates are texts, as in YAML 1.2 and JSON. A status needs no quotes.
#[test]
fn plain_scalars_are_texts() {
    let health = read("base/health.yaml").replace("\"200\"", "200").replace("A thing.", "yes").replace("The thing.", "2024-02-29");
    let workspace = workspace(&health, &[]);
    assert!(places(workspace.path()).is_empty(), "{}", text(workspace.path()));
    let (sources, _) = super::build(workspace.path()).unwrap();
    assert_eq!(sources.specs[0].document.pointer("/components/schemas/Thing/description"), Some(&"yes".into()));
}
