//! Resume tokens: their text, tokens of other calls and invalid tokens.

use vitalwire::error::ErrorKind;
use vitalwire::range::{PartLength, ResumeToken};
use vitalwire_testkit::{Server, json};

use crate::range::{client, daily, days, instants, interval};

async fn token_of_a_failed_call(server: &Server) -> ResumeToken {
    let split = daily(server, days("2025-01-01", "2025-01-10")).split(PartLength::Days(2));
    split.collect().await.unwrap_err().resume_token().unwrap().clone()
}

#[tokio::test]
async fn a_resume_token_converts_from_and_to_text() {
    let server = Server::always(json(404, "{}"));
    let token = token_of_a_failed_call(&server).await;
    let text = token.to_string();
    let (front, hash) = text.rsplit_once('/').unwrap();
    assert_eq!(front, "vwr1/daily_statistics/2d/2025-01-01/2025-01-10/0-4");
    assert!(hash.len() == 32 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()));
    assert_eq!(text.parse::<ResumeToken>().unwrap(), token);
    assert_eq!(format!("{token:?}"), r#"ResumeToken { operation: "daily_statistics", parts_left: 5, .. }"#);

    let hours = interval(&server, instants("2025-01-01T00:00:00.5Z", "2025-01-02T00:00:00Z")).split(PartLength::Hours(5));
    let text = hours.collect().await.unwrap_err().resume_token().unwrap().to_string();
    assert!(text.starts_with("vwr1/interval_statistics/5h/2025-01-01T00:00:00.5Z/2025-01-02T00:00:00Z/0-4/"), "{text}");
    assert_eq!(text.parse::<ResumeToken>().unwrap().to_string(), text);
    let open = client(&server).lab_reports().list().split(None).collect().await.unwrap_err();
    let text = open.resume_token().unwrap().to_string();
    assert!(text.starts_with("vwr1/list_lab_reports/-///0/"), "{text}");
    assert_eq!(&text.parse::<ResumeToken>().unwrap(), open.resume_token().unwrap());
}

#[tokio::test]
async fn a_token_of_another_call_is_rejected() {
    let server = Server::always(json(404, "{}"));
    let token = token_of_a_failed_call(&server).await;
    // Use another server, because requests of the failed call may still arrive.
    let server = Server::always(json(404, "{}"));
    let range = days("2025-01-01", "2025-01-10");
    let hours = interval(&server, instants("2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z"));
    let other_types = client(&server).statistics().daily(range, ["floors"]);
    let query = vitalwire::client::CallOptions::new().query("page", "2");
    let errors = [
        hours.split(None).resume(&token).stream().unwrap_err(),
        other_types.split(None).resume(&token).stream().unwrap_err(),
        daily(&server, range).exclude_manual(false).split(None).resume(&token).stream().unwrap_err(),
        daily(&server, range).options(query).split(None).resume(&token).stream().unwrap_err(),
        daily(&server, days("2025-01-01", "2025-01-11")).split(None).resume(&token).stream().unwrap_err(),
    ];
    for error in errors {
        assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("resume_token")), "{error}");
    }
    assert!(daily(&server, range).split(None).resume(&token).stream().is_ok());
    assert_eq!(server.count(), 0);
}

/// Calls for two people may differ only in their access tokens, which are not part of a resume token.
#[tokio::test]
async fn a_resume_key_binds_a_token_to_a_person() {
    let server = Server::always(json(404, "{}"));
    let range = days("2025-01-01", "2025-01-10");
    let split = |key: Option<&str>| {
        // Without concurrency, because an aborted call may reach the server later.
        let split = daily(&server, range).split(PartLength::Days(2)).concurrency(1);
        key.into_iter().fold(split, |split, key| split.resume_key(key))
    };
    let token_with_key = async |key| split(key).collect().await.unwrap_err().resume_token().unwrap().clone();
    let (bound, unbound) = (token_with_key(Some("person-1")).await, token_with_key(None).await);
    assert!(!bound.to_string().contains("person") && bound.to_string() != unbound.to_string());
    let stored: ResumeToken = bound.to_string().parse().unwrap();
    let before = server.count();
    for (key, token, is_accepted) in [
        (Some("person-1"), &stored, true),
        (Some("person-2"), &stored, false),
        (Some(""), &stored, false),
        (None, &stored, false),
        (None, &unbound, true),
        (Some("person-1"), &unbound, false),
        (Some(""), &unbound, false),
    ] {
        match split(key).resume(token).stream() {
            Ok(_) => assert!(is_accepted, "{key:?}"),
            Err(error) => assert!(!is_accepted && error.to_string().contains("another resume key"), "{key:?} {error}"),
        }
    }
    assert_eq!(server.count(), before);
}

#[test]
fn an_invalid_token_is_rejected() {
    let good = "vwr1/daily_statistics/2d/2025-01-01/2025-01-10/0-4/00112233445566778899aabbccddeeff";
    assert!(good.parse::<ResumeToken>().is_ok());
    let replaced = |from: &str, to: &str| {
        let changed = good.replace(from, to);
        assert_ne!(changed, good);
        changed
    };
    let texts = [
        String::new(),
        "vwr1".into(),
        "/".repeat(6),
        "/".repeat(1 << 20),
        "x".repeat((1 << 20) + 1),
        good.repeat(125_000),
        "[".repeat(100_000),
        "{\"vwr1\":".repeat(10_000),
        "\u{1b}[31m".into(),
        replaced("vwr1", "vwr18446744073709551616"),
        replaced("daily_statistics", "daily\u{7}"),
        replaced("2025-01-10", "9999999999-01-10"),
        replaced("2025-01-10", "-9999-01-10"),
        replaced("vwr1", "vwr2"),
        replaced("vwr1", "token"),
        replaced("daily_statistics", ""),
        replaced("daily_statistics", "Daily"),
        replaced("daily_statistics", "\u{0}"),
        replaced("daily_statistics", &"a".repeat(129)),
        replaced("2d", "0d"),
        replaced("2d", "-2d"),
        replaced("2d", "+2d"),
        replaced("2d", "d"),
        replaced("2d", "2h"),
        replaced("2d", "2é"),
        replaced("2d", "é"),
        replaced("2d", ""),
        replaced("2d", "-"),
        replaced("2d", "4294967296d"),
        replaced("2025-01-01", "2025-02-30"),
        replaced("2025-01-01", ""),
        replaced("2025-01-10", "2025-01-10T00:00:00Z"),
        replaced("2025-01-10", "2024-12-31"),
        replaced("2d/2025-01-01", "1d/0001-01-01"),
        replaced("0-4", "0-5"),
        replaced("0-4", ""),
        replaced("0-4", "4-0"),
        replaced("0-4", "0-4,4"),
        replaced("0-4", "3,1"),
        replaced("0-4", "0-4294967295"),
        replaced("0-4", "0-99999999999999999999"),
        replaced("0-4", "+0"),
        replaced("0-4", "0,,1"),
        replaced("0-4", "0-1-2"),
        replaced("ff", ""),
        replaced("ff", "fff"),
        replaced("ff", "FF"),
        replaced("ff", "é"),
        format!("{good}/"),
        format!("{good} "),
    ];
    for text in texts {
        let error = text.parse::<ResumeToken>().unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("resume_token")));
        assert!(!error.to_string().contains("2025"), "the error does not quote the text");
    }
    assert_eq!(
        replaced("vwr1", "vwr2").parse::<ResumeToken>().unwrap_err().reason(),
        Some("the resume token was made by an incompatible version; start the range without it")
    );
}
