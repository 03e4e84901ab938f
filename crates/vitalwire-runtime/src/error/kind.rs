//! Error kinds and their numbers. The error types of every language are generated from this table.

use std::fmt;

/// Whether a call that failed with this kind may succeed later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transience {
    Never,
    Always,
    /// Depends on the HTTP status.
    ByStatus,
    /// Depends on the cause: an untrusted certificate stays untrusted, and a proxy requires the same credentials.
    ByReason,
}

/// Declares the kinds, one row each: variant, number, name and [`Transience`]. The code generator reads these rows.
macro_rules! error_kinds {
    ($($(#[$doc:meta])+ $kind:ident = $code:literal, $name:literal, $transience:ident;)+) => {
        /// Kind of an error, with one stable number per kind.
        ///
        /// The kind of an HTTP error follows its status, whatever the body is.
        ///
        /// Numbers are part of the public API in every language. They come in groups of one hundred, never change their meaning and are
        /// never reused. They start at 1000 so that none can be mistaken for an HTTP status.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u16)]
        pub enum ErrorKind {
            $($(#[$doc])+ $kind = $code,)+
        }

        impl ErrorKind {
            /// All kinds, in the order of their numbers.
            pub const ALL: &'static [ErrorKind] = &[$(ErrorKind::$kind),+];

            /// Returns the name, for example `rate_limited`. It is the same in all languages, up to their case rules.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)+
                }
            }

            pub(crate) fn transience(self) -> Transience {
                match self {
                    $(Self::$kind => Transience::$transience,)+
                }
            }
        }
    };
}

error_kinds! {
    // 1000: configuration and arguments, before anything is sent.
    /// The client is not configured for this call: a base URL or a token is missing, or a setting is invalid.
    Configuration = 1001, "configuration", Never;
    /// An argument cannot be sent as it is, for example an empty path parameter. [`Error::argument`](crate::error::Error::argument) names it.
    InvalidArgument = 1002, "invalid_argument", Never;

    // 1100: credentials.
    /// Status 401, or the token provider failed.
    Authentication = 1101, "authentication", Never;
    /// Status 403.
    Permission = 1102, "permission", Never;

    // 1200: the request.
    /// Status 404.
    NotFound = 1201, "not_found", Never;
    /// Status 400 or 422.
    InvalidRequest = 1202, "invalid_request", Never;
    /// Status 413, a request over a known limit, or a response over the client's own limit.
    TooLarge = 1203, "too_large", Never;

    // 1300: state of the service.
    /// Status 429.
    RateLimited = 1301, "rate_limited", Always;
    /// Status 500 to 599.
    Service = 1302, "service", ByStatus;
    /// A status that has no kind of its own, for example 409. The service may document it or not.
    UnexpectedStatus = 1303, "unexpected_status", Never;

    // 1400: the network.
    /// A timeout expired (connect, attempt or total), or status 408.
    Timeout = 1401, "timeout", Always;
    /// The connection could not be made, or it broke.
    Transport = 1402, "transport", ByReason;

    // 1500: the response or webhook.
    /// The response does not match the specification. [`Error::json_path`](crate::error::Error::json_path) locates the value.
    Decode = 1501, "decode", Never;
    /// The signature of a webhook does not match its body, or the `state` of a redirect is not the one that was sent.
    Signature = 1502, "signature", Never;

    // 1600: calls that the caller ended.
    /// The call was cancelled.
    Cancelled = 1601, "cancelled", Never;
    /// The client was closed.
    Closed = 1602, "closed", Never;

    // 1900: defects.
    /// A defect in this library.
    Internal = 1901, "internal", Never;
}

impl ErrorKind {
    /// Returns the stable number, the same in every language.
    #[must_use]
    pub const fn code(self) -> u16 {
        self as u16
    }

    /// Returns the kind with this number, if there is one.
    #[must_use]
    pub fn from_code(code: u16) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.code() == code)
    }

    /// Returns whether errors of this kind are transient; `None` if that depends on the status or the cause.
    #[doc(hidden)]
    #[must_use]
    pub fn is_transient(self) -> Option<bool> {
        match self.transience() {
            Transience::Never => Some(false),
            Transience::Always => Some(true),
            Transience::ByStatus | Transience::ByReason => None,
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests;
