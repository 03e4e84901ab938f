use super::*;

#[test]
fn every_range_is_an_operation_of_the_interface() {
    assert_eq!(OPERATIONS.iter().filter(|operation| is_range(operation)).count(), 4);
    assert_eq!(OPERATIONS.iter().filter(|operation| too_large_remedy(Some(operation)).contains("7.5 MB")).count(), 2);
}

#[test]
fn the_remedy_doubts_the_path_only_if_the_file_cannot_be_read() {
    let hint = |error: Error| remedy(&error).unwrap_or_default();
    for kind in [io::ErrorKind::NotFound, io::ErrorKind::PermissionDenied] {
        let error = Error::invalid_argument("path", "x").with_source(io::Error::from(kind));
        assert_eq!(hint(error), "check the path and the permissions of the file");
    }
    for reason in ["the file is empty", "is base64 text; decode it and pass the bytes", "is a directory"] {
        assert_eq!(hint(Error::invalid_argument("path", reason)), "nothing was sent", "{reason}");
    }
    assert!(hint(Error::invalid_argument("stdin", "the file is empty")).contains("pipe the content"));
    assert_eq!(hint(Error::invalid_argument("stdin", "is base64 text; decode it and pass the bytes")), "nothing was sent");
}

#[test]
fn each_timeout_has_its_own_variable() {
    for (reason, variable) in [
        ("the connect deadline passed", "VITALWIRE_CONNECT_TIMEOUT"),
        ("the attempt's deadline passed", "VITALWIRE_ATTEMPT_TIMEOUT"),
        ("the call's total deadline passed", "VITALWIRE_TIMEOUT"),
    ] {
        let hint = kind_remedy(&Error::with_reason(ErrorKind::Timeout, reason), true);
        assert_eq!(hint.map(str::to_owned), Some(format!("set a longer {variable}, in seconds")));
    }
}

#[test]
fn after_a_request_no_hint_says_that_nothing_was_sent() {
    for argument in ["path", "stdin", "types"] {
        let error = Error::invalid_argument(argument, "is a directory");
        assert!(kind_remedy(&error, false).is_some_and(|hint| hint.starts_with("nothing was sent")), "{argument}");
        assert!(!kind_remedy(&error, true).is_some_and(|hint| hint.contains("nothing was sent")), "{argument}");
    }
}

#[test]
fn every_kind_with_a_remedy_has_a_hint() {
    for kind in ErrorKind::ALL {
        let has_no_remedy = matches!(kind, ErrorKind::Configuration | ErrorKind::Cancelled | ErrorKind::Closed);
        assert_eq!(remedy(&Error::new(*kind)).is_none(), has_no_remedy, "{kind}");
    }
    let hint = |error: Error| remedy(&error).unwrap_or_default();
    assert!(hint(Error::invalid_setting("care_token", "x")).contains("VITALWIRE_CARE_TOKEN"));
}
