//! Consent page and its form.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::header::{self, HeaderName};
use http::{HeaderMap, HeaderValue, StatusCode};

use crate::app::AppState;
use crate::consent::{self, Answer, Consent};
use crate::spec;
use crate::store::StoreError;
use crate::web::problem::Problem;
use crate::web::segment::Segment;

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Returns the consent of a page URL, if the URL is still valid.
async fn find(app: &AppState, token: &str) -> Result<Option<Consent>, StoreError> {
    if !consent::is_token(token) {
        return Ok(None);
    }
    Ok(app.store().consent(token).await?.filter(|consent| app.clock().for_people() < consent.expires_at))
}

pub(crate) async fn page(State(app): State<AppState>, Segment(token): Segment<String>) -> Result<Response, Problem> {
    let Some(consent) = find(&app, &token).await? else { return Ok(consent::gone()) };
    // All three answers redirect to the same host.
    let back = consent.destination(&app.settings().redirects, Answer::Refuse);
    Ok(back.map_or_else(consent::gone, |back| {
        consent::question(&consent, &consent::seal(&app.keys().signing_key, &token), &back, app.clock().on_machine(consent.expires_at))
    }))
}

pub(crate) async fn answer(
    State(app): State<AppState>,
    Segment(token): Segment<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let Some(consent) = find(&app, &token).await? else { return Ok(consent::gone()) };
    let fields = |name: &str| url::form_urlencoded::parse(&body).find(|(field, _)| field == name).map(|(_, value)| value);
    let sealed = fields("seal").is_some_and(|seal| *seal == consent::seal(&app.keys().signing_key, &token));
    if !sealed || !own_page(&headers) {
        return Ok(consent::refused());
    }
    let answer = fields("answer").and_then(|name| Answer::from_name(&name)).ok_or_else(|| Problem::not_found("answer"))?;
    let slug = spec::provider(&consent.slug).ok_or_else(|| Problem::not_found("provider"))?;
    let destination = consent.destination(&app.settings().redirects, answer);
    let location = destination.and_then(|url| HeaderValue::from_str(url.as_str()).ok()).ok_or_else(|| Problem::not_found("redirect"))?;
    // From here on, only the first of several requests succeeds.
    if !app.store().use_consent(&token).await? {
        return Ok(consent::gone());
    }
    if answer == Answer::Allow {
        app.integrations().connect(&app.profile(&consent.user_id), slug).await?;
    }
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response())
}

/// Whether the form was on a page of ours, according to the browser. True for other clients.
fn own_page(headers: &HeaderMap) -> bool {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let origin = text(header::ORIGIN).is_none_or(|origin| {
        let place = origin.split_once("://").map(|(_, place)| place);
        place.is_some() && place == text(header::HOST)
    });
    origin && text(SITE).is_none_or(|site| matches!(site, "same-origin" | "none"))
}
