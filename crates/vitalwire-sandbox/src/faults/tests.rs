use super::*;
use crate::spec::find_by_id;

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
