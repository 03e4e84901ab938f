use super::*;

const ID: &str = "6f1c9a52-0a0b-4c0d-8e0f-00000000000a";

#[test]
fn every_beginning_of_an_id_is_rejected() {
    assert_eq!(record_id_error(ID), None);
    assert_eq!(record_id_error(&ID.to_uppercase()), None);
    for length in 1..ID.len() {
        assert!(record_id_error(&ID[..length]).is_some_and(|reason| reason.contains("beginning")), "{length}");
        assert!(record_id_error(&ID[length..]).is_some(), "{length}");
    }
}

/// Replaces each character of an id with one of each other kind, and adds text before and after it.
#[test]
fn an_id_with_a_wrong_character_is_rejected() {
    for at in 0..ID.len() {
        for wrong in ["g", " ", "_", "é", "\u{2010}", "\n", ""] {
            let id = format!("{}{wrong}{}", &ID[..at], &ID[at + 1..]);
            assert!(record_id_error(&id).is_some(), "{id:?}");
        }
    }
    for more in [" ", "0", ".", "\n", "-"] {
        assert!(record_id_error(&format!("{ID}{more}")).is_some() && record_id_error(&format!("{more}{ID}")).is_some(), "{more:?}");
    }
    let reason = record_id_error(&format!("{ID}0")).unwrap_or_default();
    assert!(reason.contains("more than"), "{reason}");
}

#[test]
fn ids_of_another_kind_are_rejected() {
    for id in
        ["", " ", "person-1", "2025-11-26", "oura", "12345", &"a".repeat(1_000), &"-".repeat(36), "{6f1c9a52-0a0b-4c0d-8e0f-00000000000a}"]
    {
        assert!(record_id_error(id).is_some(), "{id}");
    }
}

#[test]
fn the_format_of_a_sleep_id_is_open() {
    for id in ["s-1", ID, "Ä", &"a".repeat(1_000)] {
        assert_eq!(any_id_error(id), None, "{id}");
    }
    for id in ["", " ", "\t", "a b", " a", "a\n"] {
        assert!(any_id_error(id).is_some(), "{id:?}");
    }
}
