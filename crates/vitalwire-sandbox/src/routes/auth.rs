//! Authentication of requests.

use axum::extract::FromRequestParts;
use http::header;
use http::request::Parts;

use crate::app::AppState;
use crate::people::profile::Profile;
use crate::tokens;
use crate::values::crypto;
use crate::web::problem::Problem;

const MALFORMED: &str = "malformed authorization header";
const INVALID: &str = "invalid authorization header";
const EXPIRED: &str = "expired jwt";
const NOT_FOUND: &str = "application not found";
const NOT_ACTIVE: &str = "application not active";

/// Rejects an unknown or inactive application.
pub(crate) fn check_application(app: &AppState, id: i64) -> Result<(), Problem> {
    if id == app.keys().application_id {
        Ok(())
    } else if id == app.keys().inactive_application_id() {
        Err(Problem::unauthorized(NOT_ACTIVE))
    } else {
        Err(Problem::unauthorized(NOT_FOUND))
    }
}

/// Returns the problem for a wrong signature. The interface has no separate text for it.
pub(crate) fn wrong_signature() -> Problem {
    Problem::unauthorized(INVALID)
}

fn bearer_token(parts: &Parts) -> Result<&str, Problem> {
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

/// User of a request to the main service.
pub(crate) struct User(pub(crate) Profile);

impl FromRequestParts<AppState> for User {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, Problem> {
        let token = bearer_token(parts)?;
        let claims = tokens::verify(&app.keys().signing_key, token).ok_or_else(|| Problem::unauthorized(INVALID))?;
        if claims.expires_at.is_some_and(|at| at <= app.now().as_second()) {
            return Err(Problem::unauthorized(EXPIRED));
        }
        check_application(app, claims.application_id)?;
        if !tokens::is_user_id(&claims.user_id) {
            return Err(Problem::unauthorized(INVALID));
        }
        Ok(Self(app.profile(&claims.user_id)))
    }
}

/// Proof that a policy-benefits request has the right key.
pub(crate) struct CareAccess;

impl FromRequestParts<AppState> for CareAccess {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, Problem> {
        let token = bearer_token(parts)?;
        // Compares digests, so that the comparison time reveals nothing about the key.
        if crypto::digest(&[token.as_bytes()]) == crypto::digest(&[app.keys().care_token.as_bytes()]) {
            Ok(Self)
        } else {
            Err(Problem::unauthorized(INVALID))
        }
    }
}
