//! Who is asking. Main tokens are JWTs (HS256) made here; the policy-benefits service takes one fixed key.

use axum::extract::FromRequestParts;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::Mac;
use http::header;
use http::request::Parts;
use serde_json::{Value, json};

use crate::crypto;
use crate::people::profile::Profile;
use crate::problem::Problem;
use crate::world::World;

const MALFORMED: &str = "malformed authorization header";
const INVALID: &str = "invalid authorization header";
const EXPIRED: &str = "expired jwt";
const NOT_FOUND: &str = "application not found";
const NOT_ACTIVE: &str = "application not active";

/// What a main token says.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Claims {
    /// The application the token was made for (`iss`).
    pub application_id: i64,
    /// The one user it opens (`sub`).
    pub user_id: String,
    /// Seconds since 1970 when it was made (`iat`).
    pub issued_at: i64,
    /// Seconds since 1970 from which it is refused (`exp`); none: never.
    pub expires_at: Option<i64>,
}

impl Claims {
    /// Claims without an end.
    pub fn new(application_id: i64, user_id: impl Into<String>, issued_at: i64) -> Self {
        Self { application_id, user_id: user_id.into(), issued_at, expires_at: None }
    }

    /// Sets the end, in seconds since 1970.
    #[must_use]
    pub fn expires_at(mut self, at: i64) -> Self {
        self.expires_at = Some(at);
        self
    }
}

/// Makes a token.
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

/// The claims of a token whose signature is right, whatever they say.
fn verify(key: &[u8], token: &str) -> Option<Claims> {
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

/// Letters, digits and `-_.`, 1 to 128 of them.
pub(crate) fn is_user_id(text: &str) -> bool {
    (1..=128).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// Answers for an application that may not call.
pub(crate) fn check_application(world: &World, id: i64) -> Result<(), Problem> {
    if id == world.application_id() {
        Ok(())
    } else if id == world.inactive_application_id() {
        Err(Problem::unauthorized(NOT_ACTIVE))
    } else {
        Err(Problem::unauthorized(NOT_FOUND))
    }
}

/// Answers for a signature that does not fit: there is no text of its own for it.
pub(crate) fn wrong_signature() -> Problem {
    Problem::unauthorized(INVALID)
}

fn bearer(parts: &Parts) -> Result<&str, Problem> {
    let malformed = || Problem::unauthorized(MALFORMED);
    let mut values = parts.headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next().ok_or_else(malformed)?.to_str().map_err(|_| malformed())?;
    if values.next().is_some() {
        return Err(malformed());
    }
    let (scheme, token) = value.split_once(' ').ok_or_else(malformed)?;
    if !scheme.eq_ignore_ascii_case("bearer") || token.is_empty() || token.contains(char::is_whitespace) {
        return Err(malformed());
    }
    Ok(token)
}

/// The user a token names, whether or not it is a good one.
pub(crate) fn claimed_user(headers: &http::HeaderMap) -> Option<String> {
    headers.get(header::AUTHORIZATION).and_then(user_in)
}

/// The same of the header's value.
pub(crate) fn user_in(authorization: &http::HeaderValue) -> Option<String> {
    let token = authorization.to_str().ok()?.split_once(' ')?.1;
    let user = decode(token.split('.').nth(1)?)?["sub"].as_str()?.to_owned();
    is_user_id(&user).then_some(user)
}

/// The user of a main request.
pub(crate) struct User(pub(crate) Profile);

impl FromRequestParts<World> for User {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, world: &World) -> Result<Self, Problem> {
        let token = bearer(parts)?;
        let claims = verify(world.signing_key(), token).ok_or_else(|| Problem::unauthorized(INVALID))?;
        if claims.expires_at.is_some_and(|at| at <= world.now().as_second()) {
            return Err(Problem::unauthorized(EXPIRED));
        }
        check_application(world, claims.application_id)?;
        if !is_user_id(&claims.user_id) {
            return Err(Problem::unauthorized(INVALID));
        }
        Ok(Self(world.profile(&claims.user_id)))
    }
}

/// A policy-benefits request with the right key.
pub(crate) struct Clinic;

impl FromRequestParts<World> for Clinic {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, world: &World) -> Result<Self, Problem> {
        let token = bearer(parts)?;
        // Digests are compared, so that the time taken says nothing about the key.
        if crypto::digest(&[token.as_bytes()]) == crypto::digest(&[world.care_token().as_bytes()]) {
            Ok(Self)
        } else {
            Err(Problem::unauthorized(INVALID))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_back_and_a_changed_one_is_not() {
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
    fn a_token_without_algorithm_is_refused() {
        let signed = format!("{}.{}", encode(&json!({"alg": "none"})), encode(&json!({"iss": "5", "sub": "x", "iat": 1})));
        let tag = crypto::mac(b"key", signed.as_bytes()).finalize().into_bytes();
        let token = format!("{signed}.{}", URL_SAFE_NO_PAD.encode(tag));
        assert!(verify(b"key", &token).is_none());
        assert!(verify(b"key", "..").is_none());
        assert!(verify(b"key", "").is_none());
    }
}
