use super::*;
use crate::error::ErrorKind;
use crate::operation::testing::INTERFACE;

fn parse(text: &str) -> Result<BaseUrl, Error> {
    BaseUrl::parse(text, &INTERFACE.services[0], false)
}

#[test]
fn a_base_url_must_not_end_in_the_path_prefix() {
    for bad in ["https://CANARY.example/v3", "https://CANARY.example/v3//", "https://CANARY.example/gate/V3/", "http://127.0.0.1:9/v3"] {
        let error = parse(bad).expect_err(bad);
        assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("base_url")));
        assert!(error.to_string().contains("must not end in /v3") && !error.to_string().contains("CANARY"), "{error}");
    }
    for good in ["https://v3.example", "https://a.example/v3/gate", "https://a.example/av3", "https://a.example/v33", "https://a.example/v"]
    {
        assert!(parse(good).is_ok(), "{good}");
    }
}

#[test]
fn a_base_url_keeps_its_path_without_the_last_slash() {
    for (text, kept) in [
        ("https://api.example.org", "https://api.example.org"),
        ("https://api.example.org/", "https://api.example.org"),
        ("https://api.example.org/gate/health/", "https://api.example.org/gate/health"),
        ("HTTPS://API.example.org:443/a", "https://api.example.org/a"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://127.8.9.1", "http://127.8.9.1"),
        ("http://[::1]:9/x/", "http://[::1]:9/x"),
        ("http://localhost:1", "http://localhost:1"),
        ("http://sandbox.localhost", "http://sandbox.localhost"),
        ("https://xn--bcher-kva.example/a", "https://xn--bcher-kva.example/a"),
    ] {
        assert_eq!(parse(text).expect(text).as_str(), kept);
    }
}

#[test]
fn the_error_of_a_host_beyond_ascii_names_the_remedy() {
    for text in ["https://bücher.example", "https://API.例え.example/v3"] {
        let error = parse(text).map(drop).unwrap_err();
        assert!(error.to_string().contains(NOT_ASCII), "{error}");
    }
    // Only the host must be ASCII: a path may contain any letters.
    assert_eq!(parse("https://api.example/ü").unwrap().as_str(), "https://api.example/%C3%BC");
    assert!(parse("https://a|b.example/ü").map(drop).unwrap_err().to_string().contains("must be an absolute URL"));
    for zone in ["https://[fe80::1%25eth0]:8080", "https://[fe80::1%eth0]/"] {
        assert!(parse(zone).map(drop).unwrap_err().to_string().contains("must not contain the zone of an IPv6 address"), "{zone}");
    }
}

#[test]
fn a_missing_or_other_scheme_is_rejected() {
    for text in ["", "api.example.org", "127.0.0.1:8080", "localhost:8080", "/v3", "ftp://api.example.org"] {
        let error = parse(text).expect_err(text);
        assert_eq!(error.reason(), Some(SCHEMES), "{text}");
    }
}

#[test]
fn an_unsafe_or_ambiguous_base_url_is_rejected() {
    for bad in [
        "",
        "api.example.org",
        "/v3",
        "ftp://api.example.org",
        "file:///etc/passwd",
        "http://api.example.org",
        "http://10.0.2.2:8080",
        "http://127.0.0.1.example.org",
        "http://localhost.example.org",
        "http://notlocalhost",
        "https://user@api.example.org",
        "https://:CANARY@api.example.org",
        "https://api.example.org?x=1",
        "https://api.example.org/#a",
        "https://api.example.org/a\nb",
        "https:\\\\api.example.org",
        " https://api.example.org",
    ] {
        let error = parse(bad).expect_err(bad);
        assert_eq!(error.kind(), ErrorKind::Configuration);
        assert_eq!(error.argument(), Some("base_url"));
        assert!(!error.to_string().contains("example") && !error.to_string().contains("CANARY"), "{error}");
    }
}

#[test]
fn the_url_of_a_path_is_the_base_url_followed_by_the_path() {
    for base in ["https://api.example.org", "https://api.example.org/", "http://[::1]:9/x/", "https://xn--mnchen-3ya.example/a%20b/(c)//"] {
        let base = parse(base).unwrap();
        for path in ["/v3/userinfo", "/v3/sleeps/a%2Fb%5Cc%20d%252e%3F%23", "/v3/x/..."] {
            let url = base.url_of_path(path);
            assert_eq!(url.as_str(), format!("{}{path}", base.as_str()));
            assert_eq!(url, Url::parse(url.as_str()).unwrap());
        }
    }
}

#[test]
fn plain_http_can_be_allowed() {
    assert!(BaseUrl::parse("http://10.0.2.2:8080", &INTERFACE.services[0], true).is_ok());
    assert!(BaseUrl::parse("ftp://10.0.2.2:8080", &INTERFACE.services[0], true).is_err());
}
