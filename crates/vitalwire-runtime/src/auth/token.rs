//! Tokens and token providers.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::SystemTime;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use http::HeaderValue;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::secret::check_token;
use crate::error::BoxError;

/// A boxed future, as returned by [`TokenProvider::token`].
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

const SCHEME: &[u8] = b"Bearer ";

/// The claims of a JSON Web Token that name its application and user.
#[derive(Deserialize, Serialize)]
struct Claims {
    iss: Option<serde_json::Value>,
    sub: String,
}

/// A credential, stored as the `Authorization` header of its requests. Never shown. Its memory is overwritten when the last clone is
/// dropped, including the clones in requests.
///
/// Buffers of the HTTP library are not overwritten.
#[derive(Clone)]
pub(crate) struct Secret(HeaderValue);

impl Secret {
    /// Creates a credential from a token. Removes a byte order mark and white space around it, because files often end with a newline.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        let text = check_token(text)?;
        // Allocate the full size: growing would leave a copy in memory.
        let mut header = Zeroizing::new(Vec::with_capacity(SCHEME.len() + text.len()));
        header.extend_from_slice(SCHEME);
        header.extend_from_slice(text.as_bytes());
        let mut value =
            HeaderValue::from_maybe_shared(Bytes::from_owner(header)).map_err(|_| "the token must not contain control characters")?;
        value.set_sensitive(true);
        Ok(Self(value))
    }

    pub(crate) fn same_as(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    /// Returns 32 bits of the token's SHA-256 as hexadecimal digits, to recognize the token later.
    pub(crate) fn fingerprint(&self) -> String {
        let digest: [u8; 32] = Sha256::digest(self.0.as_bytes().strip_prefix(SCHEME).unwrap_or_default()).into();
        digest[..4].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Returns the SHA-256 of the issuer and subject of a JSON Web Token, or of the whole token.
    pub(crate) fn user_digest(&self) -> [u8; 32] {
        let token = self.0.as_bytes().strip_prefix(SCHEME).unwrap_or_default();
        let payload = token.split(|byte| *byte == b'.').nth(1).and_then(|payload| URL_SAFE_NO_PAD.decode(payload).ok());
        let claims = payload.and_then(|payload| serde_json::from_slice::<Claims>(&payload).ok());
        let claims = claims.filter(|claims| !claims.sub.trim().is_empty()).and_then(|claims| serde_json::to_vec(&claims).ok());
        Sha256::digest(claims.as_deref().unwrap_or(token)).into()
    }

    /// Returns the value of the `Authorization` header.
    pub(crate) fn bearer(&self) -> HeaderValue {
        self.0.clone()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// A token that a [`TokenProvider`] returns.
#[derive(Clone, Debug)]
pub struct Token {
    /// The credential, or the reason why the token is invalid in a header. The call then fails with an authentication error.
    pub(crate) secret: Result<Secret, &'static str>,
    pub(crate) expires_at: Option<SystemTime>,
}

impl Token {
    /// Creates a token without a known expiry. It is used until the service rejects it.
    #[must_use]
    pub fn new(secret: &str) -> Self {
        Self { secret: Secret::parse(secret), expires_at: None }
    }

    /// Creates a token that expires at an instant. It is renewed one minute before that, or after 90 % of a lifetime below 10 minutes.
    #[must_use]
    pub fn expiring(secret: &str, expires_at: SystemTime) -> Self {
        Self { secret: Secret::parse(secret), expires_at: Some(expires_at) }
    }

    /// Returns the instant at which the token expires, if known.
    #[must_use]
    pub fn expires_at(&self) -> Option<SystemTime> {
        self.expires_at
    }
}

/// Reason why a token is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RefreshReason {
    /// There is no token yet.
    Missing,
    /// The current token expires soon, or has expired.
    Expiring,
    /// The service rejected the current token with status 401. Request a new one instead of returning a cached one.
    Rejected,
}

/// Supplies access tokens on demand.
///
/// The client calls the provider once for many calls (single flight): shortly before a token expires, and once after a status 401. If the
/// call that runs the provider is dropped, its future is dropped too, and the next call runs the provider again.
///
/// Every `Fn(RefreshReason) -> impl Future<Output = Result<Token, BoxError>>` implements this trait. Use
/// `BlockingProvider` (feature `blocking`) for a function that blocks.
///
/// ```
/// use std::time::{Duration, SystemTime};
///
/// use vitalwire_runtime::client::{BoxFuture, RefreshReason, Token, TokenProvider};
/// use vitalwire_runtime::error::BoxError;
///
/// /// Tokens from a server that holds the application key.
/// struct ServerTokens;
///
/// impl ServerTokens {
///     /// Requests a token and its lifetime.
///     async fn request(&self) -> Result<(String, Duration), BoxError> {
/// #       if true { return Ok(("a-token".to_owned(), Duration::from_secs(3600))) }
///         // ...
/// #       unreachable!()
///     }
/// }
///
/// impl TokenProvider for ServerTokens {
///     fn token(&self, _: RefreshReason) -> BoxFuture<'_, Result<Token, BoxError>> {
///         Box::pin(async {
///             let (token, lifetime) = self.request().await?;
///             Ok(Token::expiring(&token, SystemTime::now() + lifetime))
///         })
///     }
/// }
///
/// # use std::{pin::pin, task::{Context, Poll, Waker}};
/// # let mut token = ServerTokens.token(RefreshReason::Missing);
/// # let Poll::Ready(Ok(token)) = token.as_mut().poll(&mut Context::from_waker(Waker::noop())) else { panic!("no token") };
/// # assert!(token.expires_at() > Some(SystemTime::now()));
/// ```
pub trait TokenProvider: Send + Sync + 'static {
    /// Returns a token. An error becomes the source of the call's error; this library never shows its text.
    fn token(&self, reason: RefreshReason) -> BoxFuture<'_, Result<Token, BoxError>>;
}

impl<F, Fut> TokenProvider for F
where
    F: Fn(RefreshReason) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Token, BoxError>> + Send + 'static,
{
    fn token(&self, reason: RefreshReason) -> BoxFuture<'_, Result<Token, BoxError>> {
        Box::pin(self(reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_json_web_token_is_hashed_by_its_user() {
        let hash = |token: &str| Secret::parse(token).expect("valid").user_digest();
        let token = |payload: &str| format!("e30.{}.c2ln", URL_SAFE_NO_PAD.encode(payload));
        let first = hash(&token(r#"{"iss":"10070","sub":"a","iat":1}"#));
        assert_eq!(first, hash(&token(r#"{"sub":"a","iss":"10070","iat":2,"exp":3}"#)));
        for other in [r#"{"iss":"10070","sub":"b"}"#, r#"{"iss":"20000","sub":"a"}"#, r#"{"iss":"10070"}"#, r#"{"sub":"a"}"#, "a"] {
            assert_ne!(first, hash(&token(other)), "{other}");
        }
        assert!(hash("opaque") == hash("opaque\n") && hash("opaque") != hash("other"));
        // A subject that names nobody, or a number that may be rounded.
        for sub in ["null", "false", "\"\"", "\" \"", "12345678901234567890123"] {
            let with = |user: &str| hash(&token(&format!(r#"{{"sub":{sub},"user_id":"{user}"}}"#)));
            assert_ne!(with("p1"), with("p2"), "{sub}");
        }
    }

    #[test]
    fn a_secret_is_trimmed_checked_and_hidden() {
        let secret = Secret::parse(" CANARY-token\r\n").expect("valid");
        assert_eq!(secret.bearer(), "Bearer CANARY-token");
        assert!(!format!("{secret:?} {:?} {:?}", secret.bearer(), Token::new("CANARY")).contains("CANARY"));
        for bad in ["", "  \n", "two words", "line\nbreak", "umlaut-\u{fc}"] {
            assert!(Secret::parse(bad).is_err(), "{bad:?}");
        }
    }
}
