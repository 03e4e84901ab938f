//! Tests of the redirect of the consent flow.

use vitalwire::ErrorKind;
use vitalwire::consent::{ConsentRedirect, Outcome};
use vitalwire::open_sets::ProviderSlug;

use super::kind;

fn parse(text: &str) -> ConsentRedirect {
    ConsentRedirect::parse(text, None).unwrap()
}

#[test]
fn reads_all_forms_of_a_redirect() {
    for text in [
        "https://app.example.org/connected?user_id=u-1&provider_slug=garmin&state=s%2F1",
        "https://app.example.org:8443/a=b/c?user_id=u-1&provider_slug=garmin&state=s%2F1#user_id=other",
        "com.example.app://connected?user_id=u-1&provider_slug=garmin&state=s%2F1",
        "com.example.app:connected?user_id=u-1&provider_slug=garmin&state=s%2F1",
        "/connected?user_id=u-1&provider_slug=garmin&state=s%2F1",
        "/a=b?user_id=u-1&provider_slug=garmin&state=s%2F1",
        "connected?user_id=u-1&provider_slug=garmin&state=s%2F1",
        "?user_id=u-1&provider_slug=garmin&state=s%2F1",
        "user_id=u-1&provider_slug=garmin&state=s/1",
        "&&state=s%2f1&provider_slug=garmin&user_id=u-1&#fragment",
        " user_id=u-1&provider_slug=garmin&state=s%2F1\n",
        "user%5Fid=u%2D1&provider_slug=%67armin&state=s%2F1",
    ] {
        let redirect = ConsentRedirect::parse(text, Some("s/1")).unwrap();
        assert_eq!(redirect.user_id(), Some("u-1"), "{text}");
        assert_eq!(redirect.provider_slug(), Some(&ProviderSlug::Garmin), "{text}");
        assert_eq!(redirect.state(), Some("s/1"), "{text}");
        assert_eq!(redirect.outcome(), &Outcome::Completed, "{text}");
        assert_eq!(redirect.extra().count(), 0, "{text}");
    }
}

#[test]
fn a_value_may_contain_a_question_mark() {
    assert_eq!(parse("state=a?b&user_id=u").state(), Some("a?b"));
    assert_eq!(parse("https://x.example/r?state=a?b&user_id=u").state(), Some("a?b"));
}

#[test]
fn the_state_must_be_the_expected_one() {
    for (text, reason) in [
        ("user_id=u", "the redirect has no state"),
        ("", "the redirect has no state"),
        ("user_id=u#state=good", "the redirect has no state"),
        ("https://x.example/state=good", "the redirect has no state"),
        ("user_id=u&State=good", "the redirect has no state"),
        ("state=", "the state of the redirect is not the expected one"),
        ("state", "the state of the redirect is not the expected one"),
        ("state=goo", "the state of the redirect is not the expected one"),
        ("state=goodd", "the state of the redirect is not the expected one"),
        ("state=Good", "the state of the redirect is not the expected one"),
        ("state=good+", "the state of the redirect is not the expected one"),
        ("state=good%00", "the state of the redirect is not the expected one"),
        ("state=%ff", "the state of the redirect is not the expected one"),
        ("error=denied&state=bad", "the state of the redirect is not the expected one"),
        ("state=good&state=bad", "the redirect has more than one state"),
        ("state=bad&state=good", "the redirect has more than one state"),
    ] {
        let error = ConsentRedirect::parse(text, Some("good")).unwrap_err();
        assert_eq!((error.kind(), error.reason()), (ErrorKind::Signature, Some(reason)), "{text}");
    }
    assert_eq!(ConsentRedirect::parse("state=good&state=good", Some("good")).unwrap().state(), Some("good"));
    // States are compared after decoding.
    ConsentRedirect::parse("state=g%6Fod", Some("good")).unwrap();
    ConsentRedirect::parse("state=%C3%A9+%2B", Some("é +")).unwrap();
}

#[test]
fn an_empty_expected_state_is_an_invalid_argument() {
    let error = ConsentRedirect::parse("state=&user_id=u", Some("")).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("expected_state")));
}

#[test]
fn without_an_expected_state_any_state_is_accepted() {
    assert_eq!(parse("user_id=u&state=whatever").state(), Some("whatever"));
    assert_eq!(parse("user_id=u").state(), None);
}

#[test]
fn an_error_is_a_failed_integration() {
    let redirect = ConsentRedirect::parse("/r?error=access+denied%3A+%E2%9C%97&provider_slug=oura&state=s", Some("s")).unwrap();
    let Outcome::Failed(failure) = redirect.outcome() else { panic!("failed") };
    assert_eq!(failure.text(), "access denied: ✗");
    assert_eq!(redirect.user_id(), None);
    assert_eq!(redirect.provider_slug(), Some(&ProviderSlug::Oura));
    for (text, expected) in [("error=", ""), ("error", ""), ("error=a&error=b", "a"), ("error=%ff%00", "\u{fffd}\0")] {
        let redirect = parse(text);
        let Outcome::Failed(failure) = redirect.outcome() else { panic!("failed: {text}") };
        assert_eq!(failure.text(), expected, "{text}");
    }
}

#[test]
fn contradictions_are_errors_and_repetitions_are_not() {
    for text in [
        "user_id=a&user_id=b",
        "user_id=a&user_id=",
        "user_id=a&provider_slug=oura&provider_slug=garmin",
        "state=a&state=b",
        "user_id=a&user_id=a&user_id=b",
    ] {
        assert_eq!(kind(ConsentRedirect::parse(text, None)), ErrorKind::Decode, "{text}");
    }
    // A redirect URL may already have a placeholder for the provider.
    let redirect = parse("provider_slug=oura&user_id=a&provider_slug=oura");
    assert_eq!(redirect.provider_slug(), Some(&ProviderSlug::Oura));
}

#[test]
fn a_text_that_is_not_a_redirect_is_an_error() {
    for text in
        ["", "?", "#", "https://app.example.org/connected", "https://app.example.org/?theme=dark", "user_id", "&=&=&", "user_id%3Du"]
    {
        let result = ConsentRedirect::parse(text, None);
        if text == "user_id" {
            // The parameter is empty, which is a redirect without a user.
            assert_eq!(result.unwrap().user_id(), None);
        } else {
            assert_eq!(kind(result), ErrorKind::Decode, "{text}");
        }
    }
}

#[test]
fn invalid_escapes_are_errors_or_literal_text() {
    for text in ["user_id=%ff", "user_id=a%C3", "provider_slug=%ED%A0%80", "state=%80", "user_id=%EF%BF%BD"] {
        assert_eq!(kind(ConsentRedirect::parse(text, None)), ErrorKind::Decode, "{text}");
    }
    for (text, expected) in [
        ("user_id=%", "%"),
        ("user_id=%zz", "%zz"),
        ("user_id=%4", "%4"),
        ("user_id=%2541", "%41"),
        ("user_id=a%00b", "a\0b"),
        ("user_id=%26user_id%3Db", "&user_id=b"),
    ] {
        assert_eq!(parse(text).user_id(), Some(expected), "{text}");
    }
}

#[test]
fn unknown_providers_and_parameters_are_kept() {
    let redirect = parse("/r?tab=1&user_id=u&provider_slug=moonwatch&tab=2&x=%ff&flag");
    assert_eq!(redirect.provider_slug().unwrap().as_ref(), "moonwatch");
    let extra: Vec<_> = redirect.extra().collect();
    assert_eq!(extra, [("tab", "1"), ("tab", "2"), ("x", "\u{fffd}"), ("flag", "")]);
    assert_eq!(parse("provider_slug=&state=s").provider_slug(), None);
}

#[test]
fn long_strings_are_read() {
    let long = "x".repeat(100_000);
    assert_eq!(parse(&format!("user_id={long}")).user_id(), Some(long.as_str()));
    ConsentRedirect::parse(&format!("state={long}"), Some(&long)).unwrap();
    assert_eq!(kind(ConsentRedirect::parse(&format!("state={long}y"), Some(&long))), ErrorKind::Signature);
    assert_eq!(parse(&format!("user_id=u{}", "&a=b".repeat(25_000))).extra().count(), 25_000);
    assert_eq!(parse(&format!("user_id=u{}", "&user_id=u".repeat(10_000))).user_id(), Some("u"));
    for text in
        ["%".repeat(100_000), "?".repeat(100_000), "&".repeat(100_000), "#".repeat(100_000), ":".repeat(100_000), "=".repeat(100_000)]
    {
        assert_eq!(kind(ConsentRedirect::parse(&text, None)), ErrorKind::Decode, "{}", &text[..1]);
        assert_eq!(kind(ConsentRedirect::parse(&text, Some("s"))), ErrorKind::Signature, "{}", &text[..1]);
    }
}
