//! Binary compatibility in Kotlin: an optional field and an optional parameter that a later release adds. `TwoReleasesTest` of the package
//! runs a caller that was compiled against the previous release.

use std::collections::{BTreeMap, BTreeSet};

use vitalwire_codegen::ir::{Ir, later_release};
use vitalwire_codegen::kotlin;

use super::{build, root};

/// Returns the public declarations of the package without bodies, by file and enclosing types.
fn declarations(ir: &Ir) -> BTreeMap<String, BTreeSet<String>> {
    let mut all = BTreeMap::new();
    for file in kotlin::emit(ir).unwrap() {
        let mut lines = file.text.lines().filter(|line| !line.trim().is_empty());
        // Enclosing types of the line, with their indentation.
        let mut within: Vec<(usize, String)> = Vec::new();
        while let Some(line) = lines.next() {
            let (indent, line) = (line.len() - line.trim_start().len(), line.trim());
            within.retain(|(outer, _)| *outer < indent);
            if !line.starts_with("public ") {
                continue;
            }
            let mut declaration = line.to_owned();
            while declaration.matches('(').count() > declaration.matches(')').count() {
                declaration += lines.next().unwrap().trim();
            }
            let place = format!("{} {}", file.path, within.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join("."));
            let name = ["class ", "interface ", "object "].iter().find_map(|kind| declaration.split_once(kind));
            if let Some((_, name)) = name.filter(|_| declaration.ends_with('{')) {
                within.push((indent, name.split([' ', '(', '<']).next().unwrap().to_owned()));
            }
            let at = [") = ", " = builder", " get()", " {", ": Builder = "].iter().filter_map(|body| declaration.find(body)).min();
            declaration.truncate(at.unwrap_or(declaration.len()));
            all.entry(place).or_insert_with(BTreeSet::new).insert(declaration);
        }
    }
    all
}

#[test]
fn a_later_release_keeps_every_declaration() {
    let (_, ir) = build(root()).unwrap_or_else(|findings| panic!("{findings}"));
    let (before, after) = (declarations(&ir), declarations(&later_release(&ir)));
    let count = |of: &BTreeMap<String, BTreeSet<String>>| of.values().map(BTreeSet::len).sum::<usize>();
    assert!(count(&before) > 1_000, "{}", count(&before));
    let nothing = BTreeSet::new();
    let gone: Vec<_> = before
        .iter()
        .flat_map(|(place, old)| old.difference(after.get(place).unwrap_or(&nothing)).map(move |line| format!("{place}: {line}")))
        .collect();
    assert_eq!(gone, Vec::<String>::new());
    let new: Vec<_> = after
        .iter()
        .flat_map(|(place, new)| new.difference(before.get(place).unwrap_or(&nothing)).map(move |line| format!("{place}: {line}")))
        .collect();
    // Each record and each type of options gains a property, and a variable and a function in its builder.
    // The options of `sleeps.between`, which is not an operation, stay the same.
    let grows = |place: &&String| {
        let class = place.ends_with(".Builder") && (place.contains("/records/") || place.contains("/options/"));
        class && !place.contains("/SleepsBetweenOptions.kt")
    };
    let grown = before.keys().filter(grows).count();
    assert!(grown > ir.operations.len(), "{grown}");
    assert_eq!(new.len(), 3 * grown, "{new:#?}");
    assert!(new.iter().all(|line| line.contains("addedLater")), "{new:#?}");
}

#[test]
fn a_later_error_kind_derives_from_other() {
    let (_, mut ir) = build(root()).unwrap_or_else(|findings| panic!("{findings}"));
    let exceptions = |ir: &Ir| {
        let files = kotlin::emit(ir).unwrap();
        files.into_iter().find(|file| file.path.ends_with("/VitalwireException.kt")).unwrap().text
    };
    let direct = |text: &str| text.matches(": VitalwireException(fields, cause)").count();
    let before = exceptions(&ir);
    let mut kind = ir.error_kinds.last().unwrap().clone();
    (kind.name, kind.code) = ("added_later".into(), 1304);
    ir.error_kinds.insert(9, kind);
    let after = exceptions(&ir);
    assert_eq!(direct(&before), direct(&after));
    assert!(after.contains("class AddedLater internal constructor(fields: Fields, cause: Throwable?) : Other(fields, cause)"), "{after}");
}
