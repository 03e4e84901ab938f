//! Panics and invalid enums do not cross the ABI: each exported function catches panics and checks the enums that it takes.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

/// Functions that catch panics with `guard::catch_panic`, directly or through another of these.
const GUARDED: [&str; 26] = [
    "attempt(",
    "attempt_with(",
    "catch(",
    "clone_object(",
    "view::",
    "free(",
    "set(",
    "with(",
    "params::new(",
    "finish(",
    "finish_empty(",
    "finish_part::<",
    "echo(",
    // Methods of `Call`.
    ".send(",
    ".send_empty(",
    ".wait(",
    ".range(",
    ".table(",
    ".start(",
    ".start_wait(",
    ".start_table(",
    // Ranges, token providers and webhooks.
    "read_dates(",
    "read_instants(",
    "set_reply(",
    "set_provider(",
    "parse_body(",
];

/// Functions that cannot panic: they only copy or read their arguments.
const PLAIN: [&str; 12] = [
    "vitalwire_json_text",
    "vitalwire_probe_boolean",
    "vitalwire_probe_integer",
    "vitalwire_probe_number",
    "vitalwire_probe_numbers",
    "vitalwire_probe_refused",
    "vitalwire_str_equals",
    "vitalwire_str_from",
    "vitalwire_version",
    "vitalwire_wait_options_set_interval_ms",
    "vitalwire_wait_options_set_on_progress",
    "vitalwire_wait_options_set_timeout_ms",
];

#[test]
fn each_function_that_c_calls_is_guarded_or_plain() {
    let mut text = String::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut text).expect("the sources are there");
    let (mut count, mut bare) = (0, BTreeSet::new());
    for function in text.split("pub extern \"C\" fn ").skip(1) {
        let (declared, rest) = function.split_once("{\n").expect("a function has a body");
        let (name, _) = declared.split_once('(').expect("a function has arguments");
        let (body, _) = rest.split_once("\n}").expect("a body ends");
        count += 1;
        if !GUARDED.iter().any(|guard| format!(" {body}").contains(guard)) {
            bare.insert(name);
        }
    }
    assert!(count > 900, "{count} functions");
    assert_eq!(bare.into_iter().collect::<Vec<_>>(), PLAIN);
}

/// C can pass any number as an enum. In Rust, such an enum is undefined behaviour.
#[test]
fn no_function_takes_an_enum_by_value() {
    let mut text = String::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut text).expect("the sources are there");
    let enums: Vec<_> = text.split("pub enum ").skip(1).filter_map(|rest| rest.split_once(' ')).map(|(name, _)| name).collect();
    assert!(enums.contains(&"vitalwire_webhook_kind"), "{enums:?}");
    let declared =
        text.split("pub extern \"C\" fn ").skip(1).filter_map(|function| function.split_once("{\n")).map(|(declared, _)| declared);
    let taking: Vec<_> = declared
        .filter(|declared| enums.iter().any(|name| [',', ')'].iter().any(|end| declared.contains(&format!(": {name}{end}")))))
        .collect();
    assert!(taking.is_empty(), "take the enum as MaybeUninit and read it with borrow::enum_number: {taking:?}");
}

fn read(folder: &Path, text: &mut String) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            read(&path, text)?;
        } else {
            text.push_str(&fs::read_to_string(&path)?);
        }
    }
    Ok(())
}
