//! Tokens and where they come from.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::SystemTime;

use bytes::Bytes;
use http::HeaderValue;
use zeroize::Zeroizing;

use crate::error::BoxError;

/// A boxed future, as the methods of [`TokenProvider`] return it.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A credential: never shown, and overwritten when its last clone is dropped, those in requests' headers included.
///
/// Kept as the header that it is sent in: one for all requests. What the HTTP library writes to its buffers is not overwritten.
#[derive(Clone)]
pub(crate) struct Secret(HeaderValue);

impl Secret {
    /// Takes a token that can travel in a header. White space at its ends is dropped: files often end with a newline.
    pub(crate) fn checked(text: &str) -> Result<Self, &'static str> {
        let text = text.trim_ascii();
        if text.is_empty() {
            return Err("the token is empty");
        }
        if !text.bytes().all(|b| b.is_ascii_graphic()) {
            return Err("the token has characters that no header can carry");
        }
        const SCHEME: &[u8] = b"Bearer ";
        // Of its whole size at once: growing would leave a copy behind.
        let mut header = Zeroizing::new(Vec::with_capacity(SCHEME.len() + text.len()));
        header.extend_from_slice(SCHEME);
        header.extend_from_slice(text.as_bytes());
        let mut value =
            HeaderValue::from_maybe_shared(Bytes::from_owner(header)).map_err(|_| "the token has characters that no header can carry")?;
        value.set_sensitive(true);
        Ok(Self(value))
    }

    pub(crate) fn same_as(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    /// The value of an `Authorization` header.
    pub(crate) fn bearer(&self) -> HeaderValue {
        self.0.clone()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// A token that a [`TokenProvider`] gives.
#[derive(Clone, Debug)]
pub struct Token {
    /// Kept as the provider gave it; what no header can carry becomes an authentication error of the call.
    pub(crate) secret: Result<Secret, &'static str>,
    /// When the token stops being valid.
    pub(crate) expires_at: Option<SystemTime>,
}

impl Token {
    /// A token without a known end: it is used until the service refuses it.
    #[must_use]
    pub fn new(secret: &str) -> Self {
        Self { secret: Secret::checked(secret), expires_at: None }
    }

    /// A token valid until a moment. Another is asked for a little before it.
    #[must_use]
    pub fn expiring(secret: &str, expires_at: SystemTime) -> Self {
        Self { secret: Secret::checked(secret), expires_at: Some(expires_at) }
    }

    /// When the token stops being valid, if that is known.
    #[must_use]
    pub fn expires_at(&self) -> Option<SystemTime> {
        self.expires_at
    }
}

/// Why a token is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TokenReason {
    /// There is none yet.
    Missing,
    /// The present one ends soon, or has ended.
    Expiring,
    /// The service refused the present one (401): an answer from a cache would not help.
    Rejected,
}

/// Gives tokens when they are needed.
///
/// The client asks once for many calls (single flight), a little before a token ends, and once more after a 401. A call
/// that is dropped while it asks drops the provider's future; the next call then asks anew.
///
/// Any `Fn(TokenReason) -> impl Future<Output = Result<Token, BoxError>>` is one.
pub trait TokenProvider: Send + Sync + 'static {
    /// Gives a token. The error is kept as a source; its text is never shown by this library.
    fn token(&self, reason: TokenReason) -> BoxFuture<'_, Result<Token, BoxError>>;
}

impl<F, Fut> TokenProvider for F
where
    F: Fn(TokenReason) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Token, BoxError>> + Send + 'static,
{
    fn token(&self, reason: TokenReason) -> BoxFuture<'_, Result<Token, BoxError>> {
        Box::pin(self(reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_trimmed_checked_and_hidden() {
        let secret = Secret::checked(" CANARY-token\r\n").expect("valid");
        assert_eq!(secret.bearer(), "Bearer CANARY-token");
        assert!(!format!("{secret:?} {:?} {:?}", secret.bearer(), Token::new("CANARY")).contains("CANARY"));
        for bad in ["", "  \n", "two words", "line\nbreak", "umlaut-\u{fc}"] {
            assert!(Secret::checked(bad).is_err(), "{bad:?}");
        }
    }
}
