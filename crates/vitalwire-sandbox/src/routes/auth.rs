//! The token of a request, checked.

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

/// Answers for an application that may not call.
pub(crate) fn check_application(app: &AppState, id: i64) -> Result<(), Problem> {
    if id == app.keys().application_id {
        Ok(())
    } else if id == app.keys().inactive_application_id() {
        Err(Problem::unauthorized(NOT_ACTIVE))
    } else {
        Err(Problem::unauthorized(NOT_FOUND))
    }
}

/// The problem for a wrong signature: the interface has no separate text for it.
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

/// The user of a main request.
pub(crate) struct User(pub(crate) Profile);

impl FromRequestParts<AppState> for User {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, Problem> {
        let token = bearer(parts)?;
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

/// A policy-benefits request with the right key.
pub(crate) struct Clinic;

impl FromRequestParts<AppState> for Clinic {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, Problem> {
        let token = bearer(parts)?;
        // Digests are compared, so that the time taken says nothing about the key.
        if crypto::digest(&[token.as_bytes()]) == crypto::digest(&[app.keys().care_token.as_bytes()]) {
            Ok(Self)
        } else {
            Err(Problem::unauthorized(INVALID))
        }
    }
}
