//! Tokens and keys. Tokens of the main service are JWTs (HS256); the policy-benefits service accepts one fixed key.
//!
//! `jsonwebtoken` is not used, because it would add a second cryptography library for a few lines of HMAC.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::Mac;
use http::header;
use serde_json::{Value, json};

use crate::values::crypto;

/// Application ids and all keys of a sandbox. They follow from the seed, so they are not secret.
pub(crate) struct Keys {
    pub(crate) application_id: i64,
    /// Signs user ids for the token exchange.
    pub(crate) application_key: String,
    /// Signs tokens of the main service.
    pub(crate) signing_key: [u8; 32],
    pub(crate) care_token: String,
}

impl Keys {
    pub(crate) fn new(seed: u64) -> Self {
        let bytes = seed.to_be_bytes();
        Self {
            application_id: (10_000 + seed % 10_000 * 10).cast_signed(),
            application_key: crypto::hex(&crypto::digest(&[b"application key", &bytes])[..16]),
            signing_key: crypto::digest(&[b"signing key", &bytes]),
            care_token: format!("care-{}", crypto::hex(&crypto::digest(&[b"care token", &bytes])[..16])),
        }
    }

    pub(crate) fn inactive_application_id(&self) -> i64 {
        self.application_id + 1
    }
}

/// Claims of a token of the main service.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Claims {
    /// Application that the token was issued for (`iss`).
    pub application_id: i64,
    /// User whose data it gives access to (`sub`).
    pub user_id: String,
    /// Time of issue in seconds since 1970 (`iat`).
    pub issued_at: i64,
    /// Expiry in seconds since 1970 (`exp`). `None` for no expiry.
    pub expires_at: Option<i64>,
}

impl Claims {
    /// Creates claims without an expiry.
    pub fn new(application_id: i64, user_id: impl Into<String>, issued_at: i64) -> Self {
        Self { application_id, user_id: user_id.into(), issued_at, expires_at: None }
    }

    /// Sets the expiry in seconds since 1970.
    #[must_use]
    pub fn expires_at(mut self, at: i64) -> Self {
        self.expires_at = Some(at);
        self
    }
}

/// Creates a token of the main service.
pub(crate) fn sign(key: &[u8], claims: &Claims) -> String {
    let mut payload = json!({
        "iss": claims.application_id.to_string(),
        "sub": claims.user_id,
        "iat": claims.issued_at,
    });
    if let Some(at) = claims.expires_at {
        payload["exp"] = json!(at);
    }
    let header = json!({ "alg": "HS256", "typ": "JWT" });
    let signed = format!("{}.{}", encode(&header), encode(&payload));
    let tag = crypto::mac(key, signed.as_bytes()).finalize().into_bytes();
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(tag))
}

fn encode(value: &Value) -> String {
    URL_SAFE_NO_PAD.encode(value.to_string())
}

fn decode(part: &str) -> Option<Value> {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).ok()?).ok()
}

/// Returns the claims of a token with a valid signature. Does not check the claims.
pub(crate) fn verify(key: &[u8], token: &str) -> Option<Claims> {
    let (signed, tag) = token.rsplit_once('.')?;
    let (header, payload) = signed.split_once('.')?;
    let tag = URL_SAFE_NO_PAD.decode(tag).ok()?;
    crypto::mac(key, signed.as_bytes()).verify_slice(&tag).ok()?;
    if decode(header)?["alg"] != "HS256" {
        return None;
    }
    let payload = decode(payload)?;
    Some(Claims {
        application_id: payload["iss"].as_str()?.parse().ok()?,
        user_id: payload["sub"].as_str()?.to_owned(),
        issued_at: payload["iat"].as_i64()?,
        expires_at: payload["exp"].as_i64(),
    })
}

/// Whether a text is a valid user id: 1 to 128 letters, digits and `-_.`.
pub(crate) fn is_user_id(text: &str) -> bool {
    (1..=128).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// Returns the user id in a token, without checking the token.
pub(crate) fn claimed_user(headers: &http::HeaderMap) -> Option<String> {
    headers.get(header::AUTHORIZATION).and_then(token_user)
}

/// Returns the user id in an `Authorization` header, without checking the token.
pub(crate) fn token_user(authorization: &http::HeaderValue) -> Option<String> {
    let token = authorization.to_str().ok()?.split_once(' ')?.1;
    let user = decode(token.split('.').nth(1)?)?["sub"].as_str()?.to_owned();
    is_user_id(&user).then_some(user)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_unchanged_token_is_verified() {
        let claims = Claims::new(5, "someone", 100).expires_at(200);
        let token = sign(b"key", &claims);
        let read = verify(b"key", &token).unwrap();
        assert_eq!((read.application_id, read.user_id.as_str()), (5, "someone"));
        assert_eq!((read.issued_at, read.expires_at), (100, Some(200)));
        assert!(verify(b"other", &token).is_none());
        for at in 0..token.len() {
            let mut changed = token.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            assert!(verify(b"key", &changed).is_none(), "{at}");
        }
    }

    #[test]
    fn a_token_without_algorithm_is_rejected() {
        let signed = format!("{}.{}", encode(&json!({"alg": "none"})), encode(&json!({"iss": "5", "sub": "x", "iat": 1})));
        let tag = crypto::mac(b"key", signed.as_bytes()).finalize().into_bytes();
        let token = format!("{signed}.{}", URL_SAFE_NO_PAD.encode(tag));
        assert!(verify(b"key", &token).is_none());
        assert!(verify(b"key", "..").is_none());
        assert!(verify(b"key", "").is_none());
    }
}
