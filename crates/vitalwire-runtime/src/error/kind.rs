//! The one table of error kinds: every binding derives its own names and numbers from it.

use std::fmt;

/// What went wrong, as a closed question with one stable number per answer.
///
/// The kind of an answered request follows its HTTP status, whatever the body is.
///
/// Numbers are part of the public contract in every language: they come in groups of one hundred, a number is never given
/// another meaning, and the number of a kind that is dropped is never used again. They start at 1000 so that none can be
/// mistaken for an HTTP status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u16)]
pub enum ErrorKind {
    // 1000: the caller's own side, before anything is sent.
    /// The client is not set up for this call: a base URL or a token is missing, or a setting is refused.
    Configuration = 1001,
    /// An argument cannot be sent as it is, for example an empty path parameter. [`Error::argument`](crate::error::Error::argument) names it.
    InvalidArgument = 1002,

    // 1100: who is asking.
    /// Status 401, or no token could be had from the token provider.
    Authentication = 1101,
    /// Status 403.
    Permission = 1102,

    // 1200: what was asked.
    /// Status 404.
    NotFound = 1201,
    /// Status 400 or 422.
    InvalidRequest = 1202,
    /// Status 413, a request over a known limit, or an answer over the client's own limit.
    TooLarge = 1203,

    // 1300: the service's state.
    /// Status 429.
    RateLimited = 1301,
    /// Status 500 to 599.
    Service = 1302,
    /// A status that has no kind of its own, for example 409. The service may document it or not.
    UnexpectedStatus = 1303,

    // 1400: the way there and back.
    /// A deadline passed (connect, attempt or total), or status 408.
    Timeout = 1401,
    /// The connection could not be made or broke.
    Transport = 1402,

    // 1500: what came.
    /// The response does not match the interface. [`Error::json_path`](crate::error::Error::json_path) locates the value.
    Decode = 1501,
    /// A webhook's signature does not fit its body, or the `state` of a return is not the one that was sent.
    Signature = 1502,

    // 1600: the caller's own end of it.
    /// The call was cancelled.
    Cancelled = 1601,
    /// The client was closed.
    Closed = 1602,

    // 1900: our own mistake.
    /// A defect in this library.
    Internal = 1901,
}

/// Kind and name, in the order of the numbers. Names are the same in all languages, up to their case rules.
const TABLE: [(ErrorKind, &str); 17] = [
    (ErrorKind::Configuration, "configuration"),
    (ErrorKind::InvalidArgument, "invalid_argument"),
    (ErrorKind::Authentication, "authentication"),
    (ErrorKind::Permission, "permission"),
    (ErrorKind::NotFound, "not_found"),
    (ErrorKind::InvalidRequest, "invalid_request"),
    (ErrorKind::TooLarge, "too_large"),
    (ErrorKind::RateLimited, "rate_limited"),
    (ErrorKind::Service, "service"),
    (ErrorKind::UnexpectedStatus, "unexpected_status"),
    (ErrorKind::Timeout, "timeout"),
    (ErrorKind::Transport, "transport"),
    (ErrorKind::Decode, "decode"),
    (ErrorKind::Signature, "signature"),
    (ErrorKind::Cancelled, "cancelled"),
    (ErrorKind::Closed, "closed"),
    (ErrorKind::Internal, "internal"),
];

/// The kinds alone, for [`ErrorKind::ALL`].
const KINDS: [ErrorKind; TABLE.len()] = {
    let mut kinds = [ErrorKind::Internal; TABLE.len()];
    let mut i = 0;
    while i < TABLE.len() {
        kinds[i] = TABLE[i].0;
        i += 1;
    }
    kinds
};

impl ErrorKind {
    /// Every kind, in the order of its number.
    pub const ALL: &'static [ErrorKind] = &KINDS;

    /// The name, for example `rate_limited`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        TABLE.iter().find(|(kind, _)| *kind == self).map_or("internal", |(_, name)| name)
    }

    /// The stable number, the same in every language.
    #[must_use]
    pub const fn code(self) -> u16 {
        self as u16
    }

    /// The kind with this number, if there is one.
    #[must_use]
    pub fn from_code(code: u16) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.code() == code)
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_published_ones() {
        // Written out by hand: a change here is a break in five languages.
        let published = [
            ("configuration", 1001),
            ("invalid_argument", 1002),
            ("authentication", 1101),
            ("permission", 1102),
            ("not_found", 1201),
            ("invalid_request", 1202),
            ("too_large", 1203),
            ("rate_limited", 1301),
            ("service", 1302),
            ("unexpected_status", 1303),
            ("timeout", 1401),
            ("transport", 1402),
            ("decode", 1501),
            ("signature", 1502),
            ("cancelled", 1601),
            ("closed", 1602),
            ("internal", 1901),
        ];
        let ours: Vec<_> = ErrorKind::ALL.iter().map(|kind| (kind.as_str(), kind.code())).collect();
        assert_eq!(ours, published);
    }

    #[test]
    fn a_code_leads_back_to_its_kind() {
        for kind in ErrorKind::ALL {
            assert_eq!(ErrorKind::from_code(kind.code()), Some(*kind));
        }
        assert_eq!(ErrorKind::from_code(0), None);
        assert_eq!(ErrorKind::from_code(404), None);
    }
}
