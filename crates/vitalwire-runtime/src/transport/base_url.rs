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
mod tests;
