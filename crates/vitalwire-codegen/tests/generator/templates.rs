//! Templates: each is valid, and none renders a missing value.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use vitalwire_codegen::targets::templates;

/// Returns the error of a template with these values.
fn render_error(values: &Value) -> String {
    templates("kotlin").render("kotlin/OpenSet.kt.j2", values).unwrap_err().to_string()
}

fn set(name: &Value) -> Value {
    let value = json!({ "wire": "red", "name": name, "aliases": ["crimson"], "docs": { "text": "", "unit": null, "deprecated": false } });
    json!({ "name": "Colour", "docs": { "text": "", "unit": null, "deprecated": false }, "values": [value] })
}

/// The error has the name of the template and the line. Nothing is written, because files are written after all are rendered.
#[test]
fn a_missing_template_value_is_an_error() {
    let text = templates("kotlin").render("kotlin/OpenSet.kt.j2", set(&json!("red"))).unwrap();
    assert!(text.contains("val RED: Colour = Colour(\"red\")"), "{text}");
    assert!(text.contains("isKnown: Boolean get() = canonical in texts\n\n"), "{text}");
    assert!(text.contains("            \"crimson\" -> \"red\"\n            else -> text\n"), "{text}");
    let text = render_error(&json!({}));
    assert!(text.contains("OpenSet.kt.j2") && text.contains("undefined") && text.contains(":1)"), "{text}");
    let mut without = set(&json!("red"));
    without["values"][0].as_object_mut().unwrap().remove("wire");
    assert!(render_error(&without).contains("OpenSet.kt.j2:13)"), "{}", render_error(&without));
    assert!(render_error(&set(&Value::Null)).contains("OpenSet.kt.j2"));
}

/// Sets without aliases compare their texts.
#[test]
fn sets_with_aliases_compare_canonical_spellings() {
    let aliased = set(&json!("red"));
    let mut plain = aliased.clone();
    plain["values"][0]["aliases"] = json!([]);
    for (language, template, equality) in [
        ("kotlin", "kotlin/OpenSet.kt.j2", "override val canonical: String"),
        ("swift", "swift/OpenSet.swift.j2", "static func == (left: Colour, right: Colour)"),
    ] {
        let render = |values: &Value| templates(language).render(template, values).unwrap();
        assert!(render(&aliased).contains(equality), "{}", render(&aliased));
        assert!(!render(&plain).contains("canonical"), "{}", render(&plain));
    }
}

/// Null would be rendered as `none`.
#[test]
fn null_is_never_written() {
    let values = json!({ "fields": [{ "name": "kind", "ty": null, "docs": {}, "made": "", "default": "" }] });
    let text = templates("swift").render("swift/VitalwireError.swift.j2", values).unwrap_err().to_string();
    assert!(text.contains("VitalwireError.swift.j2"), "{text}");
}

#[test]
fn an_unknown_template_is_an_error() {
    assert_eq!(templates("none").render("none.j2", json!({})).unwrap_err().to_string(), "the template none.j2");
}

/// An invalid template would fail only when it is rendered.
#[test]
fn every_template_is_valid() {
    fn find(folder: &Path, found: &mut BTreeSet<String>, root: &Path) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                find(&path, found, root);
            } else if path.extension().is_some_and(|extension| extension == "j2") {
                found.insert(path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeSet::new();
    find(&root, &mut found, &root);
    assert!(found.contains("kotlin/OpenSet.kt.j2"));
    for name in found {
        // Missing values are expected here.
        let text = templates(name.split('/').next().unwrap_or_default())
            .render(&name, json!({}))
            .map_or_else(|error| error.to_string(), |_| String::new());
        assert!(!text.contains("syntax error"), "{text}");
    }
}

/// Maximum length of a line in characters, and of a file in lines.
const LINE: usize = 140;
const FILE: usize = 300;

#[test]
fn lines_and_files_are_short() {
    fn check(folder: &Path, long: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                check(&path, long);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let lines = text.lines().enumerate().filter(|(_, line)| line.chars().count() > LINE);
            long.extend(lines.map(|(number, _)| format!("{}:{}", path.display(), number + 1)));
            if text.lines().count() > FILE {
                long.push(path.display().to_string());
            }
        }
    }
    let mut long = Vec::new();
    for folder in ["src", "../vitalwire-spec/src"] {
        check(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut long);
    }
    assert!(long.is_empty(), "{long:#?}");
}
