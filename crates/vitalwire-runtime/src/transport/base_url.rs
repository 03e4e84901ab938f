//! A validated base URL. Every request to it carries an access token.

use std::fmt;

use reqwest::Url;
use url::ParseError;

use super::loopback::is_loopback;
use crate::error::Error;
use crate::operation::ServiceMeta;

/// Error reason for an internationalized host name. Converting one takes tables larger than any other part of the library.
const NOT_ASCII: &str = "a host name must be ASCII; write it in Punycode, such as xn--bcher-kva.example for bücher.example";

/// Error reason for a link-local address such as `[fe80::1%eth0]`, which URLs cannot contain.
const ZONE: &str = "must not contain the zone of an IPv6 address; use a host name, or an address without a zone";

/// Error reason for a missing or unsupported scheme.
const SCHEMES: &str = "must begin with https:// or http://";

/// The base URL of a service: https (or plain http if allowed), without user, query or fragment.
#[derive(Clone)]
pub(crate) struct BaseUrl(Url);

impl BaseUrl {
    /// Validates the base URL of a service. Errors never quote the URL.
    pub(crate) fn parse(text: &str, service: &ServiceMeta, allow_plain_http: bool) -> Result<Self, Error> {
        let invalid = |reason| Err(Error::invalid_setting(service.base_url, reason));
        // The parser would drop line breaks and tabs silently, and read `\` as `/`.
        if text.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\') {
            return invalid("must not contain white space, control characters or backslashes");
        }
        let url = match Url::parse(text) {
            Ok(url) => url,
            Err(ParseError::IdnaError) if !host_part(text).is_ascii() => return invalid(NOT_ASCII),
            Err(ParseError::RelativeUrlWithoutBase) => return invalid(SCHEMES),
            Err(ParseError::InvalidIpv6Address) if host_part(text).contains('%') => return invalid(ZONE),
            Err(_) => return invalid("must be an absolute URL"),
        };
        if !matches!(url.scheme(), "http" | "https") {
            return invalid(SCHEMES);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return invalid("must not contain a user or a password");
        }
        if url.query().is_some() || url.fragment().is_some() {
            return invalid("must not contain a query or a fragment");
        }
        if url.scheme() == "http" && !allow_plain_http && !is_loopback(&url) {
            return invalid("https is required; plain http is allowed for loopback addresses or with allow_plain_http");
        }
        if ends_with_prefix(&url, service.path_prefix) {
            return invalid(service.prefixed_base_url);
        }
        Ok(Self(url))
    }

    /// Returns the URL without a trailing slash.
    pub(crate) fn as_str(&self) -> &str {
        self.0.as_str().trim_end_matches('/')
    }

    pub(crate) fn url(&self) -> &Url {
        &self.0
    }

    pub(crate) fn host(&self) -> Option<&str> {
        self.0.host_str()
    }

    pub(crate) fn port(&self) -> Option<u16> {
        self.0.port_or_known_default()
    }

    /// Returns the URL of a path below the base URL. The path begins with a slash, and its arguments are percent-encoded.
    ///
    /// Parses the path only: parsing the whole URL took a fifteenth of the time of a small call.
    pub(crate) fn url_of_path(&self, path: &str) -> Url {
        let mut url = self.0.clone();
        match url.path().trim_end_matches('/') {
            "" => url.set_path(path),
            base => {
                let path = format!("{base}{path}");
                url.set_path(&path);
            }
        }
        url
    }
}

/// Returns the text in the position of the host, without parsing the URL.
fn host_part(text: &str) -> &str {
    text.split(['/', '?', '#']).nth(2).unwrap_or_default()
}

/// Whether a base URL already ends in the path prefix of the operations, which would then be sent twice.
fn ends_with_prefix(url: &Url, prefix: &str) -> bool {
    let path = url.path().trim_end_matches('/').as_bytes();
    let end = path.len().checked_sub(prefix.len()).map(|start| &path[start..]);
    !prefix.is_empty() && end.is_some_and(|end| end.eq_ignore_ascii_case(prefix.as_bytes()))
}

/// Hides the URL: a private host name reveals where someone's data is.
impl fmt::Debug for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BaseUrl")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::operation::testing::INTERFACE;

    fn parse(text: &str) -> Result<BaseUrl, Error> {
        BaseUrl::parse(text, &INTERFACE.services[0], false)
    }

    #[test]
    fn a_base_url_must_not_end_in_the_path_prefix() {
        for bad in ["https://CANARY.example/v3", "https://CANARY.example/v3//", "https://CANARY.example/gate/V3/", "http://127.0.0.1:9/v3"]
        {
            let error = parse(bad).expect_err(bad);
            assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("base_url")));
            assert!(error.to_string().contains("must not end in /v3") && !error.to_string().contains("CANARY"), "{error}");
        }
        for good in
            ["https://v3.example", "https://a.example/v3/gate", "https://a.example/av3", "https://a.example/v33", "https://a.example/v"]
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
        for base in
            ["https://api.example.org", "https://api.example.org/", "http://[::1]:9/x/", "https://xn--mnchen-3ya.example/a%20b/(c)//"]
        {
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
}
