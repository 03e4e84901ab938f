use std::fmt::Write as _;

use super::*;
use crate::spec::find_by_id;

/// The site's page about the sandbox, and the lines around the list of faults in it.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/site/sandbox.md");
const MARKS: [&str; 2] = ["<!-- Written by the test the_page_lists_all_faults: VITALWIRE_BLESS=1 -->\n\n", "\n<!-- End of the list -->"];

/// Compares the page with the catalogue. `VITALWIRE_BLESS=1` updates the page.
#[test]
fn the_page_lists_all_faults() {
    let mut list = String::from("| fault | effect | settings |\n|---|---|---|\n");
    for fault in &FAULTS {
        writeln!(list, "| `{}` | {} | {} |", fault.name, fault.about, described(fault.settings, "; ")).unwrap();
    }
    write!(list, "\nEvery fault has these settings:\n\n* {}\n", described(&COMMON, "\n* ")).unwrap();
    let page = std::fs::read_to_string(PAGE).unwrap().replace("\r\n", "\n");
    let (before, rest) = page.split_once(MARKS[0]).unwrap();
    let (found, after) = rest.split_once(MARKS[1]).unwrap();
    if std::env::var_os("VITALWIRE_BLESS").is_some() {
        std::fs::write(PAGE, [before, MARKS[0], &list, MARKS[1], after].concat()).unwrap();
    } else {
        assert_eq!(found, list);
    }
}

/// Returns settings with their defaults.
fn described(settings: &[Setting], separator: &str) -> String {
    let texts = settings.iter().map(|setting| {
        let values = match setting.value_type {
            ValueType::Integer { default: Some(default), .. } => format!(" (default: {default})"),
            ValueType::Word(words) => format!(" (`{}`)", words.join("`, `")),
            ValueType::Integer { .. } | ValueType::Text => String::new(),
        };
        format!("`{}`{values}: {}", setting.name, setting.about)
    });
    texts.collect::<Vec<_>>().join(separator)
}

fn take_text(faults: &Faults, operation: &str, user: Option<&str>) -> Option<String> {
    faults.take_matching(find_by_id(operation).unwrap(), user).map(|fault| fault.to_string())
}

#[test]
fn a_fault_applies_as_often_as_its_times() {
    let faults = Faults::default();
    assert!(faults.is_empty());
    faults.add("html".parse().unwrap());
    let twice = faults.add("gzip; times=2".parse().unwrap());
    faults.add("slow; times=always".parse().unwrap());
    let meet = || take_text(&faults, "get_sleep", None).unwrap();
    assert_eq!(meet(), "html");
    assert_eq!(meet(), "gzip; times=2");
    let listed = faults.list();
    assert_eq!((listed.len(), listed[0].id, listed[0].left, listed[0].met, listed[1].left), (2, twice, Some(1), 1, None));
    assert_eq!(meet(), "gzip; times=2");
    for _ in 0..5 {
        assert_eq!(meet(), "slow; times=always");
    }
    assert!(!faults.remove(twice));
    faults.clear();
    assert!(faults.is_empty());
    assert_eq!(take_text(&faults, "get_sleep", None), None);
}

#[test]
fn a_fault_applies_only_to_its_operation_and_user() {
    let faults = Faults::default();
    let id = faults.add("html; operation=get_sleep; user=a; times=always".parse().unwrap());
    assert_eq!(take_text(&faults, "get_user_info", Some("a")), None);
    assert_eq!(take_text(&faults, "get_sleep", Some("b")), None);
    assert_eq!(take_text(&faults, "get_sleep", None), None);
    assert!(take_text(&faults, "get_sleep", Some("a")).is_some());
    assert!(faults.remove(id));
    assert!(faults.is_empty());
}

#[test]
fn the_oldest_faults_are_removed_at_the_limit() {
    let faults = Faults::default();
    for _ in 0..=MAX_FAULTS {
        faults.add("html".parse().unwrap());
    }
    let listed = faults.list();
    assert_eq!((listed.len(), listed[0].id), (MAX_FAULTS, 2));
}
