use super::*;

#[test]
fn numbers_and_transience_match_the_published_table() {
    // Literal copy of the published table, because the judge of the cases takes transience from the rows. Changing or removing a number
    // breaks users in every language. New kinds need not be added here.
    let published = [
        ("configuration", 1001, Some(false)),
        ("invalid_argument", 1002, Some(false)),
        ("authentication", 1101, Some(false)),
        ("permission", 1102, Some(false)),
        ("not_found", 1201, Some(false)),
        ("invalid_request", 1202, Some(false)),
        ("too_large", 1203, Some(false)),
        ("rate_limited", 1301, Some(true)),
        ("service", 1302, None),
        ("unexpected_status", 1303, Some(false)),
        ("timeout", 1401, Some(true)),
        ("transport", 1402, None),
        ("decode", 1501, Some(false)),
        ("signature", 1502, Some(false)),
        ("cancelled", 1601, Some(false)),
        ("closed", 1602, Some(false)),
        ("internal", 1901, Some(false)),
    ];
    for (name, code, transient) in published {
        let kind = ErrorKind::from_code(code);
        assert_eq!(kind.map(|kind| (kind.as_str(), kind.is_transient())), Some((name, transient)), "{code}");
    }
}

#[test]
fn kinds_are_sorted_by_number_and_named_after_their_variants() {
    assert!(ErrorKind::ALL.is_sorted_by(|one, next| one.code() < next.code()));
    for kind in ErrorKind::ALL {
        assert_eq!(kind.as_str().replace('_', ""), format!("{kind:?}").to_lowercase());
    }
}

#[test]
fn a_kind_is_found_by_its_code() {
    for kind in ErrorKind::ALL {
        assert_eq!(ErrorKind::from_code(kind.code()), Some(*kind));
    }
    assert_eq!(ErrorKind::from_code(0), None);
    assert_eq!(ErrorKind::from_code(404), None);
}
