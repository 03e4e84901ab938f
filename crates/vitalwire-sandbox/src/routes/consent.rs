//! Consent page and its form.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::header::{self, HeaderName};
use http::{HeaderMap, HeaderValue, StatusCode};

use crate::app::AppState;
use crate::consent::{self, Consent, ConsentChoice};
use crate::spec;
use crate::store::{DocumentKind, StoreError};
use crate::web::path_param::PathParam;
use crate::web::problem::Problem;

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Returns the consent of a page URL, if the URL is still valid.
async fn find(app: &AppState, token: &str) -> Result<Option<Consent>, StoreError> {
    if !consent::is_token(token) {
        return Ok(None);
    }
    let consent: Option<Consent> = app.store().get(DocumentKind::Consent, "", token).await?;
    Ok(consent.filter(|consent| app.clock().link_time() < consent.expires_at))
}

pub(crate) async fn page(State(app): State<AppState>, PathParam(token): PathParam<String>) -> Result<Response, Problem> {
    let Some(consent) = find(&app, &token).await? else { return Ok(consent::expired_page()) };
    // All choices redirect to the same host.
    let back = consent.redirect_url(&app.settings().redirects, ConsentChoice::Refuse);
    Ok(back.map_or_else(consent::expired_page, |back| {
        consent::consent_page(
            &consent,
            &consent::form_token(&app.keys().signing_key, &token),
            &back,
            app.clock().to_machine_time(consent.expires_at),
        )
    }))
}

pub(crate) async fn submit(
    State(app): State<AppState>,
    PathParam(token): PathParam<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let Some(consent) = find(&app, &token).await? else { return Ok(consent::expired_page()) };
    let fields = |name: &str| url::form_urlencoded::parse(&body).find(|(field, _)| field == name).map(|(_, value)| value);
    let has_form_token = fields("form_token").is_some_and(|sent| *sent == consent::form_token(&app.keys().signing_key, &token));
    if !has_form_token || !is_own_page(&headers) {
        return Ok(consent::rejected_page());
    }
    let choice = fields("answer").and_then(|name| ConsentChoice::from_name(&name)).ok_or_else(|| Problem::not_found("answer"))?;
    let slug = spec::find_provider(&consent.slug).ok_or_else(|| Problem::not_found("provider"))?;
    let url = consent.redirect_url(&app.settings().redirects, choice);
    let location = url.and_then(|url| HeaderValue::from_str(url.as_str()).ok()).ok_or_else(|| Problem::not_found("redirect"))?;
    // From here on, only the first of several requests succeeds.
    if !app.store().remove(DocumentKind::Consent, "", &token).await? {
        return Ok(consent::expired_page());
    }
    if choice == ConsentChoice::Allow {
        app.integrations().connect(&app.profile(&consent.user_id), slug).await?;
    }
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response())
}

/// Whether the browser reports that the form was on the sandbox's own page. True for other clients.
fn is_own_page(headers: &HeaderMap) -> bool {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let origin = text(header::ORIGIN).is_none_or(|origin| {
        let host = origin.split_once("://").map(|(_, host)| host);
        host.is_some() && host == text(header::HOST)
    });
    origin && text(SITE).is_none_or(|site| matches!(site, "same-origin" | "none"))
}
