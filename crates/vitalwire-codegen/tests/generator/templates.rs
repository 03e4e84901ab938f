//! Templates: each is there once, and none writes what it was not given.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use vitalwire_codegen::targets::templates;

/// The names of all templates.
fn names() -> impl Iterator<Item = &'static str> {
    templates().into_iter().flat_map(|templates| templates.names())
}

/// Renders a template by the set that has it.
fn render(name: &str, values: impl serde::Serialize) -> anyhow::Result<String> {
    let sets = templates();
    let set = sets.iter().find(|templates| templates.names().any(|known| known == name));
    set.unwrap_or(&sets[0]).render(name, values)
}

/// The text of an error of a template with these values.
fn refused(values: &Value) -> String {
    render("kotlin/OpenSet.kt.j2", values).unwrap_err().to_string()
}

fn set(name: &Value) -> Value {
    let value = json!({ "wire": "red", "name": name, "aliases": ["crimson"], "docs": { "text": "", "unit": null, "deprecated": false } });
    json!({ "name": "Colour", "docs": { "text": "", "unit": null, "deprecated": false }, "values": [value] })
}

/// The generator ends with the name of the template and the line, and nothing is written: files are written when all are made.
#[test]
fn a_template_that_misses_a_value_fails() {
    let text = render("kotlin/OpenSet.kt.j2", set(&json!("red"))).unwrap();
    assert!(text.contains("val RED: Colour = Colour(\"red\")"), "{text}");
    assert!(text.contains("isKnown: Boolean get() = text in texts || text == \"crimson\"\n\n"), "{text}");
    let text = refused(&json!({}));
    assert!(text.contains("OpenSet.kt.j2") && text.contains("undefined") && text.contains(":1)"), "{text}");
    let mut without = set(&json!("red"));
    without["values"][0].as_object_mut().unwrap().remove("wire");
    assert!(refused(&without).contains("OpenSet.kt.j2:25)"), "{}", refused(&without));
    assert!(refused(&set(&Value::Null)).contains("OpenSet.kt.j2"));
}

/// What is null is not written as `none`.
#[test]
fn null_is_never_written() {
    let values = json!({ "facts": [{ "name": "kind", "ty": null, "docs": {}, "made": "", "default": "" }] });
    let text = render("swift/VitalwireError.swift.j2", values).unwrap_err().to_string();
    assert!(text.contains("VitalwireError.swift.j2"), "{text}");
}

#[test]
fn no_such_template() {
    assert_eq!(render("none.j2", json!({})).unwrap_err().to_string(), "the template none.j2");
}

/// A template that no list names would be dead, and one that is no template would fail only when it is used.
#[test]
fn every_template_is_listed_and_is_one() {
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
    assert_eq!(names().map(str::to_owned).collect::<BTreeSet<_>>(), found);
    assert_eq!(names().count(), found.len());
    for name in names() {
        // What it misses is another matter.
        let text = render(name, json!({})).map_or_else(|error| error.to_string(), |_| String::new());
        assert!(!text.contains("syntax error"), "{text}");
    }
}

/// Longest line of the generator in characters, and longest file in lines.
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
